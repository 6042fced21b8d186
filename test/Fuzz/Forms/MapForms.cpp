// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise forms: bodies of random ops, casts, and run-time broadcasting.

#include "Generation.h"
#include "ScalarTree.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::fuzz;

/// A random body over inputs; broadcasts them first when shapes differ.
static FailureOr<Value> makeMap(Generation &g, ArrayRef<Value> inputs,
                                int64_t steps, bool broadcasts) {
  // The type of the result is known only once the body is: build it twice.
  Random start = g.random;
  SmallVector<bool> exact;
  for (Value input : inputs)
    exact.push_back(g.isExact(input));
  auto body = [&](OpBuilder &b, Location loc, ValueRange scalars) {
    ScalarTree tree(g.random, b, loc);
    for (auto [scalar, isExact] : llvm::zip_equal(scalars, exact))
      tree.addLeaf(scalar, isExact);
    tree.grow(steps);
    return tree.result();
  };
  Type elementType;
  {
    Block scratch;
    for (Value input : inputs) {
      Type type = elementTypeOf(input);
      if (auto integer = dyn_cast<IntegerType>(type))
        type = g.ops().getIntegerType(integer.getWidth());
      scratch.addArgument(type, g.graph().getLoc());
    }
    OpBuilder b(g.ops().getContext());
    b.setInsertionPointToEnd(&scratch);
    elementType = body(b, g.graph().getLoc(), scratch.getArguments()).getType();
    while (!scratch.empty())
      scratch.back().erase();
  }
  g.random = start;
  if (broadcasts)
    return g.graph().broadcastMap(inputs, elementType, body);
  return g.graph().map(inputs, elementType, body);
}

static Value pickAny(Generation &g) {
  return g.pick([](Value) { return true; });
}

static FailureOr<Value> unary(Generation &g) {
  return makeMap(g, {pickAny(g)}, 1, false);
}

static FailureOr<Value> fused(Generation &g) {
  Value first = pickAny(g);
  SmallVector<Value> inputs = {first};
  for (int64_t more = g.random.between(0, 2); more > 0; --more) {
    Type type = g.random.oneIn(2) ? elementTypeOf(first) : g.randomType();
    inputs.push_back(g.operandLike(dimsOf(first), type));
  }
  return makeMap(g, inputs, g.random.between(2, 8), false);
}

/// The other operand has some dims of the first, some 1, some unrelated.
static FailureOr<Value> broadcasting(Generation &g) {
  Value first = pickAny(g);
  SmallVector<Expr> dims = dimsOf(first);
  if (dims.size() < 4 && g.random.oneIn(4))
    dims.insert(dims.begin(), g.randomDim());
  else if (!dims.empty() && g.random.oneIn(3))
    dims.erase(dims.begin());
  for (Expr &dim : dims)
    switch (g.random.below(5)) {
    case 0:
      dim = 1;
      break;
    case 1:
      dim = g.randomSymbol();
      break;
    default:
      break;
    }
  Value second = g.operandLike(dims, g.random.oneIn(2) ? elementTypeOf(first)
                                                       : g.randomType());
  SmallVector<Value> inputs = {first, second};
  if (g.random.oneIn(2))
    std::swap(inputs[0], inputs[1]);
  return makeMap(g, inputs, g.random.between(1, 4), true);
}

static FailureOr<Value> broadcastingAny(Generation &g) {
  return makeMap(g, {pickAny(g), pickAny(g)}, g.random.between(1, 3), true);
}

static FailureOr<Value> cast(Generation &g) {
  Type type = g.randomType();
  Value value = g.pick([&](Value v) {
    return isa<FloatType>(type) || g.isExact(v) ||
           !isa<FloatType>(elementTypeOf(v));
  });
  if (!value)
    return failure();
  return g.graph().cast(value, type);
}

static FailureOr<Value> compare(Generation &g) {
  Value first = g.pick([&](Value v) { return g.isExact(v); });
  if (!first || elementTypeOf(first).isUnsignedInteger())
    return failure();
  Value second = g.operandLike(dimsOf(first), elementTypeOf(first));
  return g.graph().map(
      {first, second}, g.ops().getI1Type(),
      [&](OpBuilder &b, Location loc, ValueRange in) -> Value {
        if (isa<FloatType>(in[0].getType()))
          return b.create<arith::CmpFOp>(
              loc, arith::CmpFPredicate(g.random.between(1, 14)), in[0], in[1]);
        return b.create<arith::CmpIOp>(
            loc, arith::CmpIPredicate(g.random.below(10)), in[0], in[1]);
      });
}

static FailureOr<Value> select(Generation &g) {
  Value condition =
      g.pick([](Value v) { return elementTypeOf(v).isInteger(1); });
  Value first = pickAny(g);
  if (!condition)
    return failure();
  Value second = g.operandLike(dimsOf(first), elementTypeOf(first));
  return g.graph().broadcastMap(
      {condition, first, second}, elementTypeOf(first),
      [](OpBuilder &b, Location loc, ValueRange in) -> Value {
        return b.create<arith::SelectOp>(loc, in[0], in[1], in[2]);
      });
}

ArrayRef<Form> ambit::fuzz::mapForms() {
  static const Form forms[] = {{"map-unary", 8, unary},
                               {"map-fused", 10, fused},
                               {"map-broadcast", 10, broadcasting},
                               {"map-broadcast-any", 3, broadcastingAny},
                               {"cast", 5, cast},
                               {"compare", 4, compare},
                               {"select", 4, select}};
  return forms;
}
