// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact arithmetic on scalars of shape computations.
//
// Floats are quotients of expressions. Sums and products whose numerators stay
// below 2^digits over a power of two are exact in a float of that many digits.
// Any other quotient is rounded once, and brought to an integer right after:
//
//   Let x = p / q be no integer and |p| < 2^digits. An integer k is at least
//   1 / q away from x, and rounding moves x by at most |x| * 2^-digits < 1 / q.
//   So the float lies on the same side of k as x, and its floor, ceiling and
//   comparisons with integers are those of x. (With |p| < 2^(digits - 1) the
//   same holds for halves, and so for rounding to the nearest.)

#include "SizeScalar.h"
#include "RoundedProduct.h"
#include "ambit/Symbolic/LinearForm.h"
#include "ambit/Symbolic/Terms.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace ambit;

/// A guard that leaves fewer sizes than this is no help.
constexpr int64_t kLeastLimit = 1 << 12;
/// Rounded products are tried for sizes up to this.
constexpr int64_t kMaxTried = 1 << 20;
/// Numbers beyond every size: bounds that conversions saturate at.
constexpr int64_t kBeyondSizes = INT32_MAX;

static bool isPowerOfTwo(Expr expr) {
  std::optional<int64_t> value = expr.constant();
  return value && *value > 0 && llvm::isPowerOf2_64(*value);
}

/// Without the factor that all coefficients and a constant denominator share.
static SizeScalar reduce(SizeScalar value) {
  std::optional<int64_t> denominator = value.denominator.constant();
  if (!value.isValid() || !denominator)
    return value;
  int64_t common = std::gcd(contentOf(value.numerator), *denominator);
  if (common > 1) {
    value.numerator = Expr::floorDiv(value.numerator, common);
    value.denominator = *denominator / common;
  }
  return value;
}

