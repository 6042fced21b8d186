// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What options make which variants, and which options are refused.

#include "ambit/Specialize/Plan.h"
#include "Diagnosed.h"
#include "ambit/Symbolic/Parser.h"
#include <catch2/catch.hpp>
#include <random>

using namespace ambit;

static Condition parse(const char *text) {
  ParseError error;
  return parseCondition(text, error).value();
}

static Domain twoSymbols() {
  Domain domain;
  domain.setRange("batch", {1, 64, 1});
  domain.setRange("seq", {1, 512, 1});
  return domain;
}

static std::string shapesOf(const VariantPlan &variant) {
  std::string text;
  for (const auto &[symbol, range] : variant.box) {
    text +=
        (text.empty() ? "" : ", ") + symbol + " = " + std::to_string(range.min);
    if (range.max != range.min)
      text += ".." + std::to_string(range.max);
  }
  return text.empty() ? "every other shape" : text;
}

/// A line for each variant, then one for each that was left out.
static std::string table(const Plan &plan) {
  std::string text;
  for (const VariantPlan &variant : plan.variants)
    text += variant.name + " " +
            dispatch::stringifyVariantKind(variant.kind).str() + ": " +
            shapesOf(variant) + "\n";
  for (const OmittedVariant &omitted : plan.omitted)
    text += "no " + omitted.name + ": " + omitted.reason + "\n";
  return text;
}

static std::string plan(const Domain &domain, const PlanOptions &options) {
  Diagnosed d;
  mlir::FailureOr<Plan> plan = makePlan(&d.context, {domain, {}, options});
  CHECK(d.errors == std::vector<std::string>());
  return mlir::succeeded(plan) ? table(*plan) : "";
}

static std::vector<std::string> errors(const Domain &domain,
                                       const PlanOptions &options) {
  Diagnosed d;
  CHECK(mlir::failed(makePlan(&d.context, {domain, {}, options})));
  return d.errors;
}

using Texts = std::vector<std::string>;

TEST_CASE("without options there is the generic variant") {
  CHECK(plan(twoSymbols(), {}) == "generic generic: every other shape\n");
}

TEST_CASE("sizes come before intervals, the generic variant last") {
  PlanOptions options;
  options.exact["seq"] = {128, 8};
  options.buckets["seq"] = {16, 32};
  CHECK(plan(twoSymbols(), options) == "seq_8 exact: seq = 8\n"
                                       "seq_128 exact: seq = 128\n"
                                       "seq_1_16 range: seq = 1..16\n"
                                       "seq_17_32 range: seq = 17..32\n"
                                       "generic generic: every other shape\n");
}

TEST_CASE("several symbols are combined") {
  PlanOptions options;
  options.exact["batch"] = {1};
  options.buckets["batch"] = {4};
  options.exact["seq"] = {2};
  options.buckets["seq"] = {16};
  CHECK(plan(twoSymbols(), options) ==
        "batch_1_seq_2 exact: batch = 1, seq = 2\n"
        "batch_1_seq_1_16 range: batch = 1, seq = 1..16\n"
        "batch_1_4_seq_2 range: batch = 1..4, seq = 2\n"
        "batch_1_4_seq_1_16 range: batch = 1..4, seq = 1..16\n"
        "generic generic: every other shape\n");
}

TEST_CASE("intervals begin and end at multiples of the divisor") {
  Domain domain;
  domain.setRange("n", {1, 512, 8});
  PlanOptions options;
  options.buckets["n"] = {16, 64};
  CHECK(plan(domain, options) == "n_8_16 range: n = 8..16\n"
                                 "n_24_64 range: n = 24..64\n"
                                 "generic generic: every other shape\n");
}

TEST_CASE("an interval of one size is that size") {
  PlanOptions options;
  options.exact["seq"] = {2};
  options.buckets["seq"] = {1, 2, 3};
  CHECK(plan(twoSymbols(), options) == "seq_1 exact: seq = 1\n"
                                       "seq_2 exact: seq = 2\n"
                                       "seq_3 exact: seq = 3\n"
                                       "generic generic: every other shape\n");
}

TEST_CASE("variants that no shape reaches are left out") {
  Domain domain;
  domain.setRange("n", {1, 32, 1});
  PlanOptions options;
  options.exact["n"] = {1, 2};
  options.buckets["n"] = {2, 32};
  CHECK(plan(domain, options) ==
        "n_1 exact: n = 1\n"
        "n_2 exact: n = 2\n"
        "n_3_32 range: n = 3..32\n"
        "no n_1_2: the variants before it take all of its shapes\n"
        "no generic: the variants before it take all of its shapes\n");

  domain.assume(parse("n >= 2"));
  options = PlanOptions();
  options.exact["n"] = {1};
  CHECK(plan(domain, options) ==
        "generic generic: every other shape\n"
        "no n_1: the guards admit none of its shapes\n");
}

TEST_CASE("symbols that differ in odd characters get different names") {
  Domain domain;
  domain.setRange("a.b", {0, 9, 1});
  domain.setRange("a_b", {0, 9, 1});
  PlanOptions options;
  options.exact["a.b"] = {1};
  CHECK(plan(domain, options) == "a_b_1 exact: a.b = 1\n"
                                 "generic generic: every other shape\n");
}

