// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of lib/Codegen, and the pipeline from loops to the LLVM dialect.

#ifndef AMBIT_CODEGEN_PASSES_H
#define AMBIT_CODEGEN_PASSES_H

#include "ambit/Codegen/VectorTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace ambit {

#define GEN_PASS_DECL
#include "ambit/Codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ambit/Codegen/Passes.h.inc"

/// Adds the passes from loops (scf, vector, memref, math) to the LLVM dialect.
/// Math functions become polynomials on vectors; nothing reassociates.
void buildLoopsToLLVMPipeline(mlir::OpPassManager &manager);

} // namespace ambit

#endif // AMBIT_CODEGEN_PASSES_H
