// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that broadcast, as conditions and as expressions.

#include "ambit/Dialect/Graph/IR/ShapeContext.h"

using namespace ambit;

Condition graph::getAgreement(Expr lhs, Expr rhs) {
  Condition agree = Condition::equal(lhs, rhs);
  for (Expr size : {lhs, rhs})
    if (!size.constant())
      agree.anyOf.push_back(Relation{Relation::Kind::EQ, size, Expr(1)});
  return agree;
}

Expr graph::getBroadcast(const std::set<Expr> &sizes) {
  Expr most = *sizes.begin(), least = 1;
  for (Expr size : sizes) {
    most = Expr::max(most, size);
    least = Expr::min(least, size);
  }
  return most * least;
}

/// The operands of nested maxima or minima; the expression itself if it is
/// neither.
static void collectOperands(Expr expr, Atom::Kind kind,
                            std::set<Expr> &operands) {
  llvm::ArrayRef<Term> terms = expr.terms();
  bool isNested = terms.size() == 1 && terms[0].coefficient == 1 &&
                  terms[0].factors.size() == 1 &&
                  terms[0].factors[0]->kind == kind;
  if (!isNested) {
    operands.insert(expr);
    return;
  }
  collectOperands(terms[0].factors[0]->lhs, kind, operands);
  collectOperands(terms[0].factors[0]->rhs, kind, operands);
}

std::set<Expr> graph::getBroadcastSizes(Expr expr) {
  llvm::ArrayRef<Term> terms = expr.terms();
  if (terms.size() != 1 || terms[0].coefficient != 1 ||
      terms[0].factors.size() != 2)
    return {expr};
  const Atom *max = terms[0].factors[0], *min = terms[0].factors[1];
  if (max->kind != Atom::Kind::Max)
    std::swap(max, min);
  if (max->kind != Atom::Kind::Max || min->kind != Atom::Kind::Min)
    return {expr};
  std::set<Expr> largest, least;
  for (Expr side : {max->lhs, max->rhs})
    collectOperands(side, Atom::Kind::Max, largest);
  for (Expr side : {min->lhs, min->rhs})
    collectOperands(side, Atom::Kind::Min, least);
  bool hasOne = least.erase(Expr(1)) != 0;
  return hasOne && largest == least ? largest : std::set<Expr>{expr};
}
