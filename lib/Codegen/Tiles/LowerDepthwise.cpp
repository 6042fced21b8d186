// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolutions. A tile is some output rows of one channel: an input
// vector serves all rows whose windows it lies in, and the weights stay in
// registers. Rows whose windows reach into the padding are computed one by one.

#include "Convolution.h"
#include "WindowEdges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;

/// Output rows of a tile.
static constexpr int64_t kRows = 4;

static SmallVector<WindowEdges::Dim> getDims(Convolution &conv) {
  SmallVector<Value> input = conv.k.dims(conv.op.getInput());
  SmallVector<WindowEdges::Dim> dims;
  for (auto [dim, window] : llvm::enumerate(conv.window))
    dims.push_back({input[dim + graph::kFirstSpatialDim], window,
                    conv.op.getStrides()[dim], conv.op.getDilations()[dim],
                    conv.op.getLow()[dim], conv.op.getHigh()[dim]});
  return dims;
}

namespace {
/// Emits tiles of one channel of an image.
class Depthwise {
public:
  Depthwise(Convolution &conv, TileNest &nest, TileFinisher &finisher,
            const TileSpace &space, const ConvolutionRows &rows);
  void emit();

private:
  void emitRows(Value row, int64_t count, bool mayBeOutside);
  SmallVector<Value> emitSums(Value row, int64_t count, Value column,
                              ArrayRef<Lanes> lanes, bool selects,
                              bool mayBeOutside);

  SmallVector<Lanes> selectLanes(ArrayRef<Value> outer, Value column,
                                 ArrayRef<Value> tap, ArrayRef<Lanes> lanes);
  Value areColumnsInside(Value column, ArrayRef<Lanes> lanes);

  Convolution &conv;
  KernelLowering &k;
  WindowEdges edges;
  TileNest &nest;
  TileFinisher &finisher;
  const TileSpace &space;
  const ConvolutionRows &rows;
  int64_t height, width;
  SmallVector<Value> weights;
};
} // namespace

Depthwise::Depthwise(Convolution &conv, TileNest &nest, TileFinisher &finisher,
                     const TileSpace &space, const ConvolutionRows &rows)
    : conv(conv), k(conv.k), edges(k, getDims(conv)), nest(nest),
      finisher(finisher), space(space), rows(rows),
      height(*KernelLowering::constantOf(conv.window[0])),
      width(*KernelLowering::constantOf(conv.window[1])) {
  Value filter = k.buffer(conv.op.getFilter());
  Value first = k.mul(rows.group, k.index(height * width));
  for (int64_t tap = 0; tap < height * width; ++tap)
    weights.push_back(
        conv.accumulator.broadcast(filter, k.add(first, k.index(tap))));
}

/// `WindowEdges::select` for all vectors of a tile.
SmallVector<Lanes> Depthwise::selectLanes(ArrayRef<Value> outer, Value column,
                                          ArrayRef<Value> tap,
                                          ArrayRef<Lanes> lanes) {
  SmallVector<Lanes> selected;
  for (auto [piece, active] : llvm::enumerate(lanes)) {
    Value first = k.index(int64_t(piece) * active.count);
    selected.push_back(edges.select(outer, k.add(column, first), tap, active));
  }
  return selected;
}

Value Depthwise::areColumnsInside(Value column, ArrayRef<Lanes> lanes) {
  int64_t width = int64_t(lanes.size()) * conv.accumulator.getLanes();
  Value end = k.add(column, k.index(width));
  if (lanes.back().mask)
    end = k.min(end, conv.columns);
  return edges.areColumnsInside(column, end);
}

