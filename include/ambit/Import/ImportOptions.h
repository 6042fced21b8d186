// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every importer is told, and what it tells of a model's inputs.

#ifndef AMBIT_IMPORT_IMPORTOPTIONS_H
#define AMBIT_IMPORT_IMPORTOPTIONS_H

#include "ambit/Import/InputValue.h"
#include "ambit/Symbolic/Domain.h"
#include "mlir/IR/Location.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ambit {

/// A condition that every shape satisfies, and who says so.
struct ImportConstraint {
  Condition condition;
  mlir::Location loc;
};

/// The resized length that a resize by scales that aligns corners computes
/// positions from: size * scale, or its floor.
enum class ResizeLength { Exact, Floored };

struct ImportOptions {
  /// Declared ranges by symbol; symbols without one are sizes, 0 or more.
  std::map<std::string, SymbolRange> dims;
  /// Replaces the declared dims of an input: one text per dim, an integer or an
  /// expression in symbols.
  std::map<std::string, std::vector<std::string>> inputShapes;
  /// What inputs hold at every call: constants for the import, and guards.
  std::map<std::string, InputValue> values;
  /// A dim whose name reads like an expression is one, and an error if its
  /// symbols cannot be computed; else it is a label then.
  bool strictDims = false;
  /// What the symbols satisfy: guards, and facts for the import.
  std::vector<ImportConstraint> constraints;
  ResizeLength resizeLength = ResizeLength::Exact;
  /// Folders where data may lie that the model's file refers to, beside the
  /// model's own.
  std::vector<std::string> externalDataDirs;
  /// A file that will be written, in which no external data may lie.
  std::string written;
  /// Where errors about these point; the model when absent.
  std::optional<mlir::Location> dimsLoc, inputShapesLoc, valuesLoc;
};

/// The dims of an input of a model.
struct ImportedInput {
  std::string name;
  std::vector<Expr> dims;
};

} // namespace ambit

#endif // AMBIT_IMPORT_IMPORTOPTIONS_H
