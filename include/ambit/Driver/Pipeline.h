// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verbs that need the compiler, as functions of their options. Each reports
// errors through the context's diagnostics and leaves no partial output behind.

#ifndef AMBIT_DRIVER_PIPELINE_H
#define AMBIT_DRIVER_PIPELINE_H

#include "ambit/Driver/Options.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

namespace ambit {

/// Registers and loads nothing but what the pipeline needs into `registry`.
void registerPipelineDialects(mlir::DialectRegistry &registry);

/// `ambit compile`. Text results and reports go to `out` when the output is
/// "-".
mlir::LogicalResult runCompile(const CompileOptions &options,
                               mlir::MLIRContext &context,
                               llvm::raw_ostream &out);

/// `ambit shapes`.
mlir::LogicalResult runShapes(const ShapesOptions &options,
                              mlir::MLIRContext &context,
                              llvm::raw_ostream &out);

/// `ambit plan`.
mlir::LogicalResult runPlan(const PlanVerbOptions &options,
                            mlir::MLIRContext &context, llvm::raw_ostream &out);

/// `ambit inspect` on a model that is not compiled yet.
mlir::LogicalResult inspectModel(const InspectOptions &options,
                                 mlir::MLIRContext &context,
                                 llvm::raw_ostream &out);

} // namespace ambit

#endif // AMBIT_DRIVER_PIPELINE_H
