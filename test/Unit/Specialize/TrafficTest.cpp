// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants for observed shapes: beside power-of-two buckets, and beside every
// choice there is where that can be tried.

#include "Diagnosed.h"
#include "TrafficGrid.h"
#include "ambit/Specialize/Plan.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace ambit;
using namespace ambit::planning;

/// A product of sizes, of which symbolic sizes make half as much again.
static BodyTimes areaTimes(llvm::ArrayRef<int64_t> sizes) {
  double exact = 20;
  for (int64_t size : sizes)
    exact *= double(size + 4);
  return {1.5 * exact, exact};
}

static std::vector<WeightedShape>
weigh(const std::map<std::vector<int64_t>, double> &counts) {
  std::vector<WeightedShape> shapes;
  for (const auto &[sizes, weight] : counts) {
    BodyTimes times = areaTimes(sizes);
    shapes.push_back({sizes, weight, times.generic, times.exact});
  }
  return shapes;
}

/// What boxes take, from their definition: the first that holds a shape runs.
static double timeOf(const std::vector<WeightedShape> &shapes,
                     const std::vector<TrafficBox> &boxes) {
  double time = 0;
  for (const WeightedShape &shape : shapes) {
    double each = shape.generic;
    for (const TrafficBox &box : boxes) {
      bool isInside = true;
      for (size_t i = 0; i < shape.sizes.size(); ++i)
        isInside &=
            box.low[i] <= shape.sizes[i] && shape.sizes[i] <= box.top[i];
      if (!isInside)
        continue;
      each = areaTimes(box.top).exact;
      break;
    }
    time += shape.weight * each;
  }
  return time;
}

/// Sizes of one symbol: uniform, log-normal, or in two heaps.
static int64_t draw(std::mt19937 &random, unsigned kind, int64_t most) {
  std::normal_distribution<double> normal;
  double value = kind == 0   ? double(random() % most) + 1
                 : kind == 1 ? std::exp(std::log(most / 6.0) + normal(random))
                 : random() % 3 ? most / 8.0 + normal(random) * most / 40
                                : most * 0.7 + normal(random) * most / 40;
  return std::clamp<int64_t>(std::llround(value), 1, most);
}

TEST_CASE("the time of a choice is that of its boxes, never above powers of "
          "two") {
  std::mt19937 random(3);
  for (unsigned trial = 0; trial < 24; ++trial) {
    unsigned symbols = 1 + trial % 3, kind = trial / 3 % 3;
    std::map<std::vector<int64_t>, double> counts;
    for (unsigned call = 0; call < 600; ++call) {
      std::vector<int64_t> sizes;
      for (unsigned i = 0; i < symbols; ++i)
        sizes.push_back(draw(random, kind, i ? 16 : 256));
      ++counts[sizes];
    }
    std::vector<WeightedShape> shapes = weigh(counts);
    std::vector<int64_t> greatest(symbols, 16);
    greatest[0] = 256;
    TrafficChoice powers = choosePowersOfTwo(shapes, greatest, areaTimes);
    TrafficChoice choice = chooseBoxes(shapes, areaTimes, powers.boxes.size());
    CAPTURE(symbols, kind);
    CHECK(choice.boxes.size() <= powers.boxes.size());
    CHECK(choice.time == Approx(timeOf(shapes, choice.boxes)));
    CHECK(choice.time <= powers.time);
    // A budget that is too small for them is still worth something.
    CHECK(chooseBoxes(shapes, areaTimes, 2).time < timeOf(shapes, {}) * 0.999);
  }
}

/// The best of all sets of at most `most` boxes over a small grid.
static double tryAll(const std::vector<WeightedShape> &shapes,
                     const std::vector<TrafficBox> &all, size_t most,
                     size_t from, std::vector<TrafficBox> &chosen) {
  double best = timeOf(shapes, chosen);
  if (chosen.size() == most)
    return best;
  for (size_t i = from; i < all.size(); ++i) {
    bool isApart = llvm::all_of(chosen, [&](const TrafficBox &other) {
      return other.top[0] < all[i].low[0] || all[i].top[0] < other.low[0] ||
             other.top[1] < all[i].low[1] || all[i].top[1] < other.low[1];
    });
    if (!isApart)
      continue;
    chosen.push_back(all[i]);
    best = std::min(best, tryAll(shapes, all, most, i + 1, chosen));
    chosen.pop_back();
  }
  return best;
}

TEST_CASE("two symbols: near the best of all sets of boxes") {
  std::mt19937 random(11);
  std::vector<TrafficBox> all;
  std::vector<int64_t> sizes{3, 10, 12, 30};
  for (size_t a = 0; a < 4; ++a)
    for (size_t b = a; b < 4; ++b)
      for (size_t c = 0; c < 4; ++c)
        for (size_t d = c; d < 4; ++d)
          all.push_back({{sizes[a], sizes[c]}, {sizes[b], sizes[d]}});
  double worst = 1, sum = 0;
  constexpr unsigned kTrials = 40;
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    std::map<std::vector<int64_t>, double> counts;
    for (unsigned i = 0; i < 9; ++i)
      counts[{sizes[random() % 4], sizes[random() % 4]}] += random() % 20 + 1;
    std::vector<WeightedShape> shapes = weigh(counts);
    std::vector<TrafficBox> chosen;
    double best = tryAll(shapes, all, 3, 0, chosen);
    double ratio = chooseBoxes(shapes, areaTimes, 3).time / best;
    CHECK(ratio > 0.9999);
    worst = std::max(worst, ratio);
    sum += ratio;
  }
  CAPTURE(worst, sum / kTrials);
  CHECK(worst < 1.02);
  CHECK(sum / kTrials < 1.002);
}

