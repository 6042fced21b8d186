// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools, as sums and maxima over windows.

#include "Pool.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

static Value slideWindow(ValueBuilder &b, Value x, ReduceKind kind,
                         const PoolSpec &pool) {
  const WindowSpec &slide = pool.slide;
  return b.create<WindowOp>(x, kind, pool.window, slide.strides,
                            slide.dilations, slide.low, slide.high,
                            pool.isCeil);
}

Value compose::maxPool(ValueBuilder &b, Value x, const PoolSpec &spec) {
  PoolSpec pool = spec;
  double lowest = -std::numeric_limits<double>::infinity();
  if (auto integer = dyn_cast<IntegerType>(elementTypeOf(x)))
    lowest = integer.isUnsigned() ? 0 : -std::ldexp(1, integer.getWidth() - 1);
  x = applyAutoPad(b, x, pool.window, lowest, pool.slide);
  return slideWindow(b, x, ReduceKind::Max, pool);
}

/// How many elements of the input, not of its padding, each window holds: a
/// sum of ones. [1, 1, spatial...].
static Value countInside(ValueBuilder &b, Value x, PoolSpec pool) {
  SmallVector<Expr> shape = dimsOf(x);
  shape[0] = shape[1] = 1;
  Value ones = b.broadcast(b.scalar(1, elementTypeOf(x)), shape);
  ones = applyAutoPad(b, ones, pool.window, 0, pool.slide);
  return slideWindow(b, ones, ReduceKind::Sum, pool);
}

/// As above with the padding counted, but not what a last window of ceil mode
/// reaches beyond it.
static Value countPadded(ValueBuilder &b, Value x, PoolSpec pool,
                         ArrayRef<Expr> result) {
  SmallVector<Expr> shape = dimsOf(x);
  shape[0] = shape[1] = 1;
  for (size_t i = 0; i < pool.window.size(); ++i) {
    shape[i + 2] =
        shape[i + 2] + Expr(pool.slide.low[i]) + Expr(pool.slide.high[i]);
    pool.slide.low[i] = pool.slide.high[i] = 0;
  }
  Value ones = b.broadcast(b.scalar(1, elementTypeOf(x)), shape);
  Value count = slideWindow(b, ones, ReduceKind::Sum, pool);
  // Without the padding a further window may start inside.
  for (size_t dim = 2; dim < result.size() && count; ++dim)
    if (dimsOf(count)[dim] != result[dim])
      count = b.sliceDim(count, dim, 0, result[dim]);
  return count;
}

Value compose::averagePool(ValueBuilder &b, Value x, const PoolSpec &spec,
                           bool countsPads) {
  if (!b.requireFloat(x, "input"))
    return {};
  PoolSpec slid = spec;
  Value padded = applyAutoPad(b, x, slid.window, 0, slid.slide);
  Value sum = slideWindow(b, padded, ReduceKind::Sum, slid);
  if (!sum)
    return {};
  auto isZero = [](int64_t pad) { return pad == 0; };
  bool hasPads = padded != x || !llvm::all_of(slid.slide.low, isZero) ||
                 !llvm::all_of(slid.slide.high, isZero);
  Value count;
  if (!slid.isCeil && (countsPads || !hasPads)) {
    double product = 1;
    for (int64_t size : slid.window)
      product *= double(size);
    count = b.scalar(product, elementTypeOf(x));
  } else if (countsPads) {
    count = countPadded(b, x, slid, dimsOf(sum));
  } else {
    count = countInside(b, x, spec);
  }
  return b.div(sum, count);
}

/// (sum |x|^p)^(1/p), given the sum.
static Value rootOf(ValueBuilder &b, Value sum, int64_t p) {
  return b.map(sum, [&](ScalarBuilder &s, ValueRange v) -> Value {
    if (p == 1)
      return v[0];
    if (p == 2)
      return s.make<math::SqrtOp>(v[0]);
    return s.make<math::PowFOp>(v[0], s.constant(1.0 / double(p), v[0]));
  });
}

static Value powerOf(ValueBuilder &b, Value x, int64_t p) {
  return b.map(x, [&](ScalarBuilder &s, ValueRange v) -> Value {
    if (p == 1)
      return s.abs(v[0]);
    if (p == 2)
      return s.mul(v[0], v[0]);
    return s.make<math::PowFOp>(s.abs(v[0]), s.constant(double(p), v[0]));
  });
}

Value compose::lpPool(ValueBuilder &b, Value x, const PoolSpec &spec,
                      int64_t p) {
  if (!b.requireFloat(x, "input"))
    return {};
  PoolSpec pool = spec;
  Value powers = powerOf(b, x, p);
  powers = applyAutoPad(b, powers, pool.window, 0, pool.slide);
  return rootOf(b, slideWindow(b, powers, ReduceKind::Sum, pool), p);
}

Value compose::globalLpPool(ValueBuilder &b, Value x, int64_t p) {
  if (!b.requireFloat(x, "input"))
    return {};
  Value sum = b.reduce(powerOf(b, x, p), dimsFrom(2, rankOf(x)),
                       ReduceKind::Sum, /*keepDims=*/true);
  return rootOf(b, sum, p);
}
