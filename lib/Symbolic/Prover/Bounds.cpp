// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intervals of expressions. Plain interval arithmetic forgets that two terms
// share a symbol, so two cheap refinements follow it: floordiv by a constant is
// relaxed to a linear form with a bounded error ("h - floordiv(h, 2) >= 0"),
// and a min or max that occurs linearly is replaced by its operands in turn
// ("s - min(s, 512) >= 0").

#include "Bounds.h"
#include "Enumerate.h"

using namespace ambit;
using namespace ambit::detail;

static constexpr int64_t kMin = Interval::kMin, kMax = Interval::kMax;
/// Bounds the recursion of the refinements.
static constexpr unsigned kMaxRefinements = 4;
/// Longer sums get plain interval arithmetic.
static constexpr size_t kMaxRefinedTerms = 48;
static constexpr int64_t kMaxCommonDivisor = 1 << 24;

static bool isInfinite(int64_t bound) { return bound == kMin || bound == kMax; }

/// Lower bounds never say +inf and upper bounds never -inf: a saturated value
/// steps back to the nearest bound that is still true.
static Interval clamp(int64_t low, int64_t high) {
  return {low == kMax ? kMax - 1 : low, high == kMin ? kMin + 1 : high};
}

static int64_t addBounds(int64_t lhs, int64_t rhs) {
  if (isInfinite(lhs))
    return lhs;
  if (isInfinite(rhs))
    return rhs;
  return checkedAdd(lhs, rhs).value_or(lhs < 0 ? kMin : kMax);
}

static int64_t mulBounds(int64_t lhs, int64_t rhs) {
  if (lhs == 0 || rhs == 0)
    return 0;
  int64_t infinity = (lhs < 0) == (rhs < 0) ? kMax : kMin;
  if (isInfinite(lhs) || isInfinite(rhs))
    return infinity;
  return checkedMul(lhs, rhs).value_or(infinity);
}

/// divisor >= 1, possibly infinite.
static int64_t floorDivBounds(int64_t lhs, int64_t divisor) {
  if (isInfinite(lhs))
    return lhs;
  if (divisor == kMax)
    return lhs < 0 ? -1 : 0;
  return *checkedFloorDiv(lhs, divisor);
}

static Interval add(Interval lhs, Interval rhs) {
  return clamp(addBounds(lhs.min, rhs.min), addBounds(lhs.max, rhs.max));
}

static Interval multiply(Interval lhs, Interval rhs) {
  auto [low, high] =
      std::minmax({mulBounds(lhs.min, rhs.min), mulBounds(lhs.min, rhs.max),
                   mulBounds(lhs.max, rhs.min), mulBounds(lhs.max, rhs.max)});
  return clamp(low, high);
}

static Interval negate(Interval operand) {
  return multiply(operand, Interval{-1, -1});
}

static Interval floorDivide(Interval lhs, Interval rhs) {
  if (rhs.max <= -1 && rhs.min != kMin) {
    lhs = negate(lhs);
    rhs = negate(rhs);
  }
  // Where the divisor is 0 there is no value.
  if (rhs.min == 0)
    rhs.min = 1;
  if (rhs.min < 1)
    return {};
  auto [low, high] = std::minmax(
      {floorDivBounds(lhs.min, rhs.min), floorDivBounds(lhs.min, rhs.max),
       floorDivBounds(lhs.max, rhs.min), floorDivBounds(lhs.max, rhs.max)});
  return clamp(low, high);
}

static Interval modulo(Interval lhs, Interval rhs) {
  if (rhs.min == 0)
    rhs.min = 1;
  if (rhs.min < 1) {
    if (rhs.max <= -1)
      return {rhs.min == kMin ? kMin : rhs.min + 1, 0};
    return {};
  }
  Interval result{0, rhs.max == kMax ? kMax : rhs.max - 1};
  if (lhs.min < 0)
    return result;
  // A value below every divisor is its own remainder.
  if (lhs.max < rhs.min)
    return lhs;
  result.max = std::min(result.max, lhs.max);
  return result;
}

