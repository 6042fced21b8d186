// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code of a variant takes follows the kernels that it does not share.

#include "ambit/Cost/CodeCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include <catch2/catch.hpp>

using namespace ambit;
using namespace ambit::cost;

/// Two launches of one product, of n and of 2*n rows, and 128 KiB of weights.
static const char *const kText = R"(
module attributes {ambit.weights = [dense<1.0> : tensor<32768xf32>]} {
func.func private @product(%x: tensor<?x?xf32, #sym.shape<[m, k]>>,
    %w: tensor<?x64xf32, #sym.shape<[k, 64]>>)
    -> tensor<?x64xf32, #sym.shape<[m, 64]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[m, k]>} {
  %y = graph.contract %x, %w : (tensor<?x?xf32, #sym.shape<[m, k]>>,
      tensor<?x64xf32, #sym.shape<[k, 64]>>)
      -> tensor<?x64xf32, #sym.shape<[m, 64]>>
  return %y : tensor<?x64xf32, #sym.shape<[m, 64]>>
}
func.func @generic(%a: tensor<?x?xf32, #sym.shape<[n, k]>>,
    %b: tensor<?x?xf32, #sym.shape<["2*n", k]>>,
    %w: tensor<?x64xf32, #sym.shape<[k, 64]>>)
    -> (tensor<?x64xf32, #sym.shape<[n, 64]>>,
        tensor<?x64xf32, #sym.shape<["2*n", 64]>>) {
  %0 = graph.launch @product(%a, %w) <[n, k]>
      : (tensor<?x?xf32, #sym.shape<[n, k]>>,
         tensor<?x64xf32, #sym.shape<[k, 64]>>)
      -> tensor<?x64xf32, #sym.shape<[n, 64]>>
  %1 = graph.launch @product(%b, %w) <["2*n", k]>
      : (tensor<?x?xf32, #sym.shape<["2*n", k]>>,
         tensor<?x64xf32, #sym.shape<[k, 64]>>)
      -> tensor<?x64xf32, #sym.shape<["2*n", 64]>>
  return %0, %1 : tensor<?x64xf32, #sym.shape<[n, 64]>>,
      tensor<?x64xf32, #sym.shape<["2*n", 64]>>
}
})";

namespace {
struct Model {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  CodeCost cost;
  CodeCost::Known known;

  Model() {
    mlir::DialectRegistry registry;
    registry.insert<sym::SymDialect, graph::GraphDialect,
                    mlir::func::FuncDialect, mlir::arith::ArithDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(kText, &context);
    REQUIRE(module);
    cost = CodeCost::of(module->lookupSymbol<mlir::func::FuncOp>("generic"));
  }
};
} // namespace

TEST_CASE("a kernel is counted once for each set of constants") {
  Model model;
  auto add = [&](const Sizes &sizes, const Symbols &fixed) {
    return model.cost.add(sizes, fixed, model.known);
  };
  CodeSize generic = add({}, {});
  CHECK(generic.kernels == 1);
  CodeSize range = add({}, {});
  CHECK(range.kernels == 0);
  CHECK(range.bytes > 0);
  CHECK(range.bytes < generic.bytes / 4);
  CHECK(add({{"n", 4}, {"k", 8}}, {"n", "k"}).kernels == 2);
  // 8 rows are twice 4: that is known.
  CHECK(add({{"n", 8}, {"k", 8}}, {"n", "k"}).kernels == 1);
  CHECK(add({{"n", 8}, {"k", 8}}, {"k"}).kernels == 1);
}

TEST_CASE("tiles of constant sizes are less code") {
  Model model;
  CodeSize exact =
      model.cost.add({{"n", 4}, {"k", 8}}, {"n", "k"}, model.known);
  CodeSize half = model.cost.add({{"n", 4}}, {"n"}, model.known);
  CHECK(exact.kernels == half.kernels);
  CHECK(exact.bytes < half.bytes);
  CHECK(exact.seconds < half.seconds);
}

TEST_CASE("padding adds kernels for what it touches") {
  Model model;
  CHECK(model.cost.getPadding({}).bytes == 0);
  CHECK(model.cost.getPadding({"n"}).kernels == 4);
  CHECK(model.cost.getPadding({"k"}).kernels == 3);
}

TEST_CASE("weights are in every object") {
  Model model;
  CHECK(model.cost.common().bytes > 128 << 10);
  CHECK(model.cost.common().bytes < 256 << 10);
}
