// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the sizes of a kernel that strides, tiles or tails depend on.

#ifndef AMBIT_LIB_COST_INNERSIZES_H
#define AMBIT_LIB_COST_INNERSIZES_H

#include "ambit/Cost/BodyCost.h"

namespace ambit::cost {

/// The symbols that must be constants for a kernel to gain, where `sizes` are
/// the values of its parameters.
Symbols findInnerSymbols(mlir::Block &kernel,
                         const std::map<Expr, Expr> &sizes);

} // namespace ambit::cost

#endif // AMBIT_LIB_COST_INNERSIZES_H
