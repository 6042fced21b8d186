// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simplified programs compute what they did before, bit for bit, at edge sizes
// and on special values.

#include "Evaluation.h"
#include "ambit/Simplify/Passes.h"
#include "mlir/Pass/PassManager.h"
#include <catch2/catch.hpp>
#include <limits>

using Values = std::vector<double>;
using Inputs = std::vector<std::pair<std::string, Values>>;

static void simplify(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(ambit::createFoldConstantsPass());
  passes.addPass(ambit::createSimplifyPass());
  REQUIRE(mlir::succeeded(passes.run(module)));
}

static std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// Evaluates a program as it is and simplified; the bits must agree.
static Values checkSame(const std::string &text, const Inputs &inputs) {
  Evaluation before(text), after(text);
  INFO(before.errors);
  REQUIRE(before.getModule());
  simplify(after.getModule());
  CHECK(print(after.getModule()) != print(before.getModule()));
  auto run = [&](Evaluation &evaluation) {
    std::vector<ambit::reference::HostTensor> tensors;
    for (const auto &[type, values] : inputs)
      tensors.push_back(evaluation.tensor(type, values));
    bool succeeded = evaluation.run(tensors);
    INFO(evaluation.errors);
    REQUIRE(succeeded);
  };
  run(before);
  run(after);
  REQUIRE(before.outputs.size() == after.outputs.size());
  for (size_t i = 0; i < before.outputs.size(); ++i) {
    CHECK(before.dims(i) == after.dims(i));
    CHECK(std::as_const(before.outputs[i]).getBytes() ==
          std::as_const(after.outputs[i]).getBytes());
  }
  return after.elements();
}

static Values ascending(int64_t count) {
  Values values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(double(i));
  return values;
}

TEST_CASE("powers agree with pow on special values") {
  double inf = std::numeric_limits<double>::infinity();
  Values special = {0.0, -0.0, 1.0, -1.0, 4.0, -4.0, inf, -inf, 1e-30, 1e30};
  for (const char *exponent : {"0.0", "1.0", "2.0", "-1.0", "0.5"}) {
    INFO(exponent);
    checkSame(R"(func.func @main(%a: tensor<10xf64>) -> tensor<10xf64> {
      %0 = graph.map %a : (tensor<10xf64>) -> tensor<10xf64> {
      ^bb0(%x: f64):
        %c = arith.constant )" +
                  std::string(exponent) + R"( : f64
        %r = math.powf %x, %c : f64
        graph.yield %r : f64
      }
      return %0 : tensor<10xf64>
    })",
              {{"tensor<10xf64>", special}});
  }
}

