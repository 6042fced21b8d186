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

TEST_CASE("sizes that do not broadcast, each once and without ones",
          "[runtime]") {
  static const ambit_desc_size sizes[] = {
      {"batch", 0}, {"seq", 1}, {"batch", 0}, {"2*seq", -1}};
  static const ambit_desc_guard guards[] = {{"seq == common || seq == 1",
                                             "node 'Add_4'",
                                             AMBIT_GUARD_RELATION, 4, sizes}};
  Variation variation;
  variation.descriptor.guards = guards;
  variation.descriptor.guard_count = 1;
  variation.descriptor.guards_failed = [](const int64_t *) -> int32_t {
    return 0;
  };
  CHECK(variation.refuse(Inputs(3, 8), AMBIT_GUARD_FAILED) ==
        "sizes that meet in node 'Add_4': batch = 3 and seq = 8 and '2*seq' "
        "with seq = 8; each must be 1 or the same");
  CHECK(variation.refuse(Inputs(1, 8), AMBIT_GUARD_FAILED) ==
        "sizes that meet in node 'Add_4': seq = 8 and '2*seq' with seq = 8; "
        "each must be 1 or the same");
}

TEST_CASE("other forms of ranges", "[runtime]") {
  Variation variation;
  variation.symbols[1] = {"seq", 16, INT64_MAX, 16, 0, 1, 1, 0, -1, 0, nullptr};
  CHECK(variation.refuse(Inputs(1, 37), AMBIT_GUARD_FAILED) ==
        "dim 1 ('seq') of input 'ids' is 37, expected a multiple of 16");
  CHECK(variation.refuse(Inputs(1, 0), AMBIT_GUARD_FAILED) ==
        "dim 1 ('seq') of input 'ids' is 0, expected at least 16");
  variation.symbols[0] = {"batch", 1, 1, 1, 0, 0, 1, 0, -1, 0, nullptr};
  CHECK(variation.refuse(Inputs(2, 16), AMBIT_GUARD_FAILED) ==
        "dim 0 ('batch') of input 'ids' is 2, expected 1");
}

TEST_CASE("symbols that inputs have in derived form only", "[runtime]") {
  // ids[batch, 2*seq], mask[batch, seq + 1, 4]
  Variation variation;
  variation.symbols[1] = {"seq", 0, INT64_MAX, 1, 0, 1, 2, 0, -1, 0, nullptr};
  ambit_desc_dim idsDims[] = {{"batch", -1, 0}, {"2*seq", -1, -1}};
  ambit_desc_dim maskDims[] = {
      {"batch", -1, 0}, {"seq + 1", -1, -1}, {"4", 4, -1}};
  ambit_desc_tensor tensors[] = {{"ids", AMBIT_INT64, 2, idsDims},
                                 {"mask", AMBIT_FLOAT32, 3, maskDims}};
  variation.descriptor.inputs = tensors;
  variation.descriptor.input_dims = [](const int64_t *s, int64_t *dims) {
    dims[0] = dims[2] = s[0];
    dims[1] = s[1] > INT64_MAX / 2 ? -1 : 2 * s[1];
    dims[3] = s[1] + 1;
    dims[4] = 4;
    return 0;
  };
  Inputs inputs(2, 10);
  auto refuse = [&](int64_t ids, int64_t mask) {
    inputs.idsDims[1] = ids;
    inputs.maskDims[1] = mask;
    return variation.refuse(inputs, AMBIT_GUARD_FAILED);
  };
  inputs.maskDims[1] = 6;
  Context context(nullptr, &variation.model);
  int64_t values[2];
  REQUIRE(api().symbol_values(context, inputs, 2, values) == AMBIT_OK);
  CHECK(values[1] == 5);
  CHECK(refuse(9, 5) == "dim 1 ('2*seq') of input 'ids' is 9, expected 2*seq "
                        "for seq at least 0");
  CHECK(refuse(10, 7) == "dim 1 ('seq + 1') of input 'mask' is 7, expected 6 "
                         "with seq = 5");
  variation.symbols[1] = {"seq", 8, 16, 4, 0, 1, 2, 0, -1, 0, nullptr};
  CHECK(refuse(12, 7) == "dim 1 ('2*seq') of input 'ids' is 12, expected 2*seq "
                         "for seq in 8..16, a multiple of 4");
  CHECK(refuse(20, 11) == "dim 1 ('2*seq') of input 'ids' is 20, expected "
                          "2*seq for seq in 8..16, a multiple of 4");
  variation.symbols[1] = {"seq", 3, 3, 1, 0, 1, 2, 0, -1, 0, nullptr};
  CHECK(refuse(8, 5) == "dim 1 ('2*seq') of input 'ids' is 8, expected 2*seq "
                        "for seq = 3");
  // A difference that overflows is no value.
  variation.symbols[1] = {"seq", 0,         INT64_MAX, 1, 0,      1,
                          1,     INT64_MIN, -1,        0, nullptr};
  CHECK(refuse(9, 5) == "dim 1 ('2*seq') of input 'ids' is 9, expected 2*seq "
                        "for seq at least 0");
  // 100 - seq: a dim that falls while the symbol grows.
  variation.symbols[1] = {"seq", 0,   INT64_MAX, 1, 1,      1,
                          -1,    100, -1,        0, nullptr};
  variation.descriptor.input_dims = [](const int64_t *s, int64_t *dims) {
    dims[0] = dims[2] = s[0];
    dims[1] = 2 * s[1];
    dims[3] = 100 - s[1];
    dims[4] = 4;
    return 0;
  };
  inputs.idsDims[1] = 40;
  inputs.maskDims[1] = 80;
  Context falling(nullptr, &variation.model);
  REQUIRE(api().symbol_values(falling, inputs, 2, values) == AMBIT_OK);
  CHECK(values[1] == 20);
}

TEST_CASE("the fast pass accepts exactly what the slow one does", "[runtime]") {
  const int64_t sizes[] = {-1, 0, 1, 2, 3, 4, 8, 9, 128, 512, 513, INT64_MAX};
  // Only the object's own tables have a fast pass.
  Variation variation;
  Context context, slow(nullptr, &variation.model);
  for (int64_t batch : sizes)
    for (int64_t seq : sizes)
      for (int position = 0; position < 5; ++position)
        for (int64_t other : sizes) {
          Inputs inputs(1, 1);
          inputs.idsDims[0] = inputs.maskDims[0] = batch;
          inputs.idsDims[1] = inputs.maskDims[1] = seq;
          (position < 2 ? inputs.idsDims[position]
                        : inputs.maskDims[position - 2]) = other;
          int64_t values[2];
          bool isFine = api().symbol_values(context, inputs, 2, values) == 0;
          bool isSlowFine = api().symbol_values(slow, inputs, 2, values) == 0;
          const int64_t *x = inputs.idsDims, *y = inputs.maskDims;
          bool isRight = x[0] == y[0] && x[1] == y[1] && y[2] == 4 &&
                         1 <= x[0] && x[0] <= 8 && 1 <= x[1] && x[1] <= 512;
          CHECK(isFine == isRight);
          CHECK(isSlowFine == isRight);
          CHECK(context.error() == slow.error());
        }
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
