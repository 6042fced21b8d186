// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an ONNX model into a module of the `graph` dialect.

#ifndef AMBIT_IMPORT_ONNX_ONNXIMPORT_H
#define AMBIT_IMPORT_ONNX_ONNXIMPORT_H

#include "ambit/Import/ImportOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ambit {

/// Reads the model at `path` (opset 1 to 27) into a module: `sym.symbol` ops,
/// `sym.guard` ops, and one function `main` whose arguments and results carry
/// their ONNX names as `ambit.name`. Every op is located at
/// NameLoc(node, FileLineColLoc(path, 0, 0)). Returns null after errors were
/// emitted; all independent errors of a step are reported, ten at most.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(llvm::StringRef path,
                                             const ImportOptions &options,
                                             mlir::MLIRContext &context);

/// The names and dims of the inputs as importOnnx declares them, in order.
/// Emits the errors that importOnnx emits about inputs.
mlir::FailureOr<std::vector<ImportedInput>>
readOnnxInputs(llvm::StringRef path, const ImportOptions &options,
               mlir::MLIRContext &context);

} // namespace ambit

#endif // AMBIT_IMPORT_ONNX_ONNXIMPORT_H
