// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resize in its modes, against values worked out by hand from the formulas of
// ONNX Resize.

#include "Evaluation.h"
#include <catch2/catch.hpp>
#include <numeric>

using llvm::StringRef;
using Values = std::vector<double>;

#define FROM "tensor<?xi32, #sym.shape<[n]>>"
#define TO "tensor<?xi32, #sym.shape<[m]>>"

static Values resize(const std::string &attributes, const std::string &shape,
                     const std::string &from, const std::string &to,
                     Values input) {
  Evaluation evaluation("func.func @main(%a: " + from + ") -> " + to +
                        " {\n %0 = graph.resize %a to " + shape + " {" +
                        attributes + "} : (" + from + ") -> " + to +
                        "\n return %0 : " + to + "\n}");
  bool succeeded = evaluation.run({evaluation.tensor(from, input)});
  INFO(evaluation.errors);
  REQUIRE(succeeded);
  return evaluation.elements();
}

static std::string mode(std::string mode, std::string coordinates,
                        std::string rounding = "round_prefer_floor") {
  return "coordinates = #graph.coordinates<" + coordinates +
         ">, mode = #graph.resize_mode<" + mode +
         ">, rounding = #graph.rounding<" + rounding + ">";
}

TEST_CASE("nearest by two repeats elements") {
  CHECK(resize(mode("nearest", "asymmetric", "floor"), "<[4]>", "tensor<2xf32>",
               "tensor<4xf32>", {1, 2}) == Values{1, 1, 2, 2});
  CHECK(resize(mode("nearest", "half_pixel"), "<[4]>", "tensor<2xi8>",
               "tensor<4xi8>", {1, 2}) == Values{1, 1, 2, 2});
}

TEST_CASE("rounding decides ties") {
  // Downsampling by 2 with half_pixel puts every position between two elements.
  auto shrink = [](std::string rounding) {
    return resize(mode("nearest", "half_pixel", rounding), "<[2]>",
                  "tensor<4xf32>", "tensor<2xf32>", {0, 1, 2, 3});
  };
  CHECK(shrink("round_prefer_floor") == Values{0, 2});
  CHECK(shrink("round_prefer_ceil") == Values{1, 3});
  CHECK(shrink("floor") == Values{0, 2});
  CHECK(shrink("ceil") == Values{1, 3});
}

TEST_CASE("with scales, the resized length is not rounded") {
  // 4 * 0.625 is 2.5: the second element lies at 1 * 3 / 1.5.
  std::string scales = "scales = array<f32: 0.625>, ";
  CHECK(resize(scales + mode("linear", "align_corners"), "<[2]>",
               "tensor<4xf32>", "tensor<2xf32>", {1, 2, 4, 8}) == Values{1, 4});
  // What pytorch_half_pixel asks for is the size of the result.
  scales = "scales = array<f32: 0.75>, ";
  CHECK(resize(scales + mode("linear", "pytorch_half_pixel"), "<[1]>",
               "tensor<2xf32>", "tensor<1xf32>", {0, 6}) == Values{0});
}

TEST_CASE("linear in all coordinates") {
  auto enlarge = [](std::string coordinates) {
    return resize(mode("linear", coordinates), "<[4]>", "tensor<2xf32>",
                  "tensor<4xf32>", {0, 8});
  };
  CHECK(enlarge("half_pixel") == Values{0, 2, 6, 8});
  CHECK(enlarge("asymmetric") == Values{0, 4, 8, 8});
  CHECK(enlarge("pytorch_half_pixel") == Values{0, 2, 6, 8});
  CHECK(resize(mode("linear", "align_corners"), "<[5]>", "tensor<2xf32>",
               "tensor<5xf32>", {0, 8}) == Values{0, 2, 4, 6, 8});
}

TEST_CASE("a size of 1") {
  auto one = [](std::string coordinates) {
    return resize(mode("linear", coordinates), "<[1]>", "tensor<3xf32>",
                  "tensor<1xf32>", {1, 2, 4});
  };
  CHECK(one("align_corners") == Values{1});
  CHECK(one("pytorch_half_pixel") == Values{1});
  CHECK(one("half_pixel") == Values{2});
}

TEST_CASE("linear in two dims") {
  CHECK(resize(mode("linear", "align_corners"), "<[3, 3]>", "tensor<2x2xf32>",
               "tensor<3x3xf32>",
               {0, 2, 4, 6}) == Values{0, 1, 2, 2, 3, 4, 4, 5, 6});
}

TEST_CASE("given scales replace the ratio of sizes") {
  // 3 * 0.6 gives 1 element; its position is 0.5 / 0.6 - 0.5 = 0.33.
  CHECK(resize(mode("linear", "half_pixel") + ", scales = array<f32: 0.5>",
               "<[1]>", "tensor<3xf32>", "tensor<1xf32>",
               {0, 4, 8}) == Values{2});
}

TEST_CASE("an empty dim stays empty") {
  CHECK(resize(mode("linear", "half_pixel"), "<[0, 2]>", "tensor<0x4xf32>",
               "tensor<0x2xf32>", {})
            .empty());
}

namespace {
/// Where an element of the result lies: over / under, with under > 0.
struct Fraction {
  int64_t over, under;
};
} // namespace

static const char *const kCoordinates[] = {"half_pixel", "pytorch_half_pixel",
                                           "align_corners", "asymmetric"};
static const char *const kRoundings[] = {"round_prefer_floor",
                                         "round_prefer_ceil", "floor", "ceil"};

