// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions for people. A relation is arranged with what is positive on either
// side, then opened step by step: a division or an extremum on one side alone
// gives way to its operands where the domain decides the rest.

#include "View.h"
#include "ambit/Symbolic/Prover.h"

using namespace ambit;
using namespace ambit::detail;

using Kind = Relation::Kind;

/// Bounds the steps on deeply nested relations.
static constexpr unsigned kMaxSteps = 16;

static Kind mirror(Kind kind) {
  switch (kind) {
  case Kind::LE:
    return Kind::GE;
  case Kind::LT:
    return Kind::GT;
  case Kind::GE:
    return Kind::LE;
  case Kind::GT:
    return Kind::LT;
  default:
    return kind;
  }
}

/// Divides `sum` REL `bound` by the common divisor of the coefficients, which
/// rounds the bound of an inequality inwards. Strict bounds are given as lax.
static void divide(Expr &sum, int64_t &bound, Kind kind) {
  int64_t divisor = 0;
  for (const Term &term : sum.terms())
    divisor = divisor ? gcd(divisor, term.coefficient) : term.coefficient;
  divisor = gcd(divisor, divisor);
  bool isEquality = kind == Kind::EQ || kind == Kind::NE;
  if (divisor <= 1 || (isEquality && bound % divisor != 0))
    return;
  std::vector<RawTerm> terms;
  for (const Term &term : sum.terms())
    terms.push_back({term.coefficient / divisor,
                     Factors(term.factors.begin(), term.factors.end())});
  int64_t floor = *checkedFloorDiv(bound, divisor);
  bool roundsUp = kind == Kind::GE && bound % divisor != 0;
  sum = makePolynomial(std::move(terms));
  bound = roundsUp ? floor + 1 : floor;
}

/// The relation with every term on the side where it is positive; the leading
/// term on the left. Nothing on overflow.
static std::optional<Relation> arrange(const Relation &relation) {
  Expr difference = relation.lhs - relation.rhs;
  if (!difference.isValid() || difference.constant())
    return std::nullopt;
  Kind kind = relation.kind;
  if (difference.terms()[0].coefficient < 0) {
    difference = -difference;
    kind = mirror(kind);
  }
  if (kind == Kind::LT || kind == Kind::GT) {
    difference = kind == Kind::LT ? difference + Expr(1) : difference - Expr(1);
    kind = kind == Kind::LT ? Kind::LE : Kind::GE;
  }
  if (!difference.isValid() || constantTerm(difference) == INT64_MIN)
    return std::nullopt;
  int64_t bound = -constantTerm(difference);
  Expr sum = difference + Expr(bound);
  divide(sum, bound, kind);
  Expr left, right;
  for (const Term &term : sum.terms()) {
    Expr part = makeTerm(term.coefficient, term.factors);
    if (term.coefficient > 0)
      left = left + part;
    else
      right = right - part;
  }
  // Between sums, "a < b" reads better than "a + 1 <= b".
  if (right != Expr() && kind == Kind::LE && bound == -1)
    return Relation{Kind::LT, left, right};
  if (right != Expr() && kind == Kind::GE && bound == 1)
    return Relation{Kind::GT, left, right};
  // "n >= -3" stays; beside other terms a constant goes where it is positive.
  if (right == Expr() || bound >= 0)
    right = right + Expr(bound);
  else
    left = left - Expr(bound);
  if (!left.isValid() || !right.isValid())
    return std::nullopt;
  return Relation{kind, left, right};
}

