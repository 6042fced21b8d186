// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slice, Pad and CenterCropPad.

#include "../../Compose/Movement/Slice.h"
#include "../../Compose/Movement/Pad.h"
#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static std::optional<SliceSpec> readSlice(NodeContext &c) {
  SliceSpec bounds;
  if (c.opset() < 10) {
    for (int64_t value : c.intsAttr("starts"))
      bounds.starts.push_back(value);
    for (int64_t value : c.intsAttr("ends"))
      bounds.ends.push_back(value);
    bounds.axes = c.intsAttr("axes");
  } else {
    if (!c.input(1) || !c.input(2)) {
      c.error() << "starts or ends are missing";
      return std::nullopt;
    }
    auto starts = c.knownInput(1, "starts"), ends = c.knownInput(2, "ends");
    std::optional<SmallVector<int64_t>> axes = SmallVector<int64_t>();
    std::optional<SmallVector<int64_t>> steps = SmallVector<int64_t>();
    if (c.input(3))
      axes = c.constantInput(3, "axes");
    if (c.input(4))
      steps = c.constantInput(4, "steps");
    if (!starts || !ends || !axes || !steps)
      return std::nullopt;
    bounds = SliceSpec{*starts, *ends, *axes, *steps};
  }
  size_t count = bounds.starts.size();
  if (bounds.axes.empty())
    for (size_t axis = 0; axis < count; ++axis)
      bounds.axes.push_back(axis);
  if (bounds.steps.empty())
    bounds.steps.assign(count, 1);
  if (bounds.ends.size() != count || bounds.axes.size() != count ||
      bounds.steps.size() != count) {
    c.error() << "has " << count << " starts, " << bounds.ends.size()
              << " ends, " << bounds.axes.size() << " axes and "
              << bounds.steps.size() << " steps";
    return std::nullopt;
  }
  return bounds;
}

static void convertSlice(NodeContext &c) {
  if (std::optional<SliceSpec> spec = readSlice(c))
    c.setOutput(0, slice(c, c.input(0), *spec));
}

static std::optional<graph::PadMode> padMode(NodeContext &c) {
  std::string mode = c.stringAttr("mode", "constant");
  if (mode == "constant")
    return graph::PadMode::Constant;
  if (mode == "edge")
    return graph::PadMode::Edge;
  if (mode == "reflect")
    return graph::PadMode::Reflect;
  if (mode == "wrap")
    return graph::PadMode::Wrap;
  c.error() << "attribute 'mode' is '" << mode
            << "', expected 'constant', 'edge', 'reflect' or 'wrap'";
  return std::nullopt;
}

/// Amounts for all dims: lows, then highs.
static std::optional<SmallVector<Expr>> padAmounts(NodeContext &c,
                                                   int64_t rank) {
  SmallVector<Expr> given;
  SmallVector<int64_t> axes;
  if (!c.input(1)) {
    for (int64_t amount : c.intsAttr("pads"))
      given.push_back(amount);
  } else {
    std::optional<SmallVector<Expr>> known = c.knownInput(1, "pads");
    if (!known)
      return std::nullopt;
    given = *known;
  }
  if (c.input(3)) {
    std::optional<SmallVector<int64_t>> known = c.constantInput(3, "axes");
    if (!known || !c.normalizeAxes(*known, rank))
      return std::nullopt;
    axes = *known;
  } else {
    for (int64_t axis = 0; axis < rank; ++axis)
      axes.push_back(axis);
  }
  if (given.size() != 2 * axes.size()) {
    c.error() << "has " << given.size() << " pads, expected "
              << 2 * axes.size();
    return std::nullopt;
  }
  SmallVector<Expr> all(2 * rank, Expr(0));
  for (auto [index, axis] : llvm::enumerate(axes)) {
    all[axis] = given[index];
    all[rank + axis] = given[axes.size() + index];
  }
  return all;
}

static void convertPad(NodeContext &c) {
  Value x = c.input(0);
  int64_t rank = rankOf(x);
  std::optional<graph::PadMode> mode = padMode(c);
  std::optional<SmallVector<Expr>> amounts;
  if (mode)
    amounts = padAmounts(c, rank);
  if (!amounts)
    return;
  PadSpec spec;
  spec.low.assign(amounts->begin(), amounts->begin() + rank);
  spec.high.assign(amounts->begin() + rank, amounts->end());
  spec.mode = *mode;
  Value fill = c.input(2) ? c.reshape(c.input(2), {})
                          : c.scalar(c.floatAttr("value", 0), elementTypeOf(x));
  c.setOutput(0, padOrCut(c, x, fill, spec));
}

/// Of an odd number of elements, one more is added or cut at the end.
static void convertCenterCropPad(NodeContext &c) {
  Value x = c.input(0);
  SmallVector<Expr> dims = dimsOf(x);
  SmallVector<int64_t> axes = c.intsAttr("axes");
  if (!c.hasAttr("axes"))
    axes = dimsFrom(0, dims.size());
  std::optional<SmallVector<Expr>> wanted = c.knownInput(1, "shape");
  if (!wanted || !c.normalizeAxes(axes, dims.size()))
    return;
  if (wanted->size() != axes.size()) {
    c.error() << "shape has " << wanted->size() << " elements, expected "
              << axes.size();
    return;
  }
  PadSpec spec;
  spec.low.assign(dims.size(), Expr(0));
  spec.high = spec.low;
  for (auto [axis, size] : llvm::zip_equal(axes, *wanted)) {
    if (!c.require(Relation{Relation::Kind::GE, size, Expr(0)},
                   "shape has a negative size"))
      return;
    Expr added = Expr::max(0, size - dims[axis]);
    Expr cut = Expr::max(0, dims[axis] - size);
    spec.low[axis] =
        c.simplify(Expr::floorDiv(added, 2) - Expr::floorDiv(cut, 2));
    spec.high[axis] = c.simplify(size - dims[axis] - spec.low[axis]);
  }
  c.setOutput(0, padOrCut(c, x, c.scalar(0, elementTypeOf(x)), spec));
}

void ambit::onnx_import::addSlices(ConverterTable &table) {
  table.add("Slice", convertSlice, 1, 5).bounds({1, 2}).moves({0});
  table.add("Pad", convertPad, 1, 4).readSince(2).sizes({1});
  table.add("CenterCropPad", convertCenterCropPad, 2).since(18).sizes({1});
}
