// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs by refutation: shows that no valuation of a view satisfies given
// constraints. Gives up, deterministically, after a fixed number of steps.

#ifndef AMBIT_LIB_SYMBOLIC_REFUTER_H
#define AMBIT_LIB_SYMBOLIC_REFUTER_H

#include "View.h"
#include "ambit/Symbolic/Prover.h"

namespace ambit::detail {

/// The facts of a view by the symbols that they mention.
class FactLookup {
public:
  explicit FactLookup(const View &view) : view(view) {}

  struct Found {
    llvm::SmallVector<unsigned> constraints, disjunctions;
  };
  /// The facts that mention the symbols, then those that share a symbol with
  /// one of these, and so on to a limit: facts that are near come first.
  Found near(const std::set<std::string> &symbols);

private:
  using Index = std::map<std::string, llvm::SmallVector<unsigned, 4>>;
  void update();

  const View &view;
  Index constraints, disjunctions;
  unsigned constraintCount = 0, disjunctionCount = 0, removals = 0;
};

class Refuter {
public:
  Refuter(const View &view, ProofBudget &budget, bool wantsCandidate = false);

  /// True if no valuation of the view satisfies all constraints and, of each
  /// list, one alternative. All are over the view's symbols.
  bool isEmpty(llvm::ArrayRef<Constraint> constraints,
               llvm::ArrayRef<Alternatives> disjunctions = {});
  /// After an isEmpty that returned false, if candidates are wanted: values of
  /// the view's symbols that may satisfy everything, to be checked by the
  /// caller.
  const std::optional<std::map<std::string, int64_t>> &candidate() const {
    return witness;
  }
  /// An interval of the expression by linear optimisation over the facts.
  Interval optimize(Expr expr);

private:
  struct Branch {
    Box box;
    llvm::SmallVector<Constraint> constraints;
    llvm::SmallVector<Alternatives> goals, facts;
    /// Eliminated symbols, in order; a value mentions later symbols only.
    llvm::SmallVector<std::pair<std::string, Expr>> bindings;

    void rewrite(llvm::function_ref<Expr(Expr)> rewriter);
  };

  Branch makeBranch(llvm::ArrayRef<Constraint> constraints,
                    llvm::ArrayRef<Alternatives> disjunctions);
  void begin();
  uint64_t work() const;
  bool refute(Branch branch);
  bool refuteAlternatives(const Branch &branch,
                          const Alternatives &alternatives);
  bool refuteExtremum(const Branch &branch, const Atom &atom);
  bool refuteLinear(const Branch &branch);
  static bool isContradictory(Branch &branch);
  static bool eliminateEquality(Branch &branch);

  const View &view;
  ProofBudget &budget;
  bool wantsCandidate;
  FactLookup lookup{view};
  std::optional<std::map<std::string, int64_t>> witness;
  unsigned branchBudget = 0, linearBudget = 0;
  uint64_t start = 0, linearWork = 0, workLimit = 0;
};

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_REFUTER_H
