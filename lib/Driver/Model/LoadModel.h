// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: from a model file to a module with inferred shapes; what every verb
// that takes a model begins with.

#ifndef AMBIT_LIB_DRIVER_MODEL_LOADMODEL_H
#define AMBIT_LIB_DRIVER_MODEL_LOADMODEL_H

#include "ambit/Driver/Options.h"
#include "ambit/Import/Onnx/OnnxImport.h"
#include "ambit/Specialize/Plan.h"
#include "ambit/Symbolic/Expr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ambit {

/// An input of a model as the model declares it.
struct ModelInput {
  std::string name;
  std::vector<Expr> dims;
};

/// Reads the inputs only, with the dims of `--input-shape`.
mlir::FailureOr<std::vector<ModelInput>> readInputs(const ModelOptions &options,
                                                    mlir::MLIRContext &context);

/// Whether `--input-shape` is possible: the format leaves shapes to others.
bool canDeclareShapes(const ModelOptions &options);

/// The operators of an ONNX model, and why some are refused; failure after
/// errors that are at no node.
mlir::FailureOr<std::map<std::string, OperatorSupport>>
readOperators(const ModelOptions &options, mlir::MLIRContext &context);

/// Reads a model: ONNX, or textual IR of `sym` and `graph` ops (.mlir). Null
/// after an error was emitted. Applies samples.
mlir::OwningOpRef<mlir::ModuleOp> importModel(const ModelOptions &options,
                                              mlir::MLIRContext &context);

/// importModel, then inferModel; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> loadModel(const ModelOptions &options,
                                            mlir::MLIRContext &context);

class ModelCosts;

/// What is expected of variants, at the rates that the options ask for.
mlir::FailureOr<ModelCosts> measureCosts(mlir::ModuleOp module,
                                         const VariantOptions &options);

/// What the planner is asked for, with the expected times that it needs; those
/// that are known, or else measured where something depends on them.
mlir::FailureOr<PlanOptions> getPlanOptions(mlir::ModuleOp module,
                                            const VariantOptions &options,
                                            const ModelCosts *known = nullptr);

/// Decides on the variants that the options ask for; they stand in the module's
/// `dispatch.model` afterwards.
mlir::LogicalResult planModel(mlir::ModuleOp module,
                              const VariantOptions &options);

/// Infers all types of `@main` by the shape rules and records guards: the pass
/// `infer-shapes`.
mlir::LogicalResult inferModel(mlir::ModuleOp module);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_MODEL_LOADMODEL_H
