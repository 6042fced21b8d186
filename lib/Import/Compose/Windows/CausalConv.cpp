// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The windows are gathered, so that their number and size may be symbols.

#include "CausalConv.h"
#include "Conv.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

CausalConv compose::causalConv(ValueBuilder &b, Value x, Value filter,
                               Value bias, Value state) {
  if (rankOf(x) != 3 || rankOf(filter) != 3 || (state && rankOf(state) != 3)) {
    b.error() << "input and filter have ranks " << rankOf(x) << " and "
              << rankOf(filter) << ", expected 3 for these and the state";
    return {};
  }
  SmallVector<Expr> dims = dimsOf(x), weights = dimsOf(filter);
  Expr window = weights[2], length = dims[2];
  if (!b.requireEqual(weights[0], dims[1],
                      "number of filters is not that of "
                      "the channels") ||
      !b.requireEqual(weights[1], Expr(1), "channels of a filter") ||
      !b.require(Relation{Relation::Kind::GE, window, Expr(1)},
                 "the window has no elements"))
    return {};
  SmallVector<Expr> past = {dims[0], dims[1], b.simplify(window - 1)};
  if (!state)
    state = b.broadcast(b.scalar(0, elementTypeOf(x)), past);
  for (size_t dim = 0; dim < 3; ++dim)
    if (!b.requireEqual(dimsOf(state)[dim], past[dim],
                        "dim " + Twine(dim) + " of the state"))
      return {};
  Value line = b.concat({state, x}, 2);
  Value places = b.add(b.iota({length, window}, 0, b.indexType()),
                       b.iota({length, window}, 1, b.indexType()));
  Value windows = b.create<GatherOp>(line, places, 2);
  Value factors = b.reshape(filter, {Expr(1), weights[0], Expr(1), window});
  Value sums = b.reduce(b.mul(windows, factors), {3}, ReduceKind::Sum, false);
  return {addBias(b, sums, bias), b.sliceDim(line, 2, length, past[2])};
}
