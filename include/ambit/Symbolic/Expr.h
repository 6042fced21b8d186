// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic integer expressions in canonical form: polynomials over the atoms
// {symbol, floordiv, mod, min, max} with overflow-checked 64-bit coefficients.

#ifndef AMBIT_SYMBOLIC_EXPR_H
#define AMBIT_SYMBOLIC_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace ambit {

namespace detail {
struct ExprNode;
} // namespace detail

struct Term;
struct Atom;

/// An immutable integer expression. Nodes are interned for the life of the
/// process, so copies are free and two expressions with the same canonical form
/// compare equal by pointer. Building is thread-safe. Arithmetic that overflows
/// 64 bits, or whose result would be too large to reason about (more terms,
/// factors or operands than the limits of lib/Symbolic/Node.h), yields an
/// invalid expression, which absorbs every operation.
class Expr {
public:
  /// The constant 0.
  Expr();
  /// A constant.
  Expr(int64_t value);
  Expr(int value) : Expr(int64_t(value)) {}
  static Expr symbol(llvm::StringRef name);
  /// Division rounding to minus infinity. A constant divisor 0 gives invalid.
  static Expr floorDiv(Expr lhs, Expr rhs);
  /// Division rounding to plus infinity, held as -floordiv(-lhs, rhs).
  static Expr ceilDiv(Expr lhs, Expr rhs);
  /// lhs - rhs * floordiv(lhs, rhs): has the sign of the divisor.
  static Expr mod(Expr lhs, Expr rhs);
  static Expr min(Expr lhs, Expr rhs);
  static Expr max(Expr lhs, Expr rhs);
  static Expr invalid();

  bool isValid() const;
  /// Why an invalid expression is one, to follow what is wrong: "overflows 64
  /// bits".
  llvm::StringRef problem() const;
  /// The value if the expression has no symbol.
  std::optional<int64_t> constant() const;
  bool isConstant(int64_t value) const { return constant() == value; }
  /// True for a bare symbol.
  bool isSymbol() const;
  /// The name of a bare symbol.
  llvm::StringRef symbolName() const;

  /// The terms of the polynomial in canonical order; the constant term, if it
  /// is not 0, comes last and has no factors. The constant 0 has no terms.
  llvm::ArrayRef<Term> terms() const;

  void collectSymbols(std::set<std::string> &names) const;
  Expr substitute(const std::map<std::string, Expr> &values) const;
  /// Nothing when a symbol is missing, on overflow, or division by zero.
  std::optional<int64_t>
  evaluate(const std::map<std::string, int64_t> &values) const;

  /// Text in the constraint language, readable by parseExpr: "2*seq + 1",
  /// "floordiv(h + 1, 2)", "min(512, seq)".
  std::string str() const;

  const void *getAsOpaquePointer() const { return node; }
  bool operator==(Expr other) const { return node == other.node; }
  bool operator!=(Expr other) const { return node != other.node; }
  /// A stable order that depends on structure, never on addresses.
  bool operator<(Expr other) const;
  friend llvm::hash_code hash_value(Expr expr) {
    return llvm::hash_value(expr.node);
  }

private:
  friend struct detail::ExprNode;
  explicit Expr(const detail::ExprNode *node) : node(node) {}
  const detail::ExprNode *node;
};

/// A factor of a term. Symbol atoms have a name and no operands; the others
/// have exactly two operands.
struct Atom {
  enum class Kind { Symbol, FloorDiv, Mod, Min, Max };
  Kind kind;
  std::string name;
  Expr lhs, rhs;
};

/// coefficient * product of factors (a power is a repeated factor).
struct Term {
  int64_t coefficient;
  llvm::ArrayRef<const Atom *> factors;
};

Expr operator+(Expr lhs, Expr rhs);
Expr operator-(Expr lhs, Expr rhs);
Expr operator*(Expr lhs, Expr rhs);
Expr operator-(Expr operand);

/// lhs REL rhs.
struct Relation {
  enum class Kind { EQ, NE, LE, LT, GE, GT };
  Kind kind = Kind::EQ;
  Expr lhs, rhs;

  std::string str() const;
  Relation substitute(const std::map<std::string, Expr> &values) const;
  std::optional<bool>
  evaluate(const std::map<std::string, int64_t> &values) const;
  bool operator==(const Relation &other) const {
    return kind == other.kind && lhs == other.lhs && rhs == other.rhs;
  }
};

/// A disjunction of relations ("a == b || a == 1 || b == 1"). Empty is false.
struct Condition {
  llvm::SmallVector<Relation, 1> anyOf;

  Condition() = default;
  Condition(Relation relation) : anyOf{relation} {}
  /// Divisibility "expr % divisor == 0" as a condition.
  static Condition divisible(Expr expr, Expr divisor);
  static Condition equal(Expr lhs, Expr rhs);
  bool isValid() const;
  void collectSymbols(std::set<std::string> &names) const;
  bool operator==(const Condition &other) const { return anyOf == other.anyOf; }
  std::string str() const;
  Condition substitute(const std::map<std::string, Expr> &values) const;
  std::optional<bool>
  evaluate(const std::map<std::string, int64_t> &values) const;
};

} // namespace ambit

#endif // AMBIT_SYMBOLIC_EXPR_H
