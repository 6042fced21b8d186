// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rotary positions: pairs of features turned by an angle.

#include "Rotary.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// The rows of a table as [batch, sequence, pairs].
static Value pickRows(ValueBuilder &b, Value table, Value places, Expr batch,
                      Expr sequence) {
  if (places && rankOf(places) == 1) {
    Value step = b.iota({1, sequence}, 1, b.indexType());
    places = b.add(b.unsqueeze(b.cast(places, b.indexType()), 1), step);
    places = b.broadcast(places, {batch, sequence});
  }
  if (rankOf(table) != (places ? 2 : 3)) {
    b.error() << "table has rank " << rankOf(table) << ", expected "
              << (places ? 2 : 3);
    return {};
  }
  if (!places)
    return table;
  if (rankOf(places) != 2) {
    b.error() << "positions have rank " << rankOf(places)
              << ", expected 1 or 2";
    return {};
  }
  return b.create<GatherOp>(table, places, 0);
}

/// Turns all features of x by tables that broadcast to its halves.
static Value turn(ValueBuilder &b, Value x, Value cos, Value sin, Expr pairs,
                  bool isInterleaved) {
  SmallVector<Expr> dims = dimsOf(x);
  int64_t last = dims.size() - 1;
  SmallVector<Expr> paired = dims;
  paired.pop_back();
  paired.push_back(isInterleaved ? pairs : Expr(2));
  paired.push_back(isInterleaved ? Expr(2) : pairs);
  Value split = b.reshape(x, paired);
  int64_t side = isInterleaved ? last + 1 : last;
  SmallVector<Expr> half = dims;
  half[last] = pairs;
  Value first = b.reshape(b.sliceDim(split, side, 0, 1), half);
  Value second = b.reshape(b.sliceDim(split, side, 1, 1), half);
  Value parts[] = {
      b.sub(b.mul(first, cos), b.mul(second, sin)),
      b.add(b.mul(first, sin), b.mul(second, cos)),
  };
  for (Value &part : parts)
    part = b.unsqueeze(part, side);
  return b.reshape(b.concat(parts, side), dims);
}

Value compose::rotary(ValueBuilder &b, Value given, Value cos, Value sin,
                      Value places, const RotarySpec &spec) {
  SmallVector<Expr> shape = dimsOf(given);
  if (!b.requireFloat(given, "input"))
    return {};
  bool isFlat = shape.size() == 3;
  if ((!isFlat && shape.size() != 4) || (isFlat && spec.heads < 1)) {
    b.error() << "input has rank " << shape.size() << " and " << spec.heads
              << " heads, expected rank 4, or 3 and at least 1 head";
    return {};
  }
  Value x = given;
  if (isFlat) {
    if (!b.requireDivisible(shape[2], spec.heads,
                            "features do not divide into heads"))
      return {};
    Expr size = b.simplify(Expr::floorDiv(shape[2], spec.heads));
    x = b.reshape(x, {shape[0], shape[1], spec.heads, size});
  }
  SmallVector<Expr> dims = dimsOf(x);
  Expr batch = dims[0], sequence = dims[isFlat ? 1 : 2], size = dims[3];
  Expr turned = spec.turned ? Expr(spec.turned) : size;
  if (!b.requireDivisible(turned, 2, "features do not form pairs") ||
      !b.require(Relation{Relation::Kind::LE, turned, size},
                 "more features turn than there are"))
    return {};
  Expr pairs = b.simplify(Expr::floorDiv(turned, 2));
  for (Value *table : {&cos, &sin}) {
    *table = pickRows(b, *table, places, batch, sequence);
    if (!*table)
      return {};
    *table = b.broadcast(*table, {batch, sequence, pairs});
    *table = b.unsqueeze(*table, isFlat ? 2 : 1);
  }
  Value result =
      turn(b, b.sliceDim(x, 3, 0, turned), cos, sin, pairs, spec.isInterleaved);
  if (turned != size)
    result = b.concat(
        {result, b.sliceDim(x, 3, turned, b.simplify(size - turned))}, 3);
  return b.reshape(result, shape);
}
