// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms with loops in them, and with sizes that only a run knows: what is found
// in data is reduced to a size that is known again.

#include "../../../lib/Import/Compose/Recurrent/Recurrent.h"
#include "../../../lib/Import/LoopBuilder.h"
#include "Generation.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::fuzz;

static FailureOr<Value> orFailure(Value value) {
  if (!value)
    return failure();
  return value;
}

static Expr randomTrips(Generation &g) {
  return g.random.oneIn(2) ? g.randomSymbol()
                           : Expr(g.random.choose<int64_t>({0, 1, 2, 5}));
}

static Value combine(ValueBuilder &b, int64_t kind, Value x, Value y) {
  return b.map({x, y}, [&](ScalarBuilder &s, ValueRange v) {
    switch (kind) {
    case 0:
      return s.add(v[0], v[1]);
    case 1:
      return s.max(v[0], v[1]);
    case 2:
      return s.sub(v[1], v[0]);
    default:
      return s.min(v[1], s.neg(v[0]));
    }
  });
}

static bool isNumber(Value value) {
  return !elementTypeOf(value).isInteger(1) &&
         !elementTypeOf(value).isUnsignedInteger();
}

/// A value that each trip combines with another one.
static FailureOr<Value> loopCarried(Generation &g) {
  Value first = g.pick(isNumber);
  if (!first)
    return failure();
  Value other = g.operandLike(dimsOf(first), elementTypeOf(first));
  ValueBuilder b = g.composites();
  int64_t kind = g.random.below(4);
  SmallVector<Value> results =
      buildLoop(b, randomTrips(g), {first}, {other}, [&](LoopBuilder &loop) {
        return TripResults{
            {combine(b, kind, loop.carried(0), loop.inside(other))}, {}};
      });
  return orFailure(results.empty() ? Value() : results.front());
}

/// A row for each trip, with the number of the trip in it.
static FailureOr<Value> loopStacked(Generation &g) {
  Value row = g.pick([](Value v) { return isNumber(v) && rankOf(v) < 4; });
  if (!row)
    return failure();
  ValueBuilder b = g.composites();
  Type type = elementTypeOf(row);
  SmallVector<Value> results =
      buildLoop(b, randomTrips(g), {}, {row}, [&](LoopBuilder &loop) {
        Value number = b.dims({loop.trip()}, b.indexType(), /*isScalar=*/true);
        return TripResults{
            {}, {combine(b, 0, loop.inside(row), b.cast(number, type))}};
      });
  return orFailure(results.empty() ? Value() : results.front());
}

/// A running combination of the slices along the first dim, from either end.
static FailureOr<Value> loopSlices(Generation &g) {
  Value x = g.pick([](Value v) { return isNumber(v) && rankOf(v) >= 1; });
  if (!x)
    return failure();
  ValueBuilder b = g.composites();
  SmallVector<Expr> dims = dimsOf(x), rest(dims.begin() + 1, dims.end());
  Value first = g.operandLike(rest, elementTypeOf(x));
  bool isReversed = g.random.oneIn(2);
  int64_t kind = g.random.below(4);
  SmallVector<Value> results =
      buildLoop(b, dims[0], {first}, {x}, [&](LoopBuilder &loop) {
        Expr at = isReversed ? dims[0] - 1 - loop.trip() : loop.trip();
        Value slice = b.reshape(b.sliceDim(loop.inside(x), 0, at, 1), rest);
        return TripResults{{combine(b, kind, loop.carried(0), slice)}, {}};
      });
  return orFailure(results.empty() ? Value() : results.front());
}