MaybeScalar SizeScalar::get(double value) {
  if (value == 0)
    return std::signbit(value) ? std::nullopt : MaybeScalar(SizeScalar(0));
  if (!std::isfinite(value))
    return std::nullopt;
  int exponent = 0;
  auto digits = int64_t(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  while (digits % 2 == 0) {
    digits /= 2;
    ++exponent;
  }
  if (exponent < -61 || exponent + int(llvm::Log2_64(std::abs(digits))) > 61)
    return std::nullopt;
  if (exponent >= 0)
    return SizeScalar(digits * (int64_t(1) << exponent));
  return SizeScalar(digits, int64_t(1) << -exponent);
}

//===-- Integers ----------------------------------------------------------===//

bool SizeMath::isWithin(Expr expr, int64_t min, int64_t max) {
  if (!expr.isValid())
    return false;
  Interval bounds = prover().bounds(expr);
  return bounds.min >= min && bounds.max <= max;
}

/// The expression under guards that keep it in a range, unless it never is.
std::optional<Expr> SizeMath::fit(Expr expr, int64_t min, int64_t max) {
  if (!expr.isValid())
    return std::nullopt;
  if (isWithin(expr, min, max))
    return expr;
  // What need not be followed is no reason for a guard that may not be sayable.
  if (mode == Following::Branch ||
      (mode == Following::Replace && context.dependsOnTrip(expr)))
    return std::nullopt;
  for (Relation bound : {Relation{Relation::Kind::GE, expr, Expr(min)},
                         Relation{Relation::Kind::LE, expr, Expr(max)}}) {
    bool isOpen = bound.rhs.isConstant(Interval::kMin) ||
                  bound.rhs.isConstant(Interval::kMax);
    if (!isOpen && (prover().prove(bound) == Truth::No ||
                    failed(context.require(op, bound, "size is out of range"))))
      return std::nullopt;
  }
  return expr;
}

std::optional<Expr> SizeMath::fitInteger(Expr value, Type type) {
  unsigned width = type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
  if (width == 1 || width >= 64)
    return value;
  int64_t limit = int64_t(1) << (width - 1);
  if (width >= 32)
    return fit(value, -limit, limit - 1);
  if (isWithin(value, -limit, limit - 1))
    return value;
  if (mode == Following::Replace)
    return std::nullopt;
  return context.simplify(Expr::mod(value + Expr(limit), 2 * limit) -
                          Expr(limit));
}

bool SizeMath::requirePositive(Expr divisor) {
  if (!divisor.isValid())
    return false;
  if (prover().isAtLeast(divisor, 1))
    return true;
  return mode == Following::Sizes && isNotNegative(divisor) &&
         fit(divisor, 1, Interval::kMax).has_value();
}

std::optional<Expr> SizeMath::divide(Expr lhs, Expr rhs, Rounding rounding) {
  if (rhs.constant() && *rhs.constant() < 0) {
    lhs = -lhs;
    rhs = -rhs;
  }
  if (!lhs.isValid() || !requirePositive(rhs))
    return std::nullopt;
  // Without a sign, truncation is one division.
  if (rounding == Rounding::ToZero) {
    if (isNotNegative(lhs))
      rounding = Rounding::Down;
    else if (prover().isAtLeast(0, lhs))
      rounding = Rounding::Up;
  }
  return context.simplify(divideRounded(lhs, rhs, rounding));
}

std::optional<Expr> SizeMath::remainder(Expr lhs, Expr rhs) {
  if (rhs.constant() && *rhs.constant() < 0)
    rhs = -rhs;
  std::optional<Expr> quotient = divide(lhs, rhs, Rounding::ToZero);
  if (!quotient)
    return std::nullopt;
  return isNotNegative(lhs) ? context.simplify(Expr::mod(lhs, rhs))
                            : lhs - rhs * *quotient;
}

std::optional<Expr> SizeMath::floorMod(Expr lhs, Expr rhs) {
  bool isFixed = rhs.constant() && *rhs.constant() != 0;
  if (!lhs.isValid() || (!isFixed && !requirePositive(rhs)))
    return std::nullopt;
  return context.simplify(Expr::mod(lhs, rhs));
}

//===-- Floats ------------------------------------------------------------===//

/// A constant quotient, rounded as a machine does.
static MaybeScalar roundConstant(int64_t numerator, int64_t denominator,
                                 unsigned digits) {
  auto isExactIn = [&](unsigned width) {
    return std::abs(numerator) <= int64_t(1) << width &&
           (denominator <= int64_t(1) << width ||
            llvm::isPowerOf2_64(denominator));
  };
  if (digits == 53 && isExactIn(53))
    return SizeScalar::get(double(numerator) / double(denominator));
  if (digits == 24 && isExactIn(24))
    return SizeScalar::get(float(numerator) / float(denominator));
  // Over a power of two the double is exact, so this rounds once.
  if (digits == 24 && isExactIn(53) && llvm::isPowerOf2_64(denominator))
    return SizeScalar::get(float(double(numerator) / double(denominator)));
  return std::nullopt;
}

MaybeScalar SizeMath::fitFloat(SizeScalar value, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType || !value.isValid())
    return std::nullopt;
  unsigned digits = std::min(floatType.getFPMantissaWidth(), 53u);
  if (value.digits != 0)
    return digits >= value.digits ? MaybeScalar(value) : std::nullopt;
  value = reduce(value);
  value.relation.reset();
  int64_t limit = int64_t(1) << digits;
  bool isNarrow = floatType.getWidth() < 32;
  // A narrow float has few exponents as well.
  if (isNarrow && !isWithin(value.denominator, 1, 256))
    return std::nullopt;
  if (isPowerOfTwo(value.denominator)) {
    // Factors of two are no digits.
    int64_t content = std::max<int64_t>(contentOf(value.numerator), 1);
    int64_t twos = isNarrow ? 1 : content & -content;
    Expr counted = Expr::floorDiv(value.numerator, twos);
    if (isWithin(counted, -limit, limit))
      return value;
    // Narrow floats are no sizes in most models: a guard only where one is
    // meant.
    bool mayGuard = !isNarrow || mode == Following::Sizes;
    if (mayGuard && limit / (content / twos) >= (isNarrow ? 256 : kLeastLimit))
      return fit(counted, -limit, limit) ? MaybeScalar(value) : std::nullopt;
  }
  if (isNarrow)
    return std::nullopt;
  if (value.numerator.constant() && value.denominator.constant())
    return roundConstant(*value.numerator.constant(),
                         *value.denominator.constant(), digits);
  value.digits = digits;
  return value;
}

/// Whether the integers beside a rounded quotient are those of the quotient.
bool SizeMath::settle(const SizeScalar &operand, Rounding rounding) {
  bool hasHalves = rounding == Rounding::ToNearest;
  int64_t limit = (int64_t(1) << (operand.digits - hasHalves)) - 1;
  if (isWithin(operand.numerator, -limit, limit))
    return true;
  int64_t content = contentOf(operand.numerator);
  return mode == Following::Sizes && content > 0 &&
         limit / content >= kLeastLimit &&
         fit(operand.numerator, -limit, limit);
}

