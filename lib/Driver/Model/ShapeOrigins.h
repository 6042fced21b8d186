// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: where the dims of a value come from.

#ifndef AMBIT_LIB_DRIVER_MODEL_SHAPEORIGINS_H
#define AMBIT_LIB_DRIVER_MODEL_SHAPEORIGINS_H

#include "ModelShapes.h"

namespace ambit {

/// A node that made a dim of other dims.
struct ShapeStep {
  std::string node, op;
  Expr made;
  std::vector<Expr> from;
  /// Whether the op finds it in the data.
  bool isFound = false;
  /// How many steps lie between it and the value.
  unsigned depth = 0;
};

/// The history of one dim, back to the inputs.
struct DimOrigin {
  Expr dim;
  std::vector<ShapeStep> steps;
  /// "dim 1 of input 'ids'", for each symbol of the dim.
  std::map<std::string, std::string> symbols;
  /// Guards about these symbols that come from nodes on the way.
  std::vector<std::pair<std::string, std::string>> guards;
};

struct ShapeOrigin {
  NamedShape shape;
  std::vector<DimOrigin> dims;
};

/// Traces the value called `name`: an output, an input, or what a node makes.
/// Fails with an error at the option --why when there is none.
mlir::FailureOr<ShapeOrigin> traceShape(mlir::func::FuncOp main,
                                        llvm::StringRef name);

void printOrigin(const ShapeOrigin &origin, llvm::raw_ostream &out);
Json toJson(const ShapeOrigin &origin);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_MODEL_SHAPEORIGINS_H
