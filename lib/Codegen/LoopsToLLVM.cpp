// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes from loops to the LLVM dialect.

#include "Math/ExpandMath.h"
#include "ambit/Codegen/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ambit::buildLoopsToLLVMPipeline(OpPassManager &manager) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
  functions.addPass(createLoopInvariantCodeMotionPass());
  functions.addPass(createExpandMathPass());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
  functions.addPass(arith::createArithExpandOpsPass()); // floordivsi
  functions.addPass(createConvertVectorToSCFPass());
  functions.addPass(createConvertSCFToCFPass());
  functions.addPass(createConvertMathToLLVMPass());
  // Those that may declare functions look at the whole module, on one core.
  manager.addPass(createConvertMathToLibmPass());
  manager.addNestedPass<func::FuncOp>(createConvertVectorToLLVMPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  OpPassManager &rest = manager.nest<func::FuncOp>();
  rest.addPass(createConvertIndexToLLVMPass());
  rest.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addNestedPass<LLVM::LLVMFuncOp>(createReconcileUnrealizedCastsPass());
}
