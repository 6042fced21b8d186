// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions. A tile is a few output channels of one group times consecutive
// output columns of one output row: each input vector serves all channels of
// the tile, each weight all of its columns. A unit is a block of channels,
// output rows and columns of one image. Only depthwise convolutions, which are
// apart, have padding.

#include "Convolution.h"
#include "ambit/Kernel/Depthwise.h"

using namespace mlir;
using namespace ambit;

Convolution::Convolution(KernelLowering &k)
    : k(k), op(cast<graph::ConvOp>(k.root)),
      accumulator(k, op.getInput().getType().getElementType(),
                  op.getResult().getType().getElementType()),
      groups(k.index(op.getGroups())) {
  SmallVector<Value> filter = k.dims(op.getFilter());
  SmallVector<Value> result = k.dims(op.getResult());
  channels = filter[graph::kInputDim];
  window.assign(filter.begin() + graph::kFirstWindowDim, filter.end());
  outputs = k.floorDiv(filter[graph::kOutputDim], groups);
  images = result[graph::kBatchDim];
  outerExtents.assign(result.begin() + graph::kFirstSpatialDim,
                      result.end() - 1);
  columns = result.back();
  slider.emplace(k, op.getInput(), window, op.getStrides(), op.getDilations(),
                 op.getLow());
  rowsPerUnit = chooseRowsPerUnit();
}

TileNest Convolution::nest() {
  int64_t mostVectors = slider->mostVectors();
  // Tiles of several rows of one channel: their sums are enough.
  if (isDepthwise(op))
    mostVectors = std::min<int64_t>(mostVectors, 2);
  return TileNest(k, accumulator.getLanes(), outputs, columns, mostVectors);
}

SmallVector<Value> Convolution::unitExtents(TileNest &nest) {
  Value rowBlocks = k.ceilDiv(k.product(outerExtents), k.index(rowsPerUnit));
  return {images, groups, nest.countRowBlocks(), rowBlocks,
          nest.countColumnBlocks()};
}

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

Value Convolution::inputBase(Value image, Value group, ArrayRef<Value> outer) {
  Value firstChannel = k.mul(group, channels);
  Value planes = k.add(k.mul(image, k.mul(groups, channels)), firstChannel);
  return k.add(k.mul(planes, slider->planeSize()), slider->rowStart(outer));
}

SmallVector<Value> Convolution::load(Value position, ArrayRef<Lanes> lanes) {
  return loadVectors(k, accumulator, k.buffer(op.getInput()), position,
                     op.getStrides().back(), lanes);
}

/// The sums of a tile whose first element reads the input from `inputBase` and
/// the filter from `filterBase` on (at channel 0 of the group).
static SmallVector<Value> emitSums(Convolution &conv, Value inputBase,
                                   Value filterBase, int64_t tileRows,
                                   Value column, ArrayRef<Lanes> lanes) {
  KernelLowering &k = conv.k;
  Value filter = k.buffer(conv.op.getFilter());
  Value windowSize = k.product(conv.window), plane = conv.slider->planeSize();
  Value filterSize = k.mul(conv.channels, windowSize);
  SmallVector<Value> rowStarts;
  for (int64_t i = 0; i < tileRows; ++i)
    rowStarts.push_back(k.add(filterBase, k.mul(k.index(i), filterSize)));
  int64_t stride = conv.op.getStrides().back();
  Value first = k.add(inputBase, k.mul(column, k.index(stride)));
  SmallVector<Value> init(tileRows * lanes.size(), conv.accumulator.number(0));
  auto tap = [&](Value inputAt, Value filterAt, ValueRange sums) {
    return multiplyRows(k, conv.accumulator, filter, rowStarts, filterAt,
                        conv.load(inputAt, lanes), sums);
  };
  // A window without elements has no channels to go through.
  return k.loop(k.index(0), k.zeroIfAny(conv.window, conv.channels), 1, init,
                [&](Value channel, ValueRange sums) {
                  Value inputAt = k.add(first, k.mul(channel, plane));
                  Value filterAt = k.mul(channel, windowSize);
                  return conv.slider->forEachTap(
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
                    const TileSpace &space, Value image, Value group,
                    ArrayRef<Value> outer) {
  KernelLowering &k = conv.k;
  Value inputBase = conv.inputBase(image, group, outer);
  Value filterSize = k.mul(conv.channels, k.product(conv.window));
  Value firstOutput = k.mul(group, conv.outputs);
  nest.forEachTile(
      space, [&](Value row, int64_t rows, Value column, ArrayRef<Lanes> lanes) {
        Value output = k.add(firstOutput, row);
        SmallVector<Value> sums = emitSums(
            conv, inputBase, k.mul(output, filterSize), rows, column, lanes);
        RowIndex index;
        index.index = {image, output};
        index.index.append(outer.begin(), outer.end());
        index.dim = graph::kChannelDim;
        finisher.finish(sums, index, column, lanes);
      });
}

static void emitUnit(KernelLowering &k, Value unit) {
  Convolution conv(k);
  TileNest nest = conv.nest();
  SmallVector<Value> at = k.delinearize(unit, conv.unitExtents(nest));
  TileSpace space = nest.getBlock(at[2], at[4]);
  TileFinisher finisher(k, conv.accumulator);
  if (isDepthwise(conv.op))
    return emitDepthwise(conv, nest, finisher, space,
                         ConvolutionRows{at[0], at[1], at[3]});
  forEachOuterRow(k, conv.outerExtents, at[3], conv.rowsPerUnit,
                  [&](ArrayRef<Value> outer) {
                    emitRow(conv, nest, finisher, space, at[0], at[1], outer);
                  });
}

RootLowering ambit::getConvLowering() { return {countUnits, emitUnit}; }
