// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction is an op between functions of the elements before and after.

#include "Reduction.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// x as real numbers.
static Value asReal(ValueBuilder &b, Value x) {
  if (isa<FloatType>(elementTypeOf(x)))
    return x;
  if (!elementTypeOf(x).isInteger(1))
    return b.cast(x, b.graph.getBuilder().getF64Type());
  b.error() << "input has element type " << elementTypeOf(x)
            << ", expected numbers";
  return {};
}

/// `after` the reduction of `before(x)`; null after an error.
static Value reduceBetween(ValueBuilder &b, Value x, ReduceKind kind,
                           const ReduceSpec &spec,
                           ValueBuilder::Body before = {},
                           ValueBuilder::Body after = {}) {
  if (!x)
    return {};
  if (before)
    x = b.map(x, before);
  x = b.reduce(x, spec.dims, kind, spec.keepDims);
  if (x && after)
    x = b.map(x, after);
  return x;
}

static Value square(ScalarBuilder &s, ValueRange v) {
  return s.mul(v[0], v[0]);
}
static Value absolute(ScalarBuilder &s, ValueRange v) { return s.abs(v[0]); }
static Value squareRoot(ScalarBuilder &s, ValueRange v) {
  return s.make<math::SqrtOp>(v[0]);
}
static Value logarithm(ScalarBuilder &s, ValueRange v) {
  return s.make<math::LogOp>(v[0]);
}

/// Bools reduce as bytes, whose order is that of false and true.
static Value reduceExtreme(ValueBuilder &b, Value x, ReduceKind kind,
                           const ReduceSpec &spec) {
  Type type = elementTypeOf(x);
  if (type.isInteger(1))
    x = b.cast(x, b.byteType());
  x = b.reduce(x, spec.dims, kind, spec.keepDims);
  return type.isInteger(1) ? b.cast(x, type) : x;
}

/// log(sum(exp(x - m))) + m for the maximum m, or 0 where that is infinite.
static Value reduceLogSumExp(ValueBuilder &b, Value x, const ReduceSpec &spec) {
  if (!x)
    return {};
  Value shift = b.reduce(x, spec.dims, ReduceKind::Max, true);
  shift = b.map(shift, [](ScalarBuilder &s, ValueRange v) {
    Value isInfinite =
        s.compare(Relation::Kind::EQ, s.abs(v[0]), s.largest(v[0]));
    return s.select(isInfinite, s.constant(0, v[0]), v[0]);
  });
  Value powers = b.map({x, shift}, [](ScalarBuilder &s, ValueRange v) {
    return s.make<math::ExpOp>(s.sub(v[0], v[1]));
  });
  Value sum = b.reduce(powers, spec.dims, ReduceKind::Sum, true);
  Value result = b.map({sum, shift}, [](ScalarBuilder &s, ValueRange v) {
    return s.add(s.make<math::LogOp>(v[0]), v[1]);
  });
  if (result && !spec.keepDims) {
    SmallVector<Expr> shape;
    for (auto [dim, extent] : llvm::enumerate(dimsOf(x)))
      if (!llvm::is_contained(spec.dims, int64_t(dim)))
        shape.push_back(extent);
    result = b.reshape(result, shape);
  }
  return result;
}

Value compose::reduction(ValueBuilder &b, Value x, Reduction kind,
                         const ReduceSpec &spec) {
  Type type = elementTypeOf(x);
  Value result;
  switch (kind) {
  case Reduction::Sum:
    return reduceBetween(b, x, ReduceKind::Sum, spec);
  case Reduction::Product:
    return reduceBetween(b, x, ReduceKind::Product, spec);
  case Reduction::Max:
    return reduceExtreme(b, x, ReduceKind::Max, spec);
  case Reduction::Min:
    return reduceExtreme(b, x, ReduceKind::Min, spec);
  case Reduction::Mean:
    return b.mean(x, spec.dims, spec.keepDims);
  case Reduction::L1:
    return reduceBetween(b, x, ReduceKind::Sum, spec, absolute);
  case Reduction::SumSquare:
    return reduceBetween(b, x, ReduceKind::Sum, spec, square);
  case Reduction::L2:
    result = reduceBetween(b, asReal(b, x), ReduceKind::Sum, spec, square,
                           squareRoot);
    break;
  case Reduction::LogSum:
    result =
        reduceBetween(b, asReal(b, x), ReduceKind::Sum, spec, {}, logarithm);
    break;
  case Reduction::LogSumExp:
    result = reduceLogSumExp(b, asReal(b, x), spec);
    break;
  }
  return result ? b.cast(result, type) : Value();
}

Value compose::argExtreme(ValueBuilder &b, Value x, ReduceKind kind,
                          int64_t axis, bool isLast, bool keepDims) {
  Value index = b.create<ArgReduceOp>(x, axis, kind, isLast);
  return keepDims ? b.unsqueeze(index, axis) : index;
}
