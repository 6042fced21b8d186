// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiled choice of a variant equals a linear scan over the variants, for
// random domains, whether by table or without.

#include "JitModel.h"
#include "ambit/Dialect/Dispatch/Transforms/SelectTable.h"
#include "ambit/Symbolic/Parser.h"
#include <catch2/catch.hpp>
#include <random>

using namespace ambit;
using Shape = std::map<std::string, int64_t>;
using Random = std::mt19937_64;

static Condition parse(const std::string &text) {
  ParseError error;
  std::optional<Condition> condition = parseCondition(text, error);
  REQUIRE(condition);
  return *condition;
}

static int64_t pick(Random &random, int64_t low, int64_t high) {
  return low + int64_t(random() % uint64_t(high - low + 1));
}

namespace {
struct Case {
  std::vector<std::string> symbols;
  std::vector<std::vector<std::string>> variants;
  int64_t max;

  std::string text() const;
  std::vector<std::string> bodies() const;
  int32_t scan(const Shape &shape) const;
};
} // namespace

std::string Case::text() const {
  std::string text;
  std::string inputs;
  for (const std::string &name : symbols) {
    text +=
        "sym.symbol \"" + name + "\" min 0 max " + std::to_string(max) + "\n";
    inputs += "dispatch.input \"in_" + name +
              "\" : tensor<?xf32, #sym.shape<[" + name + "]>>\n";
  }
  text += "dispatch.model \"m\" {\n" + inputs;
  for (size_t index = 0; index < variants.size(); ++index) {
    text +=
        "dispatch.variant @v" + std::to_string(index) + " kind range where [";
    for (size_t i = 0; i < variants[index].size(); ++i)
      text += (i ? ", \"" : "\"") + variants[index][i] + "\"";
    text += "] workspace <[0]>\n";
  }
  return text + "}\n";
}

std::vector<std::string> Case::bodies() const {
  std::vector<std::string> names;
  for (size_t index = 0; index < variants.size(); ++index)
    names.push_back("v" + std::to_string(index));
  return names;
}

int32_t Case::scan(const Shape &shape) const {
  for (size_t index = 0; index < variants.size(); ++index) {
    bool admits = true;
    for (const std::string &condition : variants[index])
      admits &= parse(condition).evaluate(shape) == true;
    if (admits)
      return int32_t(index);
  }
  return -1;
}

static std::string randomCondition(Random &random, const Case &c) {
  const std::string &s = c.symbols[random() % c.symbols.size()];
  const std::string &t = c.symbols[random() % c.symbols.size()];
  std::string value = std::to_string(pick(random, 0, c.max + 1));
  switch (random() % 10) {
  case 0:
    return s + " == " + value;
  case 1:
    return s + " < " + value;
  case 2:
    return "2*" + s + " > " + value;
  case 3:
    return s + " % " + std::to_string(pick(random, 2, 5)) + " == 0";
  case 4:
    return s + " <= " + t + " + 2";
  case 5:
    return s + " != " + value;
  case 6:
    return value + " >= " + s;
  case 7:
    return s + " == " + value + " || " + t + " == 1";
  default:
    return s + (random() % 2 ? " >= " : " <= ") + value;
  }
}

static Case randomCase(Random &random) {
  Case c;
  static const char *const names[] = {"batch", "h", "seq"};
  for (size_t index = 0, count = 1 + random() % 3; index < count; ++index)
    c.symbols.push_back(names[index]);
  c.max = pick(random, 3, 40);
  for (size_t index = 0, count = random() % 12; index < count; ++index) {
    c.variants.emplace_back();
    for (size_t i = 0, length = random() % 4; i < length; ++i)
      c.variants.back().push_back(randomCondition(random, c));
  }
  return c;
}

static void compare(const Case &c, unsigned maxCells, Random &random) {
  JitModel model(c.text(), c.bodies(), maxCells);
  for (unsigned trial = 0; trial < 200; ++trial) {
    Shape shape;
    for (const std::string &name : c.symbols)
      shape[name] = pick(random, 0, c.max);
    int32_t expected = c.scan(shape);
    std::vector<int64_t> symbols = model.symbols(shape);
    int32_t found = model->select(symbols.data());
    if (found != expected) {
      INFO(c.text());
      for (const auto &[name, value] : shape)
        UNSCOPED_INFO(name << " = " << value);
      CHECK(found == expected);
      return;
    }
    for (int32_t variant = 0; variant < model->variant_count; ++variant)
      if (model->variants[variant].admits(symbols.data()) == 1)
        REQUIRE((expected >= 0 && expected <= variant));
  }
}

TEST_CASE("select equals a linear scan") {
  Random random(7);
  for (unsigned round = 0; round < 60; ++round)
    compare(randomCase(random), round % 3 == 0 ? 4 : 16384, random);
}

TEST_CASE("many boundaries are searched by halving") {
  Random random(3);
  for (int64_t count : {12, 13, 31, 32, 33, 64}) {
    Case c;
    c.symbols = {"n"};
    c.max = 3 * count + 5;
    for (int64_t index = 0; index < count; ++index)
      c.variants.push_back({"n >= " + std::to_string(3 * index + 1),
                            "n <= " + std::to_string(3 * index + 2)});
    compare(c, 16384, random);
  }
}

TEST_CASE("a table over its budget is not built") {
  Domain domain;
  domain.setRange("a", {0, 100, 1});
  domain.setRange("b", {0, 100, 1});
  std::vector<llvm::SmallVector<Condition>> variants{
      {parse("a <= 5"), parse("b <= 6")}, {parse("a == 50")}};
  CHECK(dispatch::buildSelectTable(domain, variants, 8));
  CHECK(!dispatch::buildSelectTable(domain, variants, 7));
}

TEST_CASE("bounds of one symbol are recognized") {
  auto bound = [](const char *text) -> std::optional<Interval> {
    auto found = getBound(parse(text));
    return found ? std::optional<Interval>(found->interval) : std::nullopt;
  };
  CHECK(bound("n <= 7") == Interval{INT64_MIN, 7});
  CHECK(bound("n < 7") == Interval{INT64_MIN, 6});
  CHECK(bound("7 < n") == Interval{8, INT64_MAX});
  CHECK(bound("2*n >= 7") == Interval{4, INT64_MAX});
  CHECK(bound("2*n <= 7") == Interval{INT64_MIN, 3});
  CHECK(bound("10 - 3*n >= 0") == Interval{INT64_MIN, 3});
  CHECK(bound("2*n == 8") == Interval{4, 4});
  CHECK(bound("2*n == 9") == Interval{1, 0});
  CHECK(!bound("n != 3"));
  CHECK(!bound("n % 2 == 0"));
  CHECK(!bound("n <= m"));
  CHECK(!bound("n == 1 || n == 2"));
}
