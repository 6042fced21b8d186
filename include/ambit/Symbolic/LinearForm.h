// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of one symbol that can be solved for it.

#ifndef AMBIT_SYMBOLIC_LINEARFORM_H
#define AMBIT_SYMBOLIC_LINEARFORM_H

#include "ambit/Symbolic/Domain.h"

namespace ambit {

/// scale*symbol + offset with a scale other than 0.
struct LinearForm {
  std::string symbol;
  int64_t scale, offset;
  /// The symbol's value where the form is `value`; nothing when there is none.
  std::optional<int64_t> solve(int64_t value) const;
};
/// Reads an expression of one symbol as a linear form: "2*n + 1", "8 - n".
std::optional<LinearForm> asLinear(Expr expr);

/// The values of `symbol` for which a condition holds, when it is one bound of
/// one symbol ("seq <= 128", "2*n == 6"); nothing when it is anything else.
struct Bound {
  std::string symbol;
  Interval interval;
};
std::optional<Bound> getBound(const Condition &condition);

} // namespace ambit

#endif // AMBIT_SYMBOLIC_LINEARFORM_H
