// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How diagnostics look: `model.onnx: error: node '/enc/Add_4': message`.

#ifndef AMBIT_DRIVER_DIAGNOSTICS_H
#define AMBIT_DRIVER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace ambit {

/// A location that blames a command line option instead of a file: prints as
/// `ambit: error: --dim: message`, and the process exits with the usage code.
mlir::Location optionLocation(mlir::MLIRContext *context,
                              llvm::StringRef option);

/// Begins an error that is our own fault: prints as `ambit: error: internal
/// error: message`, and the process exits with the code for that.
mlir::InFlightDiagnostic emitInternalError(mlir::Location location);

/// Prints every diagnostic of a context, for as long as it lives. A location is
/// read as: NameLoc = node, FileLineColLoc = file, where line 0 means that the
/// file has no lines; fused and call-site locations name every node.
class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  DiagnosticPrinter(mlir::MLIRContext *context, llvm::raw_ostream &out);

  unsigned errorCount() const { return errors; }
  /// True when an error blamed an option.
  bool blamedOption() const { return optionErrors != 0; }
  /// True when an error was one of emitInternalError.
  bool blamedAmbit() const { return ownErrors != 0; }

private:
  void print(const mlir::Diagnostic &diagnostic);

  llvm::raw_ostream &out;
  unsigned errors = 0, optionErrors = 0, ownErrors = 0;
};

/// Prints `text` in bold and the colour when `out` is a terminal and NO_COLOR
/// is not set.
void printColored(llvm::raw_ostream &out, llvm::raw_ostream::Colors color,
                  llvm::StringRef text);

/// Prints `ambit: error: message`, for errors that have no place in a model.
void printError(llvm::raw_ostream &out, const llvm::Twine &message);

} // namespace ambit

#endif // AMBIT_DRIVER_DIAGNOSTICS_H
