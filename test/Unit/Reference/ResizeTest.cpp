// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resize in its modes, against values worked out by hand from the formulas of
// ONNX Resize.

#include "Evaluation.h"
#include <catch2/catch.hpp>

using Values = std::vector<double>;

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
  // 2 * 0.75 is 1.5, thus more than one: the element lies at 0.5 / 0.75 - 0.5.
  scales = "scales = array<f32: 0.75>, ";
  CHECK(resize(scales + mode("linear", "pytorch_half_pixel"), "<[1]>",
               "tensor<2xf32>", "tensor<1xf32>",
               {0, 6})[0] == Approx(1).epsilon(1e-6));
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
