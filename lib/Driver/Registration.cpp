// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that Ambit registers with MLIR.

#include "ambit/Driver/Registration.h"
#include "ambit/Codegen/Passes.h"
#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Kernel/Passes.h"
#include "ambit/Reference/Reference.h"
#include "ambit/Shape/Passes.h"
#include "ambit/Simplify/Passes.h"
#include "ambit/Specialize/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;

void ambit::registerAmbitDialects(DialectRegistry &registry) {
  registry.insert<sym::SymDialect, graph::GraphDialect,
                  dispatch::DispatchDialect>();
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, vector::VectorDialect>();
  reference::registerReferenceModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

void ambit::registerAmbitPasses() {
  registerAmbitShapePasses();
  registerSimplifyPasses();
  registerSpecializePasses();
  registerAmbitKernelPasses();
  registerAmbitCodegenPasses();
  dispatch::registerDispatchPasses();
}
