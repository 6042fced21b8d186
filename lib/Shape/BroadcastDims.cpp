// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that agree up to ones broadcast to max(S) * min(1, S) for the set S of
// them: the one that is not 1, or 0 where one is 0. Broadcasting is associative
// and idempotent, so the sets of two results are joined instead of being
// nested; expressions do not grow when the same sizes meet again and again.

#include "BroadcastDims.h"
#include <set>

using namespace mlir;
using namespace ambit;
using Sizes = std::set<Expr>;

Expr ambit::broadcastDims(Expr lhs, Expr rhs, graph::ShapeContext &context) {
  if (lhs == rhs || rhs.isConstant(1))
    return lhs;
  if (lhs.isConstant(1))
    return rhs;
  Prover &prover = context.getProver();
  if (prover.isEqual(lhs, rhs))
    return lhs.constant() ? lhs : rhs;
  auto isNotOne = [&](Expr e) {
    return prover.prove(Relation{Relation::Kind::NE, e, Expr(1)}) == Truth::Yes;
  };
  // A dim that cannot be 1 is the result.
  if (isNotOne(lhs))
    return lhs;
  if (isNotOne(rhs))
    return rhs;
  // So is a dim that the other never exceeds, unless 1 meets 0.
  auto isResult = [&](Expr large, Expr small) {
    Condition neverLoses;
    neverLoses.anyOf = {Relation{Relation::Kind::GE, small, Expr(1)},
                        Relation{Relation::Kind::NE, large, Expr(1)}};
    return prover.isAtLeast(large, small) &&
           prover.prove(neverLoses) == Truth::Yes;
  };
  if (isResult(lhs, rhs))
    return lhs;
  if (isResult(rhs, lhs))
    return rhs;
  Sizes left = graph::getBroadcastSizes(lhs),
        right = graph::getBroadcastSizes(rhs), sizes = left;
  sizes.insert(right.begin(), right.end());
  if (sizes == left)
    return lhs;
  if (sizes == right)
    return rhs;
  Expr most = *sizes.begin(), least = 1;
  for (Expr size : sizes) {
    most = Expr::max(most, size);
    least = Expr::min(least, size);
  }
  most = context.simplify(most);
  least = context.simplify(least);
  // A size times min(1, size) is the size.
  if (least == context.simplify(Expr::min(Expr(1), most)))
    return most;
  return context.simplify(most * least);
}

LogicalResult ambit::requireBroadcast(ArrayRef<Expr> sizes, Location loc,
                                      const Twine &what,
                                      graph::ShapeContext &context) {
  for (auto [index, lhs] : llvm::enumerate(sizes))
    for (Expr rhs : sizes.drop_front(index + 1)) {
      if (lhs == rhs || lhs.isConstant(1) || rhs.isConstant(1))
        continue;
      if (failed(context.require(loc, graph::getAgreement(lhs, rhs), what)))
        return failure();
    }
  return success();
}
