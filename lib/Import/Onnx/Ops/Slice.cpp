// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slice and Pad: bounds are expressions, so clamping them is arithmetic with
// min and max, which the prover then simplifies.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

/// Bounds this far out mean "to the end": the standard recommends INT_MAX.
static bool isUnboundedAbove(Expr bound) {
  return bound.constant() && *bound.constant() >= INT32_MAX;
}
static bool isUnboundedBelow(Expr bound) {
  return bound.constant() && *bound.constant() <= INT32_MIN;
}

/// A bound that counts from the end when negative, as one that does not.
static Expr fromStart(NodeContext &c, Expr bound, Expr extent) {
  switch (c.prover().prove(Relation{Relation::Kind::GE, bound, Expr(0)})) {
  case Truth::Yes:
    return bound;
  case Truth::No:
    return bound + extent;
  case Truth::Unknown:
    break;
  }
  // min(1, max(0, -bound)) is 1 exactly for negative bounds.
  return bound + extent * Expr::min(1, Expr::max(0, -bound));
}

static Expr clamp(Expr value, Expr low, Expr high) {
  return Expr::max(low, Expr::min(value, high));
}

namespace {
struct Cut {
  Expr offset, size;
  int64_t step;
};
} // namespace

static Cut cutDim(NodeContext &c, Expr extent, Expr start, Expr end,
                  int64_t step) {
  bool isForward = step > 0;
  // Backward, positions run from extent - 1 down to 0 and the end may be -1;
  // on an empty dim the start is -1 too, so that nothing is read.
  Expr first = isForward ? Expr(0) : c.simplify(Expr::min(0, extent - 1));
  Expr low = isForward ? Expr(0) : Expr(-1);
  Expr high = isForward ? extent : extent - 1;
  auto place = [&](Expr bound, Expr least) -> Expr {
    if (isUnboundedAbove(bound))
      return high;
    if (isUnboundedBelow(bound))
      return least;
    return c.simplify(clamp(fromStart(c, bound, extent), least, high));
  };
  Expr from = place(start, first), to = place(end, low);
  Expr distance = isForward ? to - from : from - to;
  Expr size = Expr::max(0, Expr::ceilDiv(distance, std::abs(step)));
  // A step beyond the dim takes one element, whatever it is.
  if (c.prover().bounds(extent).max <= std::abs(step)) {
    size = Expr::min(1, Expr::max(0, distance));
    step = isForward ? 1 : -1;
  }
  return {c.simplify(from), c.simplify(size), step};
}

namespace {
struct SliceBounds {
  SmallVector<Expr> starts, ends;
  SmallVector<int64_t> axes, steps;
};
} // namespace

