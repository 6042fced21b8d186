// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Domain: the declared ranges of symbols and the facts that cut them.

#include "ambit/Symbolic/Domain.h"
#include "Node.h"

using namespace ambit;

void Domain::setRange(llvm::StringRef symbol, SymbolRange range) {
  symbols[symbol.str()] = range;
}

SymbolRange Domain::range(llvm::StringRef symbol) const {
  auto found = symbols.find(symbol.str());
  return found == symbols.end() ? SymbolRange() : found->second;
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
  // An unlisted symbol is a size.
  for (const auto &[symbol, value] : values)
    if (value < 0 && !symbols.count(symbol))
      return false;
  return llvm::all_of(facts, [&](const Condition &fact) {
    return fact.evaluate(values) == true;
  });
}
