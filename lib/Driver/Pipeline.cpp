// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases of a compilation, as a table of contents.

#include "ambit/Driver/Pipeline.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

using namespace ambit;

static mlir::LogicalResult notBuiltYet(mlir::MLIRContext &context) {
  return mlir::emitError(mlir::UnknownLoc::get(&context),
                         "the compiler's phases are not built yet");
}

void ambit::registerPipelineDialects(mlir::DialectRegistry &registry) {}

mlir::LogicalResult ambit::runCompile(const CompileOptions &options,
                                      mlir::MLIRContext &context,
                                      llvm::raw_ostream &out) {
  return notBuiltYet(context);
}

mlir::LogicalResult ambit::runShapes(const ShapesOptions &options,
                                     mlir::MLIRContext &context,
                                     llvm::raw_ostream &out) {
  return notBuiltYet(context);
}

mlir::LogicalResult ambit::inspectModel(const InspectOptions &options,
                                        mlir::MLIRContext &context,
                                        llvm::raw_ostream &out) {
  return notBuiltYet(context);
}
