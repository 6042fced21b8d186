// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that look for something in the data, and symbols that they set.

#include "Evaluation.h"
#include <catch2/catch.hpp>
#include <cmath>

using Values = std::vector<double>;
using Dims = std::vector<int64_t>;

TEST_CASE("nonzero sets its symbol") {
  Evaluation evaluation(R"(
    sym.symbol "k" min 0 max 6 unbacked
    sym.guard "k % 2 == 0"
    func.func @main(%a: tensor<2x3xf32>) -> (tensor<2x?xi64, #sym.shape<[2, k]>>, tensor<i64>) {
      %0 = graph.nonzero %a sets "k" : (tensor<2x3xf32>) -> tensor<2x?xi64, #sym.shape<[2, k]>>
      %1 = graph.dims <[k]> : tensor<i64>
      return %0, %1 : tensor<2x?xi64, #sym.shape<[2, k]>>, tensor<i64>
    })");
  REQUIRE(evaluation.run(
      {evaluation.tensor("tensor<2x3xf32>", {0, NAN, -0.0, 2, 0, 0})}));
  CHECK(evaluation.dims() == Dims{2, 2});
  CHECK(evaluation.elements() == Values{0, 1, 1, 0});
  CHECK(evaluation.elements(1) == Values{2});
  CHECK_FALSE(evaluation.run(
      {evaluation.tensor("tensor<2x3xf32>", {0, 0, 0, 2, 0, 0})}));
  CHECK(evaluation.errors == "guard 'k % 2 == 0' does not hold\n");
}

TEST_CASE("unique, its inverse and a histogram") {
  Evaluation evaluation(R"(
    func.func @main(%a: tensor<4x2xf32>) -> (tensor<?xi64, #sym.shape<[u]>>, tensor<?xi64, #sym.shape<[v]>>, tensor<4xi64>, tensor<?xi64, #sym.shape<[u]>>) {
      %0 = graph.unique %a sorted sets "u" : (tensor<4x2xf32>) -> tensor<?xi64, #sym.shape<[u]>>
      %1 = graph.unique %a sets "v" : (tensor<4x2xf32>) -> tensor<?xi64, #sym.shape<[v]>>
      %2 = graph.unique_inverse %a sorted : (tensor<4x2xf32>) -> tensor<4xi64>
      %3 = graph.histogram %2 to <[u]> : (tensor<4xi64>) -> tensor<?xi64, #sym.shape<[u]>>
      return %0, %1, %2, %3 : tensor<?xi64, #sym.shape<[u]>>, tensor<?xi64, #sym.shape<[v]>>, tensor<4xi64>, tensor<?xi64, #sym.shape<[u]>>
    })");
  REQUIRE(evaluation.run(
      {evaluation.tensor("tensor<4x2xf32>", {NAN, 1, 2, 0, NAN, 1, 2, -1})}));
  CHECK(evaluation.elements(0) == Values{3, 1, 0});
  CHECK(evaluation.elements(1) == Values{0, 1, 3});
  CHECK(evaluation.elements(2) == Values{2, 1, 2, 0});
  CHECK(evaluation.elements(3) == Values{1, 1, 2});
}

TEST_CASE("topk along a dim") {
  Evaluation evaluation(R"(
    func.func @main(%a: tensor<3x2xf32>) -> (tensor<2x2xi64>, tensor<2x2xi64>) {
      %0 = graph.topk %a <[2]> along 0 : (tensor<3x2xf32>) -> tensor<2x2xi64>
      %1 = graph.topk %a <[2]> along 0 smallest : (tensor<3x2xf32>) -> tensor<2x2xi64>
      return %0, %1 : tensor<2x2xi64>, tensor<2x2xi64>
    })");
  REQUIRE(evaluation.run(
      {evaluation.tensor("tensor<3x2xf32>", {1, 5, NAN, 5, 1, 7})}));
  CHECK(evaluation.elements(0) == Values{1, 2, 0, 0});
  CHECK(evaluation.elements(1) == Values{0, 0, 2, 1});
}

TEST_CASE("nms by score, overlap and number") {
  Evaluation evaluation(R"(
    func.func @main(%b: tensor<1x3x4xf32>, %s: tensor<1x2x3xf32>, %m: tensor<i64>, %t: tensor<f32>, %l: tensor<f32>) -> tensor<?x3xi64, #sym.shape<[k, 3]>> {
      %0 = graph.nms %b, %s, %m, %t, %l sets "k" : (tensor<1x3x4xf32>, tensor<1x2x3xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #sym.shape<[k, 3]>>
      return %0 : tensor<?x3xi64, #sym.shape<[k, 3]>>
    })");
  REQUIRE(evaluation.run(
      {evaluation.tensor("tensor<1x3x4xf32>",
                         {0, 0, 2, 2, 0, 1, 2, 3, 5, 5, 9, 9}),
       evaluation.tensor("tensor<1x2x3xf32>", {.5, .9, NAN, .1, .1, .7}),
       evaluation.tensor("tensor<i64>", {2}),
       evaluation.tensor("tensor<f32>", {0.3}),
       evaluation.tensor("tensor<f32>", {0.1})}));
  CHECK(evaluation.dims() == Dims{2, 3});
  CHECK(evaluation.elements() == Values{0, 0, 1, 0, 1, 2});
}
