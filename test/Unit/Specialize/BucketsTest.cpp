// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for the ends of intervals, and kinds of variants.

#include "Diagnosed.h"
#include "ambit/Specialize/Plan.h"
#include <catch2/catch.hpp>

using namespace ambit;
using Rule = BucketEnds::Rule;
using Way = BucketKind::Way;
using Sizes = std::vector<int64_t>;
using Texts = std::vector<std::string>;

static BucketEnds rule(Rule which, int64_t step = 0, double ratio = 0) {
  BucketEnds ends;
  ends.rule = which;
  ends.step = step;
  ends.ratio = ratio;
  return ends;
}

static Sizes expand(const BucketEnds &ends, SymbolRange range) {
  auto sizes = expandEnds(ends, "n", range);
  REQUIRE(bool(sizes));
  return *sizes;
}

static std::string refusal(const BucketEnds &ends, SymbolRange range) {
  auto sizes = expandEnds(ends, "n", range);
  REQUIRE_FALSE(bool(sizes));
  return llvm::toString(sizes.takeError());
}

TEST_CASE("powers of two, the range's end last") {
  BucketEnds ends = rule(Rule::PowersOfTwo);
  CHECK(expand(ends, {1, 12, 1}) == Sizes{1, 2, 4, 8, 12});
  CHECK(expand(ends, {0, 8, 1}) == Sizes{1, 2, 4, 8});
  CHECK(expand(ends, {5, 16, 1}) == Sizes{8, 16});
  CHECK(expand(ends, {16, 100, 24}) == Sizes{48, 72, 96});
  CHECK(expand(ends, {-3, 2, 1}) == Sizes{1, 2});
  CHECK(expand(ends, {7, 7, 1}) == Sizes{7});
  CHECK(expand(ends, {1, INT64_MAX - 1, 1}).size() == 64);
}

TEST_CASE("steps") {
  CHECK(expand(rule(Rule::Steps, 64), {1, 200, 1}) == Sizes{64, 128, 192, 200});
  CHECK(expand(rule(Rule::Steps, 64), {64, 128, 1}) == Sizes{64, 128});
  CHECK(expand(rule(Rule::Steps, 64), {0, 100, 1}) == Sizes{64, 100});
  CHECK(expand(rule(Rule::Steps, 10), {8, 40, 8}) == Sizes{16, 24, 32, 40});
  CHECK(expand(rule(Rule::Steps, INT64_MAX), {1, 9, 1}) == Sizes{9});
}

TEST_CASE("a geometric row grows by at least the divisor") {
  CHECK(expand(rule(Rule::Geometric, 0, 1.25), {1, 12, 1}) ==
        Sizes{1, 2, 3, 4, 5, 7, 9, 12});
  CHECK(expand(rule(Rule::Geometric, 0, 2), {0, 4, 1}) == Sizes{1, 2, 4});
  CHECK(expand(rule(Rule::Geometric, 0, 1.5), {8, 100, 8}) ==
        Sizes{8, 16, 24, 40, 64, 96});
}

TEST_CASE("a rule needs a range with ends, and not too many intervals") {
  CHECK(refusal(rule(Rule::PowersOfTwo), {1, INT64_MAX, 1}) ==
        "'n' has no upper bound, which 'pow2' needs; give one with --dim "
        "n=LO..HI");
  CHECK(refusal(rule(Rule::Steps, 8), {INT64_MIN, 8, 1}) ==
        "'n' has no lower bound, which 'step:8' needs; give one with --dim "
        "n=LO..HI");
  CHECK(refusal(rule(Rule::Geometric, 0, 1.000001), {1, 1 << 20, 1}) ==
        "'geometric:1' makes more than 4096 intervals of 'n'; give larger "
        "ones");
}

static Domain twoSymbols() {
  Domain domain;
  domain.setRange("batch", {1, 64, 1});
  domain.setRange("seq", {1, 512, 4});
  return domain;
}

/// "name kind: conditions" of each variant.
static Texts plan(const PlanOptions &options) {
  Diagnosed d;
  mlir::FailureOr<Plan> plan =
      makePlan(&d.context, {twoSymbols(), {}, options});
  if (mlir::failed(plan))
    return d.errors;
  Texts lines;
  for (const VariantPlan &variant : plan->variants) {
    std::string line = variant.name + " " +
                       dispatch::stringifyVariantKind(variant.kind).str() + ":";
    for (const Condition &condition : getConditions(*plan, variant))
      line += " " + condition.str() + ";";
    lines.push_back(line);
  }
  return lines;
}