/// The integer beside x * factor, which is rounded, by trying every x.
std::optional<Expr> SizeMath::roundProduct(const SizeScalar &operand,
                                           Rounding rounding) {
  int64_t content = contentOf(operand.numerator);
  std::optional<int64_t> denominator = operand.denominator.constant();
  if (content <= 0 || !denominator)
    return std::nullopt;
  Expr x = Expr::floorDiv(operand.numerator, content);
  if (!isWithin(x, -kMaxTried, kMaxTried) &&
      (mode != Following::Sizes || !fit(x, -kMaxTried, kMaxTried)))
    return std::nullopt;
  Interval range = prover().bounds(x);
  range.min = std::max(range.min, -kMaxTried);
  range.max = std::min(range.max, kMaxTried);
  std::optional<Fraction> fraction =
      findFraction({content, *denominator}, operand.digits, rounding, range);
  if (!fraction)
    return std::nullopt;
  return divide(x * Expr(fraction->numerator), fraction->denominator, rounding);
}

MaybeScalar SizeMath::round(const SizeScalar &operand, Rounding rounding,
                            bool keepsZeros) {
  if (operand.isInteger())
    return operand;
  // Rounded up, minus a half is minus zero.
  if (keepsZeros && mode == Following::Replace && rounding != Rounding::Down &&
      !isNotNegative(operand.numerator))
    return std::nullopt;
  std::optional<Expr> result;
  if (operand.isRoot)
    result = roundRoot(operand, rounding);
  else if (operand.digits == 0 || settle(operand, rounding))
    result = divide(operand.numerator, operand.denominator, rounding);
  else
    result = roundProduct(operand, rounding);
  return result ? MaybeScalar(*result) : std::nullopt;
}

MaybeScalar SizeMath::add(const SizeScalar &lhs, const SizeScalar &rhs,
                          Type type) {
  if (lhs.digits != 0 || rhs.digits != 0)
    return std::nullopt;
  if (lhs.denominator == rhs.denominator)
    return fitFloat({lhs.numerator + rhs.numerator, lhs.denominator}, type);
  return fitFloat(
      {lhs.numerator * rhs.denominator + rhs.numerator * lhs.denominator,
       lhs.denominator * rhs.denominator},
      type);
}

MaybeScalar SizeMath::multiply(const SizeScalar &lhs, const SizeScalar &rhs,
                               Type type) {
  if (lhs.digits != 0 || rhs.digits != 0)
    return std::nullopt;
  // Minus zero is no integer.
  auto areAtLeast = [&](int64_t bound) {
    return std::make_pair(prover().isAtLeast(lhs.numerator, bound),
                          prover().isAtLeast(rhs.numerator, bound));
  };
  if (mode == Following::Replace) {
    auto [isLeftPositive, isRightPositive] = areAtLeast(1);
    if (!isLeftPositive && !isRightPositive &&
        areAtLeast(0) != std::make_pair(true, true))
      return std::nullopt;
  }
  return fitFloat(
      {lhs.numerator * rhs.numerator, lhs.denominator * rhs.denominator}, type);
}

MaybeScalar SizeMath::divide(const SizeScalar &lhs, const SizeScalar &rhs,
                             Type type) {
  if (lhs.digits != 0 || rhs.digits != 0)
    return std::nullopt;
  SizeScalar result(lhs.numerator * rhs.denominator,
                    rhs.numerator * lhs.denominator);
  std::optional<int64_t> divisor = rhs.numerator.constant();
  if (divisor && *divisor < 0 && mode != Following::Replace)
    result = {-result.numerator, -result.denominator};
  else if (!requirePositive(rhs.numerator))
    return std::nullopt;
  return fitFloat(result, type);
}

MaybeScalar SizeMath::remainder(const SizeScalar &lhs, const SizeScalar &rhs) {
  if (lhs.digits != 0 || rhs.digits != 0)
    return std::nullopt;
  // The zero of a negative dividend is minus zero. The remainder is exact.
  if (mode == Following::Replace && !isNotNegative(lhs.numerator))
    return std::nullopt;
  std::optional<Expr> rest = remainder(lhs.numerator * rhs.denominator,
                                       rhs.numerator * lhs.denominator);
  if (!rest)
    return std::nullopt;
  return reduce({*rest, lhs.denominator * rhs.denominator});
}

