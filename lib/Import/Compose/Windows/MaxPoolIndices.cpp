// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The positions of maxima: one comparison for each element of the window, all
// windows at once.

#include "Pool.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

using Compare = Relation::Kind;

/// Larger windows would be as many ops.
constexpr int64_t kMaxWindow = 1024;

namespace {
struct MaxPosition {
  bool check();
  Value pad(Value result);
  Value elementAt(ArrayRef<int64_t> offset);
  Value positionAt(ArrayRef<int64_t> offset);
  Value run();

  ValueBuilder &b;
  Value x;
  const PoolSpec &spec;
  bool isColumnMajor;
  SmallVector<Expr> dims = dimsOf(x), result = {};
  Value padded = {};
};
} // namespace

bool MaxPosition::check() {
  int64_t window = 1;
  for (int64_t size : spec.window)
    window = std::min(kMaxWindow + 1, window * std::min(size, kMaxWindow + 1));
  if (window <= kMaxWindow)
    return true;
  b.error() << "indices of windows of more than " << kMaxWindow
            << " elements are not supported";
  return false;
}

/// What lies under each window at an offset into it.
Value MaxPosition::elementAt(ArrayRef<int64_t> offset) {
  SmallVector<Expr> offsets(dims.size(), Expr(0));
  SmallVector<int64_t> strides(dims.size(), 1);
  for (size_t i = 0; i < offset.size(); ++i) {
    offsets[i + 2] = offset[i] * spec.slide.dilations[i];
    strides[i + 2] = spec.slide.strides[i];
  }
  return b.create<SliceOp>(padded, b.graph.shapeAttr(offsets),
                           b.graph.shapeAttr(result), strides);
}

/// Its position, or -1 where it is padding.
Value MaxPosition::positionAt(ArrayRef<int64_t> offset) {
  Value position = b.scalar(0, b.indexType());
  SmallVector<int64_t> order = dimsFrom(0, dims.size());
  if (isColumnMajor)
    std::reverse(order.begin() + 2, order.end());
  for (int64_t dim : order) {
    SmallVector<Expr> along(dims.size(), Expr(1));
    along[dim] = result[dim];
    Value number = b.iota(along, dim, b.indexType());
    Value extent = b.dims({dims[dim]}, b.indexType(), /*isScalar=*/true);
    int64_t stride = 1, shift = 0;
    if (dim >= 2) {
      stride = spec.slide.strides[dim - 2];
      shift = offset[dim - 2] * spec.slide.dilations[dim - 2] -
              spec.slide.low[dim - 2];
    }
    position =
        b.map({position, number, extent}, [&](ScalarBuilder &s, ValueRange v) {
          Value at = s.add(s.mul(v[1], s.integer(stride, v[1])),
                           s.integer(shift, v[1]));
          Value zero = s.integer(0, at);
          Value isOutside = s.make<arith::OrIOp>(
              s.make<arith::OrIOp>(s.compare(Compare::LT, v[0], zero),
                                   s.compare(Compare::LT, at, zero)),
              s.compare(Compare::GE, at, v[2]));
          return s.select(isOutside, s.integer(-1, at),
                          s.add(s.mul(v[0], v[2]), at));
        });
  }
  return position;
}

/// x with padding that every window fits into; its elements do not matter.
Value MaxPosition::pad(Value pooled) {
  result = dimsOf(pooled);
  SmallVector<Expr> low(dims.size(), Expr(0)), high(dims.size(), Expr(0));
  for (size_t i = 0; i < spec.window.size(); ++i) {
    low[i + 2] = spec.slide.low[i];
    high[i + 2] = spec.slide.high[i] + spec.slide.strides[i] - 1;
  }
  return b.pad(x, b.scalar(0, elementTypeOf(x)), low, high);
}

Value MaxPosition::run() {
  Value pooled = maxPool(b, x, spec);
  if (!pooled || !(padded = pad(pooled)))
    return {};
  SmallVector<int64_t> offset(spec.window.size(), 0);
  Value best, where;
  for (bool isDone = false; !isDone;) {
    Value element = elementAt(offset), position = positionAt(offset);
    if (!element || !position)
      return {};
    if (!best) {
      best = element;
      where = b.broadcast(position, result);
    } else {
      Value isBetter = b.map(
          {best, where, element, position},
          [](ScalarBuilder &s, ValueRange v) {
            Value zero = s.integer(0, v[1]);
            Value isInside = s.compare(Compare::GE, v[3], zero);
            Value isFirst = s.compare(Compare::LT, v[1], zero);
            Value isLarger = s.compare(Compare::GT, v[2], v[0]);
            if (s.isFloat(v[0]))
              isLarger = s.make<arith::OrIOp>(
                  isLarger,
                  s.make<arith::AndIOp>(s.compare(Compare::NE, v[2], v[2]),
                                        s.compare(Compare::EQ, v[0], v[0])));
            return s.make<arith::AndIOp>(
                isInside, s.make<arith::OrIOp>(isFirst, isLarger));
          },
          b.boolType());
      auto choose = [&](Value chosen, Value kept) {
        return b.map(
            {isBetter, chosen, kept},
            [](ScalarBuilder &s, ValueRange v) {
              return s.select(v[0], v[1], v[2]);
            },
            elementTypeOf(kept));
      };
      best = choose(element, best);
      where = choose(position, where);
    }
    // The next offset in row-major order.
    size_t dim = offset.size();
    while (dim > 0 && ++offset[dim - 1] == spec.window[dim - 1])
      offset[--dim] = 0;
    isDone = dim == 0;
  }
  return where;
}

Value compose::maxPoolIndices(ValueBuilder &b, Value x, const PoolSpec &given,
                              bool isColumnMajor) {
  PoolSpec spec = given;
  Value padded = applyAutoPad(b, x, spec.window, 0, spec.slide);
  if (padded && padded != x) {
    b.error() << "indices need padding that is known: auto_pad of sizes that "
                 "are not constant is not supported with them";
    return {};
  }
  spec.slide.autoPad = AutoPad::NotSet;
  MaxPosition position{b, x, spec, isColumnMajor};
  return padded && position.check() ? position.run() : Value();
}
