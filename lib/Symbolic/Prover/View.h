// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A domain prepared for proofs: symbols that are one point, a multiple of
// something or equal to something else are substituted away, facts are split
// into constraints and alternatives.

#ifndef AMBIT_LIB_SYMBOLIC_VIEW_H
#define AMBIT_LIB_SYMBOLIC_VIEW_H

#include "Bounds.h"
#include "Simplifier.h"

namespace ambit::detail {

using Alternatives = llvm::SmallVector<Constraint, 2>;

/// The relation, or its negation, as a disjunction of constraints.
Alternatives asConstraints(const Relation &relation);
Relation negate(Relation relation);

/// True for a symbol of a view that stands for symbol/divisor of a symbol of
/// the domain. No name that can be written starts so.
inline bool isMultiple(llvm::StringRef symbol) {
  return symbol.starts_with("\1");
}

/// Solves difference == 0 for a symbol that occurs just once, linearly and with
/// a unit coefficient; the last one, so that it gives way to earlier ones.
std::optional<std::pair<std::string, Expr>> solveForSymbol(Expr difference);

class View {
public:
  explicit View(const Domain &domain);

  /// Take up one more fact of the domain, or one more symbol that no fact
  /// mentions. False when that changes what symbols stand for: the view then
  /// has to be made anew.
  [[nodiscard]] bool add(const Condition &fact);
  [[nodiscard]] bool add(llvm::StringRef symbol, SymbolRange range);
  /// Changes whenever a constraint or list of alternatives has been removed.
  unsigned removals() const { return removalCount; }
  /// Changes whenever a symbol has been replaced by others.
  unsigned bindings() const { return bindingCount; }
  /// The symbols whose images the last of these replacements has changed.
  const std::set<std::string> &rebound() const { return reboundSymbols; }
  /// The symbols whose images mention a symbol of the view; a symbol without an
  /// image of its own is not listed.
  const std::set<std::string> &dependents(const std::string &symbol) const;
  /// The first symbol of the domain that has this image.
  std::optional<std::string> nameOf(Expr image) const;

  /// The expression over the view's own symbols, simplified by intervals.
  Expr normalise(Expr expr);
  Constraint normalise(const Constraint &constraint) {
    return {normalise(constraint.expr), constraint.isEquality};
  }
  /// What a symbol of the domain was replaced by; the symbol itself if by
  /// nothing.
  Expr image(llvm::StringRef symbol) const;
  const std::map<std::string, Expr> &images() const { return substitution; }
  /// The declared divisor of a symbol, with divisibility facts worked in.
  int64_t divisorOf(llvm::StringRef symbol) const;

  Box box;
  Bounder bounder{box};
  llvm::SmallVector<Constraint> constraints;
  llvm::SmallVector<Alternatives> disjunctions;
  /// True if the domain was seen to have no valuation at all.
  bool isEmpty = false;

private:
  void propagateUnits();
  void bindRange(const std::string &symbol, SymbolRange range);
  void addFacts(llvm::ArrayRef<Condition> facts);
  std::optional<Alternatives> readAlternatives(const Condition &fact) const;
  Expr dropPositiveFactors(Expr expr) const;
  void addConstraint(const Constraint &constraint);
  void dropOversized();
  bool bindSymbol(Expr difference);
  void bind(const std::string &symbol, Expr value);
  void setImage(const std::string &symbol, Expr image);
  bool isWithin(Expr value, Interval interval);

  std::map<std::string, Expr> substitution;
  /// The substitution by what its images mention, and by image.
  std::map<std::string, std::set<std::string>> mentioned;
  llvm::DenseMap<const void *, std::set<std::string>> byImage;
  std::set<std::string> reboundSymbols;
  IntervalSimplifier simplifier{bounder};
  std::map<std::string, int64_t> divisors;
  unsigned removalCount = 0, bindingCount = 0;
};

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_VIEW_H
