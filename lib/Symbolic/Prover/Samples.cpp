// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses sample points from a hash of the symbol's name, so that answers do
// not depend on anything but the question.

#include "Samples.h"
#include "Enumerate.h"

using namespace ambit;
using namespace ambit::detail;

static constexpr unsigned kMaxPoints = 10;
static constexpr unsigned kMaxRounds = 60;
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
  uint64_t width = uint64_t(interval.max) - uint64_t(interval.min);
  if (round == 1 && width < 100000)
    return interval.max;
  static const uint64_t spans[] = {1, 2, 7, 40, 1000, 30};
  uint64_t span = std::min(width, spans[round % 6]);
  return int64_t(uint64_t(interval.min) + mix(symbol, round) % (span + 1));
}

bool Samples::isInside(const Domain &domain, const Point &point) const {
  Point values;
  for (const std::string &symbol : known)
    if (!isMultiple(symbol))
      values[symbol] = point.at(symbol);
  for (const auto &[symbol, image] : view.images()) {
    if (isMultiple(symbol))
      continue;
    std::optional<int64_t> value = image.evaluate(point);
    if (!value)
      return false;
    values[symbol] = *value;
  }
  return domain.contains(values);
}

Samples::Samples(const Domain &domain, const View &view) : view(view) {
  for (const auto &[symbol, range] : domain.ranges())
    view.image(symbol).collectSymbols(known);
  std::set<std::string> mentioned;
  for (const Condition &fact : domain.assumptions())
    for (const Relation &relation : fact.anyOf) {
      relation.lhs.collectSymbols(mentioned);
      relation.rhs.collectSymbols(mentioned);
    }
  for (const std::string &symbol : mentioned)
    view.image(symbol).collectSymbols(known);
  for (unsigned round = 0; round < kMaxRounds && points.size() < kMaxPoints;
       ++round) {
    Point point;
    for (const std::string &symbol : known)
      point[symbol] = pick(symbol, round);
    if (isInside(domain, point))
      points.push_back({std::move(point), round});
  }
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
      break;
  }
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

bool Samples::hasCounterexample(const Condition &condition) {
  for (const Relation &relation : condition.anyOf)
    extend(relation.lhs);
  return llvm::any_of(points, [&](const auto &entry) {
    return condition.evaluate(entry.first) == false;
  });
}