Interval detail::intersect(Interval lhs, Interval rhs) {
  return {std::max(lhs.min, rhs.min), std::min(lhs.max, rhs.max)};
}

Interval Bounder::boundsOfAtom(const Atom &atom) {
  if (atom.kind == Atom::Kind::Symbol)
    return box[atom.name];
  Interval lhs = bounds(atom.lhs), rhs = bounds(atom.rhs);
  switch (atom.kind) {
  case Atom::Kind::FloorDiv:
    return floorDivide(lhs, rhs);
  case Atom::Kind::Mod:
    return modulo(lhs, rhs);
  case Atom::Kind::Min:
    return {std::min(lhs.min, rhs.min), std::min(lhs.max, rhs.max)};
  case Atom::Kind::Max:
    return {std::max(lhs.min, rhs.min), std::max(lhs.max, rhs.max)};
  case Atom::Kind::Symbol:
    break;
  }
  return {};
}

Interval Bounder::bounds(llvm::ArrayRef<const Atom *> factors) {
  Interval product{1, 1};
  for (size_t i = 0; i < factors.size();) {
    Interval factor = boundsOfAtom(*factors[i]);
    size_t power = 1;
    while (i + power < factors.size() && factors[i + power] == factors[i])
      ++power;
    i += power;
    Interval raised = factor;
    for (size_t k = 1; k < power; ++k)
      raised = multiply(raised, factor);
    if (power % 2 == 0)
      raised.min = std::max<int64_t>(raised.min, 0);
    product = multiply(product, raised);
  }
  return product;
}

Interval Bounder::boundsOfTerms(Expr expr) {
  Interval sum{0, 0};
  for (const Term &term : expr.terms())
    sum = add(sum, multiply({term.coefficient, term.coefficient},
                            bounds(term.factors)));
  return sum;
}

static int64_t constantDivisor(const Term &term) {
  if (term.factors.size() != 1 || term.factors[0]->kind != Atom::Kind::FloorDiv)
    return 0;
  std::optional<int64_t> divisor = term.factors[0]->rhs.constant();
  return divisor && *divisor > 0 ? *divisor : 0;
}

Interval Bounder::relaxFloorDivs(Expr expr) {
  // With q = floordiv(e, k) = (e - r)/k and 0 <= r < k, scale the sum by the
  // common multiple of the divisors; the r become an interval of their own.
  int64_t common = 1;
  for (const Term &term : expr.terms())
    if (int64_t k = constantDivisor(term)) {
      if (k > kMaxCommonDivisor)
        return {};
      common = common / gcd(common, k) * k;
      if (common > kMaxCommonDivisor)
        return {};
    }
  if (common == 1)
    return {};
  Expr linear;
  Interval error{0, 0};
  for (const Term &term : expr.terms()) {
    int64_t k = constantDivisor(term);
    if (!k) {
      linear = linear + makeTerm(term.coefficient, term.factors) * Expr(common);
      continue;
    }
    Expr scale = Expr(term.coefficient) * Expr(common / k);
    linear = linear + term.factors[0]->lhs * scale;
    error = add(error, multiply(bounds(-scale), {0, k - 1}));
  }
  if (!linear.isValid())
    return {};
  Interval scaled = add(bounds(linear), error);
  Interval ceiling = negate(floorDivide(negate(scaled), {common, common}));
  return {ceiling.min, floorDivide(scaled, {common, common}).max};
}

