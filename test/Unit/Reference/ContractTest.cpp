// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions, convolutions and windows.

#include "Evaluation.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using Values = std::vector<double>;

/// Evaluates one op on one or two tensors.
static Values apply(const std::string &op, const std::string &to,
                    std::vector<std::pair<std::string, Values>> inputs) {
  std::string args, types;
  for (size_t i = 0; i < inputs.size(); ++i) {
    args += (i ? ", %" : "%") + std::string(1, char('a' + i)) + ": " +
            inputs[i].first;
    types += (i ? ", " : "") + inputs[i].first;
  }
  Evaluation evaluation("func.func @main(" + args + ") -> " + to +
                        " {\n %0 = " + op + " : (" + types + ") -> " + to +
                        "\n return %0 : " + to + "\n}");
  std::vector<ambit::reference::HostTensor> tensors;
  for (auto &[type, values] : inputs)
    tensors.push_back(evaluation.tensor(type, values));
  bool succeeded = evaluation.run(tensors);
  INFO(evaluation.errors);
  REQUIRE(succeeded);
  return evaluation.elements();
}

TEST_CASE("matrix products") {
  CHECK(apply("graph.contract %a, %b", "tensor<2x2xf32>",
              {{"tensor<2x3xf32>", {1, 2, 3, 4, 5, 6}},
               {"tensor<3x2xf32>", {1, 0, 0, 1, 1, 1}}}) ==
        Values{4, 5, 10, 11});
  SECTION("with batch") {
    CHECK(apply("graph.contract %a, %b", "tensor<2x1x1xi32>",
                {{"tensor<2x1x2xi32>", {1, 2, 3, 4}},
                 {"tensor<2x2x1xi32>", {1, 1, 2, 2}}}) == Values{3, 14});
  }
  SECTION("with a shared right-hand side") {
    CHECK(apply("graph.contract %a, %b", "tensor<2x1x1xf32>",
                {{"tensor<2x1x2xf32>", {1, 2, 3, 4}},
                 {"tensor<2x1xf32>", {1, 10}}}) == Values{21, 43});
  }
  SECTION("over no elements") {
    CHECK(apply("graph.contract %a, %b", "tensor<1x2xf32>",
                {{"tensor<1x0xf32>", {}}, {"tensor<0x2xf32>", {}}}) ==
          Values{0, 0});
  }
}

TEST_CASE("wide sums of narrow floats are not rounded") {
  CHECK(apply("graph.contract %a, %b {wide}", "tensor<1x1xf32>",
              {{"tensor<1x2xf16>", {300, 1}}, {"tensor<2x1xf16>", {300, 1}}}) ==
        Values{90001});
  CHECK(apply("graph.contract %a, %b", "tensor<1x1xf16>",
              {{"tensor<1x2xf16>", {2048, 1}}, {"tensor<2x1xf16>", {1, 1}}}) ==
        Values{2048});
  CHECK(apply("graph.conv %a, %b {strides = array<i64: 1>, dilations = "
              "array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, "
              "groups = 1 : i64, wide}",
              "tensor<1x1x1xf32>",
              {{"tensor<1x1x2xbf16>", {256, 1}},
               {"tensor<1x1x2xbf16>", {1, 1}}}) == Values{257});
}

TEST_CASE("contractions fuse multiply and add in ascending order") {
  // (1 + 2^-12)^2 - 1 keeps the last bit of the square only when fused.
  CHECK(apply("graph.contract %a, %b", "tensor<1x1xf32>",
              {{"tensor<1x2xf32>", {-1, 1 + 0x1p-12}},
               {"tensor<2x1xf32>", {1, 1 + 0x1p-12}}}) ==
        Values{0x1p-11 + 0x1p-24});
}

static const char *kPlain = "{dilations = array<i64: 1>, groups = 1 : i64, "
                            "high = array<i64: 0>, low = array<i64: 0>, "
                            "strides = array<i64: 1>}";

