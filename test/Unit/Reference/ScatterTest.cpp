// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatter: kinds, order, negative indices and those outside.

#include "Evaluation.h"
#include <catch2/catch.hpp>
#include <cmath>

using Values = std::vector<double>;

/// A scatter of three rows of `type` into two.
static Evaluation scatter(const std::string &kind, const std::string &type) {
  std::string data = "tensor<2x2x" + type + ">",
              rows = "tensor<3x2x" + type + ">";
  return Evaluation("func.func @main(%x: " + data +
                    ", %i: tensor<3x1xi64>, %u: " + rows + ") -> " + data +
                    " {\n  %0 = graph.scatter %u into %x at %i <" + kind +
                    "> : (" + rows + ", " + data + ", tensor<3x1xi64>) -> " +
                    data + "\n  return %0 : " + data + "\n}");
}

static Values run(const std::string &kind, const std::string &type, Values data,
                  Values updates) {
  Evaluation evaluation = scatter(kind, type);
  REQUIRE(
      evaluation.run({evaluation.tensor("tensor<2x2x" + type + ">", data),
                      evaluation.tensor("tensor<3x1xi64>", {-1, 0, 1}),
                      evaluation.tensor("tensor<3x2x" + type + ">", updates)}));
  return evaluation.elements();
}

TEST_CASE("rows go one after the other") {
  Values data = {1, 2, 3, 4}, updates = {10, 20, 30, 40, 50, -60};
  CHECK(run("replace", "f32", data, updates) == Values{30, 40, 50, -60});
  CHECK(run("add", "f32", data, updates) == Values{31, 42, 63, -36});
  CHECK(run("multiply", "f64", data, updates) == Values{30, 80, 1500, -4800});
  CHECK(run("max", "i32", data, updates) == Values{30, 40, 50, 20});
  CHECK(run("min", "i64", data, updates) == Values{1, 2, 3, -60});
}

TEST_CASE("integers wrap around, unsigned ones compare as such") {
  Values data = {100, 200, 3, 255}, updates = {1, 1, 100, 100, 2, 200};
  CHECK(run("add", "i8", {100, 50, 3, 4}, updates) ==
        Values{-56, -106, 6, -51});
  CHECK(run("max", "ui8", data, updates) == Values{100, 200, 3, 255});
  CHECK(run("multiply", "ui8", data, updates) == Values{16, 32, 6, 56});
}

TEST_CASE("a number that is none wins") {
  Values result = run("max", "f32", {1, 2, 3, 4}, {0, 0, NAN, 5, 9, 9});
  CHECK(std::isnan(result[0]));
  CHECK(result[1] == 5);
}

TEST_CASE("an index outside is an error") {
  Evaluation evaluation = scatter("replace", "f32");
  CHECK_FALSE(evaluation.run(
      {evaluation.tensor("tensor<2x2xf32>", {1, 2, 3, 4}),
       evaluation.tensor("tensor<3x1xi64>", {0, -3, 1}),
       evaluation.tensor("tensor<3x2xf32>", {0, 0, 0, 0, 0, 0})}));
  CHECK(evaluation.errors == "index -3 is out of range\n");
}

TEST_CASE("elements of 2 and 4 bits keep their sign") {
  Evaluation evaluation(R"(
    func.func @main(%a: tensor<3xi4>, %b: tensor<3xui2>) -> (tensor<3xi4>, tensor<3xui2>) {
      %0 = graph.unpack %a : (tensor<3xi4>) -> tensor<3xi4>
      %1 = graph.pack %0 : (tensor<3xi4>) -> tensor<3xi4>
      %2 = graph.unpack %b : (tensor<3xui2>) -> tensor<3xui2>
      %3 = graph.pack %2 : (tensor<3xui2>) -> tensor<3xui2>
      return %1, %3 : tensor<3xi4>, tensor<3xui2>
    })");
  REQUIRE(evaluation.run({evaluation.tensor("tensor<3xi4>", {-8, 7, -1}),
                          evaluation.tensor("tensor<3xui2>", {3, 0, 2})}));
  CHECK(evaluation.elements(0) == Values{-8, 7, -1});
  CHECK(evaluation.elements(1) == Values{3, 0, 2});
}
