// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: how much code ops become inside of a kernel, and how much a kernel
// may hold. LLVM's work on a function grows faster than its length, and so does
// the number of values that wait in registers; a pass over memory now and then
// costs less.

#ifndef AMBIT_LIB_KERNEL_CODESIZE_H
#define AMBIT_LIB_KERNEL_CODESIZE_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

namespace ambit {

/// The most that one kernel computes for an element, in the units of
/// getCodeSize: some 70 sums or 20 sines.
constexpr int64_t kMaxCodeSize = 640;

/// What one operand costs: its index, its load, a parameter.
constexpr int64_t kOperandSize = 4;

/// The size of a scalar op: about the number of instructions it becomes.
int64_t getScalarSize(mlir::Operation *scalar);

/// The size of an op on tensors: the scalars of its body, and its operands.
int64_t getCodeSize(mlir::Operation *op);

} // namespace ambit

#endif // AMBIT_LIB_KERNEL_CODESIZE_H
