// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses sample points from a hash of the symbol's name, so that answers do
// not depend on anything but the question, and moves them to where facts hold.

#include "Samples.h"
#include "Enumerate.h"
#include <utility>

using namespace ambit;
using namespace ambit::detail;

static constexpr unsigned kMaxPoints = 10;
static constexpr unsigned kRoundOfOnes = 2;
static constexpr unsigned kMaxRepairs = 2;
/// From this many points others are looked for.
static constexpr size_t kMaxMoved = 4;
static constexpr uint64_t kMaxEnumerated = 600;

static uint64_t mix(llvm::StringRef text, uint64_t seed) {
  // FNV-1a, then a finaliser that spreads the low bits.
  uint64_t hash = 0xcbf29ce484222325ull ^ (seed * 0x9e3779b97f4a7c15ull);
  for (char c : text)
    hash = (hash ^ uint8_t(c)) * 0x100000001b3ull;
  hash ^= hash >> 31;
  hash *= 0x94d049bb133111ebull;
  return hash ^ (hash >> 29);
}

int64_t Samples::pick(const std::string &symbol, unsigned round) const {
  Interval interval = view.box[symbol];
  if (interval.min == Interval::kMin)
    interval.min = interval.max == Interval::kMax
                       ? -8
                       : std::max(interval.max, Interval::kMin + 16) - 16;
  if (round == 0 || interval.min >= interval.max)
    return interval.min;
  // Sizes of 1 are special where sizes broadcast.
  if (round == kRoundOfOnes && interval.min <= 1 && interval.max >= 1)
    return 1;
  uint64_t width = uint64_t(interval.max) - uint64_t(interval.min);
  if (round == 1 && width < 100000)
    return interval.max;
  static const uint64_t spans[] = {1, 2, 7, 40, 1000, 30};
  uint64_t span = std::min(width, spans[round % 6]);
  return int64_t(uint64_t(interval.min) + mix(symbol, round) % (span + 1));
}

std::optional<Samples::Point> Samples::valuation(const Point &point) const {
  Point values;
  for (const std::string &symbol : known)
    if (!isMultiple(symbol))
      values[symbol] = point.at(symbol);
  for (const auto &[symbol, image] : view.images()) {
    if (isMultiple(symbol))
      continue;
    std::optional<int64_t> value = image.evaluate(point);
    if (!value)
      return std::nullopt;
    values[symbol] = *value;
  }
  return values;
}

bool Samples::isInside(const Point &point) const {
  std::optional<Point> values = valuation(point);
  return values && domain.contains(*values);
}

std::optional<int64_t> Samples::valueOf(const std::string &symbol,
                                        const Point &point) const {
  auto image = view.images().find(symbol);
  if (image != view.images().end())
    return image->second.evaluate(point);
  auto value = point.find(symbol);
  return value == point.end() ? std::nullopt : std::optional(value->second);
}

static bool isIn(const SymbolRange &range, int64_t value) {
  return value >= range.min && value <= range.max &&
         (range.divisor <= 1 || value % range.divisor == 0);
}

bool Samples::staysInside(const Point &point,
                          const std::set<std::string> &changed) const {
  std::set<unsigned> facts;
  for (const std::string &symbol : changed) {
    if (isMultiple(symbol))
      continue;
    std::optional<int64_t> value = valueOf(symbol, point);
    if (!value || !isIn(domain.range(symbol), *value))
      return false;
    if (auto found = factsOn.find(symbol); found != factsOn.end())
      facts.insert(found->second.begin(), found->second.end());
  }
  return llvm::all_of(facts, [&](unsigned number) {
    const Condition &fact = domain.assumptions()[number];
    std::set<std::string> symbols;
    fact.collectSymbols(symbols);
    return holdsAt(fact, symbols, point);
  });
}

bool Samples::holdsAt(const Condition &fact,
                      const std::set<std::string> &symbols,
                      const Point &point) const {
  Point values;
  for (const std::string &symbol : symbols)
    if (std::optional<int64_t> value = valueOf(symbol, point))
      values[symbol] = *value;
  return fact.evaluate(values) == true;
}

/// The symbols of the domain that a move gives other values.
std::set<std::string> Samples::changedBy(const Move &move) const {
  std::set<std::string> changed = view.dependents(move.symbol);
  if (!view.images().count(move.symbol))
    changed.insert(move.symbol);
  return changed;
}

