// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sliding sums and maxima (pooling) without padding. A unit is a block of
// output rows of one channel of one image.

#include "Operands.h"
#include "SlidingWindow.h"
#include "ambit/Cost/Cost.h"
#include "ambit/Dialect/Graph/IR/ImageDims.h"

using namespace mlir;
using namespace ambit;

namespace {
/// Extents and buffers of a `graph.window`.
struct Pooling {
  explicit Pooling(KernelLowering &k)
      : k(k), op(cast<graph::WindowOp>(k.root)),
        accumulator(k, op.getInput().getType().getElementType(),
                    op.getResult().getType().getElementType()) {
    for (int64_t size : op.getWindow())
      window.push_back(k.index(size));
    SmallVector<Value> result = k.dims(op.getResult());
    leading.assign(result.begin(), result.begin() + graph::kFirstSpatialDim);
    outerExtents.assign(result.begin() + graph::kFirstSpatialDim,
                        result.end() - 1);
    columns = result.back();
    slider.emplace(k, op.getInput(), window, op.getStrides(), op.getDilations(),
                   op.getLow());
    SmallVector<cost::RowPoints> row = {
        {KernelLowering::constantOf(columns), 64}};
    for (int64_t size : op.getWindow())
      row.push_back({size, size});
    rowsPerUnit = cost::chooseRowsPerUnit(row, graph::WorkKind::Combine);
  }

  TileNest nest() {
    return TileNest(k, accumulator.getLanes(), k.index(1), columns,
                    slider->mostVectors());
  }
  SmallVector<Value> unitExtents(TileNest &nest) {
    Value rowBlocks = k.ceilDiv(k.product(outerExtents), k.index(rowsPerUnit));
    return {leading[0], leading[1], rowBlocks, nest.countColumnBlocks()};
  }
  Value initial();
  SmallVector<Value> reduce(Value base, Value column, ArrayRef<Lanes> lanes);

  KernelLowering &k;
  graph::WindowOp op;
  Accumulator accumulator;
  SmallVector<Value> window, leading, outerExtents;
  Value columns;
  std::optional<SlidingWindow> slider;
  int64_t rowsPerUnit;
};
} // namespace

/// The neutral element of the op's kind.
Value Pooling::initial() {
  if (op.getKind() == graph::ReduceKind::Sum)
    return accumulator.number(0);
  return accumulator.lowest();
}

SmallVector<Value> Pooling::reduce(Value base, Value column,
                                   ArrayRef<Lanes> lanes) {
  Value input = k.buffer(op.getInput());
  int64_t stride = op.getStrides().back();
  Value first = k.add(base, k.mul(column, k.index(stride)));
  SmallVector<Value> init(lanes.size(), initial());
  return slider->forEachTap(
      init, [&](Value position, Value, ValueRange current) {
        SmallVector<Value> next = loadVectors(
            k, accumulator, input, k.add(first, position), stride, lanes);
        for (auto [element, sum] : llvm::zip_equal(next, current))
          element = op.getKind() == graph::ReduceKind::Sum
                        ? accumulator.add(sum, element)
                        : accumulator.max(sum, element);
        return next;
      });
}

static Value countUnits(KernelLowering &k) {
  Pooling pooling(k);
  TileNest nest = pooling.nest();
  return k.product(pooling.unitExtents(nest));
}

static void emitUnit(KernelLowering &k, Value unit) {
  Pooling pooling(k);
  TileNest nest = pooling.nest();
  SmallVector<Value> at = k.delinearize(unit, pooling.unitExtents(nest));
  TileSpace space = nest.getBlock(k.index(0), at[3]);
  TileFinisher finisher(k, pooling.accumulator);
  Value plane = k.add(k.mul(at[0], pooling.leading[1]), at[1]);
  Value planeStart = k.mul(plane, pooling.slider->planeSize());
  forEachOuterRow(
      k, pooling.outerExtents, at[2], pooling.rowsPerUnit,
      [&](ArrayRef<Value> outer) {
        Value base = k.add(planeStart, pooling.slider->rowStart(outer));
        nest.forEachTile(
            space, [&](Value, int64_t, Value column, ArrayRef<Lanes> lanes) {
              SmallVector<Value> values = pooling.reduce(base, column, lanes);
              RowIndex index;
              index.index = {at[0], at[1]};
              index.index.append(outer.begin(), outer.end());
              index.dim = graph::kChannelDim;
              finisher.finish(values, index, column, lanes);
            });
      });
}

RootLowering ambit::getWindowLowering() { return {countUnits, emitUnit}; }
