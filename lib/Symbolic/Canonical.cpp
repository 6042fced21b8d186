// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The canonical forms of the four non-polynomial atoms. Only rewrites that hold
// for every integer value of the symbols belong here; what needs a domain, such
// as cancelling a symbolic divisor, is Prover::simplify's business.

#include "Node.h"

using namespace ambit;
using namespace ambit::detail;

/// The gcd of `start` and the coefficients of the non-constant terms.
static int64_t contentGcd(Expr expr, int64_t start) {
  int64_t result = start;
  for (const Term &term : expr.terms())
    if (!term.factors.empty())
      result = gcd(result, term.coefficient);
  return result;
}

/// Divides non-constant coefficients exactly and floors the constant term.
static Expr divideContent(Expr expr, int64_t divisor) {
  std::vector<RawTerm> terms;
  for (const Term &term : expr.terms())
    terms.push_back({*checkedFloorDiv(term.coefficient, divisor),
                     Factors(term.factors.begin(), term.factors.end())});
  return makePolynomial(std::move(terms));
}

static bool hasNegativeLead(Expr expr) {
  return !expr.terms().empty() && expr.terms()[0].coefficient < 0;
}

/// floordiv(m + c, k) for a canonical remainder: |coefficients of m| < k with
/// gcd 1, 0 <= c < k and a positive leading coefficient.
static Expr makeFloorDiv(Expr m, int64_t c, int64_t k) {
  const Atom *inner = asAtom(m);
  if (inner && inner->kind == Atom::Kind::FloorDiv) {
    // floor((floor(x/b) + c) / k) = floor((x + b*c) / (b*k)), any b but 0.
    Expr divisor = inner->rhs * Expr(k);
    Expr dividend = inner->lhs + inner->rhs * Expr(c);
    if (divisor.isValid() && dividend.isValid() &&
        (c == 0 || inner->rhs.constant()))
      return Expr::floorDiv(dividend, divisor);
  }
  return makeAtom(Atom::Kind::FloorDiv, "", m + Expr(c), Expr(k));
}

static Expr floorDivConstant(Expr lhs, int64_t k) {
  if (k == 0)
    return Expr::invalid();
  if (k < 0)
    return k == INT64_MIN ? Expr::invalid() : floorDivConstant(-lhs, -k);
  if (k == 1 || !lhs.isValid())
    return lhs;
  std::vector<RawTerm> quotient, remainder;
  for (const Term &term : lhs.terms()) {
    if (term.factors.empty())
      continue;
    Factors factors(term.factors.begin(), term.factors.end());
    quotient.push_back({term.coefficient / k, factors});
    remainder.push_back({term.coefficient % k, factors});
  }
  int64_t c = constantTerm(lhs);
  quotient.push_back({*checkedFloorDiv(c, k), {}});
  c = *checkedMod(c, k);
  Expr whole = makePolynomial(std::move(quotient));
  Expr rest = makePolynomial(std::move(remainder));
  if (rest.terms().empty())
    return whole;
  int64_t content = contentGcd(rest, k);
  rest = divideContent(rest, content);
  c /= content;
  k /= content;
  // floor((c - m)/k) = -ceil((m - c)/k) = -floor((m + k-1-c)/k).
  if (hasNegativeLead(rest))
    return whole - makeFloorDiv(-rest, k - 1 - c, k);
  return whole + makeFloorDiv(rest, c, k);
}

/// The common divisor of all coefficients of both, constants included.
static int64_t commonContent(Expr lhs, Expr rhs) {
  int64_t right = contentGcd(rhs, constantTerm(rhs));
  return gcd(contentGcd(lhs, right), constantTerm(lhs));
}

Expr Expr::floorDiv(Expr lhs, Expr rhs) {
  if (!lhs.isValid() || !rhs.isValid())
    return lhs.isValid() ? rhs : lhs;
  if (std::optional<int64_t> k = rhs.constant())
    return floorDivConstant(lhs, *k);
  if (hasNegativeLead(rhs)) {
    lhs = -lhs;
    rhs = -rhs;
    if (!lhs.isValid() || !rhs.isValid())
      return lhs.isValid() ? rhs : lhs;
  }
  int64_t content = commonContent(lhs, rhs);
  if (content > 1) {
    lhs = divideContent(lhs, content);
    rhs = divideContent(rhs, content);
  }
  return makeAtom(Atom::Kind::FloorDiv, "", lhs, rhs);
}

Expr Expr::ceilDiv(Expr lhs, Expr rhs) { return -floorDiv(-lhs, rhs); }

/// A polynomial congruent to expr modulo k, its coefficients in [0, k): inner
/// moduli that k divides are dropped. Sets `changed` when one was.
static Expr reduceModulo(Expr expr, int64_t k, bool &changed) {
  std::vector<RawTerm> terms;
  Expr dropped;
  for (const Term &term : expr.terms()) {
    RawTerm kept{*checkedMod(term.coefficient, k), {}};
    Expr opened(1);
    for (const Atom *factor : term.factors) {
      std::optional<int64_t> inner;
      if (factor->kind == Atom::Kind::Mod)
        inner = factor->rhs.constant();
      if (inner && __int128(kept.coefficient) * *inner % k == 0)
        opened = opened * factor->lhs;
      else
        kept.factors.push_back(factor);
    }
    if (opened.isConstant(1)) {
      terms.push_back(std::move(kept));
      continue;
    }
    changed = true;
    dropped = dropped + makeTerm(kept.coefficient, kept.factors) * opened;
  }
  return makePolynomial(std::move(terms)) + dropped;
}

