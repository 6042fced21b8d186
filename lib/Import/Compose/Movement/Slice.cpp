// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds are expressions, so clamping them is arithmetic with min and max,
// which the prover then simplifies.

#include "Slice.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// Bounds this far out mean "to the end".
static bool isUnboundedAbove(Expr bound) {
  return bound.constant() && *bound.constant() >= INT32_MAX;
}
static bool isUnboundedBelow(Expr bound) {
  return bound.constant() && *bound.constant() <= INT32_MIN;
}

/// A bound that counts from the end when negative, as one that does not.
static Expr fromStart(ValueBuilder &b, Expr bound, Expr extent) {
  switch (b.prover().prove(Relation{Relation::Kind::GE, bound, Expr(0)})) {
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

static Cut cutDim(ValueBuilder &b, Expr extent, Expr start, Expr end,
                  int64_t step) {
  bool isForward = step > 0;
  // Backward, positions run from extent - 1 down to 0 and the end may be -1;
  // on an empty dim the start is -1 too, so that nothing is read.
  Expr first = isForward ? Expr(0) : b.simplify(Expr::min(0, extent - 1));
  Expr low = isForward ? Expr(0) : Expr(-1);
  Expr high = isForward ? extent : extent - 1;
  auto place = [&](Expr bound, Expr least) -> Expr {
    if (isUnboundedAbove(bound))
      return high;
    if (isUnboundedBelow(bound))
      return least;
    return b.simplify(clamp(fromStart(b, bound, extent), least, high));
  };
  Expr from = place(start, first), to = place(end, low);
  Expr distance = isForward ? to - from : from - to;
  Expr size = Expr::max(0, Expr::ceilDiv(distance, std::abs(step)));
  // A step beyond the dim takes one element, whatever it is.
  if (b.prover().bounds(extent).max <= std::abs(step)) {
    size = Expr::min(1, Expr::max(0, distance));
    step = isForward ? 1 : -1;
  }
  return {b.simplify(from), b.simplify(size), step};
}

/// A slice that moves with the trips of a loop has one size when it stays
/// inside; what clamping would make of it elsewhere differs from trip to trip.
static void keepInside(ValueBuilder &b, Expr extent, Expr start, Expr end) {
  ShapeContext &context = b.graph.getContext();
  if (!context.dependsOnTrip(start) || context.dependsOnTrip(end - start))
    return;
  Relation isCounted{Relation::Kind::GE, start, Expr(0)};
  if (b.prover().prove(isCounted) == Truth::Yes)
    b.require(Relation{Relation::Kind::LE, end, extent},
              "slice leaves the input in some trip");
}

Value compose::slice(ValueBuilder &b, Value x, SliceSpec spec) {
  SmallVector<Expr> extents = dimsOf(x), sizes = extents;
  if (!b.normalizeAxes(spec.axes, extents.size()))
    return {};
  SmallVector<Expr> offsets(extents.size(), Expr(0));
  SmallVector<int64_t> strides(extents.size(), 1);
  for (size_t i = 0; i < spec.axes.size(); ++i) {
    int64_t axis = spec.axes[i], step = spec.steps[i];
    if (step == 0) {
      b.error() << "step of axis " << axis << " is 0";
      return {};
    }
    step = std::clamp<int64_t>(step, -INT64_MAX, INT64_MAX);
    if (step == 1)
      keepInside(b, extents[axis], spec.starts[i], spec.ends[i]);
    Cut cut = cutDim(b, extents[axis], spec.starts[i], spec.ends[i], step);
    offsets[axis] = cut.offset;
    sizes[axis] = cut.size;
    strides[axis] = cut.step;
  }
  return b.create<SliceOp>(x, b.graph.shapeAttr(offsets),
                           b.graph.shapeAttr(sizes), strides);
}
