// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a polynomial as expressions of their own.

#ifndef AMBIT_SYMBOLIC_TERMS_H
#define AMBIT_SYMBOLIC_TERMS_H

#include "ambit/Symbolic/Expr.h"

namespace ambit {

/// A factor of a term as an expression.
Expr asExpr(const Atom &atom);
/// A term of a polynomial as an expression.
Expr asExpr(const Term &term);
/// The greatest number that divides every coefficient, the constant term
/// included; 0 for the expression 0.
int64_t contentOf(Expr expr);

} // namespace ambit

#endif // AMBIT_SYMBOLIC_TERMS_H
