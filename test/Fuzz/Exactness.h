// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a graph have bits that no order of evaluation and no
// approximation of a math function can change.

#ifndef AMBIT_TEST_FUZZ_EXACTNESS_H
#define AMBIT_TEST_FUZZ_EXACTNESS_H

#include "mlir/IR/Operation.h"

namespace ambit::fuzz {

/// Whether the op's result has exact bits when its operands have.
bool isExactOp(mlir::Operation *op);

/// Whether a scalar op of a map's body rounds exactly once.
bool isExactScalarOp(mlir::Operation *op);

/// Removes inputs that a map's body does not look at: what only they need may
/// or may not run, and so may or may not refuse its data.
void dropUnusedInputs(mlir::Operation *map);

/// How far an inexact value of this type may be off, relative to the largest
/// number among the values it comes from.
double toleranceOf(mlir::Type elementType);

} // namespace ambit::fuzz

#endif // AMBIT_TEST_FUZZ_EXACTNESS_H
