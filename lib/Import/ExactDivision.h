// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division of dim products that leaves no remainder.

#ifndef AMBIT_LIB_IMPORT_EXACTDIVISION_H
#define AMBIT_LIB_IMPORT_EXACTDIVISION_H

#include "ambit/Symbolic/Expr.h"

namespace ambit::compose {

/// The polynomial q with q * divisor == expr, for a divisor of one term;
/// nothing when there is none. Where the divisor is 0 the equation still holds.
std::optional<Expr> divideExactly(Expr expr, Expr divisor);

/// prod(dims) / prod(divisors) as far as common factors go: what is left of
/// both.
struct Quotient {
  Expr numerator, denominator;
};
Quotient cancelFactors(llvm::ArrayRef<Expr> dims,
                       llvm::ArrayRef<Expr> divisors);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_EXACTDIVISION_H
