// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors at nodes: held back until all nodes were seen, then one for each
// reason.

#ifndef AMBIT_LIB_IMPORT_ONNX_NODEDIAGNOSTICS_H
#define AMBIT_LIB_IMPORT_ONNX_NODEDIAGNOSTICS_H

#include "ambit/Import/Onnx/OnnxImport.h"
#include "mlir/IR/Diagnostics.h"
#include <map>

namespace ambit::onnx_import {

/// Puts the operator's name before errors, says where their symbols come from,
/// and drops what speaks of the IR: the user knows the model, not our ops.
class NodeDiagnostics : public mlir::ScopedDiagnosticHandler {
public:
  explicit NodeDiagnostics(mlir::MLIRContext *context);

  /// What is being converted: errors are about it. Empty for no node.
  struct Place {
    /// As in messages, and with the domain.
    std::string opType, fullName;
    std::string node;
  };
  Place place;
  /// How many errors there were, those that are held back included.
  unsigned errors = 0;
  /// For each symbol the place that binds it: "dim 1 of input 'ids'".
  std::map<std::string, std::string> origins;

  /// Different reasons among the errors that are held back.
  size_t countReasons() const { return reasons.size(); }
  /// Holds back an error whose text needs nothing more.
  void hold(const Place &at, mlir::Location loc, const llvm::Twine &text);
  /// Emits what is held back: an error at the first node of each reason, with a
  /// note that names the others.
  void flush();
  /// Adds what is held back to the operators' problems.
  void report(std::map<std::string, OperatorSupport> &operators) const;

private:
  struct Reason {
    std::string fullName, text;
    mlir::Diagnostic diagnostic;
    std::vector<std::string> nodes;
  };
  mlir::LogicalResult handle(mlir::Diagnostic &diagnostic);
  void hold(const Place &at, mlir::Diagnostic diagnostic);
  void noteOrigins(llvm::StringRef message, mlir::Diagnostic &diagnostic);

  mlir::MLIRContext *context;
  bool isFlushing = false;
  std::vector<Reason> reasons;
};

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_NODEDIAGNOSTICS_H