void Samples::indexFact(unsigned number) {
  std::set<std::string> symbols;
  domain.assumptions()[number].collectSymbols(symbols);
  for (const std::string &symbol : symbols)
    factsOn[symbol].push_back(number);
}

std::vector<Samples::Point> Samples::valuations() const {
  std::vector<Point> all;
  for (const auto &[point, round] : points)
    if (std::optional<Point> values = valuation(point))
      all.push_back(*values);
  return all;
}

static std::optional<bool> holds(const Constraint &constraint,
                                 const std::map<std::string, int64_t> &point) {
  std::optional<int64_t> value = constraint.expr.evaluate(point);
  if (!value)
    return std::nullopt;
  return constraint.isEquality ? *value == 0 : *value >= 0;
}

/// Makes a constraint hold by moving one symbol that occurs linearly in it.
Samples::Moved Samples::satisfy(Point &point,
                                const Constraint &constraint) const {
  std::optional<int64_t> value = constraint.expr.evaluate(point);
  if (!value)
    return std::nullopt;
  if (constraint.isEquality ? *value == 0 : *value >= 0)
    return std::optional<Move>();
  for (const Term &term : llvm::reverse(constraint.expr.terms())) {
    if (term.factors.size() != 1 || term.factors[0]->kind != Atom::Kind::Symbol)
      continue;
    std::optional<int64_t> step = checkedFloorDiv(*value, term.coefficient);
    auto symbol = point.find(term.factors[0]->name);
    if (!step || symbol == point.end())
      continue;
    // An inequality is to hold: round towards where it does.
    if (!constraint.isEquality && term.coefficient < 0 &&
        *value % term.coefficient != 0)
      step = checkedAdd(*step, 1);
    int64_t next;
    if (!step || __builtin_sub_overflow(symbol->second, *step, &next))
      continue;
    Interval interval = view.box[symbol->first];
    if (next < interval.min || next > interval.max)
      continue;
    int64_t old = std::exchange(symbol->second, next);
    if (holds(constraint, point) == true)
      return Move{symbol->first, old};
    symbol->second = old;
  }
  return std::nullopt;
}

Samples::Moved Samples::satisfy(Point &point,
                                llvm::ArrayRef<Constraint> alternatives,
                                unsigned first) const {
  if (llvm::any_of(alternatives, [&](const Constraint &constraint) {
        return holds(constraint, point) == true;
      }))
    return std::optional<Move>();
  for (size_t index = 0; index < alternatives.size(); ++index)
    if (Moved moved =
            satisfy(point, alternatives[(first + index) % alternatives.size()]))
      return moved;
  return std::nullopt;
}

/// Moves symbols so that facts hold, one after the other; a later one may
/// break an earlier one.
void Samples::repair(Point &point, unsigned round) const {
  for (const Constraint &constraint : view.constraints)
    satisfy(point, constraint);
  for (const Alternatives &alternatives : view.disjunctions)
    satisfy(point, alternatives, round);
}

Samples::Samples(const Domain &domain, const View &view, unsigned maxRounds)
    : domain(domain), view(view) {
  for (const auto &[symbol, range] : domain.ranges())
    view.image(symbol).collectSymbols(known);
  std::set<std::string> mentioned;
  for (const Condition &fact : domain.assumptions())
    fact.collectSymbols(mentioned);
  for (const std::string &symbol : mentioned)
    view.image(symbol).collectSymbols(known);
  for (unsigned number = 0; number < domain.assumptions().size(); ++number)
    indexFact(number);
  for (unsigned round = 0; round < maxRounds && points.size() < kMaxPoints;
       ++round) {
    Point point;
    for (const std::string &symbol : known)
      point[symbol] = pick(symbol, round);
    for (unsigned repairs = 0; repairs <= kMaxRepairs; ++repairs) {
      if (isInside(point)) {
        points.push_back({std::move(point), round});
        break;
      }
      repair(point, round);
    }
  }
}

