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
/// emitted: one for each reason for which nodes are refused, all in one run.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(llvm::StringRef path,
                                             const ImportOptions &options,
                                             mlir::MLIRContext &context);

/// An operator of a model, and why some of its nodes are refused.
struct OperatorSupport {
  /// Its opset; 0 outside of the default domain.
  int64_t opset = 0;
  int64_t nodes = 0;
  struct Problem {
    std::string text;
    std::vector<std::string> nodes;
  };
  std::vector<Problem> problems;
};

/// The operators of a model by their full names, as an import of it with these
/// options finds them. Errors that are at no node are emitted.
mlir::FailureOr<std::map<std::string, OperatorSupport>>
readOnnxOperators(llvm::StringRef path, const ImportOptions &options,
                  mlir::MLIRContext &context);

/// The names and dims of the inputs as importOnnx declares them, in order.
/// Emits the errors that importOnnx emits about inputs.
mlir::FailureOr<std::vector<ImportedInput>>
readOnnxInputs(llvm::StringRef path, const ImportOptions &options,
               mlir::MLIRContext &context);

} // namespace ambit

#endif // AMBIT_IMPORT_ONNX_ONNXIMPORT_H
