// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols that are elements of inputs, and names for expressions.

#include "TestModel.h"
#include "catch2/catch.hpp"

namespace {
/// The test model with fixed dims and another second symbol.
struct Variation {
  ambit_descriptor descriptor = ambit_descriptor_instance;
  ambit_desc_symbol symbols[2];
  ambit_model model{&descriptor};
  Inputs inputs{2, 10};
  int64_t values[2];

  explicit Variation(const ambit_desc_symbol &symbol)
      : symbols{ambit_descriptor_instance.symbols[0], symbol} {
    descriptor.symbols = symbols;
    descriptor.input_dims = [](const int64_t *s, int64_t *dims) {
      dims[0] = dims[2] = s[0];
      dims[1] = dims[3] = 10;
      dims[4] = 4;
      return 0;
    };
  }
  int32_t bind() {
    Context context(nullptr, &model);
    int32_t status = api().symbol_values(context, inputs, 2, values);
    text = context.error();
    return status;
  }
  std::string text;
};
} // namespace

TEST_CASE("symbols that are elements of inputs", "[runtime]") {
  Variation variation({"ids[1]", -4, 4, 1, 0, -1, 1, 0, 1, 0, nullptr});
  int64_t &element = variation.inputs.ids[1];
  for (int64_t value : {-4, -1, 0, 4}) {
    element = value;
    REQUIRE(variation.bind() == AMBIT_OK);
    CHECK(variation.values[1] == value);
  }
  element = 5;
  CHECK(variation.bind() == AMBIT_GUARD_FAILED);
  CHECK(variation.text == "element 1 of input 'ids' is 5, expected -4..4");
  variation.symbols[1].min = INT64_MIN;
  CHECK(variation.bind() == AMBIT_GUARD_FAILED);
  CHECK(variation.text == "element 1 of input 'ids' is 5, expected at most 4");
  variation.symbols[1].saturates = 1;
  REQUIRE(variation.bind() == AMBIT_OK);
  CHECK(variation.values[1] == 4);

  variation.inputs.tensors[0].bytes = 15;
  CHECK(variation.bind() == AMBIT_BUFFER_TOO_SMALL);
  CHECK(variation.text == "buffer of input 'ids' has 15 bytes, expected 160");
  variation.inputs.tensors[0].data = nullptr;
  CHECK(variation.bind() == AMBIT_INVALID_ARGUMENT);
  CHECK(variation.text == "data of input 'ids' is null, expected its elements: "
                          "shapes depend on them");
}

TEST_CASE("symbols that are names for expressions", "[runtime]") {
  Variation variation({"twice", 0, 6, 1, -1, -1, 1, 0, -1, 0, "2*batch"});
  variation.descriptor.define_symbols = [](int64_t *s) {
    s[1] = 2 * s[0];
    return s[0] == 7 ? 1 : -1;
  };
  REQUIRE(variation.bind() == AMBIT_OK);
  CHECK(variation.values[1] == 4);
  auto refuse = [&](int64_t batch, int32_t status) {
    variation.inputs.idsDims[0] = variation.inputs.maskDims[0] = batch;
    CHECK(variation.bind() == status);
    return variation.text;
  };
  CHECK(refuse(4, AMBIT_GUARD_FAILED) ==
        "size 'twice' is 8 with batch = 4, expected 0..6");
  CHECK(refuse(7, AMBIT_OVERFLOW) ==
        "size 'twice' overflows 64 bits with batch = 7");
}
