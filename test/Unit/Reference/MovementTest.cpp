// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources and ops that move elements.

#include "Evaluation.h"
#include <catch2/catch.hpp>

using Values = std::vector<double>;
using Inputs = std::vector<std::pair<std::string, Values>>;

/// One op on %a, %b, ...; the text ends before the functional type.
static Evaluation &evaluate(Evaluation &evaluation, Inputs inputs) {
  std::vector<ambit::reference::HostTensor> tensors;
  for (auto &[type, values] : inputs)
    tensors.push_back(evaluation.tensor(type, values));
  evaluation.run(tensors);
  return evaluation;
}

static std::string program(const std::string &op, const std::string &to,
                           const Inputs &inputs) {
  std::string args, types;
  for (size_t i = 0; i < inputs.size(); ++i) {
    args += (i ? ", %" : "%") + std::string(1, char('a' + i)) + ": " +
            inputs[i].first;
    types += (i ? ", " : "") + inputs[i].first;
  }
  return "func.func @main(" + args + ") -> " + to + " {\n %0 = " + op + " : (" +
         types + ") -> " + to + "\n return %0 : " + to + "\n}";
}

static Values apply(const std::string &op, const std::string &to,
                    Inputs inputs) {
  Evaluation evaluation(program(op, to, inputs));
  std::string parseErrors = evaluation.errors;
  evaluate(evaluation, inputs);
  INFO(parseErrors + evaluation.errors);
  REQUIRE(evaluation.outputs.size() == 1);
  return evaluation.elements();
}

/// The error of evaluating an op.
static std::string fail(const std::string &op, const std::string &to,
                        Inputs inputs) {
  Evaluation evaluation(program(op, to, inputs));
  CHECK(evaluation.errors == "");
  evaluate(evaluation, inputs);
  CHECK(evaluation.outputs.empty());
  return evaluation.errors;
}

TEST_CASE("broadcast repeats new dims and dims of size 1") {
  CHECK(apply("graph.broadcast %a to <[2, 2, 2]>", "tensor<2x2x2xf32>",
              {{"tensor<2x1xf32>", {1, 2}}}) == Values{1, 1, 2, 2, 1, 1, 2, 2});
  CHECK(apply("graph.broadcast %a to <[0, 2]>", "tensor<0x2xf32>",
              {{"tensor<1x2xf32>", {1, 2}}})
            .empty());
  CHECK(apply("graph.broadcast %a to <[1, 1]>", "tensor<1x1xi1>",
              {{"tensor<i1>", {1}}}) == Values{1});
}

TEST_CASE("reshape and transpose") {
  Values input = {1, 2, 3, 4, 5, 6};
  CHECK(apply("graph.reshape %a to <[3, 2]>", "tensor<3x2xf32>",
              {{"tensor<2x3xf32>", input}}) == input);
  CHECK(apply("graph.transpose %a [1, 0]", "tensor<3x2xi64>",
              {{"tensor<2x3xi64>", input}}) == Values{1, 4, 2, 5, 3, 6});
  CHECK(apply("graph.transpose %a [2, 0, 1]", "tensor<3x1x2xi8>",
              {{"tensor<1x2x3xi8>", input}}) == Values{1, 4, 2, 5, 3, 6});
}

TEST_CASE("slice with positive and negative strides") {
  Values input = {0, 1, 2, 3, 4, 5};
  CHECK(apply("graph.slice %a <[1]> <[2]> [2]", "tensor<2xf32>",
              {{"tensor<6xf32>", input}}) == Values{1, 3});
  CHECK(apply("graph.slice %a <[5]> <[3]> [-2]", "tensor<3xf32>",
              {{"tensor<6xf32>", input}}) == Values{5, 3, 1});
  CHECK(apply("graph.slice %a <[6]> <[0]> [1]", "tensor<0xf32>",
              {{"tensor<6xf32>", input}})
            .empty());
}

TEST_CASE("concat along both dims") {
  Inputs inputs = {{"tensor<1x2xf32>", {1, 2}}, {"tensor<1x2xf32>", {3, 4}}};
  CHECK(apply("graph.concat %a, %b along 0", "tensor<2x2xf32>", inputs) ==
        Values{1, 2, 3, 4});
  CHECK(apply("graph.concat %a, %b along 1", "tensor<1x4xf32>", inputs) ==
        Values{1, 2, 3, 4});
  CHECK(apply("graph.concat %a, %b along 0", "tensor<2xf32>",
              {{"tensor<0xf32>", {}}, {"tensor<2xf32>", {1, 2}}}) ==
        Values{1, 2});
}

TEST_CASE("pad in all modes") {
  Inputs inputs = {{"tensor<3xf32>", {1, 2, 3}}, {"tensor<f32>", {9}}};
  auto pad = [&](std::string mode) {
    return apply("graph.pad %a with %b <[2]> <[1]> {mode = #graph.pad_mode<" +
                     mode + ">}",
                 "tensor<6xf32>", inputs);
  };
  CHECK(pad("constant") == Values{9, 9, 1, 2, 3, 9});
  CHECK(pad("edge") == Values{1, 1, 1, 2, 3, 3});
  CHECK(pad("reflect") == Values{3, 2, 1, 2, 3, 2});
  CHECK(pad("wrap") == Values{2, 3, 1, 2, 3, 1});
}

TEST_CASE("reflecting nothing is no error in an empty dim") {
  CHECK(apply("graph.pad %a with %b <[0, 1]> <[0, 0]> {mode = "
              "#graph.pad_mode<reflect>}",
              "tensor<0x3xf32>",
              {{"tensor<0x2xf32>", {}}, {"tensor<f32>", {9}}}) == Values{});
}

TEST_CASE("gather along each axis, negative indices count from the end") {
  Inputs inputs = {{"tensor<2x3xf32>", {1, 2, 3, 4, 5, 6}},
                   {"tensor<2xi64>", {1, -2}}};
  CHECK(apply("graph.gather %a at %b along 0", "tensor<2x3xf32>", inputs) ==
        Values{4, 5, 6, 1, 2, 3});
  CHECK(apply("graph.gather %a at %b along 1", "tensor<2x2xf32>", inputs) ==
        Values{2, 2, 5, 5});
  inputs[1] = {"tensor<i32>", {1}};
  CHECK(apply("graph.gather %a at %b along 0", "tensor<3xf32>", inputs) ==
        Values{4, 5, 6});
}

TEST_CASE("gather refuses an index outside, naming it and the range") {
  CHECK(fail("graph.gather %a at %b along 0", "tensor<3xf32>",
             {{"tensor<2xf32>", {1, 2}}, {"tensor<3xi64>", {0, -2, 2}}}) ==
        "index 2 (element 2 of the indices) is outside of -2..1\n");
}

TEST_CASE("gather of nothing refuses no index") {
  CHECK(apply("graph.gather %a at %b along 0", "tensor<1x0xf32>",
              {{"tensor<2x0xf32>", {}}, {"tensor<1xi64>", {7}}}) == Values{});
}

TEST_CASE("iota") {
  Evaluation evaluation(R"(
    func.func @main() -> tensor<2x3xi32> {
      %0 = graph.iota <[2, 3]> along 1 {elementType = i32} : tensor<2x3xi32>
      return %0 : tensor<2x3xi32>
    })");
  REQUIRE(evaluation.run());
  CHECK(evaluation.elements() == Values{0, 1, 2, 0, 1, 2});
}
