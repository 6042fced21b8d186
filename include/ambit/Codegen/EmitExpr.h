// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dim expressions and conditions as code.

#ifndef AMBIT_CODEGEN_EMITEXPR_H
#define AMBIT_CODEGEN_EMITEXPR_H

#include "ambit/Symbolic/Expr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ambit {

/// Emits dim expressions as ops of `arith`, at the builder's insertion point.
/// Each subexpression is emitted once, so the place where it was first needed
/// must dominate later uses. No emitted code traps, whatever the symbols'
/// values.
class ExprEmitter {
public:
  /// `symbols` gives every symbol's value; all are `index` or all are `i64`,
  /// and results have that type. When there are none, results have `type`, or
  /// are `index` without it.
  ExprEmitter(mlir::OpBuilder &builder, mlir::Location loc,
              std::map<std::string, mlir::Value> symbols, mlir::Type type = {});

  /// Gives a symbol its value when code has computed it. No expression with the
  /// symbol was emitted before.
  void define(llvm::StringRef symbol, mlir::Value value) {
    symbols[symbol.str()] = value;
  }

  /// Has a symbol without a value looked up: the value that comes back must be
  /// good wherever expressions are emitted from then on.
  void setLookup(std::function<mlir::Value(llvm::StringRef)> find) {
    lookup = std::move(find);
  }

  /// The value of a valid expression; it wraps around on overflow. A division
  /// by zero divides by 1.
  mlir::Value emit(Expr expr);

  /// The value, and an i1 that is true when any step overflowed 64 bits or
  /// divided by zero. For the invalid expression: 0 and true.
  std::pair<mlir::Value, mlir::Value> emitChecked(Expr expr);

  /// An i1: whether some relation holds. A relation whose sides overflow does
  /// not hold.
  mlir::Value emit(const Condition &condition);
  mlir::Value emit(const Relation &relation);

private:
  /// A value, and whether it is wrong; null for "never".
  struct Step {
    mlir::Value value, wrong;
  };
  using Product = std::vector<const Atom *>;

  Step step(Expr expr);
  Step step(const Atom &atom);
  Step product(llvm::ArrayRef<const Atom *> factors);
  Step add(Step lhs, Step rhs);
  Step subtract(Step lhs, Step rhs);
  Step multiply(Step lhs, Step rhs);
  Step divide(Step lhs, Expr rhs, bool wantsQuotient);
  mlir::Value constant(int64_t value);
  mlir::Value flag(bool value);
  mlir::Value either(mlir::Value lhs, mlir::Value rhs);
  mlir::Value signsDiffer(mlir::Value lhs, mlir::Value rhs);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  std::map<std::string, mlir::Value> symbols;
  std::function<mlir::Value(llvm::StringRef)> lookup;
  mlir::Type type;
  bool checks = false;

  struct Cache {
    llvm::DenseMap<const void *, Step> exprs, atoms;
    std::map<Product, Step> products;
  };
  Cache plain, checked;
  Cache &cache() { return checks ? checked : plain; }
  std::map<int64_t, mlir::Value> constants;
};

} // namespace ambit

#endif // AMBIT_CODEGEN_EMITEXPR_H
