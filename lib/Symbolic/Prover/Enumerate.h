// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trying all values, where there are few: what intervals and linear systems
// cannot see in a product, such as that no m has m*m + 2*m == 9.

#ifndef AMBIT_LIB_SYMBOLIC_ENUMERATE_H
#define AMBIT_LIB_SYMBOLIC_ENUMERATE_H

#include "Bounds.h"

namespace ambit::detail {

/// Calls `visit` with every valuation of the expression's symbols in the box
/// until it returns false. Does nothing and returns false when there are more
/// than `limit` of them.
bool forEachPoint(
    const Box &box, Expr expr, uint64_t limit,
    llvm::function_ref<bool(const std::map<std::string, int64_t> &)> visit);

/// Shrinks the intervals of the symbols of a constraint with products to those
/// of its solutions. Where the expression has no value, the constraint counts
/// as satisfied. Returns false when it has no solution.
bool shrinkToSolutions(Box &box, const Constraint &constraint, bool &changed);

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_ENUMERATE_H
