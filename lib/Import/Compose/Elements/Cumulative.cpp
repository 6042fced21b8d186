// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A running sum in two levels, so that its work is linear and no loop is long:
// the axis is cut into blocks; within a block each place reduces what stands
// before it; a loop over the blocks carries their totals.

#include "Cumulative.h"
#include "../../LoopBuilder.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// Elements in a block: so many steps of arithmetic an element, vectorized, and
/// so many fewer trips.
constexpr int64_t kBlock = 32;

namespace {
/// x as [outer, length, inner], in the order of summing.
class Cumulation {
public:
  Cumulation(ValueBuilder &b, Value x, const CumulativeSpec &spec);
  Value run();

private:
  Value withinBlocks(Value blocks, Expr size);
  Value beforeBlocks(Value blocks, Expr count);
  Value runInBlocks();
  Value combine(Value x, Value y) {
    return spec.isProduct ? b.mul(x, y) : b.add(x, y);
  }
  ReduceKind kind() const {
    return spec.isProduct ? ReduceKind::Product : ReduceKind::Sum;
  }
  /// What changes nothing.
  Value neutral() { return b.scalar(spec.isProduct ? 1 : 0, type); }

  ValueBuilder &b;
  const CumulativeSpec &spec;
  Type type;
  Expr outer, length, inner;
  Value x;
};
} // namespace

Cumulation::Cumulation(ValueBuilder &b, Value x, const CumulativeSpec &spec)
    : b(b), spec(spec), type(elementTypeOf(x)) {
  SmallVector<Expr> dims = dimsOf(x);
  outer = sym::getNumElements(ArrayRef(dims).take_front(spec.axis));
  length = dims[spec.axis];
  inner = sym::getNumElements(ArrayRef(dims).drop_front(spec.axis + 1));
  this->x = b.reshape(x, {outer, length, inner});
}

/// [outer, count, size, inner] to the same shape: each place of a block reduces
/// what of its block comes before it.
Value Cumulation::withinBlocks(Value blocks, Expr size) {
  if (!blocks)
    return {};
  SmallVector<Expr> dims = dimsOf(blocks);
  Value to = b.iota({size, 1, 1}, 0, b.indexType());
  Value from = b.iota({size, 1}, 0, b.indexType());
  Value rows = b.reshape(blocks, {dims[0], dims[1], 1, size, inner});
  Relation::Kind isBefore =
      spec.isExclusive ? Relation::Kind::LT : Relation::Kind::LE;
  Value kept =
      b.map({rows, from, to, neutral()}, [&](ScalarBuilder &s, ValueRange v) {
        return s.select(s.compare(isBefore, v[1], v[2]), v[0], v[3]);
      });
  return b.reduce(kept, 3, kind(), /*keepDims=*/false);
}

/// For each block what all blocks before it come to: [outer, count, 1, inner].
Value Cumulation::beforeBlocks(Value blocks, Expr count) {
  Value totals = b.reduce(blocks, 2, kind(), /*keepDims=*/false);
  Value none = b.broadcast(neutral(), {outer, inner});
  SmallVector<Value> results =
      buildLoop(b, count, none, totals, [&](LoopBuilder &loop) {
        Value total = b.sliceDim(loop.inside(totals), 1, loop.trip(), 1);
        Value before = loop.carried(0);
        Value after = combine(before, b.reshape(total, {outer, inner}));
        return TripResults{{after}, {before}};
      });
  if (results.empty())
    return {};
  return b.unsqueeze(b.transpose(results[1], {1, 0, 2}), 2);
}

Value Cumulation::runInBlocks() {
  Expr count = b.simplify(Expr::ceilDiv(length, kBlock));
  Expr padded = count * Expr(kBlock);
  Value filled = b.pad(x, neutral(), {0, 0, 0}, {0, padded - length, 0});
  Value blocks = b.reshape(filled, {outer, count, kBlock, inner});
  Value result =
      combine(withinBlocks(blocks, kBlock), beforeBlocks(blocks, count));
  return b.sliceDim(b.reshape(result, {outer, padded, inner}), 1, 0, length);
}

Value Cumulation::run() {
  if (spec.isReversed)
    x = b.reverse(x, 1);
  if (!x)
    return {};
  Value result;
  if (length.constant() && *length.constant() <= kBlock)
    result =
        b.reshape(withinBlocks(b.reshape(x, {outer, 1, length, inner}), length),
                  {outer, length, inner});
  else
    result = runInBlocks();
  return spec.isReversed ? b.reverse(result, 1) : result;
}

Value compose::cumulate(ValueBuilder &b, Value x, const CumulativeSpec &given) {
  CumulativeSpec spec = given;
  if (elementTypeOf(x).isInteger(1)) {
    b.error() << "input has element type " << elementTypeOf(x)
              << ", expected numbers";
    return {};
  }
  if (!b.normalizeAxis(spec.axis, rankOf(x)))
    return {};
  return b.reshape(Cumulation(b, x, spec).run(), dimsOf(x));
}
