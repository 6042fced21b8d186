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
  std::optional<int64_t> pitch = KernelLowering::constantOf(product.rhsPitch);
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

SmallVector<Value> ProductEmitter::rowStarts(const Product &product, Value row,
                                             int64_t rows) {
  SmallVector<Value> starts;
  for (int64_t i = 0; i < rows; ++i) {
    Value offset = kernel.mul(kernel.add(row, kernel.index(i)), product.inner);
    starts.push_back(kernel.add(product.lhsStart, offset));
  }
  return starts;
}

SmallVector<Value> ProductEmitter::step(Value lhs, ValueRange rowStarts,
                                        Value at, ValueRange right,
                                        ValueRange sums) {
  SmallVector<Value> next;
  for (Value start : rowStarts) {
    Value left = accumulator.broadcast(lhs, kernel.add(start, at));
    for (Value element : right)
      next.push_back(accumulator.multiplyAdd(left, element, sums[next.size()]));
  }
  return next;
}

void ProductEmitter::emitDirect(const Product &product, const TileSpace &space,
                                IndexOf indexOf) {
  nest.forEachTile(space, [&](Value row, int64_t rows, Value column,
                              ArrayRef<Lanes> lanes) {
    SmallVector<Value> starts = rowStarts(product, row, rows);
    Value rhsStart = kernel.add(product.rhsStart, column);
    SmallVector<Value> zeros(rows * lanes.size(), accumulator.number(0));
    SmallVector<Value> sums = kernel.loop(
        kernel.index(0), product.inner, 1, zeros,
        [&](Value at, ValueRange current) {
          Value rhsRow = kernel.add(rhsStart, kernel.mul(at, product.rhsPitch));
          SmallVector<Value> right;
          for (auto [piece, active] : llvm::enumerate(lanes)) {
            Value offset = kernel.index(int64_t(piece) * active.count);
            right.push_back(accumulator.load(
                product.rhs, kernel.add(rhsRow, offset), 1, active));
          }
          return step(product.lhs, starts, at, right, current);
        });
    finisher.finish(sums, indexOf(row), column, lanes);
  });
}

//===-- Packed ---------------------------------------------------------===//

/// Copies rows [first, end) of the columns of a tile to the panel.
void ProductEmitter::pack(const Product &product, Value first, Value end,
                          Value column, ArrayRef<Lanes> lanes) {
  int64_t width = accumulator.getLanes();
  Value rhsStart = kernel.add(product.rhsStart, column);
  kernel.loop(first, end, 1, [&](Value at) {
    Value from = kernel.add(rhsStart, kernel.mul(at, product.rhsPitch));
    Value to = kernel.mul(kernel.sub(at, first),
                          kernel.index(int64_t(lanes.size()) * width));
    for (auto [piece, active] : llvm::enumerate(lanes)) {
      Value offset = kernel.index(int64_t(piece) * width);
      Value value =
          accumulator.load(product.rhs, kernel.add(from, offset), 1, active);
      accumulator.store(value, panel, kernel.add(to, offset));
    }
  });
}

/// Adds the panel's products to the sums of a row tile.
void ProductEmitter::addPanel(const Product &product, Value first, Value end,
                              Value row, int64_t rows, Value storedRow,
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
  SmallVector<Value> starts = rowStarts(product, row, rows);
  SmallVector<Value> sums =
      kernel.loop(first, end, 1, init, [&](Value at, ValueRange current) {
        Value from = kernel.mul(kernel.sub(at, first), pitch);
        SmallVector<Value> right;
        for (int64_t piece = 0; piece < vectors; ++piece)
          right.push_back(accumulator.loadStored(
              panel, kernel.add(from, kernel.index(piece * width))));
        return step(product.lhs, starts, at, right, current);
      });
  for (auto [place, sum] : llvm::zip_equal(places, sums))
    accumulator.store(sum, stored, place);
}

void ProductEmitter::emitPacked(const Product &product, const TileSpace &space,
                                IndexOf indexOf) {
  int64_t width = accumulator.getLanes(), vectors = nest.getTileVectors();
  Type scalar = accumulator.getScalar();
  int64_t depth = kPanelBytes / (vectors * width * scalarBytes());
  if (!panel) {
    panel = allocateScratch(kernel, depth * vectors * width, scalar);
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
    kernel.loop(zero, product.inner, depth, [&](Value first) {
      Value end =
          kernel.min(kernel.add(first, kernel.index(depth)), product.inner);
      pack(product, first, end, column, lanes);
      nest.forEachRowTile(space, [&](Value row, int64_t count) {
        addPanel(product, first, end, row, count,
                 kernel.sub(row, space.firstRow), used);
      });
    });
    finisher.finishStored(stored, rows, used * width, indexOf(space.firstRow),
                          column, lanes);
  });
}
