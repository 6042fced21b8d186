// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A few points of a domain. Most conditions that cannot be proven have a
// counterexample among them, which saves the attempt at a proof.

#ifndef AMBIT_LIB_SYMBOLIC_SAMPLES_H
#define AMBIT_LIB_SYMBOLIC_SAMPLES_H

#include "View.h"

namespace ambit::detail {

class Samples {
public:
  Samples(const Domain &domain, const View &view);

  struct Seen {
    bool isTrue = false, isFalse = false;
  };
  /// Whether the constraint, over the view's symbols, is true and is false at
  /// some of the points.
  Seen evaluate(const Constraint &constraint);
  /// The same for all points of the box, when there are few; the facts are
  /// not looked at. Nothing when there are many, or where there is no value.
  std::optional<Seen> evaluateAll(const Constraint &constraint) const;
  /// True if some point satisfies none of the relations.
  bool hasCounterexample(const Condition &condition);

private:
  using Point = std::map<std::string, int64_t>;
  int64_t pick(const std::string &symbol, unsigned round) const;
  bool isInside(const Domain &domain, const Point &point) const;
  /// Gives every point a value of the symbols that it lacks.
  void extend(Expr expr);

  const View &view;
  std::set<std::string> known;
  /// The points, each with the round that chose its values.
  std::vector<std::pair<Point, unsigned>> points;
};

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_SAMPLES_H
