// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of an evaluation: its order of magnitude, and what has no limit.

#include "ambit/Reference/Work.h"
#include "Evaluation.h"
#include <catch2/catch.hpp>

using ambit::reference::countWork;
using ambit::reference::kUnknownWork;

/// The work of the op before the return of @main.
static uint64_t workOf(const std::string &text) {
  Evaluation evaluation(text);
  INFO(evaluation.errors);
  REQUIRE(evaluation.getModule());
  auto main = evaluation.getModule().lookupSymbol<mlir::func::FuncOp>("main");
  return countWork(main.front().getTerminator()->getPrevNode());
}

/// Whether the work is `steps` and what every op costs besides.
static bool isAbout(uint64_t work, uint64_t steps) {
  return work >= steps && work <= steps + steps / 2 + 1000;
}

TEST_CASE("a contraction multiplies and adds for each element and k") {
  uint64_t work = workOf(R"(
    func.func @main(%a: tensor<3x100x200xf32>, %b: tensor<200x50xf32>)
        -> tensor<3x100x50xf32> {
      %0 = graph.contract %a, %b : (tensor<3x100x200xf32>, tensor<200x50xf32>) -> tensor<3x100x50xf32>
      return %0 : tensor<3x100x50xf32>
    })");
  CHECK(isAbout(work, 3 * 100 * 200 * 50));
}

TEST_CASE("an empty dim does not hide the loops over the others") {
  uint64_t work = workOf(R"(
    func.func @main(%a: tensor<1000x1000x0xf32>) -> tensor<1000x1000x0xi64> {
      %0 = graph.topk %a <[0]> along 2 : (tensor<1000x1000x0xf32>) -> tensor<1000x1000x0xi64>
      return %0 : tensor<1000x1000x0xi64>
    })");
  CHECK(work >= 1000 * 1000);
}

/// Loops of `trips` each, one in the other.
static std::string nestedLoops(const std::string &trips, int depth) {
  std::string open, close, in = "%x";
  for (int level = 0; level < depth; ++level) {
    std::string number = std::to_string(level);
    open += "%r" + number + " = graph.loop \"i" + number + "\" below <[" +
            trips + "]> carries(" + in +
            ") : (tensor<f32>) -> tensor<f32> {\n^bb0(%a" + number +
            ": tensor<f32>):\n";
    in = "%a" + number;
    std::string result = level + 1 < depth ? "%r" + std::to_string(level + 1)
                                           : std::string("%m");
    close = "graph.next carries(" + result + " : tensor<f32>)\n}\n" + close;
  }
  return "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n" + open +
         "%m = graph.map " + in +
         " : (tensor<f32>) -> tensor<f32> {\n^bb0(%p: f32):\n"
         "%s = arith.negf %p : f32\ngraph.yield %s : f32\n}\n" +
         close + "return %r0 : tensor<f32>\n}";
}

TEST_CASE("the trips of nested loops multiply") {
  uint64_t once = workOf(nestedLoops("1", 1));
  CHECK(workOf(nestedLoops("100", 1)) > 40 * once);
  CHECK(workOf(nestedLoops("100", 3)) > 40 * 100 * 100 * once);
  CHECK(workOf(nestedLoops("4611686018427387904", 3)) == kUnknownWork);
  CHECK(workOf(nestedLoops("n", 1)) == kUnknownWork);
}
