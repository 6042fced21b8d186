// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: integers beside float products, as exact fractions.

#ifndef AMBIT_LIB_SHAPE_ROUNDEDPRODUCT_H
#define AMBIT_LIB_SHAPE_ROUNDEDPRODUCT_H

#include "SizeScalar.h"

namespace ambit {

/// A positive fraction.
struct Fraction {
  int64_t numerator, denominator;
};

/// numerator / denominator, brought to an integer; the denominator is positive.
/// The second form is for expressions.
int64_t divideRounded(int64_t numerator, int64_t denominator,
                      Rounding rounding);
Expr divideRounded(Expr numerator, Expr denominator, Rounding rounding);

/// A fraction f such that x * f, brought to an integer, is what a machine gets
/// from the float product x * factor rounded to `digits` binary digits, for
/// every x of an interval. The exact factor is often none: 0.7f is less than
/// 7/10, yet 10 * 0.7f is 7. Each x is tried, with the simplest fractions near
/// the factor. Nothing when no fraction will do, or the width is not known.
std::optional<Fraction> findFraction(Fraction factor, unsigned digits,
                                     Rounding rounding, Interval interval);

} // namespace ambit

#endif // AMBIT_LIB_SHAPE_ROUNDEDPRODUCT_H
