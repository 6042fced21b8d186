// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs whose sizes depend on data: buffers are checked for what they are at
// most, and dims tell what was found.

#include "TestModel.h"
#include <catch2/catch.hpp>
#include <cstring>

/// The test model with a third symbol, `k` <= seq, that its body sets to 3, and
/// y[batch, 2*k].
struct CountingModel {
  ambit_descriptor descriptor = ambit_descriptor_instance;
  ambit_desc_symbol symbols[3];
  ambit_desc_variant variants[3];
  ambit_model model{&descriptor};
  CountingModel() {
    std::memcpy(symbols, descriptor.symbols, 2 * sizeof *symbols);
    symbols[2] = {"k", 0, INT64_MAX, 1, -1, -1, 1, 0, -1, 0, nullptr};
    std::memcpy(variants, descriptor.variants, sizeof variants);
    for (ambit_desc_variant &variant : variants)
      variant.body = [](const void *const *, void *const *outputs, void *,
                        int64_t *s, ambit_exec *exec) -> int32_t {
        CHECK(s[2] == -1);
        s[2] = 3;
        for (int64_t i = 0; i < s[0] * 6; ++i)
          static_cast<float *>(outputs[0])[i] = float(i);
        if (s[1] == 5) {
          exec->failed_check = 0;
          exec->failed_value = 3;
          return AMBIT_DATA_ERROR;
        }
        return AMBIT_OK;
      };
    descriptor.symbols = symbols;
    descriptor.symbol_count = 3;
    descriptor.variants = variants;
    descriptor.output_bounds = descriptor.output_dims;
    descriptor.output_dims = [](const int64_t *s, int64_t *dims) -> int32_t {
      dims[0] = s[0];
      dims[1] = 2 * s[2];
      return 0;
    };
  }
};

TEST_CASE("a symbol that depends on data has no input", "[runtime]") {
  CountingModel counting;
  Context context(nullptr, &counting.model);
  ambit_symbol_info info;
  REQUIRE(api().symbol(&counting.model, 2, &info) == AMBIT_OK);
  CHECK(info.input == -1);
  CHECK(info.dim == -1);
  Inputs inputs(2, 8);
  int64_t values[3];
  REQUIRE(api().symbol_values(context, inputs, 2, values) == AMBIT_OK);
  CHECK(values[1] == 8);
  CHECK(values[2] == -1);
  counting.symbols[2].dim = 0;
  Context refused(nullptr, &counting.model);
  CHECK(refused.status == AMBIT_BAD_OBJECT);
}

TEST_CASE("dims are bounds before and sizes after a run", "[runtime]") {
  CountingModel counting;
  Context context(nullptr, &counting.model);
  Inputs inputs(2, 8);
  Outputs outputs(2, 8);
  REQUIRE(api().output_shapes(context, inputs, 2, outputs, 2) == AMBIT_OK);
  CHECK(outputs.yDims[1] == 16);
  CHECK(outputs.tensors[0].bytes == 2 * 16 * 4);
  outputs.tensors[0].bytes = 2 * 16 * 4 - 1;
  CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_BUFFER_TOO_SMALL);
  outputs.tensors[0].bytes = 2 * 16 * 4;
  REQUIRE(api().run(context, inputs, 2, outputs, 2) == AMBIT_OK);
  CHECK(outputs.yDims[0] == 2);
  CHECK(outputs.yDims[1] == 6);
  CHECK(outputs.y[11] == 11);
  CHECK(outputs.y[12] == -1);

  ambit_tensor owned[2] = {};
  REQUIRE(api().run_owned(context, inputs, 2, owned, 2) == AMBIT_OK);
  CHECK(owned[0].dims[1] == 6);
  CHECK(owned[0].bytes == 2 * 6 * 4);
  CHECK(static_cast<float *>(owned[0].data)[11] == 11);
}

TEST_CASE("a run that fails leaves the dims alone", "[runtime]") {
  CountingModel counting;
  Context context(nullptr, &counting.model);
  Inputs inputs(2, 5);
  Outputs outputs(2, 5);
  CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_DATA_ERROR);
  CHECK(outputs.yDims[1] == -1);
}
