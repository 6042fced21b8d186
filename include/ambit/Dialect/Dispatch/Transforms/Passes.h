// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the `dispatch` dialect.

#ifndef AMBIT_DIALECT_DISPATCH_TRANSFORMS_PASSES_H
#define AMBIT_DIALECT_DISPATCH_TRANSFORMS_PASSES_H

#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace ambit::dispatch {

#define GEN_PASS_DECL
#include "ambit/Dialect/Dispatch/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ambit/Dialect/Dispatch/Transforms/Passes.h.inc"

} // namespace ambit::dispatch

#endif // AMBIT_DIALECT_DISPATCH_TRANSFORMS_PASSES_H