TEST_CASE("convolutions") {
  CHECK(apply(std::string("graph.conv %a, %b ") + kPlain, "tensor<1x1x3xf32>",
              {{"tensor<1x1x4xf32>", {1, 2, 3, 4}},
               {"tensor<1x1x2xf32>", {1, 10}}}) == Values{21, 32, 43});
  SECTION("padded, strided and dilated") {
    CHECK(apply("graph.conv %a, %b {dilations = array<i64: 2>, groups = 1 : "
                "i64, high = array<i64: 1>, low = array<i64: 1>, strides = "
                "array<i64: 2>}",
                "tensor<1x1x2xf32>",
                {{"tensor<1x1x4xf32>", {1, 2, 3, 4}},
                 {"tensor<1x1x2xf32>", {1, 10}}}) == Values{20, 42});
  }
  SECTION("padding is zeros") {
    double inf = std::numeric_limits<double>::infinity();
    Values sums =
        apply("graph.conv %a, %b {dilations = array<i64: 1>, groups = 1 : i64, "
              "high = array<i64: 0>, low = array<i64: 1>, strides = "
              "array<i64: 1>}",
              "tensor<1x1x2xf32>",
              {{"tensor<1x1x2xf32>", {1, 2}}, {"tensor<1x1x2xf32>", {inf, 1}}});
    CHECK(std::isnan(sums[0]));
    CHECK(sums[1] == inf);
  }
  SECTION("with groups and two images") {
    CHECK(apply("graph.conv %a, %b {dilations = array<i64: 1>, groups = 2 : "
                "i64, high = array<i64: 0>, low = array<i64: 0>, strides = "
                "array<i64: 1>}",
                "tensor<2x2x2xf32>",
                {{"tensor<2x2x2xf32>", {1, 2, 3, 4, 5, 6, 7, 8}},
                 {"tensor<2x1x1xf32>", {10, 100}}}) ==
          Values{10, 20, 300, 400, 50, 60, 700, 800});
  }
  SECTION("of two spatial dims") {
    CHECK(apply("graph.conv %a, %b {dilations = array<i64: 1, 1>, groups = 1 : "
                "i64, high = array<i64: 1, 0>, low = array<i64: 0, 0>, strides "
                "= array<i64: 1, 1>}",
                "tensor<1x1x2x1xf32>",
                {{"tensor<1x1x2x2xf32>", {1, 2, 3, 4}},
                 {"tensor<1x1x2x2xf32>", {1, 10, 100, 1000}}}) ==
          Values{4321, 43});
  }
}

TEST_CASE("windows") {
  auto window = [](std::string kind, std::string rest) {
    return "graph.window %a <" + kind + "> {dilations = array<i64: 1>, " +
           rest + "}";
  };
  std::vector<std::pair<std::string, Values>> input = {
      {"tensor<1x1x5xf32>", {1, -2, 3, -4, 5}}};
  CHECK(
      apply(window("max", "high = array<i64: 0>, low = array<i64: 0>, strides "
                          "= array<i64: 2>, window = array<i64: 2>"),
            "tensor<1x1x2xf32>", input) == Values{1, 3});
  SECTION("ceil adds a partial window") {
    CHECK(
        apply(window("sum", "ceil, high = array<i64: 0>, low = array<i64: 0>, "
                            "strides = array<i64: 2>, window = array<i64: 2>"),
              "tensor<1x1x3xf32>", input) == Values{-1, -1, 5});
  }
  SECTION("ceil drops a window in the high padding") {
    // It would fit, but starts behind the last element.
    CHECK(
        apply(window("max", "ceil, high = array<i64: 1>, low = array<i64: 0>, "
                            "strides = array<i64: 5>, window = array<i64: 1>"),
              "tensor<1x1x1xf32>", input) == Values{1});
  }
  SECTION("padding is neutral") {
    CHECK(
        apply(window("max", "high = array<i64: 1>, low = array<i64: 1>, "
                            "strides = array<i64: 3>, window = array<i64: 1>"),
              "tensor<1x1x3xf32>",
              input) == Values{-std::numeric_limits<double>::infinity(), 3,
                               -std::numeric_limits<double>::infinity()});
  }
}
