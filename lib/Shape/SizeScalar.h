// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: one scalar of a computation on sizes, and exact arithmetic on it.

#ifndef AMBIT_LIB_SHAPE_SIZESCALAR_H
#define AMBIT_LIB_SHAPE_SIZESCALAR_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

namespace ambit {

/// What following is for.
enum class Following {
  /// The result replaces an op, whatever reads it: no case distinctions, no
  /// guards for divisors, and no number whose zero may be negative.
  Replace,
  /// The result is a size: only its value as an integer counts, and what is
  /// required of the sizes becomes a guard.
  Sizes,
  /// As Sizes in code that does not always run: no guards.
  Branch
};

/// A number: the quotient of two expressions, the denominator positive. A bool
/// is 0 or 1.
struct SizeScalar {
  Expr numerator, denominator = 1;
  /// When not 0, the number is the quotient rounded once to this many binary
  /// digits.
  unsigned digits = 0;
  /// The number is not the quotient but its square root, rounded so.
  bool isRoot = false;
  /// What a bool says, if it is one relation.
  std::optional<Relation> relation;
  /// What the number was chosen from.
  struct Choice {
    Expr condition, yes, no;
  };
  std::optional<Choice> choice;

  SizeScalar(Expr value) : numerator(value) {}
  SizeScalar(Expr numerator, Expr denominator)
      : numerator(numerator), denominator(denominator) {}
  bool isValid() const { return numerator.isValid() && denominator.isValid(); }
  bool isInteger() const { return digits == 0 && denominator.isConstant(1); }
  std::optional<int64_t> constant() const {
    return isInteger() ? numerator.constant() : std::nullopt;
  }
  /// A double, when its digits fit.
  static std::optional<SizeScalar> get(double value);
};

using MaybeScalar = std::optional<SizeScalar>;

enum class Rounding { Down, Up, ToZero, ToNearest };

/// Arithmetic that yields nothing where the result is no expression. Guards
/// belong to the op that was set last.
class SizeMath {
public:
  SizeMath(graph::ShapeContext &context, Following mode)
      : context(context), mode(mode) {}

  Following getMode() const { return mode; }
  void setMode(Following next) { mode = next; }
  void setOp(mlir::Operation *next) { op = next; }
  Prover &prover() { return context.getProver(); }
  bool isNotNegative(Expr expr) { return prover().isAtLeast(expr, 0); }

  //===-- Integers --------------------------------------------------------===//

  std::optional<Expr> divide(Expr lhs, Expr rhs, Rounding rounding);
  /// With the sign of the dividend.
  std::optional<Expr> remainder(Expr lhs, Expr rhs);
  /// With the sign of the divisor.
  std::optional<Expr> floorMod(Expr lhs, Expr rhs);
  /// The integer as its type holds it. Sizes of 2^31 and more do not survive in
  /// 32 bits: that is a guard. In narrower types they wrap around.
  std::optional<Expr> fitInteger(Expr value, mlir::Type type);

  //===-- Floats: the result is rounded to `type` -------------------------===//

  MaybeScalar add(const SizeScalar &lhs, const SizeScalar &rhs,
                  mlir::Type type);
  MaybeScalar multiply(const SizeScalar &lhs, const SizeScalar &rhs,
                       mlir::Type type);
  MaybeScalar divide(const SizeScalar &lhs, const SizeScalar &rhs,
                     mlir::Type type);
  /// With the sign of the dividend.
  MaybeScalar remainder(const SizeScalar &lhs, const SizeScalar &rhs);
  MaybeScalar negate(const SizeScalar &operand);
  MaybeScalar absolute(const SizeScalar &operand);
  /// Converts to a float type.
  MaybeScalar fitFloat(SizeScalar value, mlir::Type type);
  /// The integer beside a number. `keepsZeros`: it stays a float.
  MaybeScalar round(const SizeScalar &operand, Rounding rounding,
                    bool keepsZeros);

  //===-- Named sizes, in mode Sizes (NamedSizes.cpp) ---------------------===//

  MaybeScalar squareRoot(const SizeScalar &operand, mlir::Type type);
  std::optional<Expr> powerOfTwo(Expr exponent);

  //===-- Cases -----------------------------------------------------------===//

  MaybeScalar compare(Relation::Kind kind, SizeScalar lhs, SizeScalar rhs);
  MaybeScalar logicalNot(const SizeScalar &operand);
  MaybeScalar select(const SizeScalar &condition, SizeScalar yes,
                     SizeScalar no);
  /// The lesser or the greater.
  MaybeScalar extremum(Atom::Kind kind, const SizeScalar &lhs,
                       const SizeScalar &rhs);

private:
  bool requirePositive(Expr divisor);
  std::optional<Expr> fit(Expr expr, int64_t min, int64_t max);
  bool isWithin(Expr expr, int64_t min, int64_t max);
  MaybeScalar compareIntegers(Relation::Kind kind, Expr lhs, Expr rhs);
  bool settle(const SizeScalar &operand, Rounding rounding);
  std::optional<Expr> roundRoot(const SizeScalar &operand, Rounding rounding);
  MaybeScalar compareRoot(Relation::Kind kind, const SizeScalar &root,
                          const SizeScalar &other);
  Expr name(const std::string &stem, Expr of, Expr value);
  std::optional<Expr> roundProduct(const SizeScalar &operand,
                                   Rounding rounding);
  std::optional<Expr> findExtremum(const Relation &isYes, Expr yes, Expr no);
  Expr choose(const SizeScalar &condition, Expr yes, Expr no);

  graph::ShapeContext &context;
  Following mode;
  mlir::Operation *op = nullptr;
};

} // namespace ambit

#endif // AMBIT_LIB_SHAPE_SIZESCALAR_H
