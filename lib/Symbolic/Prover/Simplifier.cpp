// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Domain-dependent rewrites: decided min and max, cancelled divisors,
// remainders that are their own dividend.

#include "Simplifier.h"

using namespace ambit;
using namespace ambit::detail;

/// Longer lists are left alone: the comparisons are pairwise proofs.
static constexpr size_t kMaxComparedOperands = 12;
static constexpr unsigned kMaxDivisionSteps = 64;

/// n - min(1, n) is max(0, n - 1): an extremum takes in what is added to it
/// where that cancels an operand. Nests of clamped sizes stay small.
static Expr absorbExtremum(Expr expr) {
  if (expr.terms().size() < 2)
    return expr;
  for (const Term &term : expr.terms()) {
    if (term.factors.size() != 1 || std::abs(term.coefficient) != 1)
      continue;
    const Atom &atom = *term.factors[0];
    bool isMin = atom.kind == Atom::Kind::Min;
    if (!isMin && atom.kind != Atom::Kind::Max)
      continue;
    Expr sign(term.coefficient);
    Expr rest = expr - makeTerm(term.coefficient, term.factors);
    Expr lhs = rest + sign * atom.lhs, rhs = rest + sign * atom.rhs;
    if (rest.constant() || !lhs.isValid() || !rhs.isValid() ||
        (!lhs.constant() && !rhs.constant()))
      continue;
    Expr whole = isMin == (term.coefficient > 0) ? Expr::min(lhs, rhs)
                                                 : Expr::max(lhs, rhs);
    return whole.isValid() ? whole : expr;
  }
  return expr;
}

Expr Simplifier::simplify(Expr expr) {
  if (!expr.isValid() || expr.constant())
    return expr;
  auto found = memo.find(expr.getAsOpaquePointer());
  if (found != memo.end() && (found->second.factCount == factCount() ||
                              lastFactOn(expr) <= found->second.factCount))
    return found->second.result;
  Expr result =
      rewriteAtoms(expr, [&](const Atom &atom) { return simplifyAtom(atom); });
  if (!result.isValid())
    result = expr;
  result = absorbExtremum(result);
  memo[expr.getAsOpaquePointer()] = {result, factCount()};
  return result;
}

std::optional<Expr> Simplifier::simplifyAtom(const Atom &atom) {
  if (atom.kind == Atom::Kind::Symbol)
    return replacementOf(atom.name);
  Expr lhs = simplify(atom.lhs), rhs = simplify(atom.rhs);
  switch (atom.kind) {
  case Atom::Kind::FloorDiv:
    return simplifyFloorDiv(lhs, rhs);
  case Atom::Kind::Mod:
    return simplifyMod(lhs, rhs);
  case Atom::Kind::Min:
  case Atom::Kind::Max:
    return simplifyExtremum(atom.kind, lhs, rhs);
  case Atom::Kind::Symbol:
    break;
  }
  return Expr::invalid();
}

/// Replaces atoms that can take one value only.
Expr Simplifier::decidePoints(Expr expr) {
  return rewriteAtoms(expr, [&](const Atom &atom) -> std::optional<Expr> {
    const Atom *pointer = &atom;
    Interval interval = bounds(makeTerm(1, {pointer}));
    if (interval.isPoint())
      return Expr(interval.min);
    return std::nullopt;
  });
}

bool Simplifier::isNonZero(Expr expr) {
  return isAtLeast(expr, 1) || isAtLeast(-1, expr);
}

bool Simplifier::isWithin(Expr expr, Expr limit) {
  return isAtLeast(expr, Expr()) && isAtLeast(limit, expr + Expr(1));
}

/// lhs without the factors of rhs, or nothing when rhs is no submultiset.
static std::optional<Factors> removeFactors(llvm::ArrayRef<const Atom *> lhs,
                                            llvm::ArrayRef<const Atom *> rhs) {
  Factors rest(lhs.begin(), lhs.end());
  for (const Atom *factor : rhs) {
    auto found = llvm::find(rest, factor);
    if (found == rest.end())
      return std::nullopt;
    rest.erase(found);
  }
  return rest;
}

/// Multivariate long division: lhs = quotient * rhs + remainder, where the
/// leading term of rhs divides no term of the remainder.
static void dividePolynomials(Expr lhs, Expr rhs, Expr &quotient,
                              Expr &remainder) {
  const Term &lead = rhs.terms()[0];
  quotient = Expr();
  remainder = Expr();
  for (unsigned step = 0;
       step < kMaxDivisionSteps && lhs.isValid() && !lhs.terms().empty();
       ++step) {
    const Term &term = lhs.terms()[0];
    Expr first = makeTerm(term.coefficient, term.factors);
    std::optional<Factors> rest = removeFactors(term.factors, lead.factors);
    if (!rest || term.coefficient % lead.coefficient != 0) {
      remainder = remainder + first;
      lhs = lhs - first;
      continue;
    }
    Expr part = makeTerm(term.coefficient / lead.coefficient, *rest);
    quotient = quotient + part;
    lhs = lhs - part * rhs;
  }
  remainder = remainder + lhs;
}

