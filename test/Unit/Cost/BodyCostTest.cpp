// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a body takes follows its kernels, their launches and their sizes.

#include "ambit/Cost/BodyCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include <catch2/catch.hpp>

using namespace ambit;
using namespace ambit::cost;

namespace {
struct Body {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Body(const std::string &text) {
    mlir::DialectRegistry registry;
    registry.insert<sym::SymDialect, graph::GraphDialect,
                    mlir::func::FuncDialect, mlir::arith::ArithDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module =
        mlir::parseSourceString<mlir::ModuleOp>(kernels() + text, &context);
    REQUIRE(module);
  }
  BodyCost::Times at(const Sizes &sizes, const Symbols &fixed = {"n"}) {
    return BodyCost::of(module->lookupSymbol<mlir::func::FuncOp>("generic"))
        .at(sizes, fixed);
  }

  /// A product of m rows, a convolution of m points, and a sum of constants.
  static std::string kernels() {
    return R"(
func.func private @product(%x: tensor<?x64xf32, #sym.shape<[m, 64]>>,
    %w: tensor<64x64xf32>) -> tensor<?x64xf32, #sym.shape<[m, 64]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[m]>} {
  %y = graph.contract %x, %w : (tensor<?x64xf32, #sym.shape<[m, 64]>>,
      tensor<64x64xf32>) -> tensor<?x64xf32, #sym.shape<[m, 64]>>
  return %y : tensor<?x64xf32, #sym.shape<[m, 64]>>
}
func.func private @window(%x: tensor<1x8x?xf32, #sym.shape<[1, 8, "m + 2"]>>,
    %w: tensor<8x8x3xf32>) -> tensor<1x8x?xf32, #sym.shape<[1, 8, m]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<["m + 2", m]>} {
  %y = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>,
      low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64}
      : (tensor<1x8x?xf32, #sym.shape<[1, 8, "m + 2"]>>, tensor<8x8x3xf32>)
      -> tensor<1x8x?xf32, #sym.shape<[1, 8, m]>>
  return %y : tensor<1x8x?xf32, #sym.shape<[1, 8, m]>>
}
func.func private @fixed(%x: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %y = graph.map %x : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    graph.yield %b : f32
  }
  return %y : tensor<64x64xf32>
}
)";
  }
};
} // namespace

/// One launch of @product for these rows.
static std::string launchProduct(const std::string &rows) {
  std::string type = "tensor<?x64xf32, #sym.shape<[\"" + rows + "\", 64]>>";
  return "func.func @generic(%x: " + type + ", %w: tensor<64x64xf32>) -> " +
         type + " {\n  %y = graph.launch @product(%x, %w) <[\"" + rows +
         "\"]> : (" + type + ", tensor<64x64xf32>) -> " + type +
         "\n  return %y : " + type + "\n}\n";
}

TEST_CASE("a kernel takes what its sizes at the launch are") {
  Body one(launchProduct("n")), three(launchProduct("3*n"));
  double small = one.at({{"n", 10}}).exact, large = one.at({{"n", 1000}}).exact;
  CHECK(small > 0);
  CHECK(large > 20 * small);
  CHECK(three.at({{"n", 10}}).exact ==
        Approx(one.at({{"n", 30}}).exact).epsilon(1e-9));
}

TEST_CASE("symbolic sizes cost more, of a few rows most") {
  Body body(launchProduct("n"));
  auto gain = [&](int64_t n) {
    auto [generic, exact] = body.at({{"n", n}});
    return generic / exact;
  };
  CHECK(gain(1) > 1.1);
  CHECK(gain(1) > gain(10));
  CHECK(gain(10) > gain(10000));
  CHECK(gain(10000) > 1);
  CHECK(gain(10000) < 1.03);
}

TEST_CASE("a kernel gains when all symbols of its sizes are constants") {
  Body body(launchProduct("n*k"));
  Sizes sizes{{"n", 2}, {"k", 3}};
  auto [generic, exact] = body.at(sizes, {"n", "k"});
  CHECK(exact < generic);
  CHECK(body.at(sizes, {"n"}).exact == generic);
  CHECK(body.at(sizes, {}).exact == generic);
}

