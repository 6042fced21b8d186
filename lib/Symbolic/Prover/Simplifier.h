// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites that need to know what values the symbols take, such as cancelling a
// symbolic divisor. How a question is answered is left to the caller: by
// intervals inside the prover, by full proofs for Prover::simplify.

#ifndef AMBIT_LIB_SYMBOLIC_SIMPLIFIER_H
#define AMBIT_LIB_SYMBOLIC_SIMPLIFIER_H

#include "Bounds.h"

namespace ambit::detail {

class Simplifier {
public:
  virtual ~Simplifier() = default;
  /// An expression equal to `expr` wherever `expr` is defined on the domain.
  Expr simplify(Expr expr);

protected:
  void forget() { memo.clear(); }
  virtual Interval bounds(Expr expr) = 0;
  virtual bool isAtLeast(Expr lhs, Expr rhs) = 0;
  /// A number that divides every value of the symbol.
  virtual int64_t divisorOf(llvm::StringRef symbol) { return 1; }
  /// Nothing when the symbol stays.
  virtual std::optional<Expr> replacementOf(llvm::StringRef symbol) {
    return std::nullopt;
  }
  /// How many facts are known, and the number of the last one that may help to
  /// simplify an expression further.
  virtual unsigned factCount() const { return 0; }
  virtual unsigned lastFactOn(Expr expr) { return 0; }

private:
  std::optional<Expr> simplifyAtom(const Atom &atom);
  Expr simplifyFloorDiv(Expr lhs, Expr rhs);
  Expr simplifyMod(Expr lhs, Expr rhs);
  Expr simplifyExtremum(Atom::Kind kind, Expr lhs, Expr rhs);
  Expr decidePoints(Expr expr);
  Expr reduceByDivisors(Expr lhs, int64_t k);
  bool isNonZero(Expr expr);
  /// 0 <= expr < limit.
  bool isWithin(Expr expr, Expr limit);

  struct Known {
    Expr result;
    unsigned factCount = 0;
  };
  llvm::DenseMap<const void *, Known> memo;
};

/// Answers by intervals alone.
class IntervalSimplifier : public Simplifier {
public:
  explicit IntervalSimplifier(Bounder &bounder) : bounder(bounder) {}
  using Simplifier::forget;

protected:
  Interval bounds(Expr expr) override { return bounder.bounds(expr); }
  bool isAtLeast(Expr lhs, Expr rhs) override {
    return bounder.bounds(lhs - rhs).min >= 0;
  }

private:
  Bounder &bounder;
};

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_SIMPLIFIER_H