static Expr modConstant(Expr lhs, int64_t k) {
  if (k == 0)
    return Expr::invalid();
  if (k < 0)
    return k == INT64_MIN ? Expr::invalid() : -modConstant(-lhs, -k);
  if (k == 1 || !lhs.isValid())
    return lhs.isValid() ? Expr() : lhs;
  bool changed = true;
  while (changed && lhs.isValid()) {
    changed = false;
    lhs = reduceModulo(lhs, k, changed);
  }
  // One more round: dropping a modulus may have left large coefficients.
  lhs = reduceModulo(lhs, k, changed);
  if (!lhs.isValid() || lhs.constant())
    return lhs;
  int64_t c = constantTerm(lhs);
  int64_t content = contentGcd(lhs, k);
  if (content > 1) {
    Expr reduced = makeAtom(Atom::Kind::Mod, "", divideContent(lhs, content),
                            Expr(k / content));
    return reduced * Expr(content) + Expr(c % content);
  }
  return makeAtom(Atom::Kind::Mod, "", lhs, Expr(k));
}

Expr Expr::mod(Expr lhs, Expr rhs) {
  if (!lhs.isValid() || !rhs.isValid())
    return lhs.isValid() ? rhs : lhs;
  if (std::optional<int64_t> k = rhs.constant())
    return modConstant(lhs, *k);
  if (hasNegativeLead(rhs))
    return -mod(-lhs, -rhs);
  int64_t content = commonContent(lhs, rhs);
  if (content > 1)
    return mod(divideContent(lhs, content), divideContent(rhs, content)) *
           Expr(content);
  const Atom *inner = asAtom(lhs);
  if (inner && inner->kind == Atom::Kind::Mod && inner->rhs == rhs)
    return lhs;
  return makeAtom(Atom::Kind::Mod, "", lhs, rhs);
}

/// Whether the expression is an extremum of that kind and a constant (or a
/// constant less an extremum of the other kind), which is its operands moved by
/// the constant: max(a, b) + c is max(a + c, b + c), c - min(a, b) is
/// max(c - a, c - b).
static bool moveIntoExtremum(Atom::Kind kind, Expr expr, Expr &lhs, Expr &rhs) {
  if (!expr.isValid() || expr.terms().empty() || expr.terms().size() > 2)
    return false;
  const Term &term = expr.terms()[0];
  if (term.factors.size() != 1 ||
      (expr.terms().size() == 2 && !expr.terms()[1].factors.empty()))
    return false;
  Atom::Kind other = kind == Atom::Kind::Min   ? Atom::Kind::Max
                     : kind == Atom::Kind::Max ? Atom::Kind::Min
                                               : kind;
  const Atom &atom = *term.factors[0];
  Expr offset(constantTerm(expr));
  if (term.coefficient == 1 && atom.kind == kind) {
    lhs = atom.lhs + offset;
    rhs = atom.rhs + offset;
  } else if (term.coefficient == -1 && atom.kind == other) {
    lhs = offset - atom.lhs;
    rhs = offset - atom.rhs;
  } else {
    return false;
  }
  return lhs.isValid() && rhs.isValid();
}

void detail::flatten(Atom::Kind kind, Expr expr,
                     llvm::SmallVectorImpl<Expr> &operands) {
  Expr lhs, rhs;
  while (moveIntoExtremum(kind, expr, lhs, rhs)) {
    flatten(kind, lhs, operands);
    expr = rhs;
  }
  operands.push_back(expr);
}

/// True if lhs <= rhs for all values, seen by a constant difference or by
/// looking through a min on the left or a max on the right.
static bool isAlwaysLessEqual(Expr lhs, Expr rhs) {
  if (lhs.isSymbol() && rhs.isSymbol())
    return lhs == rhs;
  if (std::optional<int64_t> difference = (rhs - lhs).constant())
    return *difference >= 0;
  llvm::SmallVector<Expr> lower, upper;
  flatten(Atom::Kind::Min, lhs, lower);
  flatten(Atom::Kind::Max, rhs, upper);
  if (lower.size() == 1 && upper.size() == 1)
    return false;
  for (Expr low : lower)
    for (Expr high : upper) {
      std::optional<int64_t> difference = (high - low).constant();
      if (difference && *difference >= 0)
        return true;
    }
  return false;
}

Expr detail::makeExtremum(Atom::Kind kind, llvm::ArrayRef<Expr> list) {
  llvm::SmallVector<Expr> operands, kept;
  for (Expr operand : list) {
    if (!operand.isValid())
      return operand;
    flatten(kind, operand, operands);
  }
  if (operands.size() > kMaxExtremumOperands)
    return oversize();
  auto isConstant = [](Expr expr) { return expr.constant().has_value(); };
  llvm::sort(operands, [&](Expr lhs, Expr rhs) {
    if (isConstant(lhs) != isConstant(rhs))
      return isConstant(lhs);
    return lhs < rhs;
  });
  auto wins = [&](Expr winner, Expr loser) {
    return kind == Atom::Kind::Min ? isAlwaysLessEqual(winner, loser)
                                   : isAlwaysLessEqual(loser, winner);
  };
  for (Expr operand : operands) {
    if (llvm::any_of(kept, [&](Expr other) { return wins(other, operand); }))
      continue;
    llvm::erase_if(kept, [&](Expr other) { return wins(operand, other); });
    kept.push_back(operand);
  }
  Expr result = kept.pop_back_val();
  while (!kept.empty())
    result = makeAtom(kind, "", kept.pop_back_val(), result);
  return result;
}

Expr Expr::min(Expr lhs, Expr rhs) {
  return makeExtremum(Atom::Kind::Min, {lhs, rhs});
}

Expr Expr::max(Expr lhs, Expr rhs) {
  return makeExtremum(Atom::Kind::Max, {lhs, rhs});
}
