// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: when two kernels are the same code.

#ifndef AMBIT_LIB_KERNEL_KERNELKEY_H
#define AMBIT_LIB_KERNEL_KERNELKEY_H

#include "ambit/Symbolic/Expr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ambit {

/// A kernel up to names of symbols and locations. Kernels with equal texts are
/// equal code with other values of the sizes, which stand in order of first
/// appearance.
struct KernelKey {
  std::string text;
  llvm::SmallVector<Expr> sizes;
};

/// Every dim expression that is no constant becomes a numbered parameter, so
/// relations between different expressions are forgotten; lowering may not use
/// them.
KernelKey getKernelKey(mlir::func::FuncOp kernel);

} // namespace ambit

#endif // AMBIT_LIB_KERNEL_KERNELKEY_H
