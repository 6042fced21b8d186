// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ambit-opt: runs passes on textual IR, for tests and for looking inside.

#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Reference/Reference.h"
#include "ambit/Specialize/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<ambit::sym::SymDialect, ambit::graph::GraphDialect,
                  ambit::dispatch::DispatchDialect>();
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect, mlir::linalg::LinalgDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect, mlir::tensor::TensorDialect,
                  mlir::vector::VectorDialect>();
  ambit::reference::registerReferenceModels(registry);
  mlir::registerTransformsPasses();
  ambit::dispatch::registerDispatchPasses();
  ambit::registerSpecializePasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "ambit-opt: passes of Ambit\n", registry));
}
