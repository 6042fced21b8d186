// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The guards of a module as an object will list them.

#ifndef AMBIT_DIALECT_DISPATCH_TRANSFORMS_GUARDS_H
#define AMBIT_DIALECT_DISPATCH_TRANSFORMS_GUARDS_H

#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include <vector>

namespace ambit::dispatch {

struct Guard {
  Condition condition;
  /// "node 'Add_4'", "option --dim", "the model".
  std::string origin;
  /// The sizes that must broadcast, when the condition speaks of the name for
  /// what they broadcast to.
  std::vector<Expr> meeting = {};
};

/// The ranges of the module's symbols, then its `sym.guard` ops: those that are
/// checked at entry.
std::vector<Guard> collectGuards(mlir::ModuleOp module);
/// Those that bodies check while they run: they mention sizes that depend on
/// data.
std::vector<Guard> collectLaterGuards(mlir::ModuleOp module);

/// enum ambit_guard_class of runtime.h: 0 range, 1 equality, 2 divisibility, 3
/// relation.
int32_t getGuardClass(const Condition &condition);
/// "range", "equality", "divisibility", "relation".
llvm::StringRef getGuardClassName(const Condition &condition);

/// "seq >= 17 && seq <= 32"; "every shape" when there is no condition.
std::string getDomainText(llvm::ArrayRef<Condition> conditions);

} // namespace ambit::dispatch

#endif // AMBIT_DIALECT_DISPATCH_TRANSFORMS_GUARDS_H