/// The states of a recurrent layer of one direction.
static FailureOr<Value> recurrentAs(Generation &g, CellKind kind) {
  ValueBuilder b = g.composites();
  Type f32 = g.ops().getF32Type();
  Expr input = g.random.choose<int64_t>({1, 3, 8});
  Value x = g.addOperand({g.randomDim(), g.randomDim(), input}, f32);
  RecurrentSpec spec;
  spec.kind = kind;
  spec.hidden = g.random.choose<int64_t>({1, 2, 5, 8});
  spec.isReversed = {bool(g.random.oneIn(2))};
  for (unsigned i = 0; i < countActivations(kind); ++i)
    spec.activations.push_back({i == 0 && kind != CellKind::Simple
                                    ? Activation::Kind::Sigmoid
                                    : Activation::Kind::Tanh});
  spec.resetsAfter = g.random.oneIn(2);
  Expr gates = spec.hidden * int64_t(countGates(kind));
  RecurrentInputs in;
  in.x = x;
  in.weights = g.addOperand({Expr(1), gates, input}, f32, true);
  in.recurrent = g.addOperand({Expr(1), gates, Expr(spec.hidden)}, f32, true);
  if (g.random.oneIn(2))
    in.bias = g.addOperand({Expr(1), gates * Expr(2)}, f32, true);
  if (g.random.oneIn(3))
    in.state = g.addOperand({Expr(1), dimsOf(x)[1], Expr(spec.hidden)}, f32);
  if (!x || !in.weights || !in.recurrent)
    return failure();
  return orFailure(recurrent(b, in, spec).all);
}

static FailureOr<Value> simpleCell(Generation &g) {
  return recurrentAs(g, CellKind::Simple);
}
static FailureOr<Value> gruCell(Generation &g) {
  return recurrentAs(g, CellKind::Gru);
}
static FailureOr<Value> lstmCell(Generation &g) {
  return recurrentAs(g, CellKind::Lstm);
}

/// Where a tensor is not 0: [rank, count]. What decides must be exact.
static Value findNonZero(Generation &g, ValueBuilder &b, Value mask) {
  std::string count = b.newSymbol("count");
  g.graph().getContext().addUnbacked(count, SymbolRange());
  return b.create<graph::NonZeroOp>(mask, count);
}

/// The largest or the sum of the positions of what is not 0.
static FailureOr<Value> nonZero(Generation &g) {
  Value mask = g.pick([&](Value v) {
    return elementTypeOf(v).isSignlessInteger() && rankOf(v) >= 1 &&
           g.isExact(v);
  });
  if (!mask)
    return failure();
  ValueBuilder b = g.composites();
  return orFailure(b.reduce(findNonZero(g, b, mask), {1},
                            g.random.oneIn(2) ? graph::ReduceKind::Max
                                              : graph::ReduceKind::Sum,
                            /*keepDims=*/false));
}

/// The slices along the first dim where a condition holds, reduced to one.
static FailureOr<Value> compress(Generation &g) {
  Value x = g.pick([](Value v) { return isNumber(v) && rankOf(v) >= 1; });
  if (!x)
    return failure();
  ValueBuilder b = g.composites();
  Value mask = g.operandLike({dimsOf(x)[0]}, b.boolType());
  if (!mask || !g.isExact(mask))
    return failure();
  Value found = findNonZero(g, b, mask);
  if (!found)
    return failure();
  Value rows = b.reshape(found, {dimsOf(found)[1]});
  return orFailure(b.reduce(b.create<graph::GatherOp>(x, rows, 0), {0},
                            g.random.oneIn(2) ? graph::ReduceKind::Max
                                              : graph::ReduceKind::Min,
                            g.random.oneIn(2)));
}

ArrayRef<Form> ambit::fuzz::controlForms() {
  static const Form forms[] = {
      {"loop-carried", 3, loopCarried}, {"loop-stacked", 3, loopStacked},
      {"loop-slices", 3, loopSlices},   {"recurrent-simple", 1, simpleCell},
      {"recurrent-gru", 1, gruCell},    {"recurrent-lstm", 1, lstmCell},
      {"nonzero", 3, nonZero},          {"compress", 3, compress}};
  return forms;
}
