// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints that a user states about the symbols of a model.

#ifndef AMBIT_DIALECT_SYM_IR_CONSTRAINTS_H
#define AMBIT_DIALECT_SYM_IR_CONSTRAINTS_H

#include "ambit/Symbolic/Domain.h"
#include "mlir/IR/Location.h"
#include "mlir/Support/LogicalResult.h"

namespace ambit::sym {

/// Reads conditions in the constraint language. An error at `loc` shows the
/// text with a caret.
mlir::FailureOr<llvm::SmallVector<Condition>>
parseConstraints(mlir::Location loc, llvm::ArrayRef<std::string> texts);

/// Checks constraints against the symbols and ranges of a domain, whose facts
/// are looked at too. Errors at `loc`: a symbol that the domain does not list;
/// constraints and ranges that no sizes satisfy together, by the smallest such
/// set, with sizes that satisfy one of two but not the other.
llvm::LogicalResult checkConstraints(mlir::Location loc, const Domain &domain,
                                     llvm::ArrayRef<Condition> constraints);

} // namespace ambit::sym

#endif // AMBIT_DIALECT_SYM_IR_CONSTRAINTS_H
