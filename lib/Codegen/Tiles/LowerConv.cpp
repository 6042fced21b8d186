// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions without padding. A tile is a few output channels of one group
// times consecutive output columns of one output row: each input vector serves
// all channels of the tile, each weight all of its columns. A unit is a block
// of channels, output rows and columns of one image.

#include "SlidingWindow.h"
#include "ambit/Cost/Cost.h"

using namespace mlir;
using namespace ambit;

namespace {
/// Extents and buffers of a `graph.conv`.
struct Convolution {
  explicit Convolution(KernelLowering &k)
      : k(k), op(cast<graph::ConvOp>(k.root)),
        accumulator(k, op.getInput().getType().getElementType(),
                    op.getResult().getType().getElementType()),
        groups(k.index(op.getGroups())) {
    SmallVector<Value> filter = k.dims(op.getFilter());
    SmallVector<Value> result = k.dims(op.getResult());
    channels = filter[1];
    window.assign(filter.begin() + 2, filter.end());
    outputs = k.floorDiv(filter[0], groups);
    images = result[0];
    outerExtents.assign(result.begin() + 2, result.end() - 1);
    columns = result.back();
    slider.emplace(k, op.getInput(), window, op.getStrides(),
                   op.getDilations());
    rowsPerUnit = chooseRowsPerUnit();
  }

  TileNest nest() {
    return TileNest(k, accumulator.getLanes(), outputs, columns,
                    slider->mostVectors());
  }
  /// Images, groups, blocks of channels, of rows and of columns.
  SmallVector<Value> unitExtents(TileNest &nest) {
    Value rowBlocks = k.ceilDiv(k.product(outerExtents), k.index(rowsPerUnit));
    return {images, groups, nest.countRowBlocks(), rowBlocks,
            nest.countColumnBlocks()};
  }
  int64_t chooseRowsPerUnit();
  SmallVector<Value> sums(Value inputBase, Value filterBase, int64_t tileRows,
                          Value column, ArrayRef<Lanes> lanes);

  KernelLowering &k;
  graph::ConvOp op;
  Accumulator accumulator;
  /// Channels per group in and out; the window's extents.
  Value groups, images, channels, outputs, columns;
  SmallVector<Value> window, outerExtents;
  std::optional<SlidingWindow> slider;
  int64_t rowsPerUnit;
};
} // namespace

/// As many output rows as make a unit worth a call; unknown extents count as
/// typical ones.
int64_t Convolution::chooseRowsPerUnit() {
  SmallVector<cost::RowPoints> row = {
      {KernelLowering::constantOf(outputs), 32, 48},
      {KernelLowering::constantOf(columns), 64, 256},
      {KernelLowering::constantOf(channels), 32}};
  for (Value extent : window)
    row.push_back({KernelLowering::constantOf(extent), 3});
  return cost::chooseRowsPerUnit(row, graph::WorkKind::MultiplyAdd);
}

/// The sums of a tile whose first element reads the input from `inputBase` and
/// the filter from `filterBase` on (at channel 0 of the group).
SmallVector<Value> Convolution::sums(Value inputBase, Value filterBase,
                                     int64_t tileRows, Value column,
                                     ArrayRef<Lanes> lanes) {
  Value input = k.buffer(op.getInput()), filter = k.buffer(op.getFilter());
  int64_t stride = op.getStrides().back();
  Value windowSize = k.product(window), plane = slider->planeSize();
  Value filterSize = k.mul(channels, windowSize);
  SmallVector<Value> rowStarts;
  for (int64_t i = 0; i < tileRows; ++i)
    rowStarts.push_back(k.add(filterBase, k.mul(k.index(i), filterSize)));
  Value first = k.add(inputBase, k.mul(column, k.index(stride)));
  SmallVector<Value> init(tileRows * lanes.size(), accumulator.number(0));
  auto tap = [&](Value inputAt, Value filterAt, ValueRange sums) {
    SmallVector<Value> right, next;
    for (auto [piece, active] : llvm::enumerate(lanes)) {
      Value offset =
          k.mul(k.index(int64_t(piece) * active.count), k.index(stride));
      right.push_back(
          accumulator.load(input, k.add(inputAt, offset), stride, active));
    }
    for (auto [i, start] : llvm::enumerate(rowStarts)) {
      Value left = accumulator.broadcast(filter, k.add(start, filterAt));
      for (size_t piece = 0; piece < lanes.size(); ++piece)
        next.push_back(accumulator.multiplyAdd(left, right[piece],
                                               sums[i * lanes.size() + piece]));
    }
    return next;
  };
  // A window without elements has no channels to go through.
  return k.loop(k.index(0), k.zeroIfAny(window, channels), 1, init,
                [&](Value channel, ValueRange sums) {
                  Value inputAt = k.add(first, k.mul(channel, plane));
                  Value filterAt = k.mul(channel, windowSize);
                  return slider->forEachTap(
                      sums,
                      [&](Value tapInput, Value tapNumber, ValueRange current) {
                        return tap(k.add(inputAt, tapInput),
                                   k.add(filterAt, tapNumber), current);
                      });
                });
}

static Value countUnits(KernelLowering &k) {
  Convolution conv(k);
  TileNest nest = conv.nest();
  return k.product(conv.unitExtents(nest));
}

/// Emits the tiles of one output row; `outer` is its index in the outer spatial
/// dims.
static void emitRow(Convolution &conv, TileNest &nest, TileFinisher &finisher,
                    const TileSpace &space, ArrayRef<Value> imageAndGroup,
                    ArrayRef<Value> outer) {
  KernelLowering &k = conv.k;
  Value image = imageAndGroup[0], group = imageAndGroup[1];
  Value firstChannel = k.mul(group, conv.channels);
  Value planes =
      k.add(k.mul(image, k.mul(conv.groups, conv.channels)), firstChannel);
  Value inputBase = k.add(k.mul(planes, conv.slider->planeSize()),
                          conv.slider->rowStart(outer));
  Value filterSize = k.mul(conv.channels, k.product(conv.window));
  Value firstOutput = k.mul(group, conv.outputs);
  nest.forEachTile(space, [&](Value row, int64_t rows, Value column,
                              ArrayRef<Lanes> lanes) {
    Value output = k.add(firstOutput, row);
    SmallVector<Value> sums =
        conv.sums(inputBase, k.mul(output, filterSize), rows, column, lanes);
    RowIndex index;
    index.index = {image, output};
    index.index.append(outer.begin(), outer.end());
    index.dim = 1;
    finisher.finish(sums, index, column, lanes);
  });
}

static void emitUnit(KernelLowering &k, Value unit) {
  Convolution conv(k);
  TileNest nest = conv.nest();
  SmallVector<Value> at = k.delinearize(unit, conv.unitExtents(nest));
  TileSpace space = nest.getBlock(at[2], at[4]);
  TileFinisher finisher(k, conv.accumulator);
  forEachOuterRow(k, conv.outerExtents, at[3], conv.rowsPerUnit,
                  [&](ArrayRef<Value> outer) {
                    emitRow(conv, nest, finisher, space, {at[0], at[1]}, outer);
                  });
}

RootLowering ambit::getConvLowering() { return {countUnits, emitUnit}; }
