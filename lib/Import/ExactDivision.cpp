// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides polynomials of dims term by term.

#include "ExactDivision.h"
#include "ambit/Symbolic/Terms.h"
#include "llvm/ADT/STLExtras.h"

using namespace ambit;
using namespace ambit::compose;

/// term / divisor, or nothing.
static std::optional<Expr> divideTerm(const Term &term, const Term &divisor) {
  if (term.coefficient % divisor.coefficient != 0)
    return std::nullopt;
  llvm::SmallVector<Expr> factors;
  for (const Atom *atom : term.factors)
    factors.push_back(asExpr(*atom));
  for (const Atom *atom : divisor.factors) {
    auto *it = llvm::find(factors, asExpr(*atom));
    if (it == factors.end())
      return std::nullopt;
    factors.erase(it);
  }
  Expr result = term.coefficient / divisor.coefficient;
  for (Expr factor : factors)
    result = result * factor;
  return result;
}

std::optional<Expr> ambit::compose::divideExactly(Expr expr, Expr divisor) {
  if (!expr.isValid() || !divisor.isValid() || divisor.terms().size() != 1)
    return std::nullopt;
  const Term &single = divisor.terms().front();
  // INT64_MIN / -1 overflows; sizes have no negative factors.
  if (single.coefficient < 1)
    return std::nullopt;
  Expr result;
  for (const Term &term : expr.terms()) {
    std::optional<Expr> quotient = divideTerm(term, single);
    if (!quotient)
      return std::nullopt;
    result = result + *quotient;
  }
  return result;
}

Quotient ambit::compose::cancelFactors(llvm::ArrayRef<Expr> dims,
                                       llvm::ArrayRef<Expr> divisors) {
  llvm::SmallVector<Expr> left(dims.begin(), dims.end());
  Quotient result{1, 1};
  for (Expr divisor : divisors) {
    auto *it = llvm::find(left, divisor);
    if (it != left.end())
      left.erase(it);
    else
      result.denominator = result.denominator * divisor;
  }
  for (Expr dim : left)
    result.numerator = result.numerator * dim;
  if (std::optional<Expr> exact =
          divideExactly(result.numerator, result.denominator))
    return Quotient{*exact, 1};
  return result;
}
