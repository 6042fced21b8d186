// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every check on shapes at entry, with its status and its words.

#include "TestModel.h"
#include <catch2/catch.hpp>

/// The words for shapes that must be refused with `status`.
static std::string refusal(const Inputs &inputs, int32_t status,
                           int32_t count = 2) {
  Context context;
  int32_t variant = -7;
  CHECK(api().select(context, inputs, count, &variant) == status);
  CHECK(variant == -7);
  return context.error();
}

TEST_CASE("count of inputs", "[runtime]") {
  CHECK(refusal(Inputs(2, 8), AMBIT_INVALID_ARGUMENT, 1) ==
        "1 inputs given, expected 2");
  Context context;
  int32_t variant;
  CHECK(api().select(context, nullptr, 2, &variant) == AMBIT_INVALID_ARGUMENT);
  CHECK(context.error() == "0 inputs given, expected 2");
}

TEST_CASE("type of an input", "[runtime]") {
  Inputs inputs(2, 8);
  inputs.tensors[1].dtype = AMBIT_FLOAT16;
  CHECK(refusal(inputs, AMBIT_INVALID_ARGUMENT) ==
        "type of input 'mask' is float16, expected float32");
  inputs.tensors[1].dtype = 99;
  CHECK(refusal(inputs, AMBIT_INVALID_ARGUMENT) ==
        "type of input 'mask' is unknown, expected float32");
}

TEST_CASE("rank of an input", "[runtime]") {
  Inputs inputs(2, 8);
  inputs.tensors[0].rank = 1;
  CHECK(refusal(inputs, AMBIT_INVALID_ARGUMENT) ==
        "rank of input 'ids' is 1, expected 2");
  inputs.tensors[0].rank = 2;
  inputs.tensors[0].dims = nullptr;
  CHECK(refusal(inputs, AMBIT_INVALID_ARGUMENT) ==
        "dims of input 'ids' are null, expected 2 of them");
}

TEST_CASE("negative extents", "[runtime]") {
  Inputs inputs(2, 8);
  inputs.maskDims[1] = -3;
  CHECK(refusal(inputs, AMBIT_INVALID_ARGUMENT) ==
        "dim 1 ('seq') of input 'mask' is -3, expected at least 0");
}

TEST_CASE("static dims", "[runtime]") {
  Inputs inputs(2, 8);
  inputs.maskDims[2] = 5;
  CHECK(refusal(inputs, AMBIT_GUARD_FAILED) ==
        "dim 2 of input 'mask' is 5, expected 4");
}

TEST_CASE("repeated symbols", "[runtime]") {
  Inputs inputs(2, 37);
  inputs.maskDims[1] = 36;
  CHECK(refusal(inputs, AMBIT_GUARD_FAILED) ==
        "dim 1 ('seq') of input 'mask' is 36, expected 37 as in dim 1 of "
        "input 'ids'");
}

TEST_CASE("ranges of symbols, with their origin when a guard tells it",
          "[runtime]") {
  CHECK(refusal(Inputs(1, 700), AMBIT_GUARD_FAILED) ==
        "dim 1 ('seq') of input 'ids' is 700, expected 1..512 (rule from "
        "option --dim)");
  CHECK(refusal(Inputs(9, 8), AMBIT_GUARD_FAILED) ==
        "dim 0 ('batch') of input 'ids' is 9, expected 1..8");
  CHECK(refusal(Inputs(1, 0), AMBIT_GUARD_FAILED) ==
        "dim 1 ('seq') of input 'ids' is 0, expected 1..512");
}

TEST_CASE("guards, with the values they use", "[runtime]") {
  CHECK(refusal(Inputs(3, 8), AMBIT_GUARD_FAILED) ==
        "rule 'batch == 1 or batch % 2 == 0' fails with batch = 3 (rule from "
        "node 'Split_3')");
  CHECK(refusal(Inputs(8, 300), AMBIT_GUARD_FAILED) ==
        "rule 'batch*seq <= 2048' fails with batch = 8, seq = 300 (rule from "
        "node 'Expand_12')");
}