/// The sums of `count` rows from `row` on, row by row. `selects` and
/// `mayBeOutside`: whether columns, or the one row, may reach into the padding.
SmallVector<Value> Depthwise::emitSums(Value row, int64_t count, Value column,
                                       ArrayRef<Lanes> lanes, bool selects,
                                       bool mayBeOutside) {
  int64_t stride = conv.op.getStrides()[0],
          dilation = conv.op.getDilations()[0];
  int64_t step = conv.op.getStrides()[1], spread = conv.op.getDilations()[1];
  Value base = conv.inputBase(rows.image, rows.group, {row});
  base = k.add(base, k.mul(column, k.index(step)));
  int64_t vectors = lanes.size();
  SmallVector<Value> sums(count * vectors, conv.accumulator.number(0));
  // Input rows in ascending order, so every sum sees its taps in theirs.
  int64_t reach = (count - 1) * stride + (height - 1) * dilation;
  for (int64_t at = 0; at <= reach; ++at)
    for (int64_t x = 0; x < width; ++x) {
      SmallVector<Value> loaded;
      for (int64_t i = 0; i < count; ++i) {
        int64_t y = at - i * stride;
        if (y < 0 || y % dilation != 0 || y / dilation >= height)
          continue;
        y /= dilation;
        if (loaded.empty()) {
          SmallVector<Lanes> chosen(lanes);
          SmallVector<Value> outer;
          if (mayBeOutside)
            outer.push_back(row);
          if (selects)
            chosen =
                selectLanes(outer, column, {k.index(y), k.index(x)}, lanes);
          Value offset = k.add(k.mul(k.index(at), conv.slider->pitchOf(0)),
                               k.index(x * spread));
          loaded = conv.load(k.add(base, offset), chosen);
        }
        for (int64_t piece = 0; piece < vectors; ++piece) {
          Value &sum = sums[i * vectors + piece];
          sum = conv.accumulator.multiplyAdd(weights[y * width + x],
                                             loaded[piece], sum);
        }
      }
    }
  return sums;
}

void Depthwise::emitRows(Value row, int64_t count, bool mayBeOutside) {
  bool isPadded = edges.isPadded(1);
  nest.forEachTile(
      space, [&](Value, int64_t, Value column, ArrayRef<Lanes> lanes) {
        auto sums = [&](bool selects) {
          return emitSums(row, count, column, lanes, selects, mayBeOutside);
        };
        SmallVector<Value> values;
        if (mayBeOutside || !isPadded)
          values = sums(mayBeOutside);
        else
          values = emitChoice(
              k, areColumnsInside(column, lanes), [&] { return sums(false); },
              [&] { return sums(true); });
        RowIndex index;
        index.index = {rows.image, rows.group, row};
        index.dim = graph::kFirstSpatialDim;
        finisher.finish(values, index, column, lanes);
      });
}

void Depthwise::emit() {
  Value extent = conv.outerExtents.front();
  Value first = k.mul(rows.block, k.index(conv.rowsPerUnit));
  Value end = k.min(k.add(first, k.index(conv.rowsPerUnit)), extent);
  // [first, end) without the rows that reach into the padding.
  Value inside = first, outside = end;
  if (edges.isPadded(0)) {
    inside = k.min(k.max(first, edges.firstInside(0)), end);
    outside = k.max(k.min(end, edges.endInside(0)), inside);
  }
  Value whole =
      k.mul(k.floorDiv(k.sub(outside, inside), k.index(kRows)), k.index(kRows));
  Value rest = k.add(inside, whole);
  k.loop(inside, rest, kRows, [&](Value row) { emitRows(row, kRows, false); });
  // What is before and behind, in one loop.
  Value before = k.sub(inside, first);
  Value count = k.add(before, k.sub(end, rest));
  k.loop(k.index(0), count, 1, [&](Value i) {
    Value behind = k.add(rest, k.sub(i, before));
    Value row = k.b.createOrFold<arith::SelectOp>(k.loc, isLess(k, i, before),
                                                  k.add(first, i), behind);
    emitRows(row, 1, edges.isPadded());
  });
}

void ambit::emitDepthwise(Convolution &conv, TileNest &nest,
                          TileFinisher &finisher, const TileSpace &space,
                          const ConvolutionRows &rows) {
  Depthwise(conv, nest, finisher, space, rows).emit();
}