TEST_CASE("a batch may be any size") {
  Body body(R"(
func.func private @sum(%x: tensor<?x?xf32, #sym.shape<[b, m]>>)
    -> tensor<?x?xf32, #sym.shape<[b, m]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[b, m]>} {
  %y = graph.map %x : (tensor<?x?xf32, #sym.shape<[b, m]>>)
      -> tensor<?x?xf32, #sym.shape<[b, m]>> {
  ^bb0(%a: f32):
    %c = arith.addf %a, %a : f32
    graph.yield %c : f32
  }
  return %y : tensor<?x?xf32, #sym.shape<[b, m]>>
}
func.func @generic(%x: tensor<?x?xf32, #sym.shape<[batch, n]>>)
    -> tensor<?x?xf32, #sym.shape<[batch, n]>> {
  %y = graph.launch @sum(%x) <[batch, n]>
      : (tensor<?x?xf32, #sym.shape<[batch, n]>>)
      -> tensor<?x?xf32, #sym.shape<[batch, n]>>
  return %y : tensor<?x?xf32, #sym.shape<[batch, n]>>
})");
  Sizes sizes{{"batch", 2}, {"n", 100}};
  double all = body.at(sizes, {"batch", "n"}).exact;
  CHECK(body.at(sizes, {"n"}).exact == all);
  auto [generic, exact] = body.at(sizes, {"batch"});
  CHECK(exact == generic);
  CHECK(generic > all);
}

TEST_CASE("convolutions gain more from constant sizes than products") {
  Body conv(R"(
func.func @generic(%x: tensor<1x8x?xf32, #sym.shape<[1, 8, "n + 2"]>>,
    %w: tensor<8x8x3xf32>) -> tensor<1x8x?xf32, #sym.shape<[1, 8, n]>> {
  %y = graph.launch @window(%x, %w) <["n + 2", n]>
      : (tensor<1x8x?xf32, #sym.shape<[1, 8, "n + 2"]>>, tensor<8x8x3xf32>)
      -> tensor<1x8x?xf32, #sym.shape<[1, 8, n]>>
  return %y : tensor<1x8x?xf32, #sym.shape<[1, 8, n]>>
})");
  auto [generic, exact] = conv.at({{"n", 100000}});
  CHECK(generic / exact > 1.1);
}

TEST_CASE("constant kernels gain nothing; a loop multiplies") {
  std::string type = "tensor<64x64xf32>";
  std::string launch =
      " = graph.launch @fixed(%x) <[]> : (" + type + ") -> " + type + "\n";
  Body once("func.func @generic(%x: " + type + ") -> " + type + " {\n  %y" +
            launch + "  return %y : " + type + "\n}");
  auto [generic, exact] = once.at({});
  CHECK(generic == exact);
  Body loop("func.func @generic(%z: " + type + ") -> " + type +
            " {\n  %r = graph.loop \"i\" below <[n]> carries(%z) : (" + type +
            ") -> " + type + " {\n  ^bb0(%x: " + type + "):\n    %y" + launch +
            "    graph.next carries(%y : " + type +
            ")\n  }\n  return %r : " + type + "\n}");
  CHECK(loop.at({{"n", 100}}).exact == Approx(100 * exact).epsilon(0.01));
  // A size without a value counts as 1.
  CHECK(loop.at({}).exact == Approx(exact).epsilon(1e-9));
}

static std::string launchWindow() {
  std::string type = "tensor<1x8x?xf32, #sym.shape<[1, 8, n]>>";
  std::string input = "tensor<1x8x?xf32, #sym.shape<[1, 8, \"n + 2\"]>>";
  return "func.func @generic(%x: " + input + ", %w: tensor<8x8x3xf32>) -> " +
         type + " {\n  %y = graph.launch @window(%x, %w) <[\"n + 2\", n]> : (" +
         input + ", tensor<8x8x3xf32>) -> " + type + "\n  return %y : " + type +
         "\n}";
}

TEST_CASE("padding moves the inputs and outputs that a symbol is in") {
  Body body(launchProduct("n"));
  BodyCost cost =
      BodyCost::of(body.module->lookupSymbol<mlir::func::FuncOp>("generic"));
  double ten = cost.getPadding({{"n", 10}}, {"n"});
  CHECK(ten > 0);
  // The weights have no symbol.
  CHECK(cost.getPadding({{"n", 20}}, {"n"}) == Approx(2 * ten).epsilon(1e-9));
  CHECK(cost.getPadding({{"n", 10}}, {}) == 0);
  CHECK(cost.getPadding({{"n", 10}}, {"other"}) == 0);
}

TEST_CASE("padding sets the tail of what a window reads") {
  Body product(launchProduct("n")), window(launchWindow());
  auto perElement = [](Body &body, double elements) {
    auto main = body.module->lookupSymbol<mlir::func::FuncOp>("generic");
    return BodyCost::of(main).getPadding({{"n", 1000}}, {"n"}) / elements;
  };
  CHECK(perElement(window, 8 * 1002 + 8 * 1000) >
        1.1 * perElement(product, 64 * 1000 + 64 * 1000));
}
