// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over the columns: the row with the largest pivot comes up, and is
// taken away from the rows below.

#include "Determinant.h"
#include "../../LoopBuilder.h"
#include "../Elements/Reduction.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

using Compare = Relation::Kind;

/// The row of each matrix [batch, n, n] that `isRow` [batch, n, 1] marks, as
/// [batch, 1, n].
static Value pickRow(ValueBuilder &b, Value matrices, Value isRow) {
  Value zero = b.scalar(0, elementTypeOf(matrices));
  Value only = b.map(
      {isRow, matrices, zero},
      [](ScalarBuilder &s, ValueRange v) { return s.select(v[0], v[1], v[2]); },
      elementTypeOf(matrices));
  return b.reduce(only, {1}, ReduceKind::Sum, /*keepDims=*/true);
}

static Value select(ValueBuilder &b, Value condition, Value x, Value y) {
  return b.map(
      {condition, x, y},
      [](ScalarBuilder &s, ValueRange v) { return s.select(v[0], v[1], v[2]); },
      x ? elementTypeOf(x) : Type());
}

static Value compare(ValueBuilder &b, Compare kind, Value x, Value y) {
  return b.map(
      {x, y},
      [&](ScalarBuilder &s, ValueRange v) {
        return s.compare(kind, v[0], v[1]);
      },
      b.boolType());
}

/// One column: matrices [batch, n, n] with zeros below its pivot, and the
/// product of pivots so far [batch, 1, 1].
static TripResults eliminate(LoopBuilder &loop, ValueBuilder &b, Expr n) {
  Value matrices = loop.carried(0), product = loop.carried(1);
  Type type = elementTypeOf(matrices);
  Value row = b.iota({Expr(1), n, Expr(1)}, 1, b.indexType());
  Value at = b.dims({loop.trip()}, b.indexType(), /*isScalar=*/true);
  Value column = b.sliceDim(matrices, 2, loop.trip(), 1);
  Value size = b.map({column, row, at}, [](ScalarBuilder &s, ValueRange v) {
    Value isAbove = s.compare(Compare::LT, v[1], v[2]);
    return s.select(isAbove, s.constant(-1, v[0]), s.abs(v[0]));
  });
  Value largest = argExtreme(b, size, ReduceKind::Max, 1, /*isLast=*/false,
                             /*keepDims=*/true);
  Value isPivot = compare(b, Compare::EQ, row, largest);
  Value isHere = compare(b, Compare::EQ, row, at);
  Value pivotRow = pickRow(b, matrices, isPivot);
  Value hereRow = pickRow(b, matrices, isHere);
  Value swapped = select(b, isPivot, hereRow, matrices);
  swapped = select(b, isHere, pivotRow, swapped);
  Value pivot = b.sliceDim(pivotRow, 2, loop.trip(), 1);
  Value sign = select(b, compare(b, Compare::EQ, largest, at),
                      b.scalar(1, type), b.scalar(-1, type));
  // Nothing below a pivot of 0 has another one, and the result is 0.
  Value factor = b.map({b.sliceDim(swapped, 2, loop.trip(), 1), pivot, row, at},
                       [](ScalarBuilder &s, ValueRange v) {
                         Value zero = s.constant(0, v[0]);
                         Value isTaken = s.make<arith::AndIOp>(
                             s.compare(Compare::GT, v[2], v[3]),
                             s.compare(Compare::NE, v[1], zero));
                         return s.select(isTaken, s.div(v[0], v[1]), zero);
                       });
  return {{b.sub(swapped, b.mul(factor, pivotRow)),
           b.mul(product, b.mul(pivot, sign))},
          {}};
}

Value compose::determinant(ValueBuilder &b, Value x) {
  SmallVector<Expr> dims = dimsOf(x);
  if (dims.size() < 2) {
    b.error() << "input has rank " << dims.size() << ", expected at least 2";
    return {};
  }
  Expr n = dims.back();
  if (!b.requireFloat(x, "input") ||
      !b.requireEqual(dims[dims.size() - 2], n, "the matrices are not square"))
    return {};
  ArrayRef<Expr> batch = ArrayRef(dims).drop_back(2);
  Expr count = sym::getNumElements(batch);
  if (n.isConstant(0))
    return b.broadcast(b.scalar(1, elementTypeOf(x)), batch);
  Type type = computeType(elementTypeOf(x));
  Value matrices = b.reshape(b.cast(x, type), {count, n, n});
  Value ones = b.broadcast(b.scalar(1, type), {count, Expr(1), Expr(1)});
  SmallVector<Value> results =
      buildLoop(b, n, {matrices, ones}, {},
                [&](LoopBuilder &loop) { return eliminate(loop, b, n); });
  if (results.empty())
    return {};
  return b.cast(b.reshape(results[1], batch), elementTypeOf(x));
}
