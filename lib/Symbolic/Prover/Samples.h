// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A few points of a domain. Most conditions that cannot be proven have a
// counterexample among them, which saves the attempt at a proof.

#ifndef AMBIT_LIB_SYMBOLIC_SAMPLES_H
#define AMBIT_LIB_SYMBOLIC_SAMPLES_H

#include "View.h"

namespace ambit::detail {

class Samples {
public:
  using Point = std::map<std::string, int64_t>;
  /// How often a point is looked for.
  static constexpr unsigned kMaxRounds = 60;

  /// Both must outlive this.
  Samples(const Domain &domain, const View &view,
          unsigned maxRounds = kMaxRounds);

  /// To be called when the domain has one more fact: points that break it are
  /// moved or dropped.
  void add(const Condition &fact);
  size_t size() const { return points.size(); }
  /// The points, as values of the domain's symbols.
  std::vector<Point> valuations() const;
  /// Gives every point a value of the symbols that it lacks.
  void extend(Expr expr);
  /// Whether two points give the expression different values.
  bool isVarying(Expr expr);

  struct Seen {
    bool isTrue = false, isFalse = false;
  };
  /// Whether the constraint, over the view's symbols, is true and is false at
  /// some of the points.
  Seen evaluate(const Constraint &constraint);
  /// The same for all points of the box, when there are few; the facts are
  /// not looked at. Nothing when there are many, or where there is no value.
  std::optional<Seen> evaluateAll(const Constraint &constraint) const;
  /// True if the condition, over the view's symbols, is `truth` at some point.
  bool isSomewhere(const Condition &condition, bool truth);

private:
  std::optional<Point> valuation(const Point &point) const;
  int64_t pick(const std::string &symbol, unsigned round) const;
  bool isInside(const Point &point) const;
  /// What a point gives a symbol of the domain.
  std::optional<int64_t> valueOf(const std::string &symbol,
                                 const Point &point) const;
  bool holdsAt(const Condition &fact, const std::set<std::string> &symbols,
               const Point &point) const;
  /// Whether a point inside of the domain still is, after these symbols of the
  /// domain got other values: the facts about others need no look.
  bool staysInside(const Point &point,
                   const std::set<std::string> &changed) const;
  bool findNear(const Constraint &constraint,
                llvm::function_ref<bool(const Point &)> isWanted);

  /// A symbol of the view that got another value in a point.
  struct Move {
    std::string symbol;
    int64_t old;
  };
  /// The move that made something hold: none if it held before, nothing if no
  /// move does.
  using Moved = std::optional<std::optional<Move>>;
  Moved satisfy(Point &point, const Constraint &constraint) const;
  Moved satisfy(Point &point, llvm::ArrayRef<Constraint> alternatives,
                unsigned first) const;
  std::set<std::string> changedBy(const Move &move) const;
  void indexFact(unsigned number);
  void repair(Point &point, unsigned round) const;

  const Domain &domain;
  const View &view;
  unsigned bindings = view.bindings();
  std::set<std::string> known;
  /// The facts that mention a symbol, by their numbers.
  std::map<std::string, llvm::SmallVector<unsigned, 2>> factsOn;
  /// The points, each with the round that chose its values.
  std::vector<std::pair<Point, unsigned>> points;
};

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_SAMPLES_H