static PlanInput makeInput(std::vector<Traffic::Row> rows) {
  PlanInput input;
  input.model.setRange("batch", {1, 64, 1});
  input.model.setRange("seq", {4, 512, 4});
  input.options.costs = {[](const Shape &shape, const SymbolSet &) {
    return areaTimes({shape.at("batch"), shape.at("seq")});
  }};
  input.options.traffic = Traffic{{"batch", "seq"}, std::move(rows)};
  return input;
}

static std::vector<std::string> namesOf(const Plan &plan) {
  std::vector<std::string> names;
  for (const VariantPlan &variant : plan.variants)
    names.push_back(variant.name + " " +
                    dispatch::stringifyVariantKind(variant.kind).str());
  return names;
}

TEST_CASE("a plan from traffic: hot shapes are exact, near ones are padded") {
  Diagnosed d;
  PlanInput input = makeInput({{{1, 128}, 1000},
                               {{1, 252}, 20},
                               {{1, 248}, 30},
                               {{1, 240}, 20},
                               {{1, 6}, 7}, // no multiple of 4
                               {{65, 8}, 2}});
  input.options.maxVariants = 3;
  mlir::FailureOr<Plan> plan = makePlan(&d.context, input);
  REQUIRE(mlir::succeeded(plan));
  CHECK(namesOf(*plan) == std::vector<std::string>{"batch_1_seq_128 exact",
                                                   "batch_1_seq_228_252 padded",
                                                   "generic generic"});
  REQUIRE(plan->traffic);
  CHECK(plan->traffic->calls == 1070);
  CHECK(plan->traffic->outside == 9);
  CHECK(plan->traffic->shapes == 4);
  CHECK(plan->traffic->optimum <= plan->traffic->chosen);
  CHECK(plan->traffic->chosen < plan->traffic->powersOfTwo);
  CHECK(plan->traffic->powersOfTwo < plan->traffic->generic);
  CHECK(plan->traffic->optimumVariants == 4);
  CHECK(plan->traffic->powerVariants == 2);
}

TEST_CASE("a plan from traffic of two symbols can be proven") {
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 10; ++trial) {
    Diagnosed d;
    std::vector<Traffic::Row> rows;
    for (int64_t batch = 1; batch < 9; ++batch)
      for (int64_t seq = 4; seq < 120; seq += 4)
        if (random() % 3 == 0)
          rows.push_back({{batch, seq}, int64_t(random() % 100 + 1)});
    PlanInput input = makeInput(std::move(rows));
    input.options.maxVariants = 12;
    mlir::FailureOr<Plan> plan = makePlan(&d.context, input);
    CHECK(d.errors == std::vector<std::string>());
    REQUIRE(mlir::succeeded(plan));
    CHECK(plan->variants.size() <= 12);
    CHECK(plan->variants.size() > 3);
    CHECK(plan->traffic->chosen < plan->traffic->generic);
  }
}

TEST_CASE("traffic that lies outside of the domain asks for nothing") {
  Diagnosed d;
  mlir::FailureOr<Plan> plan =
      makePlan(&d.context, makeInput({{{65, 8}, 2}, {{1, 5}, 3}}));
  REQUIRE(mlir::succeeded(plan));
  CHECK(namesOf(*plan) == std::vector<std::string>{"generic generic"});
  CHECK(plan->traffic->outside == 5);
  CHECK(plan->traffic->calls == 0);
}

TEST_CASE("a symbol that is an expression is no reason to leave a shape out") {
  Diagnosed d;
  PlanInput input = makeInput({{{2, 128}, 10}});
  input.model.setRange("both", {0, 1000, 1});
  input.definitions.emplace_back("both",
                                 Expr::symbol("batch") * Expr::symbol("seq"));
  mlir::FailureOr<Plan> plan = makePlan(&d.context, input);
  REQUIRE(mlir::succeeded(plan));
  CHECK(plan->traffic->calls == 10);
  CHECK(plan->variants.front().name == "batch_2_seq_128");
}

TEST_CASE("a model without symbols has one body") {
  Diagnosed d;
  PlanInput input;
  input.options.costs = {
      [](const Shape &, const SymbolSet &) { return BodyTimes{3, 2}; }};
  input.options.traffic = Traffic{{}, {{{}, 7}}};
  mlir::FailureOr<Plan> plan = makePlan(&d.context, input);
  REQUIRE(mlir::succeeded(plan));
  CHECK(namesOf(*plan) == std::vector<std::string>{"generic generic"});
  CHECK(plan->traffic->calls == 7);
}
