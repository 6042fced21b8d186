// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs over a domain that may grow by symbols and shrink by facts.

#ifndef AMBIT_SYMBOLIC_PROVER_H
#define AMBIT_SYMBOLIC_PROVER_H

#include "ambit/Symbolic/Domain.h"
#include <memory>
#include <vector>

namespace ambit {

/// How much work proofs may still be, in steps: a model with many symbols that
/// are hard to tell apart gets guards instead of proofs once it is used up.
/// Provers of one model share it.
class ProofBudget {
public:
  /// Several times what the hardest of real models need.
  ProofBudget();
  explicit ProofBudget(uint64_t steps) : left(steps) {}
  /// False, and nothing is left, when that many steps are not.
  bool spend(uint64_t steps) {
    bool isEnough = steps <= left;
    left = isEnough ? left - steps : 0;
    return isEnough;
  }
  bool isSpent() const { return left == 0; }
  uint64_t remaining() const { return left; }

private:
  uint64_t left;
};

/// Decides conditions over a domain: interval of the difference, then
/// congruence, then Presburger arithmetic with products as bounded atoms. Yes
/// means: holds for every valuation in the domain for which both sides have a
/// value (no division by zero); No: for none; Unknown is always a permitted
/// answer. Effort is bounded in steps, not in time, so answers are
/// reproducible. Answers are memoised. Not thread-safe.
///
/// With unbacked symbols, a question is decided by what is known when the last
/// symbol that it mentions is set: code that runs earlier must not rely on what
/// is checked later.
class Prover {
public:
  explicit Prover(Domain domain, std::shared_ptr<ProofBudget> budget = {});
  /// A prover over a part of what `whole` is over, which is asked first, since
  /// what holds there holds here. It must outlive this one.
  Prover(Prover &whole, Domain part);
  ~Prover();
  Prover(Prover &&);
  Prover &operator=(Prover &&);

  const Domain &domain() const;
  const std::shared_ptr<ProofBudget> &budget() const { return steps; }
  /// Adds a fact. What was decided stays so; what connected facts may help to
  /// decide is asked again when next asked.
  void assume(const Condition &fact);
  /// Adds a symbol that no fact mentions.
  void addSymbol(llvm::StringRef symbol, SymbolRange range);
  /// Adds one that a run sets after those that were added before.
  void addUnbacked(llvm::StringRef symbol, SymbolRange range);

  Truth prove(const Relation &relation);
  Truth prove(const Condition &condition);
  /// Whether a point of the domain is known where the condition holds: it will
  /// not be found to hold never.
  bool hasExample(const Condition &condition);
  bool isEqual(Expr lhs, Expr rhs) {
    return prove(Relation{Relation::Kind::EQ, lhs, rhs}) == Truth::Yes;
  }
  bool isAtLeast(Expr lhs, Expr rhs) {
    return prove(Relation{Relation::Kind::GE, lhs, rhs}) == Truth::Yes;
  }
  /// An interval that contains every value of the expression on the domain.
  Interval bounds(Expr expr);
  /// An equal (on the domain) and never larger expression: min/max with a
  /// decided winner, mod and floordiv decided by range or divisibility, symbols
  /// whose range is one point.
  Expr simplify(Expr expr);

private:
  struct State;
  State &stateFor(llvm::ArrayRef<Expr> exprs);

  /// By address, so that moving the prover moves nothing that refers to it.
  std::unique_ptr<Domain> whole;
  Prover *base = nullptr;
  /// Whether this domain is all of the base's: then nothing is asked here.
  bool isAll = false;
  std::shared_ptr<ProofBudget> steps;
  /// By level; made when first asked.
  std::vector<std::unique_ptr<State>> states;
};

/// An equal (on the prover's domain) condition that is easier to read:
/// alternatives that never hold or add nothing are gone, relations are solved
/// ("floordiv(n + 1, 2) >= 2" is "n >= 3", "min(512, n) == n" is "n <= 512"). A
/// condition that is proven, or may divide by zero, comes back as it is.
Condition simplify(const Condition &condition, Prover &prover);

} // namespace ambit

#endif // AMBIT_SYMBOLIC_PROVER_H
