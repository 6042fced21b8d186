// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bucket grids that cover a domain, and the gaps of those that do not.

#include "ambit/Symbolic/Domain.h"
#include "ambit/Symbolic/Parser.h"
#include "catch2/catch.hpp"

using namespace ambit;

using Point = std::map<std::string, int64_t>;

static Domain box(std::map<std::string, SymbolRange> ranges,
                  std::vector<std::string> facts = {}) {
  Domain domain;
  for (auto &[symbol, range] : ranges)
    domain.setRange(symbol, range);
  for (const std::string &fact : facts) {
    ParseError error;
    domain.assume(*parseCondition(fact, error));
  }
  return domain;
}

static std::string gapOf(const Domain &whole, std::vector<Domain> parts) {
  bool isDecided = false;
  std::optional<Point> gap = findUncovered(whole, parts, isDecided);
  if (!gap)
    return isDecided ? "covered" : "undecided";
  CHECK(isDecided);
  CHECK(whole.contains(*gap));
  std::string text;
  for (const auto &[symbol, value] : *gap)
    text += (text.empty() ? "" : " ") + symbol + "=" + std::to_string(value);
  return text;
}

TEST_CASE("one symbol") {
  Domain whole = box({{"seq", {1, 512}}});
  CHECK(gapOf(whole, {}) == "seq=1");
  CHECK(gapOf(whole, {box({{"seq", {1, 64}}}), box({{"seq", {65, 512}}})}) ==
        "covered");
  CHECK(gapOf(whole, {box({{"seq", {1, 64}}}), box({{"seq", {66, 512}}})}) ==
        "seq=65");
  CHECK(gapOf(whole, {box({{"seq", {1, 511}}})}) == "seq=512");
  CHECK(gapOf(box({{"seq", {1}}}), {box({{"seq", {1, 512}}})}) == "seq=513");
  CHECK(gapOf(box({{"seq", {1}}}), {box({{"seq", {0}}})}) == "covered");
  CHECK(gapOf(box({{"seq", {9, 3}}}), {}) == "covered");
}

TEST_CASE("an 8 by 8 grid") {
  Domain whole = box({{"batch", {1, 64}}, {"seq", {1, 512}}});
  std::vector<Domain> grid;
  for (int64_t i = 0; i < 8; ++i)
    for (int64_t j = 0; j < 8; ++j)
      grid.push_back(box({{"batch", {8 * i + 1, 8 * i + 8}},
                          {"seq", {64 * j + 1, 64 * j + 64}}}));
  CHECK(gapOf(whole, grid) == "covered");
  std::swap(grid[3], grid[60]);
  CHECK(gapOf(whole, grid) == "covered");
  grid.erase(grid.begin() + 27);
  CHECK(gapOf(whole, grid) == "batch=25 seq=193");
}

TEST_CASE("divisible parts") {
  Domain whole = box({{"seq", {1, 64}}});
  Domain even = box({{"seq", {0, 64, 2}}});
  CHECK(gapOf(whole, {even}) == "seq=1");
  CHECK(gapOf(whole, {even, box({{"seq", {1, 64}}}, {"seq % 2 == 1"})}) ==
        "covered");
  CHECK(gapOf(box({{"seq", {0, 64, 4}}}), {even}) == "covered");
  CHECK(gapOf(whole, {box({{"seq", {0, 64, 2}}}), box({{"seq", {0, 64, 3}}}),
                      box({{"seq", {1, 1}}}), box({{"seq", {6, 64}}})}) ==
        "seq=5");
}

TEST_CASE("parts and wholes with facts") {
  Domain whole = box({{"a", {1, 64}}, {"b", {1, 64}}});
  Domain equal = box({{"a", {1, 64}}, {"b", {1, 64}}}, {"a == b"});
  Domain below = box({{"a", {1, 64}}, {"b", {1, 64}}}, {"a < b"});
  Domain above = box({{"a", {1, 64}}, {"b", {1, 64}}}, {"a > b"});
  CHECK(gapOf(whole, {equal, below, above}) == "covered");
  CHECK(gapOf(whole, {equal, below}) != "covered");
  CHECK(gapOf(whole, {equal, below}) != "undecided");
  CHECK(gapOf(equal, {box({{"a", {1, 64}}, {"b", {1, 64}}}, {"a <= b"})}) ==
        "covered");
  CHECK(gapOf(box({{"n", {1, 64}}}, {"n == 2*m + 1"}),
              {box({{"n", {1, 64}}}, {"n % 2 == 1"})}) == "covered");
}

TEST_CASE("products with and without a solution") {
  Domain whole = box({{"m", {0}}, {"n", {9, 9}}}, {"m*m + 2*m == n || n == 1"});
  CHECK(gapOf(whole, {}) == "covered");
  whole.setRange("n", {8, 8});
  CHECK(gapOf(whole, {}) == "m=2 n=8");
  Domain two =
      box({{"a", {0, 100}}, {"b", {1}}, {"n", {7, 7}}}, {"a*b + 2*b == n"});
  CHECK(gapOf(two, {}) == "a=5 b=1 n=7");
  CHECK(gapOf(two, {box({{"a", {5, 5}}, {"b", {1}}, {"n", {0}}})}) ==
        "covered");
}

TEST_CASE("a fact that may be undefined covers nothing by itself") {
  Domain whole = box({{"a", {0, 4}}, {"b", {0, 4}}});
  Domain part = box({{"a", {0, 4}}, {"b", {0, 4}}}, {"a // b >= 0"});
  CHECK(gapOf(whole, {part}) == "a=0 b=0");
}

TEST_CASE("disjointness") {
  Domain low = box({{"seq", {1, 64}}}), high = box({{"seq", {65, 128}}});
  CHECK(areDisjoint(low, high) == Truth::Yes);
  CHECK(areDisjoint(low, box({{"seq", {64, 128}}})) == Truth::No);
  CHECK(areDisjoint(low, box({{"batch", {1, 8}}})) == Truth::No);
  CHECK(areDisjoint(box({{"seq", {1, 11, 4}}}), box({{"seq", {1, 11, 3}}})) ==
        Truth::Yes);
  CHECK(areDisjoint(box({{"seq", {1, 12, 4}}}), box({{"seq", {1, 12, 3}}})) ==
        Truth::No);
  CHECK(areDisjoint(box({}, {"a == 2*b"}), box({}, {"a == 2*b + 1"})) ==
        Truth::Yes);
}
