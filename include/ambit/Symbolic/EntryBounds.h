// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be said at entry of expressions over sizes that a run sets later.

#ifndef AMBIT_SYMBOLIC_ENTRYBOUNDS_H
#define AMBIT_SYMBOLIC_ENTRYBOUNDS_H

#include "ambit/Symbolic/Prover.h"

namespace ambit {

/// Bounds an expression by expressions without unbacked symbols. An unbacked
/// symbol is at most its range's maximum and every E of a fact `symbol <= E` in
/// which only symbols that are set earlier occur.
class EntryBounds {
public:
  explicit EntryBounds(const Domain &domain);

  /// Adds a symbol that lies in 0..`last`, such as the number of a loop's trip.
  /// `last` may mention symbols that were added before.
  void add(const std::string &symbol, Expr last);

  /// An expression that is never less, wherever the domain's facts hold;
  /// nothing when none is found. Expressions without unbacked symbols come back
  /// as they are.
  std::optional<Expr> above(Expr expr) { return bound(expr, true); }
  /// The same for a size, which is not negative where the facts hold: the bound
  /// is not negative whether they hold or not.
  std::optional<Expr> aboveSize(Expr size);
  /// The same as `above` for one that is never greater.
  std::optional<Expr> below(Expr expr) { return bound(expr, false); }

private:
  struct Bound {
    Expr low;
    std::optional<Expr> high;
  };
  std::optional<Expr> bound(Expr expr, bool wantsHigh);
  std::optional<Expr> bound(const Term &term, bool wantsHigh);
  std::optional<Expr> bound(const Atom &atom, bool wantsHigh);
  bool isEntry(Expr expr) const;
  bool isSize(std::optional<Expr> expr) {
    return expr && entry.isAtLeast(*expr, 0);
  }

  Prover entry;
  std::map<std::string, Bound> bounds;
};

} // namespace ambit

#endif // AMBIT_SYMBOLIC_ENTRYBOUNDS_H
