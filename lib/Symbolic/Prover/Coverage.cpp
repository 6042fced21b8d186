// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a union of domains cover another one? The parts are cut out of the whole
// one after the other; what a part leaves of a region is again a list of
// regions, each a domain. A region that outlives all parts is a gap, if it has
// a point.

#include "Refuter.h"
#include "Samples.h"

using namespace ambit;
using namespace ambit::detail;

namespace {

using Point = std::map<std::string, int64_t>;

constexpr unsigned kMaxRegions = 50000;
constexpr unsigned kMaxGaps = 500;
/// A proof that there is no point is looked for only where no few samples are.
constexpr unsigned kSampleRounds = 8;

class GapSearch {
public:
  GapSearch(const Domain &whole, llvm::ArrayRef<Domain> parts);

  /// True if a point of the region outside of parts[first..] was found.
  bool search(const Domain &region, size_t first);
  std::optional<Point> gap;
  bool isDecided = true;

private:
  bool isUsable(const Domain &part) const;
  bool cut(Domain region, const Domain &part, size_t next);
  bool cutSymbol(Domain &region, const std::string &symbol, SymbolRange part,
                 size_t next);
  bool cutDivisor(Domain &region, const std::string &symbol, SymbolRange range,
                  int64_t divisor, size_t next);
  bool cutFact(Domain &region, const Condition &fact, size_t next);
  bool findPoint(const Domain &region);
  bool accept(const Point &point);

  const Domain &whole;
  llvm::ArrayRef<Domain> parts;
  std::vector<bool> usable;
  std::set<std::string> symbols;
  unsigned regionBudget = kMaxRegions, gapBudget = kMaxGaps;
  ProofBudget budget;
};

} // namespace

static void collect(const Domain &domain, std::set<std::string> &symbols) {
  for (const auto &[symbol, range] : domain.ranges())
    symbols.insert(symbol);
  for (const Condition &fact : domain.assumptions())
    for (const Relation &relation : fact.anyOf) {
      relation.lhs.collectSymbols(symbols);
      relation.rhs.collectSymbols(symbols);
    }
}

/// Rounds the bounds inwards to multiples of the divisor. False if nothing is
/// left.
static bool normalise(SymbolRange &range) {
  range.divisor = std::max<int64_t>(range.divisor, 1);
  if (range.min != Interval::kMin) {
    int64_t offset = *checkedMod(range.min, range.divisor);
    if (offset != 0) {
      std::optional<int64_t> up = checkedAdd(range.min, range.divisor - offset);
      if (!up)
        return false;
      range.min = *up;
    }
  }
  if (range.max != Interval::kMax)
    if (std::optional<int64_t> down =
            checkedAdd(range.max, -*checkedMod(range.max, range.divisor)))
      range.max = *down;
  return range.min <= range.max;
}

GapSearch::GapSearch(const Domain &whole, llvm::ArrayRef<Domain> parts)
    : whole(whole), parts(parts) {
  collect(whole, symbols);
  for (const Domain &part : parts)
    collect(part, symbols);
  for (const Domain &part : parts)
    usable.push_back(isUsable(part));
}

static bool isDefined(Expr expr, Prover &prover) {
  for (const Term &term : expr.terms())
    for (const Atom *factor : term.factors) {
      if (factor->kind == Atom::Kind::Symbol)
        continue;
      if (!isDefined(factor->lhs, prover) || !isDefined(factor->rhs, prover))
        return false;
      bool divides = factor->kind == Atom::Kind::FloorDiv ||
                     factor->kind == Atom::Kind::Mod;
      if (divides && !prover.isAtLeast(factor->rhs, 1) &&
          !prover.isAtLeast(-1, factor->rhs))
        return false;
    }
  return expr.isValid();
}

/// Cutting by a fact assumes that the fact or its negation holds. Where it may
/// be undefined, the part is taken to cover nothing.
bool GapSearch::isUsable(const Domain &part) const {
  if (part.assumptions().empty())
    return true;
  Domain ranges;
  for (const std::string &symbol : symbols)
    ranges.setRange(symbol, whole.range(symbol));
  Prover prover(ranges);
  for (const Condition &fact : part.assumptions())
    for (const Relation &relation : fact.anyOf)
      if (!isDefined(relation.lhs, prover) || !isDefined(relation.rhs, prover))
        return false;
  return true;
}

bool GapSearch::accept(const Point &point) {
  if (!whole.contains(point) || llvm::any_of(parts, [&](const Domain &part) {
        return part.contains(point);
      }))
    return false;
  gap = point;
  return true;
}