static std::optional<SliceBounds> readBounds(NodeContext &c) {
  SliceBounds bounds;
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
    bounds = SliceBounds{*starts, *ends, *axes, *steps};
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

/// A slice that moves with the trips of a loop has one size when it stays
/// inside; what clamping would make of it elsewhere differs from trip to trip.
static void keepInside(NodeContext &c, Expr extent, Expr start, Expr end) {
  ShapeContext &context = c.graph.getContext();
  if (!context.dependsOnTrip(start) || context.dependsOnTrip(end - start))
    return;
  Relation isCounted{Relation::Kind::GE, start, Expr(0)};
  if (c.prover().prove(isCounted) == Truth::Yes)
    c.require(Relation{Relation::Kind::LE, end, extent},
              "slice leaves the input in some trip");
}

static void convertSlice(NodeContext &c) {
  std::optional<SliceBounds> bounds = readBounds(c);
  SmallVector<Expr> extents = dimsOf(c.input(0)), sizes = extents;
  if (!bounds || !c.normalizeAxes(bounds->axes, extents.size()))
    return;
  SmallVector<Expr> offsets(extents.size(), Expr(0));
  SmallVector<int64_t> strides(extents.size(), 1);
  for (size_t i = 0; i < bounds->axes.size(); ++i) {
    int64_t axis = bounds->axes[i], step = bounds->steps[i];
    if (step == 0) {
      c.error() << "step of axis " << axis << " is 0";
      return;
    }
    step = std::clamp<int64_t>(step, -INT64_MAX, INT64_MAX);
    if (step == 1)
      keepInside(c, extents[axis], bounds->starts[i], bounds->ends[i]);
    Cut cut =
        cutDim(c, extents[axis], bounds->starts[i], bounds->ends[i], step);
    offsets[axis] = cut.offset;
    sizes[axis] = cut.size;
    strides[axis] = cut.step;
  }
  c.setOutput(0, c.create<SliceOp>(c.input(0), c.graph.shapeAttr(offsets),
                                   c.graph.shapeAttr(sizes), strides));
}

static std::optional<PadMode> padMode(NodeContext &c) {
  std::string mode = c.stringAttr("mode", "constant");
  if (mode == "constant")
    return PadMode::Constant;
  if (mode == "edge")
    return PadMode::Edge;
  if (mode == "reflect")
    return PadMode::Reflect;
  if (mode == "wrap")
    return PadMode::Wrap;
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

/// Pads one dim with repetitions of what it holds, as often as it takes:
/// mirrored at its first and last element, or from its other end.
static Value repeatDim(NodeContext &c, Value x, int64_t dim, Expr low,
                       Expr high, bool isMirrored) {
  Expr extent = dimsOf(x)[dim];
  Condition hasAny(Relation{Relation::Kind::GE, extent, Expr(1)});
  hasAny.anyOf.push_back(Relation{Relation::Kind::LE, low + high, Expr(0)});
  if (!c.require(hasAny, "dim " + Twine(dim) + " has no element to repeat"))
    return {};
  Type type = c.graph.getBuilder().getI64Type();
  Expr period = Expr::max(1, isMirrored ? extent * 2 - 2 : extent);
  auto number = [&](Expr value) {
    return c.dims({c.simplify(value)}, type, /*isScalar=*/true);
  };
  // The first position, brought inside of the period, so that none is negative.
  Value index =
      c.map({c.iota({c.simplify(low + extent + high)}, 0, type),
             number(Expr::mod(-low, period)), number(period), number(extent)},
            [&](ScalarBuilder &s, ValueRange v) -> Value {
              Value at = s.make<arith::RemSIOp>(s.add(v[0], v[1]), v[2]);
              if (!isMirrored)
                return at;
              Value isForward = s.compare(Relation::Kind::LT, at, v[3]);
              return s.select(isForward, at, s.sub(v[2], at));
            });
  return c.create<GatherOp>(x, index, dim);
}

/// Pads the dims with `mode` for which nothing shows that the amounts are no
/// more than a dim has to give, and sets these amounts to 0. Where an amount
/// may be a cut instead, the little that is gained is not worth such sizes.
static Value repeatShortDims(NodeContext &c, Value x, PadMode mode,
                             MutableArrayRef<Expr> amounts,
                             ArrayRef<Expr> cuts) {
  if (mode != PadMode::Reflect && mode != PadMode::Wrap)
    return x;
  bool isMirrored = mode == PadMode::Reflect;
  for (int64_t dim = 0, rank = amounts.size() / 2; dim < rank && x; ++dim) {
    Expr &low = amounts[dim], &high = amounts[rank + dim];
    Expr room = dimsOf(x)[dim] - Expr(isMirrored ? 1 : 0);
    auto isShort = [&](Expr amount) {
      return !amount.isConstant(0) && !c.prover().isAtLeast(room, amount);
    };
    if (!cuts[dim].constant() || !cuts[rank + dim].constant() ||
        (!isShort(low) && !isShort(high)))
      continue;
    x = repeatDim(c, x, dim, low, high, isMirrored);
    low = high = 0;
  }
  return x;
}

/// Negative amounts cut; the rest pads what is left.
static void convertPad(NodeContext &c) {
  Value x = c.input(0);
  int64_t rank = rankOf(x);
  std::optional<PadMode> mode = padMode(c);
  std::optional<SmallVector<Expr>> amounts;
  if (mode)
    amounts = padAmounts(c, rank);
  if (!amounts)
    return;
  SmallVector<Expr> cuts(2 * rank, Expr(0)), sizes = dimsOf(x);
  bool hasCuts = false;
  for (int64_t i = 0; i < 2 * rank; ++i) {
    Expr amount = (*amounts)[i];
    Truth isCut = c.prover().prove(Relation{Relation::Kind::LT, amount, 0});
    if (isCut == Truth::No)
      continue;
    cuts[i] = isCut == Truth::Yes ? -amount : Expr::max(0, -amount);
    (*amounts)[i] = isCut == Truth::Yes ? Expr(0) : Expr::max(0, amount);
    hasCuts = true;
    sizes[i % rank] = c.simplify(sizes[i % rank] - cuts[i]);
  }
  if (hasCuts)
    x = c.create<SliceOp>(x, c.graph.shapeAttr(ArrayRef(cuts).take_front(rank)),
                          c.graph.shapeAttr(sizes),
                          SmallVector<int64_t>(rank, 1));
  Type type = elementTypeOf(c.input(0));
  Value fill = c.input(2) ? c.reshape(c.input(2), {})
                          : c.scalar(c.floatAttr("value", 0), type);
  x = repeatShortDims(c, x, *mode, *amounts, cuts);
  c.setOutput(0, c.pad(x, fill, ArrayRef(*amounts).take_front(rank),
                       ArrayRef(*amounts).drop_front(rank), *mode));
}

void ambit::onnx_import::addSlices(ConverterTable &table) {
  table.add("Slice", convertSlice, 1, 5).bounds({1, 2}).moves({0});
  table.add("Pad", convertPad, 1, 4).sizes({1});
}
