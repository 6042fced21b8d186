// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ side of the `dispatch` dialect.

#ifndef AMBIT_DIALECT_DISPATCH_IR_DISPATCHDIALECT_H
#define AMBIT_DIALECT_DISPATCH_IR_DISPATCHDIALECT_H

#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include <optional>
#include <string>

#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h.inc"
#include "ambit/Dialect/Dispatch/IR/DispatchEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ambit/Dialect/Dispatch/IR/DispatchAttributes.h.inc"

#define GET_OP_CLASSES
#include "ambit/Dialect/Dispatch/IR/DispatchOps.h.inc"

namespace ambit::dispatch {

/// The runtime's number of an element type (enum ambit_dtype, which is ONNX's);
/// nothing for a type that no tensor of a model may have.
std::optional<int32_t> getDataType(mlir::Type elementType);

/// The conditions of a verified variant.
llvm::SmallVector<Condition> getConditions(VariantOp variant);

/// A domain cut down to where the conditions hold: what bounds one symbol
/// narrows its range, the rest are facts.
Domain within(Domain domain, llvm::ArrayRef<Condition> conditions);

/// Variants that share one function, which is called with their tops.
struct Family {
  std::string name;
  /// Not empty; in order of priority.
  llvm::SmallVector<VariantOp> members;
  /// Symbols that are padded, and the symbol that stands for the size that each
  /// is padded to: a parameter of the function, in this order.
  std::vector<std::pair<std::string, std::string>> tops;
  /// The least box around the shapes that the members take, cut by the model's
  /// rules.
  Domain shapes;

  /// The values of the parameters for one of the members.
  std::map<std::string, Expr> getTops(VariantOp member) const;
  /// `shapes`, and what is known of the parameters.
  Domain getDomain() const;
};

/// The families of a module's models, in order of their first members.
std::vector<Family> getFamilies(mlir::ModuleOp module);

/// The shapes that a body runs for: the module's domain, cut down by the
/// conditions of the variant that refers to the body, if one does; for the
/// function of a family, its domain.
Domain getBodyDomain(mlir::ModuleOp module, llvm::StringRef body);

/// The module's only model; an error when there is none, or more.
mlir::FailureOr<ModelOp> getModel(mlir::ModuleOp module);

/// Where a rule came from, in words for people. The name in a location is that
/// of a node, "node 'Add_4'"; but "--dim" is an option, and a name that begins
/// with "input " is taken as it is ("input 'ids' dim 1").
std::string describeOrigin(mlir::Location loc);

/// The names of the module's symbols. A symbol's position is its index in the
/// `symbols` array that compiled bodies receive.
llvm::SmallVector<std::string> getSymbolNames(mlir::ModuleOp module);

} // namespace ambit::dispatch

#endif // AMBIT_DIALECT_DISPATCH_IR_DISPATCHDIALECT_H
