// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the last steps of a compilation: from modules to text, objects and
// shared objects.

#ifndef AMBIT_LIB_DRIVER_EMITMODEL_H
#define AMBIT_LIB_DRIVER_EMITMODEL_H

#include "ambit/Codegen/VectorTarget.h"
#include "ambit/Driver/Options.h"
#include "mlir/IR/BuiltinOps.h"

namespace ambit {

/// The phase whose result a kind of output is.
Phase lastPhase(EmitKind kind);

/// What code generation needs to know of the target processor. An unknown
/// processor is an error.
mlir::FailureOr<VectorTarget> getVectorTarget(const CompileOptions &options,
                                              mlir::MLIRContext &context);

/// Writes the processor and its features into the module's `dispatch.model`.
mlir::LogicalResult describeTarget(mlir::ModuleOp module,
                                   const CompileOptions &options);

/// The module as text, with locations. Eliding leaves out large constants.
std::string printModule(mlir::ModuleOp module, bool elide);

/// Writes a text file, whole or not at all.
mlir::LogicalResult writeText(llvm::StringRef path, llvm::StringRef text,
                              mlir::MLIRContext *context);

/// Writes the module's text to the output, or to `out` when that is "-".
mlir::LogicalResult writeModule(mlir::ModuleOp module,
                                const CompileOptions &options,
                                llvm::raw_ostream &out);

/// Translates a module of the LLVM dialect and writes what --emit asks for.
mlir::LogicalResult emitModel(mlir::ModuleOp module,
                              const CompileOptions &options,
                              llvm::raw_ostream &out);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_EMITMODEL_H
