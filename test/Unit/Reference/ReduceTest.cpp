// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and softmax.

#include "Evaluation.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using Values = std::vector<double>;
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
static constexpr double kInf = std::numeric_limits<double>::infinity();

/// Evaluates one op on one tensor.
static Values apply(const std::string &op, const std::string &from,
                    const std::string &to, Values input) {
  Evaluation evaluation("func.func @main(%a: " + from + ") -> " + to +
                        " {\n %0 = " + op + " : (" + from + ") -> " + to +
                        "\n return %0 : " + to + "\n}");
  bool succeeded = evaluation.run({evaluation.tensor(from, input)});
  INFO(evaluation.errors);
  REQUIRE(succeeded);
  return evaluation.elements();
}

TEST_CASE("reductions along each dim") {
  Values input = {1, 2, 3, 4, 5, 6};
  CHECK(apply("graph.reduce %a <sum> [0]", "tensor<2x3xf32>", "tensor<3xf32>",
              input) == Values{5, 7, 9});
  CHECK(apply("graph.reduce %a <product> [1]", "tensor<2x3xf32>",
              "tensor<2xf32>", input) == Values{6, 120});
  CHECK(apply("graph.reduce %a <max> [0, 1]", "tensor<2x3xf32>", "tensor<f32>",
              input) == Values{6});
  CHECK(apply("graph.reduce %a <min> [1, 0]", "tensor<2x3xi8>", "tensor<i8>",
              input) == Values{1});
}

TEST_CASE("reductions of nothing give the neutral element") {
  auto reduce = [](std::string kind, std::string type) {
    return apply("graph.reduce %a <" + kind + "> [1]",
                 "tensor<1x0x" + type + ">", "tensor<1x" + type + ">", {});
  };
  CHECK(reduce("sum", "f32") == Values{0});
  CHECK(reduce("product", "f32") == Values{1});
  CHECK(reduce("max", "f32") == Values{-kInf});
  CHECK(reduce("min", "f16") == Values{kInf});
  CHECK(reduce("max", "i8") == Values{-128});
  CHECK(reduce("min", "i8") == Values{127});
  CHECK(reduce("max", "ui8") == Values{0});
  CHECK(reduce("min", "ui8") == Values{255});
  CHECK(reduce("min", "i1") == Values{1});
}

TEST_CASE("f32 sums run in f32 and ascend") {
  CHECK(apply("graph.reduce %a <sum> [0]", "tensor<3xf32>", "tensor<f32>",
              {16777216, 1, 1}) == Values{16777216});
  CHECK(apply("graph.reduce %a <sum> [0]", "tensor<3xf32>", "tensor<f32>",
              {1, 1, 16777216}) == Values{16777218});
}

TEST_CASE("NaN wins in maxima") {
  CHECK(std::isnan(apply("graph.reduce %a <max> [0]", "tensor<3xf32>",
                         "tensor<f32>", {1, kNan, 2})[0]));
}

TEST_CASE("unsigned maxima compare without sign") {
  CHECK(apply("graph.reduce %a <max> [0]", "tensor<2xui8>", "tensor<ui8>",
              {200, 100}) == Values{200});
}

TEST_CASE("arg_reduce takes the first or the last of equals") {
  Values input = {1, 3, 3, 2, 2, 0};
  CHECK(apply("graph.arg_reduce %a <max> 1", "tensor<2x3xf32>", "tensor<2xi64>",
              input) == Values{1, 0});
  CHECK(apply("graph.arg_reduce %a <max> 1 {select_last}", "tensor<2x3xf32>",
              "tensor<2xi64>", input) == Values{2, 1});
  CHECK(apply("graph.arg_reduce %a <min> 0", "tensor<2x3xf32>", "tensor<3xi64>",
              input) == Values{0, 1, 1});
}

TEST_CASE("softmax along an inner dim") {
  Values result = apply("graph.softmax %a along 1", "tensor<1x2x2xf32>",
                        "tensor<1x2x2xf32>", {0, 1000, 0, 1000});
  CHECK(result == Values{0.5, 0.5, 0.5, 0.5});
  Values log = apply("graph.softmax %a along 0 {log}", "tensor<2xf64>",
                     "tensor<2xf64>", {0, 0});
  CHECK(log == Values{-std::log(2.0), -std::log(2.0)});
  CHECK(apply("graph.softmax %a along 1", "tensor<2x0xf32>", "tensor<2x0xf32>",
              {})
            .empty());
}
