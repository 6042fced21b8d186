// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An odometer over the points of a box, and the hull of solutions.

#include "Enumerate.h"

using namespace ambit;
using namespace ambit::detail;

static constexpr uint64_t kMaxTried = 600;

bool detail::forEachPoint(
    const Box &box, Expr expr, uint64_t limit,
    llvm::function_ref<bool(const std::map<std::string, int64_t> &)> visit) {
  std::set<std::string> symbols;
  expr.collectSymbols(symbols);
  uint64_t count = 1;
  std::map<std::string, int64_t> point;
  for (const std::string &symbol : symbols) {
    Interval interval = box[symbol];
    uint64_t width = uint64_t(interval.max) - uint64_t(interval.min);
    if (interval.min > interval.max || width >= limit ||
        (count *= width + 1) > limit)
      return false;
    point[symbol] = interval.min;
  }
  while (count-- > 0 && visit(point))
    for (auto &[symbol, digit] : point) {
      if (digit++ < box[symbol].max)
        break;
      digit = box[symbol].min;
    }
  return true;
}

static bool hasProduct(Expr expr) {
  return llvm::any_of(expr.terms(), [](const Term &term) {
    return term.factors.size() > 1 ||
           llvm::any_of(term.factors, [](const Atom *factor) {
             return factor->kind != Atom::Kind::Symbol &&
                    (hasProduct(factor->lhs) || hasProduct(factor->rhs));
           });
  });
}

bool detail::shrinkToSolutions(Box &box, const Constraint &constraint,
                               bool &changed) {
  if (!constraint.expr.isValid() || !hasProduct(constraint.expr))
    return true;
  std::map<std::string, Interval> hull;
  bool hasSolution = false;
  bool isTried = forEachPoint(
      box, constraint.expr, kMaxTried,
      [&](const std::map<std::string, int64_t> &point) {
        std::optional<int64_t> value = constraint.expr.evaluate(point);
        if (value && (constraint.isEquality ? *value != 0 : *value < 0))
          return true;
        hasSolution = true;
        for (const auto &[symbol, digit] : point) {
          Interval &interval =
              hull.insert({symbol, {digit, digit}}).first->second;
          interval.min = std::min(interval.min, digit);
          interval.max = std::max(interval.max, digit);
        }
        return true;
      });
  if (!isTried)
    return true;
  for (const auto &[symbol, interval] : hull) {
    changed |= !(box[symbol] == interval);
    box.set(symbol, interval);
  }
  return hasSolution;
}