/// The factors that every term of both polynomials has.
static Factors commonFactors(Expr lhs, Expr rhs) {
  llvm::ArrayRef<const Atom *> first = rhs.terms()[0].factors;
  Factors common(first.begin(), first.end());
  for (Expr expr : {lhs, rhs})
    for (const Term &term : expr.terms()) {
      Factors rest(term.factors.begin(), term.factors.end());
      llvm::erase_if(common, [&](const Atom *factor) {
        auto found = llvm::find(rest, factor);
        if (found == rest.end())
          return true;
        rest.erase(found);
        return false;
      });
    }
  return common;
}

static Expr dropFactors(Expr expr, llvm::ArrayRef<const Atom *> factors) {
  std::vector<RawTerm> terms;
  for (const Term &term : expr.terms())
    terms.push_back({term.coefficient, *removeFactors(term.factors, factors)});
  return makePolynomial(std::move(terms));
}

/// Lowers the constant term to a multiple of what divides all other terms: it
/// cannot carry floordiv(lhs, k) over a boundary.
Expr Simplifier::reduceByDivisors(Expr lhs, int64_t k) {
  int64_t common = k;
  for (const Term &term : lhs.terms()) {
    if (term.factors.empty())
      continue;
    int64_t divisor = gcd(term.coefficient, k);
    for (const Atom *factor : term.factors)
      if (factor->kind == Atom::Kind::Symbol)
        divisor = gcd(
            checkedMul(divisor, divisorOf(factor->name)).value_or(divisor), k);
    common = gcd(common, divisor);
  }
  if (common <= 1)
    return lhs;
  return lhs - Expr(*checkedMod(constantTerm(lhs), common));
}

Expr Simplifier::simplifyFloorDiv(Expr lhs, Expr rhs) {
  if (std::optional<int64_t> k = rhs.constant()) {
    if (*k > 1)
      lhs = reduceByDivisors(lhs, *k);
    return decidePoints(Expr::floorDiv(lhs, rhs));
  }
  if (!rhs.isValid() || !lhs.isValid() || !isNonZero(rhs))
    return Expr::floorDiv(lhs, rhs);
  Factors common = commonFactors(lhs, rhs);
  if (!common.empty() && isNonZero(makeTerm(1, common))) {
    lhs = dropFactors(lhs, common);
    rhs = dropFactors(rhs, common);
    if (rhs.constant())
      return simplifyFloorDiv(lhs, rhs);
  }
  Expr quotient, remainder;
  dividePolynomials(lhs, rhs, quotient, remainder);
  if (!quotient.isValid() || !remainder.isValid())
    return Expr::floorDiv(lhs, rhs);
  if (remainder.isConstant(0) || isWithin(remainder, rhs) ||
      (isAtLeast(0, remainder) && isAtLeast(remainder, rhs + Expr(1))))
    return quotient;
  if (remainder.terms().size() < lhs.terms().size())
    return decidePoints(quotient + Expr::floorDiv(remainder, rhs));
  return decidePoints(Expr::floorDiv(lhs, rhs));
}

Expr Simplifier::simplifyMod(Expr lhs, Expr rhs) {
  if (std::optional<int64_t> k = rhs.constant()) {
    if (*k > 1) {
      Interval interval = bounds(lhs);
      int64_t quotient = *checkedFloorDiv(interval.min, *k);
      if (interval.max != Interval::kMax && interval.min != Interval::kMin &&
          quotient == *checkedFloorDiv(interval.max, *k))
        return lhs - Expr(quotient) * rhs;
      Expr reduced = reduceByDivisors(lhs, *k);
      Expr carried = lhs - reduced;
      return decidePoints(Expr::mod(reduced, rhs)) + carried;
    }
    return Expr::mod(lhs, rhs);
  }
  if (!rhs.isValid() || !lhs.isValid() || !isNonZero(rhs))
    return Expr::mod(lhs, rhs);
  Expr quotient, remainder;
  dividePolynomials(lhs, rhs, quotient, remainder);
  if (!quotient.isValid() || !remainder.isValid())
    return Expr::mod(lhs, rhs);
  if (remainder.isConstant(0) || isWithin(remainder, rhs))
    return remainder;
  bool shorter = remainder.terms().size() < lhs.terms().size();
  return decidePoints(Expr::mod(shorter ? remainder : lhs, rhs));
}

Expr Simplifier::simplifyExtremum(Atom::Kind kind, Expr lhs, Expr rhs) {
  llvm::SmallVector<Expr> operands, kept;
  flatten(kind, lhs, operands);
  flatten(kind, rhs, operands);
  if (operands.size() > kMaxComparedOperands)
    return makeExtremum(kind, operands);
  auto wins = [&](Expr winner, Expr loser) {
    return kind == Atom::Kind::Min ? isAtLeast(loser, winner)
                                   : isAtLeast(winner, loser);
  };
  for (Expr operand : operands) {
    if (llvm::any_of(kept, [&](Expr other) { return wins(other, operand); }))
      continue;
    llvm::erase_if(kept, [&](Expr other) { return wins(operand, other); });
    kept.push_back(operand);
  }
  return decidePoints(makeExtremum(kind, kept));
}
