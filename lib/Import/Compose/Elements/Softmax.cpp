// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax is an op; the hard one compares positions with that of the maximum.

#include "Softmax.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

Value compose::softmax(ValueBuilder &b, Value x, int64_t axis, bool isLog) {
  return b.create<SoftmaxOp>(x, axis, isLog);
}

/// One element more along the axis where there may be none: something to choose
/// in a row that has nothing to show for it.
static Value padMaybeEmpty(ValueBuilder &b, Value x, int64_t axis) {
  SmallVector<Expr> dims = dimsOf(x);
  if (b.prover().isAtLeast(dims[axis], 1))
    return x;
  SmallVector<Expr> low(dims.size(), Expr(0)), high = low;
  high[axis] = 1;
  double lowest = -std::numeric_limits<double>::infinity();
  return b.pad(x, b.scalar(lowest, elementTypeOf(x)), low, high);
}

Value compose::hardmax(ValueBuilder &b, Value x, int64_t axis) {
  Value best = b.create<ArgReduceOp>(padMaybeEmpty(b, x, axis), axis,
                                     ReduceKind::Max, false);
  best = b.unsqueeze(best, axis);
  if (!best)
    return {};
  Value index = b.iota(dimsOf(x), axis, elementTypeOf(best));
  Value isBest = b.map(
      {index, best},
      [](ScalarBuilder &s, ValueRange v) {
        return s.compare(Relation::Kind::EQ, v[0], v[1]);
      },
      b.boolType());
  return b.cast(isBest, elementTypeOf(x));
}
