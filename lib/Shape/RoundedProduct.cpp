// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float products of sizes, tried for every size.

#include "RoundedProduct.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace ambit;

/// To the nearest, ties to even: floor(x + 1/2), less one where that is odd and
/// x is halfway. With y = 2p + q, so that floor(x + 1/2) = floor(y / 2q), these
/// are the y congruent to 2q modulo 4q, which a difference of two floors
/// counts.
template <typename T, typename FloorDiv>
static T divide(T p, T q, Rounding rounding, FloorDiv floorDiv) {
  switch (rounding) {
  case Rounding::Down:
    return floorDiv(p, q);
  case Rounding::Up:
    return T(0) - floorDiv(T(0) - p, q);
  case Rounding::ToNearest: {
    T twice = q + q, four = twice + twice, y = p + p + q;
    return floorDiv(y, twice) -
           (floorDiv(y + twice, four) - floorDiv(y + twice - T(1), four));
  }
  case Rounding::ToZero:
    break;
  }
  llvm_unreachable("left to the caller");
}

int64_t ambit::divideRounded(int64_t p, int64_t q, Rounding rounding) {
  if (rounding == Rounding::ToZero)
    return p / q;
  return divide<int64_t>(p, q, rounding, [](int64_t x, int64_t y) {
    return llvm::divideFloorSigned(x, y);
  });
}

Expr ambit::divideRounded(Expr p, Expr q, Rounding rounding) {
  if (rounding == Rounding::ToZero)
    return Expr::floorDiv(Expr::max(p, 0), q) -
           Expr::floorDiv(Expr::max(-p, 0), q);
  return divide<Expr>(p, q, rounding, Expr::floorDiv);
}

template <typename T> static double bring(T value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  case Rounding::ToZero:
    return std::trunc(value);
  case Rounding::ToNearest:
    return std::nearbyint(value);
  }
  llvm_unreachable("every rounding is listed");
}

/// One rounding of x * factor: the factor, or its inverse, is a float.
template <typename T>
static bool agrees(Fraction factor, Fraction guess, Rounding rounding,
                   Interval interval) {
  bool isProduct = llvm::isPowerOf2_64(factor.denominator);
  T by = isProduct ? T(factor.numerator) / T(factor.denominator)
                   : T(factor.denominator) / T(factor.numerator);
  for (int64_t x = interval.min; x <= interval.max; ++x) {
    T value = isProduct ? T(x) * by : T(x) / by;
    if (bring(value, rounding) !=
        double(divideRounded(x * guess.numerator, guess.denominator, rounding)))
      return false;
  }
  return true;
}

static bool agrees(Fraction factor, unsigned digits, Fraction guess,
                   Rounding rounding, Interval interval) {
  return digits == 24 ? agrees<float>(factor, guess, rounding, interval)
                      : agrees<double>(factor, guess, rounding, interval);
}

std::optional<Fraction> ambit::findFraction(Fraction factor, unsigned digits,
                                            Rounding rounding,
                                            Interval interval) {
  constexpr int64_t kMaxTerm = 1 << 30;
  // Whole numbers up to here are floats.
  int64_t limit = digits == 24 || digits == 53 ? int64_t(1) << digits : 0;
  bool isProduct = llvm::isPowerOf2_64(factor.denominator);
  if (isProduct ? factor.numerator > limit
                : !llvm::isPowerOf2_64(factor.numerator) ||
                      factor.denominator > limit)
    return std::nullopt;
  // The convergents of the continued fraction, from the simplest on.
  int64_t p = factor.numerator, q = factor.denominator;
  Fraction last{0, 1}, next{1, 0};
  while (q != 0) {
    int64_t whole = p / q, rest = p % q;
    if (whole > kMaxTerm)
      return std::nullopt;
    Fraction guess{whole * next.numerator + last.numerator,
                   whole * next.denominator + last.denominator};
    if (guess.numerator > kMaxTerm || guess.denominator > kMaxTerm)
      return std::nullopt;
    if (agrees(factor, digits, guess, rounding, interval))
      return guess;
    last = next;
    next = guess;
    p = q;
    q = rest;
  }
  return std::nullopt;
}
