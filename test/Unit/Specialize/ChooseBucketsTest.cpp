// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a bucket is worth a variant, for times that are known.

#include "ChooseBuckets.h"
#include "Diagnosed.h"
#include <catch2/catch.hpp>

using namespace ambit;
using namespace ambit::planning;
using Way = BucketKind::Way;

static Domain twoSymbols() {
  Domain domain;
  domain.setRange("batch", {1, 64, 1});
  domain.setRange("seq", {1, 512, 4});
  return domain;
}

/// `work` and, for symbolic sizes, `gain` times as much.
static VariantCosts makeCosts(std::function<double(const Shape &)> work,
                              double gain) {
  return {[=](const Shape &shape, const SymbolSet &) {
    return BodyTimes{gain * work(shape), work(shape)};
  }};
}

static double area(const Shape &shape) {
  return double(shape.at("batch") * shape.at("seq"));
}

static double length(const Shape &shape) { return double(shape.at("seq")); }

TEST_CASE("a bucket is padded down to the size that is as cheap without") {
  Box box{{"seq", {36, 64, 4}}};
  BucketChoice choice = chooseBucket(twoSymbols(), box, makeCosts(length, 1.5));
  // 64 < 1.5 * 44, but not 1.5 * 40.
  REQUIRE(choice.padded);
  CHECK(choice.padded->at("seq") == SymbolRange{44, 64, 4});
  choice = chooseBucket(twoSymbols(), box, makeCosts(length, 2));
  CHECK(*choice.padded == box);
  choice = chooseBucket(twoSymbols(), box, makeCosts(length, 1.05));
  CHECK(choice.padded->at("seq") == SymbolRange{64, 64, 4});
}

TEST_CASE("a bucket that saves little is none") {
  BucketChoice choice = chooseBucket(twoSymbols(), {{"seq", {4, 32, 4}}},
                                     makeCosts(length, 1.02));
  CHECK_FALSE(choice.padded);
  CHECK(choice.reason ==
        "a bucket of seq 4..32 would save 2 %, expected at least 3 %");
  choice =
      chooseBucket(twoSymbols(), {{"batch", {2, 2, 1}}, {"seq", {4, 8, 4}}},
                   makeCosts(length, 0.5));
  CHECK(choice.reason == "a bucket of batch 2, seq 4..8 would save 0 %, "
                         "expected at least 3 %");
}

TEST_CASE("padding costs as well; where it takes all, the top alone is left") {
  auto choose = [](double padding) {
    VariantCosts costs{[=](const Shape &shape, const SymbolSet &) {
      return BodyTimes{1.5 * length(shape), length(shape), padding};
    }};
    return *chooseBucket(twoSymbols(), {{"seq", {36, 64, 4}}}, costs).padded;
  };
  CHECK(choose(0).at("seq") == SymbolRange{44, 64, 4});
  // 64 + 10 < 1.5 * 52, but not 1.5 * 48.
  CHECK(choose(10).at("seq") == SymbolRange{52, 64, 4});
  CHECK(choose(31).at("seq") == SymbolRange{64, 64, 4});
}

TEST_CASE("two symbols shrink alike, and padding pays at every shape left") {
  Box box{{"batch", {1, 8, 1}}, {"seq", {4, 64, 4}}};
  VariantCosts costs = makeCosts(area, 1.6);
  BucketChoice choice = chooseBucket(twoSymbols(), box, costs);
  REQUIRE(choice.padded);
  SymbolRange batch = choice.padded->at("batch"),
              seq = choice.padded->at("seq");
  CHECK(batch.max == 8);
  CHECK(seq.max == 64);
  CHECK(batch.min > 1);
  CHECK(seq.min > 4);
  CHECK(seq.min % 4 == 0);
  double padded = costs.times({{"batch", 8}, {"seq", 64}}, {}).exact;
  for (int64_t b = batch.min; b <= 8; ++b)
    for (int64_t s = seq.min; s <= 64; s += 4)
      CHECK(padded < costs.generic({{"batch", b}, {"seq", s}}));
}

TEST_CASE("a symbol without a bucket counts as the middle of its range") {
  CHECK(getTypicalSize({1, 64, 1}) == 8);
  CHECK(getTypicalSize({0, 100, 8}) == 16);
  CHECK(getTypicalSize({1, INT64_MAX, 1}) == 8);
  CHECK(getTypicalSize({5, 5, 1}) == 5);
  CHECK(getTop(twoSymbols(), {{"seq", {4, 64, 4}}}) ==
        Shape{{"batch", 8}, {"seq", 64}});
}

TEST_CASE("a plan makes what pays and says what does not") {
  Diagnosed d;
  PlanInput input{twoSymbols(), {}, {}};
  input.options.buckets["seq"] = {4, 64, 512};
  input.options.kinds[""] = {Way::Auto, 1};
  input.options.costs = {[](const Shape &shape, const SymbolSet &) {
    double gain = length(shape) <= 64 ? 1.25 : 1;
    return BodyTimes{gain * length(shape), length(shape)};
  }};
  mlir::FailureOr<Plan> plan = makePlan(&d.context, input);
  REQUIRE(mlir::succeeded(plan));
  REQUIRE(plan->variants.size() == 3);
  CHECK(plan->variants[0].name == "seq_4");
  CHECK(plan->variants[1].name == "seq_52_64");
  CHECK(plan->variants[1].kind == dispatch::VariantKind::Padded);
  CHECK(plan->variants[2].name == "generic");
  REQUIRE(plan->omitted.size() == 1);
  CHECK(plan->omitted[0].name == "seq_68_512");
  CHECK(plan->omitted[0].reason ==
        "a bucket of seq 68..512 would save 0 %, expected at least 3 %");
}

TEST_CASE("only symbols that a bucket bounds are constants in its variant") {
  VariantCosts costs{[](const Shape &shape, const SymbolSet &fixed) {
    bool isConstant = fixed.count("batch") && fixed.count("seq");
    return BodyTimes{1.5 * area(shape), (isConstant ? 1 : 1.5) * area(shape)};
  }};
  Box box{{"seq", {36, 64, 4}}};
  CHECK_FALSE(chooseBucket(twoSymbols(), box, costs).padded);
  box["batch"] = {8, 8, 1};
  CHECK(chooseBucket(twoSymbols(), box, costs).padded);
}
