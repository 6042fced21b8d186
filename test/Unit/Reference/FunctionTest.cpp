// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with symbolic shapes: binding, guards, and run-time conditions.

#include "Evaluation.h"
#include <catch2/catch.hpp>

using Values = std::vector<double>;

#define SEQ "tensor<?xf32, #sym.shape<[seq]>>"
#define LEN "tensor<?xf32, #sym.shape<[len]>>"

TEST_CASE("symbols are bound by the inputs' dims") {
  Evaluation evaluation(R"(
    func.func @main(%a: )" SEQ R"() -> tensor<2xi64> {
      %0 = graph.dims <[seq, "2*seq + 1"]> : tensor<2xi64>
      return %0 : tensor<2xi64>
    })");
  for (int64_t size : {0, 1, 7}) {
    REQUIRE(evaluation.run(
        {evaluation.tensor("tensor<" + std::to_string(size) + "xf32>", {})}));
    CHECK(evaluation.elements() == Values{double(size), 2.0 * size + 1});
  }
}

TEST_CASE("an input that contradicts a bound symbol is refused") {
  Evaluation evaluation("func.func @main(%a: " SEQ ", %b: " SEQ ") -> " SEQ
                        " { return %a : " SEQ " }");
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<2xf32>", {}),
                              evaluation.tensor("tensor<3xf32>", {})}));
  CHECK(evaluation.errors == "dim 0 ('seq') of input 1 is 3, expected 2 as in "
                             "dim 0 of input 0\n");
}

TEST_CASE("inputs go by their names in the model") {
  Evaluation evaluation(
      "func.func @main(%a: " SEQ " {ambit.name = \"ids\"}, %b: " SEQ
      " {ambit.name = \"mask\"}) -> " SEQ " { return %a : " SEQ " }");
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<2xf32>", {}),
                              evaluation.tensor("tensor<3xf32>", {})}));
  CHECK(evaluation.errors == "dim 0 ('seq') of input 'mask' is 3, expected 2 "
                             "as in dim 0 of input 'ids'\n");
}

TEST_CASE("a derived dim is checked") {
  Evaluation evaluation("func.func @main(%a: " SEQ
                        ", %b: tensor<?xf32, #sym.shape<[\"2*seq\"]>>) -> " SEQ
                        " { return %a : " SEQ " }");
  CHECK(evaluation.run({evaluation.tensor("tensor<2xf32>", {}),
                        evaluation.tensor("tensor<4xf32>", {})}));
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<2xf32>", {}),
                              evaluation.tensor("tensor<5xf32>", {})}));
  CHECK(evaluation.errors == "dim 0 ('2*seq') of input 1 is 5, expected 4\n");
}

TEST_CASE("wrong counts, ranks, types and static dims are refused") {
  Evaluation evaluation("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {"
                        " return %a : tensor<2xf32> }");
  CHECK_FALSE(evaluation.run({}));
  CHECK(evaluation.errors == "got 0 inputs, expected 1\n");
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<2xi8>", {})}));
  CHECK(evaluation.errors ==
        "input 0 has rank 1 and element type 'i8', expected 1 and 'f32'\n");
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<3xf32>", {})}));
  CHECK(evaluation.errors == "dim 0 ('2') of input 0 is 3, expected 2\n");
}

TEST_CASE("declared ranges and guards are checked") {
  Evaluation evaluation(R"(
    sym.symbol "seq" min 1 max 8 divisor 2
    sym.guard "seq != 4"
    func.func @main(%a: )" SEQ ") -> " SEQ " { return %a : " SEQ " }");
  CHECK(evaluation.run({evaluation.tensor("tensor<6xf32>", {})}));
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<10xf32>", {})}));
  CHECK(evaluation.errors ==
        "'seq' is 10, which is outside of its declared values\n");
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<3xf32>", {})}));
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<4xf32>", {})}));
  CHECK(evaluation.errors == "guard 'seq != 4' does not hold\n");
}

TEST_CASE("broadcasting that is decided at run time") {
  Evaluation evaluation("func.func @main(%a: " SEQ ", %b: " LEN ") -> " LEN
                        R"( {
      %0 = graph.broadcast %a to <[len]> : ()" SEQ ") -> " LEN R"(
      return %0 : )" LEN "\n}");
  auto run = [&](std::string from, Values values, std::string to) {
    return evaluation.run(
        {evaluation.tensor(from, values), evaluation.tensor(to, {})});
  };
  REQUIRE(run("tensor<1xf32>", {5}, "tensor<3xf32>"));
  CHECK(evaluation.elements() == Values{5, 5, 5});
  REQUIRE(run("tensor<1xf32>", {5}, "tensor<0xf32>"));
  CHECK(evaluation.elements().empty());
  REQUIRE(run("tensor<2xf32>", {5, 6}, "tensor<2xf32>"));
  CHECK(evaluation.elements() == Values{5, 6});
  CHECK_FALSE(run("tensor<2xf32>", {5, 6}, "tensor<3xf32>"));
  CHECK(evaluation.errors == "dim 0 of size 2 does not broadcast to 3\n");
}