TEST_CASE("movement agrees at sizes 0, 1 and more") {
  const char *text = R"(
    !x = tensor<?x?xf32, #sym.shape<[n, m]>>
    func.func @main(%a: !x) -> tensor<?x?x2xf32, #sym.shape<["2*m", "2*n", 2]>> {
      %0 = graph.concat %a, %a along 0 : (!x, !x) -> tensor<?x?xf32, #sym.shape<["2*n", m]>>
      %1 = graph.transpose %0 [1, 0] : (tensor<?x?xf32, #sym.shape<["2*n", m]>>) -> tensor<?x?xf32, #sym.shape<[m, "2*n"]>>
      %2 = graph.concat %1, %1 along 0 : (tensor<?x?xf32, #sym.shape<[m, "2*n"]>>, tensor<?x?xf32, #sym.shape<[m, "2*n"]>>) -> tensor<?x?xf32, #sym.shape<["2*m", "2*n"]>>
      %3 = graph.slice %2 <["2*m - 1", 0]> <["2*m", "2*n"]> [-1, 1] : (tensor<?x?xf32, #sym.shape<["2*m", "2*n"]>>) -> tensor<?x?xf32, #sym.shape<["2*m", "2*n"]>>
      %4 = graph.slice %3 <["2*m - 1", 0]> <["2*m", "2*n"]> [-1, 1] : (tensor<?x?xf32, #sym.shape<["2*m", "2*n"]>>) -> tensor<?x?xf32, #sym.shape<["2*m", "2*n"]>>
      %5 = graph.reshape %4 to <["2*m", "2*n", 1]> : (tensor<?x?xf32, #sym.shape<["2*m", "2*n"]>>) -> tensor<?x?x1xf32, #sym.shape<["2*m", "2*n", 1]>>
      %6 = graph.broadcast %5 to <["2*m", "2*n", 2]> : (tensor<?x?x1xf32, #sym.shape<["2*m", "2*n", 1]>>) -> tensor<?x?x2xf32, #sym.shape<["2*m", "2*n", 2]>>
      return %6 : tensor<?x?x2xf32, #sym.shape<["2*m", "2*n", 2]>>
    })";
  for (int64_t n : {0, 1, 3})
    for (int64_t m : {0, 1, 2})
      checkSame(text, {{"tensor<" + std::to_string(n) + "x" +
                            std::to_string(m) + "xf32>",
                        ascending(n * m)}});
}

TEST_CASE("broadcasting of a dim that may be 1") {
  const char *text = R"(
    !n = tensor<?xf32, #sym.shape<[n]>>
    !m = tensor<?xf32, #sym.shape<[m]>>
    !two_m = tensor<2x?xf32, #sym.shape<[2, m]>>
    func.func @main(%a: !n, %b: !m) -> !two_m {
      %0 = graph.broadcast %a to <[m]> : (!n) -> !m
      %1 = graph.broadcast %0 to <[2, m]> : (!m) -> !two_m
      return %1 : !two_m
    })";
  for (auto [n, m] : {std::pair(1, 3), {3, 3}, {1, 0}, {0, 0}, {1, 1}}) {
    auto type = [](int64_t size) {
      return "tensor<" + std::to_string(size) + "xf32>";
    };
    checkSame(text, {{type(n), ascending(n)}, {type(m), ascending(m)}});
  }
}

TEST_CASE("constant indices agree from both ends") {
  const char *text = R"(
    !x = tensor<?x2xf32, #sym.shape<[n, 2]>>
    func.func @main(%a: !x) -> (tensor<2xf32>, tensor<?xf32, #sym.shape<[n]>>) {
      %i = graph.constant dense<-1> : tensor<i32>
      %0 = graph.gather %a at %i along 0 : (!x, tensor<i32>) -> tensor<2xf32>
      %j = graph.constant dense<1> : tensor<ui8>
      %1 = graph.gather %a at %j along 1 : (!x, tensor<ui8>) -> tensor<?xf32, #sym.shape<[n]>>
      return %0, %1 : tensor<2xf32>, tensor<?xf32, #sym.shape<[n]>>
    })";
  for (int64_t n : {1, 4})
    CHECK(checkSame(text, {{"tensor<" + std::to_string(n) + "x2xf32>",
                            ascending(2 * n)}}) ==
          Values{2.0 * n - 2, 2.0 * n - 1});
}

TEST_CASE("a convolution with powers of two as scales agrees exactly") {
  const char *text = R"(
    !x = tensor<1x1x?xf32, #sym.shape<[1, 1, t]>>
    !y = tensor<1x2x?xf32, #sym.shape<[1, 2, t]>>
    func.func @main(%a: !x) -> !y {
      %w = graph.constant dense<[[[0.1, 0.2, 0.3]], [[0.4, 0.5, 0.6]]]> : tensor<2x1x3xf32>
      %s = graph.constant dense<[[4.0], [0.5]]> : tensor<2x1xf32>
      %0 = graph.broadcast %s to <[1, 2, t]> : (tensor<2x1xf32>) -> !y
      %1 = graph.conv %a, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 1>, high = array<i64: 1>, groups = 1 : i64} : (!x, tensor<2x1x3xf32>) -> !y
      %2 = graph.map %1, %0 : (!y, !y) -> !y {
      ^bb0(%x: f32, %c: f32):
        %r = arith.mulf %x, %c : f32
        graph.yield %r : f32
      }
      return %2 : !y
    })";
  for (int64_t t : {1, 2, 9})
    checkSame(text,
              {{"tensor<1x1x" + std::to_string(t) + "xf32>", ascending(t)}});
}