TEST_CASE("the order of checks", "[runtime]") {
  // Everything is wrong; what is found first is fixed first.
  Inputs inputs(3, 700);
  inputs.tensors[1].dtype = AMBIT_INT8;
  inputs.tensors[1].rank = 2;
  inputs.idsDims[0] = -1;
  inputs.maskDims[2] = 9;
  auto next = [&](const char *expected) {
    Context context;
    int32_t variant;
    CHECK(api().select(context, inputs, 2, &variant) != AMBIT_OK);
    CHECK_THAT(context.error(), Catch::StartsWith(expected));
  };
  next("type of input 'mask'");
  inputs.tensors[1].dtype = AMBIT_FLOAT32;
  next("rank of input 'mask'");
  inputs.tensors[1].rank = 3;
  next("dim 0 ('batch') of input 'ids' is -1, expected at least 0");
  inputs.idsDims[0] = 4;
  next("dim 2 of input 'mask' is 9, expected 4");
  inputs.maskDims[2] = 4;
  next("dim 0 ('batch') of input 'mask' is 3, expected 4");
  inputs.idsDims[0] = 3;
  next("dim 1 ('seq') of input 'ids' is 700, expected 1..512");
  inputs.idsDims[1] = inputs.maskDims[1] = 512;
  next("rule 'batch == 1 or batch % 2 == 0'");
}

namespace {
/// The test model with other symbols, static dims or tables.
struct Variation {
  ambit_descriptor descriptor = ambit_descriptor_instance;
  ambit_desc_symbol symbols[2] = {ambit_descriptor_instance.symbols[0],
                                  ambit_descriptor_instance.symbols[1]};
  ambit_model model{&descriptor};
  Variation() { descriptor.symbols = symbols; }
  std::string refuse(const Inputs &inputs, int32_t status) {
    Context context(nullptr, &model);
    int32_t variant;
    CHECK(api().select(context, inputs, 2, &variant) == status);
    return context.error();
  }
};
} // namespace

TEST_CASE("other forms of ranges", "[runtime]") {
  Variation variation;
  variation.symbols[1] = {"seq", 16, INT64_MAX, 16, 0, 1};
  CHECK(variation.refuse(Inputs(1, 37), AMBIT_GUARD_FAILED) ==
        "dim 1 ('seq') of input 'ids' is 37, expected a multiple of 16");
  CHECK(variation.refuse(Inputs(1, 0), AMBIT_GUARD_FAILED) ==
        "dim 1 ('seq') of input 'ids' is 0, expected at least 16");
  variation.symbols[0] = {"batch", 1, 1, 1, 0, 0};
  CHECK(variation.refuse(Inputs(2, 16), AMBIT_GUARD_FAILED) ==
        "dim 0 ('batch') of input 'ids' is 2, expected 1");
}

TEST_CASE("sizes that overflow", "[runtime]") {
  Variation variation;
  variation.symbols[0].max = variation.symbols[1].max = INT64_MAX;
  Inputs inputs(2, 8);
  inputs.idsDims[1] = inputs.maskDims[1] = INT64_MAX / 8;
  CHECK(variation.refuse(inputs, AMBIT_OVERFLOW) ==
        "size of input 'ids' overflows 64 bits");
  // A zero elsewhere does not make the rest harmless.
  inputs.idsDims[0] = inputs.maskDims[0] = 0;
  variation.symbols[0].min = 0;
  CHECK(variation.refuse(inputs, AMBIT_OVERFLOW) ==
        "size of input 'mask' overflows 64 bits");
}

TEST_CASE("no variant", "[runtime]") {
  Variation variation;
  variation.descriptor.select = [](const int64_t *) -> int32_t { return -1; };
  CHECK(variation.refuse(Inputs(2, 37), AMBIT_GUARD_FAILED) ==
        "no variant covers these shapes: batch = 2, seq = 37");
}

TEST_CASE("bytes of tensors", "[runtime]") {
  int64_t dims[] = {3, 5};
  CHECK(ambit_tensor_bytes(AMBIT_FLOAT32, 2, dims) == 60);
  CHECK(ambit_tensor_bytes(AMBIT_INT4, 2, dims) == 8);
  CHECK(ambit_tensor_bytes(AMBIT_COMPLEX128, 2, dims) == 240);
  CHECK(ambit_tensor_bytes(AMBIT_BOOL, 0, nullptr) == 1);
  int64_t huge[] = {INT64_MAX, 2};
  CHECK(ambit_tensor_bytes(AMBIT_UINT8, 1, huge) == INT64_MAX);
  CHECK(ambit_tensor_bytes(AMBIT_UINT8, 2, huge) == -1);
  CHECK(ambit_tensor_bytes(AMBIT_INT16, 1, huge) == -1);
}