MaybeScalar SizeMath::negate(const SizeScalar &operand) {
  if (operand.isRoot)
    return std::nullopt;
  // Minus zero is no integer.
  if (mode == Following::Replace && !prover().isAtLeast(operand.numerator, 1) &&
      !prover().isAtLeast(-1, operand.numerator))
    return std::nullopt;
  SizeScalar result(-operand.numerator, operand.denominator);
  result.digits = operand.digits;
  return result;
}

MaybeScalar SizeMath::absolute(const SizeScalar &operand) {
  if (operand.isRoot)
    return operand;
  SizeScalar result(
      context.simplify(Expr::max(operand.numerator, -operand.numerator)),
      operand.denominator);
  result.digits = operand.digits;
  return result;
}

//===-- Cases -------------------------------------------------------------===//

static Relation opposite(const Relation &relation) {
  using Kind = Relation::Kind;
  auto kind = [&] {
    switch (relation.kind) {
    case Kind::EQ:
      return Kind::NE;
    case Kind::NE:
      return Kind::EQ;
    case Kind::LE:
      return Kind::GT;
    case Kind::LT:
      return Kind::GE;
    case Kind::GE:
      return Kind::LT;
    case Kind::GT:
      return Kind::LE;
    }
    llvm_unreachable("every relation is listed");
  };
  return {kind(), relation.lhs, relation.rhs};
}

/// 1 for a number from 1 on, 0 for 0 and less.
static Expr isPositive(Expr expr) { return Expr::min(1, Expr::max(0, expr)); }

/// A relation as 0 or 1.
static Expr asNumber(Relation relation) {
  using Kind = Relation::Kind;
  Expr difference = relation.lhs - relation.rhs;
  switch (relation.kind) {
  case Kind::EQ:
    return Expr(1) - Expr::min(1, Expr::max(difference, -difference));
  case Kind::NE:
    return Expr::min(1, Expr::max(difference, -difference));
  case Kind::LE:
    return isPositive(Expr(1) - difference);
  case Kind::LT:
    return isPositive(-difference);
  case Kind::GE:
    return isPositive(difference + Expr(1));
  case Kind::GT:
    return isPositive(difference);
  }
  llvm_unreachable("every relation is listed");
}

MaybeScalar SizeMath::compareIntegers(Relation::Kind kind, Expr lhs, Expr rhs) {
  Relation relation{kind, lhs, rhs};
  Truth truth = prover().prove(relation);
  if (truth != Truth::Unknown)
    return SizeScalar(truth == Truth::Yes ? 1 : 0);
  if (mode == Following::Replace)
    return std::nullopt;
  SizeScalar result(context.simplify(asNumber(relation)));
  result.relation = relation;
  return result;
}

MaybeScalar SizeMath::compare(Relation::Kind kind, SizeScalar lhs,
                              SizeScalar rhs) {
  if (!lhs.isValid() || !rhs.isValid())
    return std::nullopt;
  if (lhs.isRoot || rhs.isRoot)
    return compareRoot(kind, lhs, rhs);
  // A bool beside true or false.
  bool isEquality = kind == Relation::Kind::EQ || kind == Relation::Kind::NE;
  std::optional<int64_t> side = rhs.constant();
  if (lhs.relation && isEquality && (side == 0 || side == 1))
    return (kind == Relation::Kind::EQ) == (side == 1) ? lhs : logicalNot(lhs);
  // The side of an integer that a rounded quotient lies on.
  if ((lhs.digits != 0 && !(rhs.isInteger() && settle(lhs, Rounding::Down))) ||
      (rhs.digits != 0 && !(lhs.isInteger() && settle(rhs, Rounding::Down))))
    return std::nullopt;
  Expr left = lhs.numerator * rhs.denominator;
  Expr right = rhs.numerator * lhs.denominator;
  if (!left.isValid() || !right.isValid())
    return std::nullopt;
  // Conversions saturate at numbers that no size comes near to.
  if (mode == Following::Sizes && side && *side >= kBeyondSizes)
    (void)fit(left, Interval::kMin, *side - 1);
  return compareIntegers(kind, left, right);
}

MaybeScalar SizeMath::logicalNot(const SizeScalar &operand) {
  SizeScalar result(Expr(1) - operand.numerator);
  if (operand.relation)
    result.relation = opposite(*operand.relation);
  return result;
}

