// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Domain: the declared ranges of symbols and the facts that cut them.

#include "ambit/Symbolic/Domain.h"
#include "Node.h"

using namespace ambit;

void Domain::setRange(llvm::StringRef symbol, SymbolRange range) {
  symbols[symbol.str()] = range;
}

bool ambit::isElementName(llvm::StringRef symbol) {
  return symbol.ends_with("]");
}

SymbolRange Domain::range(llvm::StringRef symbol) const {
  auto found = symbols.find(symbol.str());
  if (found != symbols.end())
    return found->second;
  SymbolRange range;
  if (isElementName(symbol))
    range.min = Interval::kMin;
  return range;
}

void Domain::setUnbacked(llvm::StringRef symbol) {
  if (!llvm::is_contained(unbackedSymbols, symbol))
    unbackedSymbols.push_back(symbol.str());
}

unsigned Domain::level(const std::set<std::string> &used) const {
  for (size_t count = unbackedSymbols.size(); count > 0; --count)
    if (used.count(unbackedSymbols[count - 1]))
      return count;
  return 0;
}

unsigned Domain::level(const Condition &condition) const {
  if (unbackedSymbols.empty())
    return 0;
  std::set<std::string> used;
  condition.collectSymbols(used);
  return level(used);
}

Domain Domain::atLevel(unsigned limit) const {
  Domain known;
  known.symbols = symbols;
  for (const Condition &fact : facts)
    if (level(fact) <= limit)
      known.facts.push_back(fact);
  return known;
}

bool Domain::contains(const std::map<std::string, int64_t> &values) const {
  for (const auto &[symbol, range] : symbols) {
    auto found = values.find(symbol);
    if (found == values.end() || found->second < range.min ||
        found->second > range.max)
      return false;
    if (range.divisor > 1 && found->second % range.divisor != 0)
      return false;
  }
  for (const auto &[symbol, value] : values)
    if (value < 0 && !symbols.count(symbol) && !isElementName(symbol))
      return false;
  return llvm::all_of(facts, [&](const Condition &fact) {
    return fact.evaluate(values) == true;
  });
}

/// Both divide s; past 64 bits, only 0 is a common multiple.
static void restrictDivisor(SymbolRange &range, int64_t divisor) {
  int64_t own = std::max<int64_t>(range.divisor, 1);
  divisor = std::max<int64_t>(divisor, 1);
  std::optional<int64_t> multiple =
      detail::checkedMul(own / detail::gcd(own, divisor), divisor);
  range.divisor = multiple.value_or(own);
  if (!multiple) {
    range.min = std::max<int64_t>(range.min, 0);
    range.max = std::min<int64_t>(range.max, 0);
  }
}

void Domain::intersect(const Domain &other) {
  std::set<std::string> names;
  for (const Domain *domain : {static_cast<const Domain *>(this), &other})
    for (const auto &[symbol, range] : domain->symbols)
      names.insert(symbol);
  for (const std::string &symbol : names) {
    SymbolRange mine = range(symbol), theirs = other.range(symbol);
    mine.min = std::max(mine.min, theirs.min);
    mine.max = std::min(mine.max, theirs.max);
    restrictDivisor(mine, theirs.divisor);
    setRange(symbol, mine);
  }
  facts.append(other.facts.begin(), other.facts.end());
  for (const std::string &symbol : other.unbackedSymbols)
    setUnbacked(symbol);
}

bool Domain::operator==(const Domain &other) const {
  return symbols == other.symbols && facts == other.facts &&
         unbackedSymbols == other.unbackedSymbols;
}

Truth ambit::areDisjoint(const Domain &lhs, const Domain &rhs) {
  Domain common = lhs;
  common.intersect(rhs);
  bool isDecided = false;
  if (findUncovered(common, {}, isDecided))
    return Truth::No;
  return isDecided ? Truth::Yes : Truth::Unknown;
}
