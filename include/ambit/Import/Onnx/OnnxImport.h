// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an ONNX model into a module of the `graph` dialect.

#ifndef AMBIT_IMPORT_ONNX_ONNXIMPORT_H
#define AMBIT_IMPORT_ONNX_ONNXIMPORT_H

#include "ambit/Symbolic/Domain.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ambit {

/// A condition that every shape satisfies, and who says so.
struct OnnxConstraint {
  Condition condition;
  mlir::Location loc;
};

/// The resized length that a Resize by scales with `align_corners` computes
/// positions from: size * scale, or its floor.
enum class ResizeLength { Exact, Floored };

struct OnnxImportOptions {
  /// Declared ranges by symbol; symbols without one are sizes, 0 or more.
  std::map<std::string, SymbolRange> dims;
  /// Replaces the declared dims of an input: one text per dim, an integer or an
  /// expression in symbols.
  std::map<std::string, std::vector<std::string>> inputShapes;
  /// A dim whose name reads like an expression is one, and an error if its
  /// symbols cannot be computed; else it is a label then.
  bool strictDims = false;
  /// What the symbols satisfy: guards, and facts for the import.
  std::vector<OnnxConstraint> constraints;
  ResizeLength resizeLength = ResizeLength::Exact;
  /// Folders where external data may lie beside the model's own.
  std::vector<std::string> externalDataDirs;
  /// A file that will be written, in which no external data may lie.
  std::string written;
  /// Where errors about these point; the model when absent.
  std::optional<mlir::Location> dimsLoc, inputShapesLoc;
};

/// Reads the model at `path` (opset 7 to 22) into a module: `sym.symbol` ops,
/// `sym.guard` ops, and one function `main` whose arguments and results carry
/// their ONNX names as `ambit.name`. Every op is located at
/// NameLoc(node, FileLineColLoc(path, 0, 0)). Returns null after errors were
/// emitted; all independent errors of a step are reported, ten at most.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(llvm::StringRef path,
                                             const OnnxImportOptions &options,
                                             mlir::MLIRContext &context);

/// The names and dims of the inputs as importOnnx declares them, in order.
/// Emits the errors that importOnnx emits about inputs.
mlir::FailureOr<std::vector<std::pair<std::string, std::vector<Expr>>>>
readOnnxInputs(llvm::StringRef path, const OnnxImportOptions &options,
               mlir::MLIRContext &context);

} // namespace ambit

#endif // AMBIT_IMPORT_ONNX_ONNXIMPORT_H
