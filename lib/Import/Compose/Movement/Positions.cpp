// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of positions along dims.

#include "Positions.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

Value compose::range(ValueBuilder &b, Value start, Value delta, Expr length,
                     Type wide) {
  Type type = elementTypeOf(start);
  start = b.reshape(b.cast(start, wide), {});
  delta = b.reshape(b.cast(delta, wide), {});
  Value index = b.iota({length}, 0, wide);
  Value numbers =
      b.map({index, start, delta}, [](ScalarBuilder &s, ValueRange v) {
        return s.add(v[1], s.mul(v[0], v[2]));
      });
  return b.cast(numbers, type);
}

Value compose::cosineWindow(ValueBuilder &b, Expr length, Expr period,
                            ArrayRef<double> coefficients, Type type) {
  Type f64 = b.graph.getBuilder().getF64Type();
  Value index = b.iota({length}, 0, f64);
  Value size =
      b.dims({b.simplify(Expr::max(1, period))}, f64, /*isScalar=*/true);
  Value window = b.map({index, size}, [&](ScalarBuilder &s, ValueRange v) {
    Value turn = s.div(s.mul(v[0], s.constant(2 * M_PI, v[0])), v[1]);
    Value sum = s.constant(coefficients.front(), turn);
    for (auto [k, factor] : llvm::enumerate(coefficients.drop_front())) {
      Value angle = s.mul(turn, s.constant(double(k + 1), turn));
      Value wave = s.make<math::CosOp>(angle);
      sum = s.add(sum, s.mul(wave, s.constant(factor, wave)));
    }
    return sum;
  });
  return b.cast(window, type);
}

/// Compares column with row + k over the last two dims.
static Value diagonal(ValueBuilder &b, ArrayRef<Expr> shape, Value k,
                      Relation::Kind kind) {
  Type index = b.indexType();
  int64_t rank = shape.size();
  Value row = b.iota(shape, rank - 2, index);
  Value column = b.iota(shape, rank - 1, index);
  return b.map(
      {row, column, k},
      [&](ScalarBuilder &s, ValueRange v) {
        return s.compare(kind, v[1], s.add(v[0], v[2]));
      },
      b.boolType());
}

Value compose::eye(ValueBuilder &b, ArrayRef<Expr> shape, int64_t k,
                   Type type) {
  if (shape.size() != 2) {
    b.error() << "input has rank " << shape.size() << ", expected 2";
    return {};
  }
  Value number = b.dims({k}, b.indexType(), /*isScalar=*/true);
  return b.cast(diagonal(b, shape, number, Relation::Kind::EQ), type);
}

Value compose::triangle(ValueBuilder &b, Value x, Value k, bool isUpper) {
  if (rankOf(x) < 2) {
    b.error() << "input has rank " << rankOf(x) << ", expected at least 2";
    return {};
  }
  k = k ? b.cast(b.reshape(k, {}), b.indexType()) : b.scalar(0, b.indexType());
  Value keeps = diagonal(b, dimsOf(x), k,
                         isUpper ? Relation::Kind::GE : Relation::Kind::LE);
  Value zero = b.scalar(0, elementTypeOf(x));
  return b.map(
      {keeps, x, zero},
      [](ScalarBuilder &s, ValueRange v) { return s.select(v[0], v[1], v[2]); },
      elementTypeOf(x));
}

Value compose::oneHot(ValueBuilder &b, Value given, Expr depth, int64_t axis,
                      Value off, Value on) {
  if (!b.normalizeAxis(axis, rankOf(given) + 1))
    return {};
  Value indices = b.unsqueeze(b.cast(given, b.indexType()), axis);
  if (!indices || !off || !on)
    return b.fail();
  SmallVector<Expr> shape = dimsOf(indices);
  shape[axis] = depth;
  Value position = b.iota(shape, axis, b.indexType());
  Value size = b.dims({depth}, b.indexType(), /*isScalar=*/true);
  return b.map(
      {position, indices, size, off, on},
      [](ScalarBuilder &s, ValueRange v) {
        Value isNegative =
            s.compare(Relation::Kind::LT, v[1], s.integer(0, v[1]));
        Value wrapped = s.select(isNegative, s.add(v[1], v[2]), v[1]);
        Value isHit = s.compare(Relation::Kind::EQ, v[0], wrapped);
        return s.select(isHit, v[4], v[3]);
      },
      elementTypeOf(on));
}
