// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relations between the symbols of observed shapes. Any two points lie on a
// line, so that a relation with coefficients wants a third one as evidence.

#include "Samples.h"
#include <numeric>

using namespace ambit;

using Row = std::map<std::string, int64_t>;

/// Steeper relations are chance.
static constexpr int64_t kMaxCoefficient = 64;

namespace {
class Search {
public:
  explicit Search(llvm::ArrayRef<Row> rows) : rows(rows) {}
  std::optional<Proposal> equality(const std::string &a, const std::string &b);
  std::optional<Proposal> line(const std::string &a, const std::string &b);
  std::optional<Proposal> sum(const std::string &a, const std::string &b,
                              const std::string &c);

private:
  Proposal propose(Expr lhs, Expr rhs, llvm::ArrayRef<std::string> symbols);

  llvm::ArrayRef<Row> rows;
};
} // namespace

Proposal Search::propose(Expr lhs, Expr rhs,
                         llvm::ArrayRef<std::string> symbols) {
  Proposal proposal;
  proposal.condition = Condition::equal(lhs, rhs);
  std::set<std::vector<int64_t>> seen;
  for (const Row &row : rows) {
    std::vector<int64_t> values;
    Row example;
    for (const std::string &symbol : symbols) {
      values.push_back(row.at(symbol));
      example[symbol] = row.at(symbol);
    }
    if (!seen.insert(values).second)
      continue;
    if (proposal.examples.size() == 2)
      proposal.examples.pop_back();
    proposal.examples.push_back(std::move(example));
  }
  proposal.distinct = seen.size();
  return proposal;
}

std::optional<Proposal> Search::equality(const std::string &a,
                                         const std::string &b) {
  for (const Row &row : rows)
    if (row.at(a) != row.at(b))
      return std::nullopt;
  return propose(Expr::symbol(b), Expr::symbol(a), {a, b});
}

/// r*b == p*a + q through two points, if it goes through all others.
std::optional<Proposal> Search::line(const std::string &a,
                                     const std::string &b) {
  const Row &first = rows.front();
  auto other = llvm::find_if(
      rows, [&](const Row &row) { return row.at(a) != first.at(a); });
  int64_t p, r;
  if (other == rows.end() ||
      __builtin_sub_overflow(other->at(a), first.at(a), &r) ||
      __builtin_sub_overflow(other->at(b), first.at(b), &p) || p == 0)
    return std::nullopt;
  int64_t divisor = std::gcd(p, r) * (r < 0 ? -1 : 1);
  p /= divisor;
  r /= divisor;
  if (r > kMaxCoefficient || std::abs(p) > kMaxCoefficient)
    return std::nullopt;
  Expr lhs = Expr(r) * Expr::symbol(b), slope = Expr(p) * Expr::symbol(a);
  std::optional<int64_t> constant = (lhs - slope).evaluate(first);
  if (!constant)
    return std::nullopt;
  Expr rhs = slope + Expr(*constant);
  for (const Row &row : rows)
    if ((lhs - rhs).evaluate(row) != 0)
      return std::nullopt;
  // "q == 2*n + 1" reads better than "2*n == q - 1".
  bool turns = r != 1 && p == 1;
  Proposal proposal = turns ? propose(slope, lhs - Expr(*constant), {a, b})
                            : propose(lhs, rhs, {a, b});
  if (proposal.distinct < 3)
    return std::nullopt;
  return proposal;
}

std::optional<Proposal> Search::sum(const std::string &a, const std::string &b,
                                    const std::string &c) {
  Expr lhs = Expr::symbol(c), parts = Expr::symbol(a) + Expr::symbol(b);
  std::optional<int64_t> constant = (lhs - parts).evaluate(rows.front());
  if (!constant)
    return std::nullopt;
  Expr rhs = parts + Expr(*constant);
  for (const Row &row : rows)
    if ((lhs - rhs).evaluate(row) != 0)
      return std::nullopt;
  Proposal proposal = propose(lhs, rhs, {a, b, c});
  // Three points lie on a plane by chance.
  if (proposal.distinct < 4)
    return std::nullopt;
  return proposal;
}

std::vector<Proposal> ambit::findProposals(llvm::ArrayRef<std::string> symbols,
                                           llvm::ArrayRef<Row> rows) {
  Search search(rows);
  std::vector<Proposal> proposals;
  // What is left to explain: symbols that depend on none before them.
  std::vector<std::string> free;
  for (const std::string &symbol : symbols) {
    std::optional<Proposal> found;
    for (size_t i = 0; i < free.size() && !found; ++i)
      found = search.equality(free[i], symbol);
    for (size_t i = 0; i < free.size() && !found; ++i)
      found = search.line(free[i], symbol);
    if (found)
      proposals.push_back(std::move(*found));
    else
      free.push_back(symbol);
  }
  // Of a sum, the symbol that is the largest is the one that depends.
  std::set<std::string> used;
  for (const std::string &c : free)
    for (size_t i = 0; i < free.size(); ++i)
      for (size_t j = i + 1; j < free.size(); ++j) {
        if (free[i] == c || free[j] == c || used.count(c) ||
            used.count(free[i]) || used.count(free[j]))
          continue;
        if (std::optional<Proposal> found = search.sum(free[i], free[j], c)) {
          used.insert(c);
          proposals.push_back(std::move(*found));
        }
      }
  return proposals;
}
