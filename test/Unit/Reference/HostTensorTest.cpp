// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host tensors from and to attributes.

#include "Evaluation.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <catch2/catch.hpp>

using namespace mlir;
using ambit::reference::HostTensor;

namespace {
struct Attributes {
  MLIRContext context{MLIRContext::Threading::DISABLED};
  HostTensor read(StringRef text) {
    return HostTensor::fromAttr(
        cast<ElementsAttr>(parseAttribute(text, &context)));
  }
  std::string print(const HostTensor &tensor) {
    std::string text;
    llvm::raw_string_ostream(text) << tensor.toAttr();
    return text;
  }
};
} // namespace

TEST_CASE("attributes round-trip through host tensors") {
  Attributes attributes;
  for (const char *text :
       {"dense<[1.000000e+00, -2.500000e+00]> : tensor<2xf32>",
        "dense<[true, false, true]> : tensor<3xi1>", "dense<true> : tensor<i1>",
        "dense<7> : tensor<2x3xi8>", "dense<[255, 0]> : tensor<2xui8>",
        "dense<> : tensor<0x4xf32>", "dense<-1> : tensor<i64>",
        "dense<[1.000000e+00, 5.000000e-01]> : tensor<2xf16>",
        "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xbf16>"})
    CHECK(attributes.print(attributes.read(text)) == text);
}

TEST_CASE("elements keep their sign or lack of it") {
  Attributes attributes;
  CHECK(attributes.read("dense<255> : tensor<ui8>").getInt(0) == 255);
  CHECK(attributes.read("dense<-1> : tensor<i8>").getInt(0) == -1);
  CHECK(attributes.read("dense<true> : tensor<i1>").getInt(0) == 1);
  CHECK(attributes.read("dense<18446744073709551615> : tensor<ui64>")
            .getFloat(0) == 0x1p64);
}

TEST_CASE("large tensors become resources and come back") {
  Attributes attributes;
  HostTensor tensor(Float32Type::get(&attributes.context), {65});
  tensor.setFloat(64, 3.0);
  auto attr = dyn_cast<DenseResourceElementsAttr>(tensor.toAttr("weights"));
  REQUIRE(attr);
  CHECK(HostTensor::fromAttr(attr).getFloat(64) == 3.0);
}

TEST_CASE("equal elements become a splat") {
  Attributes attributes;
  HostTensor tensor(IntegerType::get(&attributes.context, 32), {1000});
  CHECK(attributes.print(tensor) == "dense<0> : tensor<1000xi32>");
}

TEST_CASE("a resource of the wrong size gives no tensor") {
  Attributes attributes;
  auto type = RankedTensorType::get({4}, Float32Type::get(&attributes.context));
  std::vector<char> bytes(12);
  auto attr = DenseResourceElementsAttr::get(
      type, "short", HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 8));
  CHECK_FALSE(HostTensor::fromAttr(attr).getElementType());
}

TEST_CASE("copies share their data") {
  Attributes attributes;
  HostTensor tensor(Float32Type::get(&attributes.context), {1});
  HostTensor copy = tensor;
  copy.setFloat(0, 2.0);
  CHECK(tensor.getFloat(0) == 2.0);
}
