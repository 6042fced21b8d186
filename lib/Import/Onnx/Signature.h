// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of a model: names, types, and the symbols in their dims.

#ifndef AMBIT_LIB_IMPORT_ONNX_SIGNATURE_H
#define AMBIT_LIB_IMPORT_ONNX_SIGNATURE_H

#include "Nodes/SizeInputs.h"
#include "OnnxModel.h"
#include "ambit/Import/Onnx/OnnxImport.h"
#include "mlir/IR/BuiltinTypes.h"

namespace ambit::onnx_import {

struct Argument {
  std::string name;
  mlir::RankedTensorType type;
  /// Its elements as symbols, where shapes depend on them.
  llvm::SmallVector<Expr> elements;
};

struct Symbol {
  std::string name;
  SymbolRange range;
  /// The range was given with the options.
  bool isDeclared = false;
  /// Values outside of the range count as its nearest end.
  bool saturates = false;
};

struct Signature {
  std::vector<Argument> arguments;
  /// In the order of their first appearance.
  std::vector<Symbol> symbols;
  /// What to warn of: texts that read like expressions and are taken for names.
  std::vector<std::string> warnings;

  Domain domain() const;
};

/// Reads the inputs of the graph that have no initializer. A dim text that is
/// no expression, or one whose symbols no input gives, becomes a symbol of a
/// similar name (with `strictDims` the latter is an error); a dim without size
/// or name becomes `<input>_dim<k>`. The elements of `sizeInputs` that are few
/// integers become symbols `<input>[<k>]`.
mlir::FailureOr<Signature>
readSignature(const OnnxModel &model, const OnnxImportOptions &options,
              const llvm::StringMap<SizeInput> &sizeInputs);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_SIGNATURE_H
