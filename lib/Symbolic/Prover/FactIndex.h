// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which facts may bear on a question: those connected with it through symbols.
// An answer that no fact since could improve need not be looked for again.

#ifndef AMBIT_LIB_SYMBOLIC_FACTINDEX_H
#define AMBIT_LIB_SYMBOLIC_FACTINDEX_H

#include "ambit/Symbolic/Domain.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace ambit::detail {

class FactIndex {
public:
  void add(const Condition &fact);
  unsigned size() const { return count; }
  /// The number, from 1, of the last fact that is connected with any of the
  /// symbols; 0 when none is.
  unsigned last(const std::set<std::string> &symbols);
  /// Whether the condition is a fact, word for word.
  bool contains(const Condition &condition) const;

private:
  /// Each relation as a difference and a kind, in one order.
  using Key = std::vector<std::pair<const void *, int>>;
  static std::optional<Key> keyOf(const Condition &condition);
  unsigned find(llvm::StringRef symbol);

  unsigned count = 0;
  std::set<Key> keys;
  /// Symbols that facts connect have one root.
  llvm::StringMap<unsigned> numbers;
  std::vector<unsigned> parents, latest;
};

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_FACTINDEX_H