TEST_CASE("an unknown symbol is refused with the symbols there are") {
  PlanOptions options;
  options.exact["sequence"] = {1};
  options.buckets["n"] = {1};
  CHECK(errors(twoSymbols(), options) ==
        Texts{"--exact: no symbol is called 'sequence'; the model has 'batch', "
              "'seq'",
              "--bucket: no symbol is called 'n'; the model has 'batch', "
              "'seq'"});
  CHECK(errors(Domain(), options)[0] ==
        "--exact: no symbol is called 'sequence'; the model has none");
}

TEST_CASE("sizes outside of a symbol's range are refused") {
  PlanOptions options;
  options.exact["batch"] = {0, 8};
  options.buckets["seq"] = {16, 1024};
  CHECK(errors(twoSymbols(), options) ==
        Texts{"--exact: size 0 of 'batch' is outside of its range, expected "
              "1..64",
              "--bucket: size 1024 of 'seq' is outside of its range, expected "
              "1..512"});
  Domain domain;
  domain.setRange("n", {0, INT64_MAX, 8});
  options = PlanOptions();
  options.exact["n"] = {-8, 12};
  CHECK(errors(domain, options) ==
        Texts{"--exact: size -8 of 'n' is outside of its range, expected 0..",
              "--exact: size 12 of 'n', expected a multiple of 8"});
}

TEST_CASE("sizes given twice, out of order or not at all are refused") {
  PlanOptions options;
  options.exact["batch"] = {4, 2, 4};
  options.exact["seq"] = {};
  options.buckets["seq"] = {16, 8};
  CHECK(errors(twoSymbols(), options) ==
        Texts{"--exact: size 4 of 'batch' is given twice",
              "--exact: no size is given for 'seq'",
              "--bucket: sizes of 'seq' are out of order: 8 comes after 16, "
              "expected increasing ones"});
}

TEST_CASE("too many variants are refused before they are made") {
  Domain domain;
  PlanOptions options;
  for (char c = 'a'; c <= 'z'; ++c) {
    std::string name(1, c);
    domain.setRange(name, {0, 100, 1});
    options.exact[name] = {1, 2, 3, 4, 5, 6, 7, 8};
  }
  CHECK(errors(domain, options) ==
        Texts{"--max-variants: 18446744073709551615 variants are asked for, at "
              "most 64 are allowed; give fewer sizes to --exact and --bucket, "
              "or raise this limit"});
}

TEST_CASE("without a generic variant the others must cover every shape") {
  PlanOptions options;
  options.fallback = false;
  options.buckets["seq"] = {16, 511};
  std::vector<std::string> found = errors(twoSymbols(), options);
  REQUIRE(found.size() == 1);
  CHECK(found[0].find("--fallback: no variant takes ") == 0);
  CHECK(found[0].find("seq = 512") != std::string::npos);
  options.buckets["seq"] = {16, 512};
  CHECK(plan(twoSymbols(), options) == "seq_1_16 range: seq = 1..16\n"
                                       "seq_17_512 range: seq = 17..512\n");
  options.buckets.clear();
  CHECK(errors(twoSymbols(), options) ==
        Texts{"--fallback: without a generic variant, other variants must be "
              "asked for (--exact, --bucket)"});
}

TEST_CASE("what is left out blames the rule that does it, else the option") {
  Diagnosed d;
  PlanInput input;
  input.model.setRange("n", {1, 32, 1});
  input.model.assume(parse("n <= 30"));
  input.model.assume(parse("n >= 2"));
  for (const char *node : {"Slice_1", "Pad_2"})
    input.origins.push_back(
        mlir::NameLoc::get(mlir::StringAttr::get(&d.context, node)));
  input.options.exact["n"] = {1};
  input.options.buckets["n"] = {32};
  mlir::FailureOr<Plan> plan = makePlan(&d.context, input);
  REQUIRE(mlir::succeeded(plan));
  REQUIRE(plan->omitted.size() == 2);
  CHECK(plan->omitted[0].reason ==
        "rule 'n >= 2' from node 'Pad_2' admits none of its shapes");
  CHECK(plan->omitted[0].loc == input.origins[1]);
  CHECK(plan->omitted[1].name == "generic");
  CHECK(mlir::isa<mlir::NameLoc>(plan->omitted[1].loc));
}

TEST_CASE("conditions hold for exactly the shapes of the variant's domain") {
  std::mt19937 random(5);
  Domain domain = twoSymbols();
  domain.setRange("batch", {1, 64, 2});
  PlanOptions options;
  options.exact["batch"] = {2, 6};
  options.buckets["batch"] = {4, 64};
  options.buckets["seq"] = {5, 100};
  Diagnosed d;
  mlir::FailureOr<Plan> plan = makePlan(&d.context, {domain, {}, options});
  REQUIRE(mlir::succeeded(plan));
  for (unsigned trial = 0; trial < 5000; ++trial) {
    std::map<std::string, int64_t> shape{{"batch", random() % 33 * 2},
                                         {"seq", random() % 520}};
    if (!domain.contains(shape))
      continue;
    for (const VariantPlan &variant : plan->variants) {
      bool holds = true;
      for (const Condition &condition : getConditions(*plan, variant))
        holds &= condition.evaluate(shape) == true;
      REQUIRE(holds == variant.domain.contains(shape));
    }
  }
}
