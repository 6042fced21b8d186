// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products by register tiles.
//
// The packed form takes the inner dim in steps. For each it copies one panel of
// the rhs, as wide as a tile, to the stack, and adds the step's products to the
// sums of all rows of the block. Between steps the sums are in memory, each in
// its own place, so an element still is one chain of multiply-adds.

#include "Product.h"
#include <numeric>

using namespace mlir;
using namespace ambit;

/// Bytes of a panel: half of a small first-level cache.
static constexpr int64_t kPanelBytes = 16384;
/// Fewer row tiles than this do not repay a copy.
static constexpr int64_t kLeastRowTiles = 3;

/// Whether a panel of so many rows, `pitch` bytes apart, would evict itself
/// from a typical second-level cache (2048 sets of 8 lines, half of them for
/// it).
static bool isTooSpread(int64_t rows, int64_t pitch) {
  constexpr int64_t sets = 2048, ways = 8, line = 64;
  int64_t used = pitch % line ? sets : sets / std::gcd(pitch / line, sets);
  return rows > used * ways / 2;
}

ProductEmitter::Packing ProductEmitter::choosePacking(const Product &product,
                                                      const TileSpace &space) {
  std::optional<int64_t> inner = KernelLowering::constantOf(product.inner);
  std::optional<int64_t> pitch = KernelLowering::constantOf(product.rhs.pitch);
  std::optional<int64_t> rows = KernelLowering::constantOf(space.rows);
  if (!inner || !pitch || !isTooSpread(*inner, *pitch * scalarBytes()))
    return Packing::Never;
  if (!rows)
    return Packing::WhenManyRows;
  return *rows >= kLeastRowTiles * nest.getTileRows() ? Packing::Always
                                                      : Packing::Never;
}

int64_t ProductEmitter::scalarBytes() const {
  return llvm::divideCeil(accumulator.getScalar().getIntOrFloatBitWidth(), 8);
}

void ProductEmitter::emit(const Product &product, const TileSpace &space,
                          IndexOf indexOf) {
  Packing packing = choosePacking(product, space);
  if (packing == Packing::Never)
    return emitDirect(product, space, indexOf);
  if (packing == Packing::Always)
    return emitPacked(product, space, indexOf);
  Value rows = kernel.sub(space.endRow, space.firstRow);
  Value least = kernel.index(kLeastRowTiles * nest.getTileRows());
  emitEither(
      kernel, isLess(kernel, rows, least),
      [&] { emitDirect(product, space, indexOf); },
      [&] { emitPacked(product, space, indexOf); });
}

SmallVector<Value> ProductEmitter::accumulate(const Product &product,
                                              Panel &panel, Value first,
                                              Value end, Value row,
                                              int64_t rows, ValueRange init) {
  SmallVector<Value> starts;
  for (int64_t i = 0; i < rows; ++i)
    starts.push_back(
        product.lhs.rowStart(kernel, kernel.add(row, kernel.index(i))));
  return kernel.loop(first, end, 1, init, [&](Value at, ValueRange sums) {
    return multiplyRows(kernel, accumulator, product.lhs.buffer, starts, at,
                        panel.read(at), sums);
  });
}

void ProductEmitter::emitDirect(const Product &product, const TileSpace &space,
                                IndexOf indexOf) {
  nest.forEachTile(
      space, [&](Value row, int64_t rows, Value column, ArrayRef<Lanes> lanes) {
        DirectPanel panel(kernel, accumulator, product.rhs, column, lanes);
        SmallVector<Value> zeros(rows * lanes.size(), accumulator.number(0));
        SmallVector<Value> sums = accumulate(product, panel, kernel.index(0),
                                             product.inner, row, rows, zeros);
        finisher.finish(sums, indexOf(row), column, lanes);
      });
}

//===-- Packed ---------------------------------------------------------===//

void ProductEmitter::addToStored(const Product &product, Panel &panel,
                                 Value first, Value end, Value row,
                                 int64_t rows, Value storedRow,
                                 int64_t vectors) {
  int64_t width = accumulator.getLanes();
  Value pitch = kernel.index(vectors * width);
  SmallVector<Value> places, init;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t piece = 0; piece < vectors; ++piece) {
      Value place = kernel.mul(kernel.add(storedRow, kernel.index(i)), pitch);
      places.push_back(kernel.add(place, kernel.index(piece * width)));
      init.push_back(accumulator.loadStored(stored, places.back()));
    }
  SmallVector<Value> sums =
      accumulate(product, panel, first, end, row, rows, init);
  for (auto [place, sum] : llvm::zip_equal(places, sums))
    accumulator.store(sum, stored, place);
}

void ProductEmitter::emitPacked(const Product &product, const TileSpace &space,
                                IndexOf indexOf) {
  int64_t width = accumulator.getLanes(), vectors = nest.getTileVectors();
  Type scalar = accumulator.getScalar();
  int64_t depth = kPanelBytes / (vectors * width * scalarBytes());
  if (!copied) {
    copied = allocateScratch(kernel, depth * vectors * width, scalar);
    stored = allocateScratch(kernel, nest.getRowsPerBlock() * vectors * width,
                             scalar);
  }
  Value zero = kernel.index(0);
  Value rows = kernel.sub(space.endRow, space.firstRow);
  nest.forEachColumn(space, vectors, [&](Value column, ArrayRef<Lanes> lanes) {
    int64_t used = lanes.size();
    Value pitch = kernel.index(used * width);
    kernel.loop(zero, kernel.mul(rows, pitch), width, [&](Value at) {
      accumulator.store(accumulator.number(0), stored, at);
    });
    DirectPanel source(kernel, accumulator, product.rhs, column, lanes);
    kernel.loop(zero, product.inner, depth, [&](Value first) {
      Value end =
          kernel.min(kernel.add(first, kernel.index(depth)), product.inner);
      StackPanel panel(kernel, accumulator, copied, first, used);
      panel.fill(source, end);
      nest.forEachRowTile(space, [&](Value row, int64_t count) {
        addToStored(product, panel, first, end, row, count,
                    kernel.sub(row, space.firstRow), used);
      });
    });
    finisher.finishStored(stored, rows, used * width, indexOf(space.firstRow),
                          column, lanes);
  });
}
