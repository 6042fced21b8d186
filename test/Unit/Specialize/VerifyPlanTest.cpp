// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong plans are found out, each with a shape that shows it.

#include "Diagnosed.h"
#include "ambit/Specialize/Plan.h"
#include <catch2/catch.hpp>
#include <chrono>

using namespace ambit;

static Plan makeTable(std::vector<std::map<std::string, SymbolRange>> boxes) {
  Plan plan;
  plan.model.setRange("n", {1, 64, 1});
  plan.model.setRange("m", {1, 64, 1});
  for (auto &box : boxes) {
    VariantPlan variant;
    variant.name = "v" + std::to_string(plan.variants.size());
    variant.domain = plan.model;
    for (const auto &[symbol, range] : box)
      variant.domain.setRange(symbol, range);
    variant.box = std::move(box);
    plan.variants.push_back(std::move(variant));
  }
  return plan;
}

static std::vector<std::string> verify(const Plan &plan) {
  Diagnosed d;
  bool isRight = mlir::succeeded(verifyPlan(&d.context, plan));
  CHECK(isRight == d.errors.empty());
  return d.errors;
}

using Texts = std::vector<std::string>;

TEST_CASE("a variant outside of the model's domain") {
  CHECK(verify(makeTable({{{"n", {1, 65, 1}}}, {}})) ==
        Texts{"plan: variant 'v0' takes 'n' in 1..65, expected sizes within "
              "1..64: n = 65 is outside"});
  CHECK(verify(makeTable({{{"k", {1, 2, 1}}}, {}})) ==
        Texts{"plan: variant 'v0' bounds 'k', which the model does not have"});
}

TEST_CASE("variants that overlap without one being more special") {
  std::vector<std::string> errors =
      verify(makeTable({{{"n", {1, 16, 1}}}, {{"n", {16, 32, 1}}}, {}}));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].find("plan: variants 'v0' and 'v1' take the same shapes and "
                       "neither is more special: ") == 0);
  CHECK(errors[0].find("n = 16") != std::string::npos);
}

TEST_CASE("a special variant behind a wider one") {
  std::vector<std::string> errors =
      verify(makeTable({{{"n", {1, 16, 1}}}, {{"n", {8, 8, 1}}}, {}}));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].find("n = 8") != std::string::npos);
}

TEST_CASE("an overlap that a third variant takes is deliberate") {
  CHECK(verify(makeTable({{{"n", {8, 8, 1}}, {"m", {2, 2, 1}}},
                          {{"n", {8, 8, 1}}, {"m", {1, 4, 1}}},
                          {{"n", {1, 16, 1}}, {"m", {2, 2, 1}}},
                          {}})) == Texts{});
}

TEST_CASE("shapes that no variant takes") {
  std::vector<std::string> errors =
      verify(makeTable({{{"n", {1, 16, 1}}}, {{"n", {18, 64, 1}}}}));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].find("--fallback: no variant takes ") == 0);
  CHECK(errors[0].find("n = 17") != std::string::npos);
}

TEST_CASE("an 8 x 8 grid is proven in 50 ms") {
  std::vector<std::map<std::string, SymbolRange>> boxes;
  for (int64_t n = 0; n < 8; ++n)
    for (int64_t m = 0; m < 8; ++m)
      boxes.push_back(
          {{"n", {8 * n + 1, 8 * n + 8, 1}}, {"m", {8 * m + 1, 8 * m + 8, 1}}});
  Plan plan = makeTable(boxes);
  auto start = std::chrono::steady_clock::now();
  CHECK(verify(plan) == Texts{});
  auto spent = std::chrono::steady_clock::now() - start;
  CHECK(std::chrono::duration<double, std::milli>(spent).count() < 50);
}