/// Opens floordiv(p, d) REL q for a constant d > 0.
static std::optional<Relation> openDivision(const Relation &relation,
                                            Prover &prover) {
  const Atom *atom = asAtom(relation.lhs);
  if (!atom || atom->kind != Atom::Kind::FloorDiv)
    return std::nullopt;
  std::optional<int64_t> divisor = atom->rhs.constant();
  if (!divisor || *divisor <= 0)
    return std::nullopt;
  Expr least = relation.rhs * Expr(*divisor);
  Expr beyond = least + Expr(*divisor);
  switch (relation.kind) {
  case Kind::GE:
    return Relation{Kind::GE, atom->lhs, least};
  case Kind::LT:
    return Relation{Kind::LT, atom->lhs, least};
  case Kind::LE:
    return Relation{Kind::LT, atom->lhs, beyond};
  case Kind::GT:
    return Relation{Kind::GE, atom->lhs, beyond};
  case Kind::EQ:
    if (prover.isAtLeast(atom->lhs, least))
      return Relation{Kind::LT, atom->lhs, beyond};
    if (prover.prove(Relation{Kind::LT, atom->lhs, beyond}) == Truth::Yes)
      return Relation{Kind::GE, atom->lhs, least};
    return std::nullopt;
  case Kind::NE:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Opens min(a, b) REL r and max(a, b) REL r. Written for min; for max all
/// comparisons are mirrored.
static std::optional<Relation> openExtremum(const Relation &relation,
                                            Prover &prover) {
  const Atom *atom = asAtom(relation.lhs);
  if (!atom || (atom->kind != Atom::Kind::Min && atom->kind != Atom::Kind::Max))
    return std::nullopt;
  bool isMin = atom->kind == Atom::Kind::Min;
  Expr rhs = relation.rhs;
  llvm::SmallVector<Expr> operands, kept;
  flatten(atom->kind, relation.lhs, operands);
  Kind kind = isMin ? relation.kind : mirror(relation.kind);
  auto holds = [&](Kind wanted, Expr operand) {
    Kind actual = isMin ? wanted : mirror(wanted);
    return prover.prove(Relation{actual, operand, rhs}) == Truth::Yes;
  };
  // min(a, b) == a says that a <= b.
  if (kind == Kind::EQ && llvm::is_contained(operands, rhs)) {
    for (Expr operand : operands)
      if (operand != rhs)
        kept.push_back(operand);
    return Relation{isMin ? Kind::LE : Kind::GE, rhs,
                    makeExtremum(atom->kind, kept)};
  }
  // An operand that r keeps from being the least, or from mattering, may go.
  bool wantsLeast = kind == Kind::EQ || kind == Kind::LE || kind == Kind::NE;
  for (Expr operand : operands) {
    bool isIdle = wantsLeast || kind == Kind::GT ? holds(Kind::GT, operand)
                                                 : holds(Kind::GE, operand);
    if (!isIdle)
      kept.push_back(operand);
  }
  if (kept.empty() || kept.size() == operands.size())
    return std::nullopt;
  return Relation{relation.kind, makeExtremum(atom->kind, kept), rhs};
}

/// Whether the expression has a value everywhere on the domain, but for sizes
/// that overflow.
static bool isTotal(Expr expr, Prover &prover) {
  for (const Term &term : expr.terms())
    for (const Atom *atom : term.factors) {
      if (atom->kind == Atom::Kind::Symbol)
        continue;
      if (!isTotal(atom->lhs, prover) || !isTotal(atom->rhs, prover))
        return false;
      bool divides =
          atom->kind == Atom::Kind::FloorDiv || atom->kind == Atom::Kind::Mod;
      if (divides &&
          prover.prove(Relation{Kind::NE, atom->rhs, Expr(0)}) != Truth::Yes)
        return false;
    }
  return true;
}

static Relation simplifyRelation(Relation relation, Prover &prover) {
  relation.lhs = prover.simplify(relation.lhs);
  relation.rhs = prover.simplify(relation.rhs);
  for (unsigned step = 0; step < kMaxSteps; ++step) {
    std::optional<Relation> arranged = arrange(relation);
    if (!arranged)
      return relation;
    relation = *arranged;
    std::optional<Relation> opened;
    for (const Relation &side :
         {relation,
          Relation{mirror(relation.kind), relation.rhs, relation.lhs}}) {
      if (!opened)
        opened = openDivision(side, prover);
      if (!opened)
        opened = openExtremum(side, prover);
    }
    if (!opened || !opened->lhs.isValid() || !opened->rhs.isValid())
      return relation;
    relation = *opened;
  }
  return relation;
}

Condition ambit::simplify(const Condition &condition, Prover &prover) {
  // Rewriting could lose that a division by zero makes a relation fail.
  for (const Relation &relation : condition.anyOf)
    if (!relation.lhs.isValid() || !relation.rhs.isValid() ||
        !isTotal(relation.lhs, prover) || !isTotal(relation.rhs, prover))
      return condition;
  Condition result;
  for (const Relation &relation : condition.anyOf) {
    Truth truth = prover.prove(relation);
    if (truth == Truth::Yes)
      return condition;
    if (truth == Truth::Unknown)
      result.anyOf.push_back(simplifyRelation(relation, prover));
  }
  // What an alternative admits and the others do not: nothing?
  for (size_t index = result.anyOf.size(); index-- > 0;) {
    Condition rest = result;
    rest.anyOf.erase(rest.anyOf.begin() + index);
    Condition covered = rest;
    covered.anyOf.push_back(negate(result.anyOf[index]));
    if (!rest.anyOf.empty() && prover.prove(covered) == Truth::Yes)
      result = std::move(rest);
  }
  return result.anyOf.empty() ? condition : result;
}