/// The formulas of ONNX for a scale of `scale.over` / `scale.under`.
static Fraction locate(StringRef coordinates, int64_t i, int64_t from,
                       int64_t to, Fraction scale) {
  if (coordinates == "asymmetric")
    return {i * scale.under, scale.over};
  if (coordinates == "align_corners") {
    int64_t span = from * scale.over - scale.under;
    return span > 0 ? Fraction{i * (from - 1) * scale.under, span}
                    : Fraction{0, 1};
  }
  if (coordinates == "pytorch_half_pixel" && to == 1)
    return {0, 1};
  return {(2 * i + 1) * scale.under - scale.over, 2 * scale.over};
}

/// The element of `from` that a position means, found by looking at each.
static int64_t nearest(Fraction at, StringRef rounding, int64_t from) {
  int64_t best = 0;
  for (int64_t element = 0; element < from; ++element) {
    int64_t beyond = at.over - element * at.under; // times at.under
    bool takes = rounding == "floor"               ? beyond >= 0
                 : rounding == "ceil"              ? beyond > -at.under
                 : rounding == "round_prefer_ceil" ? 2 * beyond >= -at.under
                                                   : 2 * beyond > -at.under;
    if (takes)
      best = element;
  }
  return best;
}

/// One resize of the elements 0, 1, ... for each way of picking them.
static std::string allNearest(const std::string &scales) {
  std::string ops, results, types;
  int number = 0;
  for (const char *coordinates : kCoordinates)
    for (const char *rounding : kRoundings) {
      std::string name = "%r" + std::to_string(number++);
      ops += name + " = graph.resize %x to <[m]> {" + scales +
             mode("nearest", coordinates, rounding) +
             "} : (" FROM ") -> " TO "\n";
      results += (number > 1 ? ", " : "") + name;
      types += std::string(number > 1 ? ", " : "") + TO;
    }
  return "func.func @main(%x: " FROM ", %like: " TO ") -> (" + types + ") {\n" +
         ops + "return " + results + " : " + types + "\n}";
}

/// The number of elements that are not what exact arithmetic says.
static int64_t countWrong(Evaluation &evaluation, int64_t from, int64_t to,
                          Fraction scale) {
  Values elements(from);
  std::iota(elements.begin(), elements.end(), 0);
  auto type = [](int64_t size) {
    return "tensor<" + std::to_string(size) + "xi32>";
  };
  bool succeeded = evaluation.run({evaluation.tensor(type(from), elements),
                                   evaluation.tensor(type(to), {})});
  INFO(evaluation.errors);
  REQUIRE(succeeded);
  int64_t wrong = 0;
  size_t output = 0;
  for (const char *coordinates : kCoordinates)
    for (const char *rounding : kRoundings) {
      Values found = evaluation.elements(output++);
      for (int64_t i = 0; i < to; ++i)
        wrong += found[i] != nearest(locate(coordinates, i, from, to, scale),
                                     rounding, from);
    }
  return wrong;
}

TEST_CASE("nearest takes the right element for every pair of sizes") {
  Evaluation evaluation(allNearest(""));
  int64_t wrong = 0;
  for (int64_t from = 1; from <= 50; ++from)
    for (int64_t to = 1; to <= 50; ++to)
      wrong += countWrong(evaluation, from, to, {to, from});
  CHECK(wrong == 0);
}

TEST_CASE("nearest takes the right element for every scale") {
  int64_t wrong = 0;
  // 0.6 is no fraction that f32 holds: it means 5033165 / 2^23.
  for (auto [text, scale] :
       {std::pair("1.5", Fraction{3, 2}), std::pair("0.75", Fraction{3, 4}),
        std::pair("7.0", Fraction{7, 1}),
        std::pair("0.6", Fraction{5033165, 1 << 23}),
        std::pair("1.1", Fraction{9227469, 1 << 23})}) {
    Evaluation evaluation(
        allNearest("scales = array<f32: " + std::string(text) + ">, "));
    for (int64_t from = 1; from <= 60; ++from)
      if (int64_t to = from * scale.over / scale.under)
        wrong += countWrong(evaluation, from, to, scale);
  }
  CHECK(wrong == 0);
}

TEST_CASE("a scale that no position can be computed with is refused") {
  for (std::string scale : {"0.0", "-1.0", "0x7FC00000", "0x7F800000"}) {
    Evaluation evaluation("func.func @main(%a: tensor<2xf32>) -> "
                          "tensor<2xf32> {\n %0 = graph.resize %a to <[2]> {" +
                          mode("nearest", "half_pixel") +
                          ", scales = array<f32: " + scale +
                          ">} : (tensor<2xf32>) -> tensor<2xf32>\n return %0 : "
                          "tensor<2xf32>\n}");
    CHECK_THAT(evaluation.errors,
               Catch::Contains("scale of dim 0 is") &&
                   Catch::Contains("expected 2^-30 to 2^30"));
  }
}

TEST_CASE("positions that leave 64 bits are refused") {
  // 2^-20 * (1 + 2^-23) has 2^43 below.
  Evaluation evaluation("func.func @main(%x: " FROM ") -> tensor<1xi32> {\n"
                        "%0 = graph.resize %x to <[1]> {" +
                        mode("nearest", "align_corners") +
                        ", scales = array<f32: 0x35800001>} : (" FROM
                        ") -> tensor<1xi32>\n return %0 : tensor<1xi32>\n}");
  CHECK_FALSE(evaluation.run(
      {evaluation.tensor("tensor<1100000xi32>", Values(1100000))}));
  CHECK(evaluation.errors ==
        "positions in dim 0 of size 1100000 overflow 64 bits\n");
}
