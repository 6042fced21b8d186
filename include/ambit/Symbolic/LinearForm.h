// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of one symbol that can be solved for it.

#ifndef AMBIT_SYMBOLIC_LINEARFORM_H
#define AMBIT_SYMBOLIC_LINEARFORM_H

#include "ambit/Symbolic/Expr.h"

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

} // namespace ambit

#endif // AMBIT_SYMBOLIC_LINEARFORM_H
