// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Union-find over the symbols that facts connect.

#include "FactIndex.h"
#include <algorithm>

using namespace ambit;
using namespace ambit::detail;

unsigned FactIndex::find(llvm::StringRef symbol) {
  auto [entry, isNew] = numbers.try_emplace(symbol, parents.size());
  unsigned root = entry->second;
  if (isNew) {
    parents.push_back(root);
    latest.push_back(0);
  }
  while (parents[root] != root)
    root = parents[root] = parents[parents[root]];
  return root;
}

std::optional<FactIndex::Key> FactIndex::keyOf(const Condition &condition) {
  Key key;
  for (const Relation &relation : condition.anyOf) {
    bool isSymmetric = relation.kind == Relation::Kind::EQ ||
                       relation.kind == Relation::Kind::NE;
    Expr difference = relation.lhs - relation.rhs;
    // Invalid expressions are all alike.
    if (!difference.isValid())
      return std::nullopt;
    if (isSymmetric && !difference.terms().empty() &&
        difference.terms().front().coefficient < 0)
      difference = -difference;
    key.push_back({difference.getAsOpaquePointer(), int(relation.kind)});
  }
  std::sort(key.begin(), key.end());
  return key;
}

void FactIndex::add(const Condition &fact) {
  ++count;
  if (std::optional<Key> key = keyOf(fact))
    keys.insert(*key);
  std::set<std::string> symbols;
  fact.collectSymbols(symbols);
  if (symbols.empty())
    return;
  unsigned root = find(*symbols.begin());
  for (const std::string &symbol : symbols)
    parents[find(symbol)] = root;
  latest[root] = count;
}

unsigned FactIndex::last(const std::set<std::string> &symbols) {
  unsigned result = 0;
  for (const std::string &symbol : symbols)
    result = std::max(result, latest[find(symbol)]);
  return result;
}

bool FactIndex::contains(const Condition &condition) const {
  std::optional<Key> key = count > 0 ? keyOf(condition) : std::nullopt;
  return key && keys.count(*key) != 0;
}