Interval Bounder::splitExtremum(Expr expr) {
  for (const Term &term : expr.terms()) {
    if (term.factors.size() != 1)
      continue;
    const Atom &atom = *term.factors[0];
    if (atom.kind != Atom::Kind::Min && atom.kind != Atom::Kind::Max)
      continue;
    Expr rest = expr - makeTerm(term.coefficient, term.factors);
    Expr left = rest + atom.lhs * Expr(term.coefficient);
    Expr right = rest + atom.rhs * Expr(term.coefficient);
    if (!left.isValid() || !right.isValid())
      return {};
    Interval a = bounds(left), b = bounds(right);
    // The term is at most both operands' terms, or at least both.
    bool belowBoth = (atom.kind == Atom::Kind::Min) == (term.coefficient > 0);
    if (belowBoth)
      return {std::min(a.min, b.min), std::min(a.max, b.max)};
    return {std::max(a.min, b.min), std::max(a.max, b.max)};
  }
  return {};
}

Interval Bounder::bounds(Expr expr) {
  if (!expr.isValid())
    return {};
  if (std::optional<int64_t> value = expr.constant())
    return {*value, *value};
  std::pair<const void *, unsigned> key(expr.getAsOpaquePointer(), depth);
  auto found = memo.find(key);
  if (found != memo.end())
    return found->second;
  Interval result = boundsOfTerms(expr);
  size_t terms = expr.terms().size();
  if (terms > 1 && terms <= kMaxRefinedTerms && depth < kMaxRefinements) {
    ++depth;
    result = intersect(result, relaxFloorDivs(expr));
    result = intersect(result, splitExtremum(expr));
    --depth;
  }
  memo[key] = result;
  return result;
}

Verdict Bounder::decide(const Constraint &constraint) {
  Interval interval = bounds(constraint.expr);
  if (!constraint.isEquality)
    return interval.min >= 0  ? Verdict::True
           : interval.max < 0 ? Verdict::False
                              : Verdict::Open;
  if (interval.min > 0 || interval.max < 0)
    return Verdict::False;
  if (interval.isPoint())
    return Verdict::True;
  int64_t content = 0;
  for (const Term &term : constraint.expr.terms())
    if (!term.factors.empty())
      content = gcd(content, term.coefficient);
  if (content > 1 && constantTerm(constraint.expr) % content != 0)
    return Verdict::False;
  return Verdict::Open;
}

bool Box::tightenSymbol(const std::string &symbol, int64_t coefficient,
                        Interval rest, bool isEquality, bool &changed) {
  // coefficient * symbol >= -rest.max, and <= -rest.min for an equality.
  Interval old = (*this)[symbol], product;
  if (rest.max != kMax)
    product.min = rest.max == kMin ? kMin : -rest.max;
  if (isEquality && rest.min != kMin)
    product.max = -rest.min;
  Interval next;
  if (coefficient == kMin)
    return true;
  if (coefficient < 0) {
    product = negate(product);
    coefficient = -coefficient;
  }
  Interval divisor{coefficient, coefficient};
  next.min = negate(floorDivide(negate(product), divisor)).min;
  next.max = floorDivide(product, divisor).max;
  next = intersect(old, next);
  if (!(next == old)) {
    changed = true;
    set(symbol, next);
  }
  return next.min <= next.max;
}

bool Box::tightenOnce(const Constraint &constraint, bool &changed) {
  if (constraint.expr.terms().size() > kMaxRefinedTerms)
    return true;
  for (const Term &term : constraint.expr.terms()) {
    if (term.factors.size() != 1 || term.factors[0]->kind != Atom::Kind::Symbol)
      continue;
    Expr rest = constraint.expr - makeTerm(term.coefficient, term.factors);
    Interval interval = Bounder(*this).bounds(rest);
    if (!tightenSymbol(term.factors[0]->name, term.coefficient, interval,
                       constraint.isEquality, changed))
      return false;
  }
  return true;
}

bool Box::tighten(llvm::ArrayRef<Constraint> constraints) {
  // A few rounds: cyclic constraints may converge as slowly as one by one.
  constexpr unsigned kMaxRounds = 3;
  bool changed = true;
  for (unsigned round = 0; changed && round < kMaxRounds; ++round) {
    changed = false;
    for (const Constraint &constraint : constraints)
      if (!tightenOnce(constraint, changed) ||
          !shrinkToSolutions(*this, constraint, changed))
        return false;
  }
  return true;
}
