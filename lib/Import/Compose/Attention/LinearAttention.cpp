// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One trip of a loop for each step.

#include "LinearAttention.h"
#include "../../LoopBuilder.h"
#include "../Products/MatMul.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

namespace {
/// What is the same at every step.
struct Sizes {
  Expr batch, groups, shared, keys, width;
};
} // namespace

/// Step `trip` of [batch, h, steps, n] as a matrix of one column or row.
static Value stepOf(ValueBuilder &b, LoopBuilder &loop, Value all,
                    bool isColumn) {
  Value step = b.sliceDim(loop.inside(all), 2, loop.trip(), 1);
  return isColumn ? b.transpose(step, {0, 1, 3, 2}) : step;
}

static TripResults buildStep(ValueBuilder &b, LoopBuilder &loop,
                             const LinearAttentionInputs &in,
                             const Sizes &sizes) {
  Value state = loop.carried(0);
  Value key = stepOf(b, loop, in.keys, /*isColumn=*/true);
  Value value = stepOf(b, loop, in.values, /*isColumn=*/false);
  if (in.decay)
    state = b.map({state, stepOf(b, loop, in.decay, /*isColumn=*/true)},
                  [](ScalarBuilder &s, ValueRange v) {
                    return s.mul(v[0], s.make<math::ExpOp>(v[1]));
                  });
  if (in.rate) {
    Value held = b.reduce(b.mul(state, key), {2}, ReduceKind::Sum, true);
    value =
        b.mul(stepOf(b, loop, in.rate, /*isColumn=*/false), b.sub(value, held));
  }
  state = b.map({state, key, value}, [](ScalarBuilder &s, ValueRange v) {
    return s.add(v[0], s.mul(v[1], v[2]));
  });
  // The heads of one group are the rows of its product.
  Value query =
      b.reshape(stepOf(b, loop, in.queries, /*isColumn=*/false),
                {sizes.batch, sizes.groups, sizes.shared, sizes.keys});
  Value row = multiplyMatrices(b, query, state);
  if (!row)
    return {{Value()}, {Value()}};
  return {{state}, {b.mul(row, b.scalar(in.scale, elementTypeOf(row)))}};
}

LinearAttention compose::attendLinearly(ValueBuilder &b,
                                        const LinearAttentionInputs &in) {
  SmallVector<Expr> queries = dimsOf(in.queries), keys = dimsOf(in.keys);
  SmallVector<Expr> values = dimsOf(in.values), state = dimsOf(in.state);
  Expr steps = queries[2];
  if (!b.requireEqual(keys[0], queries[0], "batches of queries and keys") ||
      !b.requireEqual(keys[2], steps, "steps of queries and keys") ||
      !b.requireEqual(keys[3], queries[3], "sizes of queries and keys") ||
      !b.requireEqual(values[0], keys[0], "batches of keys and values") ||
      !b.requireEqual(values[1], keys[1], "heads of keys and values") ||
      !b.requireEqual(values[2], steps, "steps of keys and values"))
    return {};
  Expr wanted[] = {keys[0], keys[1], keys[3], values[3]};
  for (size_t dim = 0; dim < 4; ++dim)
    if (!b.requireEqual(state[dim], wanted[dim],
                        "dim " + Twine(dim) + " of the state"))
      return {};
  // One decay may be for all keys of a head, one rate for all heads.
  auto fits = [&](Value x, bool isDecay, StringRef what) {
    if (!x)
      return true;
    SmallVector<Expr> dims = dimsOf(x);
    bool isSingle =
        isDecay ? true
                : b.requireEqual(dims[3], Expr(1), "numbers of " + Twine(what));
    return isSingle &&
           b.requireEqual(dims[0], keys[0],
                          "batches of keys and " + Twine(what)) &&
           b.requireEqual(dims[2], steps, "steps of keys and " + Twine(what));
  };
  if (!fits(in.decay, true, "decays") || !fits(in.rate, false, "rates"))
    return {};
  Sizes sizes{keys[0], keys[1], b.simplify(Expr::floorDiv(queries[1], keys[1])),
              keys[3], values[3]};
  SmallVector<Value> captures = {in.queries, in.keys, in.values};
  for (Value optional : {in.decay, in.rate})
    if (optional)
      captures.push_back(optional);
  SmallVector<Value> results =
      buildLoop(b, steps, {in.state}, captures, [&](LoopBuilder &loop) {
        return buildStep(b, loop, in, sizes);
      });
  if (results.empty())
    return {};
  // [steps, batch, groups, shared, width], groups and shared side by side.
  Value rows = b.transpose(results[1], {1, 2, 3, 0, 4});
  return {b.reshape(rows, {sizes.batch, queries[1], steps, sizes.width}),
          results[0]};
}
