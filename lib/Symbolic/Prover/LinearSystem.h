// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomial constraints as an integer polyhedron: every distinct monomial is a
// column, and what is known about it (its interval, the definition of floordiv
// and mod, products of two bounds) becomes rows.

#ifndef AMBIT_LIB_SYMBOLIC_LINEARSYSTEM_H
#define AMBIT_LIB_SYMBOLIC_LINEARSYSTEM_H

#include "Bounds.h"
#include "llvm/ADT/DenseSet.h"

namespace ambit::detail {

/// Sum of coefficient * column plus the constant: >= 0, or == 0.
struct LinearRow {
  llvm::SmallVector<std::pair<unsigned, int64_t>> entries;
  int64_t constant = 0;
  bool isEquality = false;
};

class LinearSystem {
public:
  explicit LinearSystem(const Box &box) : bounder(box) {}

  void add(const Constraint &constraint);
  /// Adds what is known about the monomials seen so far. Once, after `add`.
  void defineMonomials();
  /// The work that a question takes, in steps.
  uint64_t cost() const { return uint64_t(rows.size()) * monomials.size(); }
  /// True if no integer point satisfies the constraints. False says nothing.
  bool isEmpty() const;
  /// Values of the symbols at one integer point of the polyhedron. It may lie
  /// outside of the non-linear set that the polyhedron stands for.
  std::optional<std::map<std::string, int64_t>> sample() const;
  /// An interval that contains the expression. Instead of `defineMonomials`.
  Interval optimize(Expr expr);

private:
  unsigned column(llvm::ArrayRef<const Atom *> factors);
  bool hasColumns(Expr expr) const;
  std::optional<LinearRow> makeRow(Expr expr, bool isEquality);
  void addRow(Expr expr, bool isEquality = false);
  void defineInterval(Expr monomial);
  void defineAtom(const Atom &atom, Expr factor);
  void defineProduct(llvm::ArrayRef<const Atom *> factors);
  void multiplyConstraints();

  Bounder bounder;
  /// Column -> monomial, with coefficient 1.
  std::vector<Expr> monomials;
  llvm::DenseMap<const void *, unsigned> columns;
  std::vector<LinearRow> rows;
  llvm::DenseSet<std::pair<const void *, unsigned>> seen;
  std::vector<Constraint> given;
};

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_LINEARSYSTEM_H