void Samples::add(const Condition &fact) {
  indexFact(domain.assumptions().size() - 1);
  // Symbols that were replaced have other values now.
  bool isRebound = std::exchange(bindings, view.bindings()) != bindings;
  std::set<std::string> symbols;
  fact.collectSymbols(symbols);
  for (const std::string &symbol : symbols)
    extend(view.image(symbol));
  Alternatives alternatives;
  for (const Relation &relation : fact.anyOf)
    alternatives.append(asConstraints(relation.substitute(view.images())));
  llvm::erase_if(points, [&](auto &entry) {
    // An equality that replaced a symbol is a fact about that symbol.
    if (isRebound)
      return !staysInside(entry.first, view.rebound());
    if (holdsAt(fact, symbols, entry.first))
      return false;
    Moved moved = satisfy(entry.first, alternatives, entry.second);
    return !moved || !*moved || !staysInside(entry.first, changedBy(**moved));
  });
}

static bool isAny(const std::map<std::string, int64_t> &) { return true; }

/// Looks for a wanted point where the constraint holds, one step away from
/// known ones, and keeps it.
bool Samples::findNear(const Constraint &constraint,
                       llvm::function_ref<bool(const Point &)> isWanted) {
  if (!constraint.expr.isValid())
    return false;
  for (size_t index = 0; index < std::min(points.size(), kMaxMoved); ++index) {
    // Moved in place and back: a copy takes time for every symbol there is.
    auto &[point, round] = points[index];
    Moved moved = satisfy(point, constraint);
    if (!moved)
      continue;
    bool isFound =
        isWanted(point) && (!*moved || staysInside(point, changedBy(**moved)));
    std::optional<Point> found;
    if (isFound && points.size() < 2 * kMaxPoints)
      found = point;
    if (*moved)
      point[(*moved)->symbol] = (*moved)->old;
    if (found)
      points.push_back({std::move(*found), unsigned(round)});
    if (isFound)
      return true;
  }
  return false;
}

bool Samples::isVarying(Expr expr) {
  extend(expr);
  std::optional<int64_t> first;
  for (const auto &[point, round] : points) {
    std::optional<int64_t> value = expr.evaluate(point);
    if (value && first && *value != *first)
      return true;
    if (value)
      first = value;
  }
  return false;
}

void Samples::extend(Expr expr) {
  std::set<std::string> symbols;
  expr.collectSymbols(symbols);
  for (const std::string &symbol : symbols)
    if (known.insert(symbol).second)
      for (auto &[point, round] : points)
        point[symbol] = pick(symbol, round);
}

Samples::Seen Samples::evaluate(const Constraint &constraint) {
  extend(constraint.expr);
  Seen seen;
  for (const auto &[point, round] : points) {
    std::optional<int64_t> value = constraint.expr.evaluate(point);
    if (!value)
      continue;
    bool holds = constraint.isEquality ? *value == 0 : *value >= 0;
    (holds ? seen.isTrue : seen.isFalse) = true;
    if (seen.isTrue && seen.isFalse)
      return seen;
  }
  Expr expr = constraint.expr, one(1);
  if (!seen.isTrue)
    seen.isTrue = findNear(constraint, isAny);
  if (!seen.isFalse)
    seen.isFalse = findNear({-expr - one}, isAny) ||
                   (constraint.isEquality && findNear({expr - one}, isAny));
  return seen;
}

std::optional<Samples::Seen>
Samples::evaluateAll(const Constraint &constraint) const {
  Seen seen;
  bool hasValues = true;
  bool isTried = forEachPoint(
      view.box, constraint.expr, kMaxEnumerated, [&](const Point &point) {
        std::optional<int64_t> value = constraint.expr.evaluate(point);
        hasValues = value.has_value();
        bool holds =
            hasValues && (constraint.isEquality ? *value == 0 : *value >= 0);
        (holds ? seen.isTrue : seen.isFalse) = true;
        return hasValues;
      });
  if (!isTried || !hasValues)
    return std::nullopt;
  return seen;
}

bool Samples::isSomewhere(const Condition &condition, bool truth) {
  for (const Relation &relation : condition.anyOf) {
    extend(relation.lhs);
    extend(relation.rhs);
  }
  auto isWanted = [&](const Point &point) {
    return condition.evaluate(point) == truth;
  };
  if (llvm::any_of(points,
                   [&](const auto &entry) { return isWanted(entry.first); }))
    return true;
  for (const Relation &relation : condition.anyOf)
    for (const Constraint &constraint :
         asConstraints(truth ? relation : negate(relation)))
      if (findNear(constraint, isWanted))
        return true;
  return false;
}