/// Looks for a point of a region that no part touches any more.
bool GapSearch::findPoint(const Domain &region) {
  if (gapBudget == 0) {
    isDecided = false;
    return false;
  }
  --gapBudget;
  Point low, high;
  for (const std::string &symbol : symbols) {
    SymbolRange range = region.range(symbol);
    if (!normalise(range))
      return false;
    int64_t fallback = range.max == Interval::kMax ? 0 : range.max;
    low[symbol] = range.min == Interval::kMin ? fallback : range.min;
    high[symbol] = range.max == Interval::kMax ? low[symbol] : range.max;
  }
  if (accept(low) || accept(high))
    return true;
  View view(region);
  for (Point &point : Samples(region, view, kSampleRounds).valuations()) {
    for (const std::string &symbol : symbols)
      point.insert({symbol, low[symbol]});
    if (accept(point))
      return true;
  }
  Refuter refuter(view, budget, /*wantsCandidate=*/true);
  if (refuter.isEmpty({}))
    return false;
  if (refuter.candidate()) {
    Point inner = *refuter.candidate(), point;
    for (const std::string &symbol : symbols) {
      Expr image = view.image(symbol);
      std::set<std::string> mentioned;
      image.collectSymbols(mentioned);
      for (const std::string &name : mentioned)
        inner.insert({name, std::max<int64_t>(view.box[name].min, -1)});
      point[symbol] = image.evaluate(inner).value_or(0);
    }
    if (accept(point))
      return true;
  }
  isDecided = false;
  return false;
}

bool GapSearch::cutDivisor(Domain &region, const std::string &symbol,
                           SymbolRange range, int64_t divisor, size_t next) {
  if (range.divisor % divisor == 0)
    return false;
  Domain indivisible = region;
  indivisible.assume(Relation{
      Relation::Kind::NE, Expr::mod(Expr::symbol(symbol), divisor), Expr()});
  if (search(indivisible, next))
    return true;
  std::optional<int64_t> multiple =
      checkedMul(range.divisor / gcd(range.divisor, divisor), divisor);
  // A multiple past 64 bits leaves only 0; do not bother.
  if (!multiple) {
    isDecided = false;
    range.min = 1;
    range.max = 0;
  } else {
    range.divisor = *multiple;
  }
  region.setRange(symbol, range);
  return false;
}

/// Searches what the part leaves on both sides of its range, and shrinks the
/// region to the range.
bool GapSearch::cutSymbol(Domain &region, const std::string &symbol,
                          SymbolRange part, size_t next) {
  SymbolRange range = region.range(symbol);
  normalise(part);
  if (part.min > range.min) {
    Domain below = region;
    SymbolRange rest = range;
    rest.max = std::min(rest.max, part.min - 1);
    below.setRange(symbol, rest);
    if (search(below, next))
      return true;
    range.min = part.min;
  }
  if (part.max < range.max) {
    Domain above = region;
    SymbolRange rest = range;
    rest.min = std::max(rest.min, part.max + 1);
    above.setRange(symbol, rest);
    if (search(above, next))
      return true;
    range.max = part.max;
  }
  region.setRange(symbol, range);
  return cutDivisor(region, symbol, range, part.divisor, next);
}

bool GapSearch::cutFact(Domain &region, const Condition &fact, size_t next) {
  Domain outside = region;
  for (const Relation &relation : fact.anyOf)
    outside.assume(negate(relation));
  if (search(outside, next))
    return true;
  region.assume(fact);
  return false;
}

bool GapSearch::cut(Domain region, const Domain &part, size_t next) {
  for (const std::string &symbol : symbols) {
    if (cutSymbol(region, symbol, part.range(symbol), next))
      return true;
    SymbolRange range = region.range(symbol);
    if (!normalise(range))
      return false;
  }
  for (const Condition &fact : part.assumptions())
    if (cutFact(region, fact, next))
      return true;
  return false;
}

static bool areDisjoint(const Domain &region, const Domain &part,
                        const std::set<std::string> &symbols) {
  return llvm::any_of(symbols, [&](const std::string &symbol) {
    SymbolRange lhs = region.range(symbol), rhs = part.range(symbol);
    return !normalise(rhs) || lhs.max < rhs.min || rhs.max < lhs.min;
  });
}

bool GapSearch::search(const Domain &region, size_t first) {
  if (regionBudget == 0) {
    isDecided = false;
    return false;
  }
  --regionBudget;
  for (const std::string &symbol : symbols) {
    SymbolRange range = region.range(symbol);
    if (!normalise(range))
      return false;
  }
  while (first < parts.size() &&
         (!usable[first] || areDisjoint(region, parts[first], symbols)))
    ++first;
  if (first == parts.size())
    return findPoint(region);
  return cut(region, parts[first], first + 1);
}

std::optional<std::map<std::string, int64_t>>
ambit::findUncovered(const Domain &whole, llvm::ArrayRef<Domain> parts,
                     bool &decided) {
  GapSearch gaps(whole, parts);
  gaps.search(whole, 0);
  decided = gaps.gap || gaps.isDecided;
  return gaps.gap;
}
