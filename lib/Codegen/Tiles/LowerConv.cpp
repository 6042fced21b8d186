// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions. A tile is a few output channels of one group times consecutive
// output columns of one output row: each input vector serves all channels of
// the tile, each weight all of its columns. A unit is a block of channels,
// output rows and columns of one image. Tiles whose windows reach into the
// padding switch the lanes off that lie outside.

#include "Convolution.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;

Convolution::Convolution(KernelLowering &k)
    : k(k), op(cast<graph::ConvOp>(k.root)),
      accumulator(k, op.getInput().getType().getElementType(),
                  op.getResult().getType().getElementType()),
      groups(k.index(op.getGroups())) {
  SmallVector<Value> input = k.dims(op.getInput());
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
  edges.emplace(k, graph::spatialOf(ArrayRef<Value>(input)), window, op);
  rowsPerUnit = chooseRowsPerUnit();
}

bool Convolution::isDepthwise() const {
  return KernelLowering::constantOf(outputs) == 1 &&
         KernelLowering::constantOf(channels) == 1 &&
         outerExtents.size() == 1 && slider->unrolledTaps();
}

TileNest Convolution::nest() {
  int64_t mostVectors = slider->mostVectors();
  // Tiles of several rows of one channel: their sums are enough.
  if (isDepthwise())
    mostVectors =
        std::min<int64_t>(mostVectors, k.vectors.registers >= 32 ? 2 : 1);
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

SmallVector<Lanes> Convolution::selectLanes(ArrayRef<Value> outer, Value column,
                                            ArrayRef<Value> tap,
                                            ArrayRef<Lanes> lanes) {
  SmallVector<Lanes> selected;
  for (auto [piece, active] : llvm::enumerate(lanes)) {
    Value first = k.index(int64_t(piece) * active.count);
    selected.push_back(edges->select(outer, k.add(column, first), tap, active));
  }
  return selected;
}

Value Convolution::areColumnsInside(Value column, ArrayRef<Lanes> lanes) {
  Value end =
      k.add(column, k.index(int64_t(lanes.size()) * accumulator.getLanes()));
  if (lanes.back().mask)
    end = k.min(end, columns);
  return edges->areColumnsInside(column, end);
}

namespace {
/// One tile: its place in the result and in the buffers.
struct Tile {
  ArrayRef<Value> outer;
  /// Where its first element reads the input and the filter (at channel 0 of
  /// the group).
  Value input, filter;
  int64_t rows;
  Value column;
  ArrayRef<Lanes> lanes;
};
} // namespace

/// The sums of a tile; with `selects`, of one that may reach into the padding.
static SmallVector<Value> emitSums(Convolution &conv, const Tile &tile,
                                   bool selects) {
  KernelLowering &k = conv.k;
  Value windowSize = k.product(conv.window), plane = conv.slider->planeSize();
  Value filterSize = k.mul(conv.channels, windowSize);
  SmallVector<Value> rowStarts;
  for (int64_t i = 0; i < tile.rows; ++i)
    rowStarts.push_back(k.add(tile.filter, k.mul(k.index(i), filterSize)));
  int64_t stride = conv.op.getStrides().back();
  Value first = k.add(tile.input, k.mul(tile.column, k.index(stride)));
  SmallVector<Value> init(tile.rows * tile.lanes.size(),
                          conv.accumulator.number(0));
  auto addChannel = [&](Value channel, ValueRange sums) {
    Value inputAt = k.add(first, k.mul(channel, plane));
    Value filterAt = k.mul(channel, windowSize);
    return conv.slider->forEachTap(
        sums, [&](const SlidingWindow::Element &element, ValueRange current) {
          SmallVector<Lanes> lanes(tile.lanes);
          if (selects)
            lanes = conv.selectLanes(tile.outer, tile.column, element.index,
                                     tile.lanes);
          SmallVector<Value> right =
              conv.load(k.add(inputAt, element.position), lanes);
          return multiplyRows(k, conv.accumulator,
                              k.buffer(conv.op.getFilter()), rowStarts,
                              k.add(filterAt, element.number), right, current);
        });
  };
  // A window without elements has no channels to go through.
  return k.loop(k.index(0), k.zeroIfAny(conv.window, conv.channels), 1, init,
                addChannel);
}

static SmallVector<Value> emitTile(Convolution &conv, const Tile &tile) {
  if (!conv.edges->isPadded())
    return emitSums(conv, tile, /*selects=*/false);
  KernelLowering &k = conv.k;
  Value isInside = k.b.createOrFold<arith::AndIOp>(
      k.loc, conv.edges->isRowInside(tile.outer),
      conv.areColumnsInside(tile.column, tile.lanes));
  return emitChoice(
      k, isInside, [&] { return emitSums(conv, tile, /*selects=*/false); },
      [&] { return emitSums(conv, tile, /*selects=*/true); });
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
  nest.forEachTile(space, [&](Value row, int64_t rows, Value column,
                              ArrayRef<Lanes> lanes) {
    Value output = k.add(firstOutput, row);
    Tile tile{outer, inputBase, k.mul(output, filterSize), rows, column, lanes};
    RowIndex index;
    index.index = {image, output};
    index.index.append(outer.begin(), outer.end());
    index.dim = graph::kChannelDim;
    finisher.finish(emitTile(conv, tile), index, column, lanes);
  });
}

static void emitUnit(KernelLowering &k, Value unit) {
  Convolution conv(k);
  TileNest nest = conv.nest();
  SmallVector<Value> at = k.delinearize(unit, conv.unitExtents(nest));
  TileSpace space = nest.getBlock(at[2], at[4]);
  TileFinisher finisher(k, conv.accumulator);
  if (conv.isDepthwise())
    return emitDepthwise(conv, nest, finisher, space,
                         ConvolutionRows{at[0], at[1], at[3]});
  forEachOuterRow(k, conv.outerExtents, at[3], conv.rowsPerUnit,
                  [&](ArrayRef<Value> outer) {
                    emitRow(conv, nest, finisher, space, at[0], at[1], outer);
                  });
}

RootLowering ambit::getConvLowering() { return {countUnits, emitUnit}; }
