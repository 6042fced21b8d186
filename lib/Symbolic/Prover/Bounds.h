// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval arithmetic over expressions: the first and cheapest proof method.

#ifndef AMBIT_LIB_SYMBOLIC_BOUNDS_H
#define AMBIT_LIB_SYMBOLIC_BOUNDS_H

#include "../Node.h"
#include "ambit/Symbolic/Domain.h"
#include "llvm/ADT/DenseMap.h"

namespace ambit::detail {

/// expr >= 0, or expr == 0.
struct Constraint {
  Expr expr;
  bool isEquality = false;
};

/// Intervals of symbols; one that is missing is a size, 0 <= s.
class Box {
public:
  Box() = default;
  /// What is not set here is as in `outer`, which must outlive this box.
  explicit Box(const Box *outer) : outer(outer) {}
  Interval operator[](const std::string &symbol) const {
    for (const Box *box = this; box; box = box->outer)
      if (auto found = box->intervals.find(symbol);
          found != box->intervals.end())
        return found->second;
    return isElementName(symbol) ? Interval{} : Interval{0, Interval::kMax};
  }
  void set(const std::string &symbol, Interval interval) {
    intervals[symbol] = interval;
    ++changes;
  }
  /// How often an interval was set.
  unsigned changeCount() const { return changes; }
  /// Shrinks the intervals of symbols that occur linearly in the constraints,
  /// or have few values left. Returns false when one becomes empty: no
  /// valuation satisfies them.
  bool tighten(llvm::ArrayRef<Constraint> constraints);

private:
  bool tightenOnce(const Constraint &constraint, bool &changed);
  bool tightenSymbol(const std::string &symbol, int64_t coefficient,
                     Interval rest, bool isEquality, bool &changed);

  const Box *outer = nullptr;
  std::map<std::string, Interval> intervals;
  unsigned changes = 0;
};

Interval intersect(Interval lhs, Interval rhs);

enum class Verdict { False, Open, True };

/// Computes and remembers intervals over one box.
class Bounder {
public:
  explicit Bounder(const Box &box) : box(box) {}
  /// To be called when the box has changed.
  void forget() { memo.clear(); }
  Interval bounds(Expr expr);
  Interval bounds(llvm::ArrayRef<const Atom *> factors);

  /// Decides a constraint by its interval and, for equalities, the gcd test.
  Verdict decide(const Constraint &constraint);

private:
  Interval boundsOfAtom(const Atom &atom);
  Interval boundsOfTerms(Expr expr);
  Interval relaxFloorDivs(Expr expr);
  Interval splitExtremum(Expr expr);

  const Box &box;
  /// Keyed by the depth too: a deeper call refines less.
  llvm::DenseMap<std::pair<const void *, unsigned>, Interval> memo;
  unsigned depth = 0;
};

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_BOUNDS_H