TEST_CASE("conditions of ops are checked with the sizes of the run") {
  Evaluation evaluation("func.func @main(%a: " SEQ ", %b: " LEN ") -> " SEQ
                        R"( {
      %0 = graph.map %a, %b : ()" SEQ ", " LEN ") -> " SEQ R"( {
      ^bb0(%x: f32, %y: f32):
        %r = arith.addf %x, %y : f32
        graph.yield %r : f32
      }
      return %0 : )" SEQ "\n}");
  CHECK(evaluation.run({evaluation.tensor("tensor<1xf32>", {1}),
                        evaluation.tensor("tensor<1xf32>", {2})}));
  CHECK(evaluation.elements() == Values{3});
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<1xf32>", {1}),
                              evaluation.tensor("tensor<2xf32>", {2, 3})}));
  CHECK(evaluation.errors == "inputs 0 and 1 have different shapes\n");
}

TEST_CASE("gathering from a dim that turns out empty") {
  Evaluation evaluation("func.func @main(%a: " SEQ
                        ", %b: tensor<1xi64>) -> tensor<1xf32> {\n"
                        "%0 = graph.gather %a at %b along 0 : (" SEQ
                        ", tensor<1xi64>) -> tensor<1xf32>\n"
                        "return %0 : tensor<1xf32>\n}");
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<0xf32>", {}),
                              evaluation.tensor("tensor<1xi64>", {0})}));
  CHECK(evaluation.errors ==
        "index 0 (element 0 of the indices) is outside of 0..-1\n");
}

TEST_CASE("a declared shape that lies is found") {
  Evaluation evaluation("func.func @main(%a: " SEQ ", %b: " LEN ") -> " LEN
                        R"( {
      %0 = graph.transpose %a [0] : ()" SEQ ") -> " LEN R"(
      return %0 : )" LEN "\n}");
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<2xf32>", {}),
                              evaluation.tensor("tensor<3xf32>", {})}));
  CHECK(evaluation.errors ==
        "dim 0 of result 0 is 2, declared as 'len', which is 3\n");
}

TEST_CASE("kernels run in place of launches") {
  Evaluation evaluation(
      R"(
    func.func private @kernel(%a: )" LEN ") -> " LEN
      R"( attributes {ambit.kernel, ambit.sizes = #sym.shape<[len]>} {
      %0 = graph.map %a : ()" LEN ") -> " LEN R"( {
      ^bb0(%x: f32):
        %r = arith.negf %x : f32
        graph.yield %r : f32
      }
      return %0 : )" LEN R"(
    }
    func.func @main(%a: )" SEQ ") -> " SEQ R"( {
      %0 = graph.launch @kernel(%a) <[seq]> : ()" SEQ ") -> " SEQ R"(
      return %0 : )" SEQ "\n}");
  REQUIRE(evaluation.run({evaluation.tensor("tensor<2xf32>", {1, 2})}));
  CHECK(evaluation.elements() == Values{-1, -2});
}

TEST_CASE("a kernel's sizes are what its launch says") {
  // The kernel is shared: its size is written as an expression of one caller.
  Evaluation evaluation(R"mlir(
    !k = tensor<?xi64, #sym.shape<["2*n"]>>
    func.func private @kernel(%a: !k) -> !k attributes {ambit.kernel, ambit.sizes = #sym.shape<["2*n"]>} {
      %0 = graph.iota <["2*n"]> along 0 {elementType = i64} : !k
      return %0 : !k
    }
    func.func @main(%a: tensor<?xi64, #sym.shape<[seq]>>) -> tensor<?xi64, #sym.shape<[seq]>> {
      %0 = graph.launch @kernel(%a) <[seq]> : (tensor<?xi64, #sym.shape<[seq]>>) -> tensor<?xi64, #sym.shape<[seq]>>
      return %0 : tensor<?xi64, #sym.shape<[seq]>>
    })mlir");
  REQUIRE(evaluation.run({evaluation.tensor("tensor<3xi64>", {5, 5, 5})}));
  CHECK(evaluation.elements() == Values{0, 1, 2});
}

TEST_CASE("an unused result and a value used twice") {
  Evaluation evaluation(R"(
    func.func @main(%a: tensor<1xf32>) -> (tensor<2xf32>, tensor<1xf32>) {
      %0 = graph.concat %a, %a along 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %1 = graph.reshape %a to <[1, 1]> : (tensor<1xf32>) -> tensor<1x1xf32>
      return %0, %a : tensor<2xf32>, tensor<1xf32>
    })");
  REQUIRE(evaluation.run({evaluation.tensor("tensor<1xf32>", {4})}));
  CHECK(evaluation.elements(0) == Values{4, 4});
  CHECK(evaluation.elements(1) == Values{4});
}

TEST_CASE("a symbol that stands in derived dims only is solved for") {
  Evaluation evaluation(
      "func.func @main(%a: tensor<?xf32, #sym.shape<[\"2*seq\"]>>, %b: "
      "tensor<?xf32, #sym.shape<[\"seq + 1\"]>>) -> tensor<1xi64> {\n"
      "  %0 = graph.dims <[seq]> : tensor<1xi64>\n"
      "  return %0 : tensor<1xi64>\n}");
  auto run = [&](int64_t a, int64_t b) {
    return evaluation.run(
        {evaluation.tensor("tensor<" + std::to_string(a) + "xf32>", {}),
         evaluation.tensor("tensor<" + std::to_string(b) + "xf32>", {})});
  };
  REQUIRE(run(10, 6));
  CHECK(evaluation.elements() == Values{5});
  CHECK_FALSE(run(9, 5));
  CHECK(evaluation.errors == "dim 0 of input 0 is 9, expected '2*seq'\n");
  CHECK_FALSE(run(10, 7));
  CHECK(evaluation.errors == "dim 0 ('seq + 1') of input 1 is 7, expected 6\n");
}
