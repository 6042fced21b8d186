// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relations found in observed sizes, and those that are chance.

#include "Model/Samples.h"
#include <catch2/catch.hpp>

using namespace ambit;

using Columns = std::map<std::string, std::vector<int64_t>>;

/// The texts of the proposals for columns of sizes, named in order.
static std::vector<std::string> propose(const Columns &columns) {
  std::vector<std::string> symbols, texts;
  std::vector<std::map<std::string, int64_t>> rows(
      columns.begin()->second.size());
  for (const auto &[symbol, sizes] : columns) {
    symbols.push_back(symbol);
    for (size_t i = 0; i < sizes.size(); ++i)
      rows[i][symbol] = sizes[i];
  }
  for (const Proposal &proposal : findProposals(symbols, rows))
    texts.push_back(proposal.condition.str());
  return texts;
}

using Texts = std::vector<std::string>;

TEST_CASE("equal columns") {
  CHECK(propose({{"a", {3, 5}}, {"b", {3, 5}}}) == Texts{"b == a"});
  CHECK(propose({{"a", {3, 5}}, {"b", {3, 5}}, {"c", {3, 5}}}) ==
        Texts{"b == a", "c == a"});
}

TEST_CASE("lines want three points") {
  CHECK(propose({{"a", {3, 5}}, {"b", {7, 11}}}).empty());
  CHECK(propose({{"a", {3, 5, 9}}, {"b", {7, 11, 19}}}) ==
        Texts{"b == 2*a + 1"});
  CHECK(propose({{"a", {7, 11, 19}}, {"b", {3, 5, 9}}}) ==
        Texts{"a == 2*b + 1"});
  CHECK(propose({{"a", {2, 4, 8}}, {"b", {3, 6, 12}}}) == Texts{"2*b == 3*a"});
  CHECK(propose({{"a", {1, 2, 3}}, {"b", {9, 8, 7}}}) == Texts{"b == -a + 10"});
  CHECK(propose({{"a", {1, 2, 3}}, {"b", {1, 4, 9}}}).empty());
  // Three samples with two different shapes show no more than two.
  CHECK(propose({{"a", {3, 5, 3}}, {"b", {7, 11, 7}}}).empty());
  // Nobody means a slope of 1000.
  CHECK(propose({{"a", {1, 2, 3}}, {"b", {1000, 2000, 3000}}}).empty());
}

TEST_CASE("sums want four points") {
  Columns columns = {
      {"a", {0, 7, 8, 9}}, {"b", {7, 1, 1, 3}}, {"c", {7, 8, 9, 12}}};
  CHECK(propose(columns) == Texts{"c == a + b"});
  for (auto &[symbol, sizes] : columns)
    sizes.pop_back();
  CHECK(propose(columns).empty());
  CHECK(propose(
            {{"a", {0, 7, 8, 9}}, {"b", {7, 1, 1, 3}}, {"c", {9, 10, 11, 14}}})
            .size() == 1);
}

TEST_CASE("sizes at the ends of 64 bits") {
  CHECK(propose({{"a", {INT64_MIN, INT64_MAX, 0}}, {"b", {1, 2, 3}}}).empty());
}