MaybeScalar SizeMath::extremum(Atom::Kind kind, const SizeScalar &lhs,
                               const SizeScalar &rhs) {
  if (lhs.digits != 0 || rhs.digits != 0)
    return std::nullopt;
  Expr left = lhs.numerator * rhs.denominator;
  Expr right = rhs.numerator * lhs.denominator;
  bool isMin = kind == Atom::Kind::Min;
  return reduce({isMin ? Expr::min(left, right) : Expr::max(left, right),
                 lhs.denominator * rhs.denominator});
}

/// min(yes, no) or max(yes, no), if the condition always picks that.
std::optional<Expr> SizeMath::findExtremum(const Relation &isYes, Expr yes,
                                           Expr no) {
  using Kind = Relation::Kind;
  auto picks = [&](Kind kind) {
    Condition whenYes(opposite(isYes)), whenNo(isYes);
    whenYes.anyOf.push_back({kind, yes, no});
    whenNo.anyOf.push_back({kind, no, yes});
    return prover().prove(whenYes) == Truth::Yes &&
           prover().prove(whenNo) == Truth::Yes;
  };
  if (picks(Kind::LE))
    return Expr::min(yes, no);
  if (picks(Kind::GE))
    return Expr::max(yes, no);
  return std::nullopt;
}

/// What an expression is where another one, `zero`, is 0; or the expression.
static Expr whereZero(Expr expr, Expr zero) {
  if (std::optional<LinearForm> form = asLinear(zero)) {
    std::optional<int64_t> value = form->solve(0);
    return value ? expr.substitute({{form->symbol, Expr(*value)}}) : expr;
  }
  ArrayRef<Term> terms = zero.terms();
  if (terms.size() != 1 || terms[0].factors.size() != 1)
    return expr;
  Expr result;
  for (const Term &term : expr.terms())
    if (!llvm::is_contained(term.factors, terms[0].factors[0]))
      result = result + asExpr(term);
  return result;
}

/// no + condition * (yes - no), or something simpler.
Expr SizeMath::choose(const SizeScalar &condition, Expr yes, Expr no) {
  using Kind = Relation::Kind;
  const std::optional<Relation> &relation = condition.relation;
  if (relation)
    if (std::optional<Expr> found = findExtremum(*relation, yes, no))
      return *found;
  bool isEqual = relation && relation->kind == Kind::EQ;
  if (!isEqual && !(relation && relation->kind == Kind::NE))
    return no + condition.numerator * (yes - no);
  // Where the sides are equal, one value; elsewhere, another. What of the
  // difference vanishes there needs no condition.
  Expr same = isEqual ? yes : no, other = isEqual ? no : yes;
  Expr differ = isEqual ? Expr(1) - condition.numerator : condition.numerator;
  Expr step = other - same;
  Expr kept = whereZero(step, relation->lhs - relation->rhs);
  return same + differ * kept + (step - kept);
}

MaybeScalar SizeMath::select(const SizeScalar &condition, SizeScalar yes,
                             SizeScalar no) {
  if (std::optional<int64_t> known = condition.constant())
    return *known != 0 ? yes : no;
  if (yes.constant() == 1 && no.constant() == 0)
    return condition;
  if (yes.constant() == 0 && no.constant() == 1)
    return logicalNot(condition);
  // Where(dim == -1, dim, other) and the like: both sides may agree.
  if (yes.numerator == no.numerator && yes.denominator == no.denominator &&
      yes.digits == no.digits && yes.isRoot == no.isRoot)
    return yes;
  if (mode == Following::Replace || yes.digits != 0 || no.digits != 0)
    return std::nullopt;
  // What was chosen under the same condition is decided.
  Expr holds = condition.numerator, fails = Expr(1) - holds;
  auto resolve = [&](SizeScalar &value, Expr known, Expr excluded) {
    if (!value.choice || !value.isInteger())
      return;
    if (value.choice->condition == known)
      value = SizeScalar(value.choice->yes);
    else if (value.choice->condition == excluded)
      value = SizeScalar(value.choice->no);
  };
  resolve(yes, holds, fails);
  resolve(no, fails, holds);
  Expr left = yes.numerator * no.denominator;
  Expr right = no.numerator * yes.denominator;
  if (!left.isValid() || !right.isValid())
    return std::nullopt;
  SizeScalar result = reduce({context.simplify(choose(condition, left, right)),
                              yes.denominator * no.denominator});
  if (yes.isInteger() && no.isInteger())
    result.choice = SizeScalar::Choice{holds, left, right};
  return result;
}