TEST_CASE("a padded variant says what it pads to; a size is a size") {
  PlanOptions options;
  options.buckets["seq"] = {4, 64, 512};
  options.kinds[""] = {Way::Padded, 1};
  CHECK(plan(options) == Texts{"seq_4 exact: seq == 4;",
                               "seq_8_64 padded: seq >= 8; seq <= 64;",
                               "seq_68_512 padded: seq >= 68; seq <= 512;"});
  options.exact["batch"] = {1};
  options.buckets["seq"] = {512};
  CHECK(plan(options) ==
        Texts{"batch_1_seq_4_512 padded: batch == 1; seq <= 512;",
              "generic generic:"});
}

TEST_CASE("a divisible variant takes multiples, also of the symbol's divisor") {
  PlanOptions options;
  options.buckets["seq"] = {4, 9 * 4, 512};
  options.kinds["seq"] = {Way::Divisible, 6};
  CHECK(plan(options) ==
        Texts{"seq_12_36_by_12 divisible: seq >= 12; seq <= 36; seq % 12 == 0;",
              "seq_48_504_by_12 divisible: seq >= 48; seq <= 504; seq % 12 == "
              "0;",
              "generic generic:"});
  options.buckets["seq"] = {20};
  CHECK(plan(options)[0] == "seq_12 exact: seq == 12;");
  options.kinds["seq"] = {Way::Divisible, INT64_MAX};
  CHECK(plan(options) == Texts{"generic generic:"});
}

TEST_CASE("kinds that no symbol can have, or that do not go together") {
  PlanOptions options;
  options.kinds[""] = {Way::Padded, 1};
  options.buckets["seq"] = {64};
  options.kinds["batch"] = {Way::Range, 1};
  CHECK(plan(options) == Texts{"--bucket-kind: 'batch' has no buckets; give "
                               "--bucket batch=..."});
  options.buckets["batch"] = rule(Rule::PowersOfTwo);
  CHECK(plan(options) ==
        Texts{"--bucket-kind: 'seq' is padded and 'batch' is not, expected one "
              "kind: a padded variant computes each symbol that it bounds as "
              "its greatest size"});
  options.kinds["seq"] = {Way::Divisible, 8};
  options.buckets["batch"] = {64};
  CHECK(plan(options)[0] ==
        "batch_1_64_seq_8_64_by_8 divisible: seq >= 8; seq <= 64; seq % 8 == "
        "0;");
}

/// "name in body" of each variant that shares one.
static Texts share(const PlanOptions &options) {
  Diagnosed d;
  mlir::FailureOr<Plan> plan =
      makePlan(&d.context, {twoSymbols(), {}, options});
  REQUIRE(mlir::succeeded(plan));
  Texts lines;
  for (const VariantPlan &variant : plan->variants)
    if (!variant.shares.empty())
      lines.push_back(variant.name + " in " + variant.shares);
  return lines;
}

TEST_CASE("padded variants of the same symbols share a body") {
  PlanOptions options;
  options.exact["batch"] = {1, 2};
  options.buckets["seq"] = {4, 64, 512};
  options.kinds[""] = {Way::Padded, 1};
  CHECK(share(options) == Texts{});
  options.sharing = Sharing::Always;
  CHECK(share(options) == Texts{"batch_1_seq_8_64 in padded_batch_1_seq",
                                "batch_1_seq_68_512 in padded_batch_1_seq",
                                "batch_2_seq_8_64 in padded_batch_2_seq",
                                "batch_2_seq_68_512 in padded_batch_2_seq"});
  options.buckets["seq"] = {64};
  CHECK(share(options) == Texts{});
  options.buckets["seq"] = {64, 512};
  options.kinds[""] = {Way::Range, 1};
  CHECK(share(options) == Texts{});
}

TEST_CASE("what gains little from constants shares when it is much") {
  PlanOptions options;
  options.kinds[""] = {Way::Padded, 1};
  options.buckets["seq"] = rule(Rule::Steps, 32);
  // Constants save half up to 100, and then a hundredth.
  options.costs.times = [](const Shape &shape, const SymbolSet &) {
    bool isSmall = shape.at("seq") <= 100;
    return BodyTimes{100, isSmall ? 50.0 : 99.0, 0};
  };
  Texts shared = share(options);
  CHECK(shared.size() == 13);
  CHECK(shared.front() == "seq_100_128 in padded_seq");
  options.sharing = Sharing::Never;
  CHECK(share(options) == Texts{});
  options.sharing = Sharing::Auto;
  options.buckets["seq"] = rule(Rule::Steps, 64);
  CHECK(share(options) == Texts{});
  // What chose itself did so for its constants.
  options.buckets["seq"] = rule(Rule::Steps, 16);
  options.kinds[""] = {Way::Auto, 1};
  options.costs.times = [](const Shape &, const SymbolSet &) {
    return BodyTimes{100, 90, 0};
  };
  CHECK(share(options) == Texts{});
}
