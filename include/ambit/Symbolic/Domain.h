// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What values symbols may take, and how domains relate.

#ifndef AMBIT_SYMBOLIC_DOMAIN_H
#define AMBIT_SYMBOLIC_DOMAIN_H

#include "ambit/Symbolic/Expr.h"

namespace ambit {

/// A closed interval; the extreme int64 values stand for "unbounded".
struct Interval {
  static constexpr int64_t kMin = INT64_MIN, kMax = INT64_MAX;
  int64_t min = kMin, max = kMax;
  bool isPoint() const { return min == max; }
  bool operator==(const Interval &other) const {
    return min == other.min && max == other.max;
  }
};

/// The values one symbol may take: min <= s <= max and s % divisor == 0.
struct SymbolRange {
  int64_t min = 0, max = Interval::kMax, divisor = 1;
  bool operator==(const SymbolRange &other) const {
    return min == other.min && max == other.max && divisor == other.divisor;
  }
};

/// Whether a symbol is named like an element of an input, `shape[0]`. Such a
/// symbol is a number that may be negative; any other is a size.
bool isElementName(llvm::StringRef symbol);

/// A set of symbol valuations: a box with congruences, cut by conditions that
/// are known to hold (checked guards, user constraints). A symbol that is not
/// listed is a size, 0 <= s, or any number if it is an element of an input.
class Domain {
public:
  void setRange(llvm::StringRef symbol, SymbolRange range);
  SymbolRange range(llvm::StringRef symbol) const;
  const std::map<std::string, SymbolRange> &ranges() const { return symbols; }
  /// Marks a listed symbol as unbacked: a run sets it after those marked before
  /// it, and checks there the facts that mention it and none set later.
  void setUnbacked(llvm::StringRef symbol);
  llvm::ArrayRef<std::string> unbacked() const { return unbackedSymbols; }
  /// 0 when all symbols are known at entry; else the number, from 1, of the
  /// unbacked symbol among them that is set last.
  unsigned level(const std::set<std::string> &used) const;
  unsigned level(const Condition &condition) const;
  /// What is known once `level` unbacked symbols are set. Unbacked symbols keep
  /// their ranges, but nothing is marked.
  Domain atLevel(unsigned level) const;
  /// Adds a fact that every valuation in the domain satisfies.
  void assume(Condition condition) { facts.push_back(std::move(condition)); }
  llvm::ArrayRef<Condition> assumptions() const { return facts; }
  /// False where a fact has no value, such as a division by zero.
  bool contains(const std::map<std::string, int64_t> &values) const;
  /// Keeps what is in the other domain too.
  void intersect(const Domain &other);
  /// The same ranges, facts and unbacked symbols, in the same order.
  bool operator==(const Domain &other) const;

private:
  std::map<std::string, SymbolRange> symbols;
  llvm::SmallVector<Condition> facts;
  llvm::SmallVector<std::string, 0> unbackedSymbols;
};

enum class Truth { No, Unknown, Yes };

/// A valuation of the domain's symbols inside `whole` but in none of `parts`;
/// nothing when the parts are proven to cover the whole. `decided` is set to
/// false when neither could be established.
std::optional<std::map<std::string, int64_t>>
findUncovered(const Domain &whole, llvm::ArrayRef<Domain> parts, bool &decided);

/// Yes if no valuation is in both domains.
Truth areDisjoint(const Domain &lhs, const Domain &rhs);

} // namespace ambit

#endif // AMBIT_SYMBOLIC_DOMAIN_H
