// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear expressions and conditions of one symbol, and their solutions.

#include "ambit/Symbolic/LinearForm.h"
#include "Node.h"

using namespace ambit;

std::optional<LinearForm> ambit::asLinear(Expr expr) {
  if (!expr.isValid())
    return std::nullopt;
  llvm::ArrayRef<Term> terms = expr.terms();
  if (terms.empty() || terms.size() > 2 || terms[0].factors.size() != 1 ||
      terms[0].factors[0]->kind != Atom::Kind::Symbol ||
      (terms.size() == 2 && !terms[1].factors.empty()))
    return std::nullopt;
  return LinearForm{terms[0].factors[0]->name, terms[0].coefficient,
                    terms.size() == 2 ? terms[1].coefficient : 0};
}

std::optional<int64_t> LinearForm::solve(int64_t value) const {
  int64_t multiple;
  if (__builtin_sub_overflow(value, offset, &multiple) ||
      (scale == -1 && multiple == INT64_MIN) || multiple % scale != 0)
    return std::nullopt;
  return multiple / scale;
}

/// The values s with coefficient * s + constant REL 0, for REL one of == <= >=.
static std::optional<Interval>
getSolutions(int64_t coefficient, int64_t constant, Relation::Kind kind) {
  if (constant == INT64_MIN || coefficient == INT64_MIN)
    return std::nullopt;
  if (kind == Relation::Kind::EQ) {
    if (constant % coefficient != 0)
      return Interval{1, 0};
    return Interval{-constant / coefficient, -constant / coefficient};
  }
  bool isUpper = (kind == Relation::Kind::LE) == (coefficient > 0);
  Interval interval;
  if (isUpper)
    interval.max = *detail::checkedFloorDiv(-constant, coefficient);
  else
    interval.min = -*detail::checkedFloorDiv(constant, coefficient);
  return interval;
}

std::optional<Bound> ambit::getBound(const Condition &condition) {
  if (condition.anyOf.size() != 1)
    return std::nullopt;
  const Relation &relation = condition.anyOf.front();
  Relation::Kind kind = relation.kind;
  Expr difference = relation.lhs - relation.rhs;
  // Strict comparisons of integers are lax ones against the next integer.
  if (kind == Relation::Kind::LT) {
    difference = difference + Expr(1);
    kind = Relation::Kind::LE;
  } else if (kind == Relation::Kind::GT) {
    difference = difference - Expr(1);
    kind = Relation::Kind::GE;
  }
  if (kind == Relation::Kind::NE)
    return std::nullopt;
  std::optional<LinearForm> form = asLinear(difference);
  std::optional<Interval> interval =
      form ? getSolutions(form->scale, form->offset, kind) : std::nullopt;
  if (!interval)
    return std::nullopt;
  return Bound{form->symbol, *interval};
}
