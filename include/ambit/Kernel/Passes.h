// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of lib/Kernel; Passes.td says what each does.

#ifndef AMBIT_KERNEL_PASSES_H
#define AMBIT_KERNEL_PASSES_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Pass/Pass.h"

namespace ambit {

#define GEN_PASS_DECL
#include "ambit/Kernel/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ambit/Kernel/Passes.h.inc"

/// Whether an op has a loop structure of its own, so that a kernel holds at
/// most one such op.
bool isRootOp(mlir::Operation *op);

} // namespace ambit

#endif // AMBIT_KERNEL_PASSES_H
