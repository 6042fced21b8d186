// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model says about itself, and about shapes without running.

#include "TestModel.h"
#include <catch2/catch.hpp>

TEST_CASE("the table", "[runtime]") {
  CHECK(api().abi == AMBIT_ABI_VERSION);
  CHECK(api().table_bytes == int32_t(sizeof(ambit_api)));
  CHECK(ambit_query_v1() == ambit_query_v1());
  // A program compiled against this header relies on the layout.
  CHECK(offsetof(ambit_api, model) == 8);
  CHECK(offsetof(ambit_api, run) == 8 * 26);
}

TEST_CASE("signature", "[runtime]") {
  ambit_counts counts;
  api().counts(api().model, &counts);
  CHECK(counts.inputs == 2);
  CHECK(counts.outputs == 2);
  CHECK(counts.symbols == 2);
  CHECK(counts.guards == 3);
  CHECK(counts.variants == 3);
  CHECK(std::string(api().model_name(api().model)) == "test_model");
  CHECK(std::string(api().manifest(api().model)) ==
        "{\"model\": \"test_model\"}");

  ambit_tensor_info tensor;
  REQUIRE(api().input(api().model, 1, &tensor) == AMBIT_OK);
  CHECK(std::string(tensor.name) == "mask");
  CHECK(tensor.dtype == AMBIT_FLOAT32);
  CHECK(tensor.rank == 3);
  REQUIRE(api().output(api().model, 1, &tensor) == AMBIT_OK);
  CHECK(std::string(tensor.name) == "total");

  ambit_dim_info dim;
  REQUIRE(api().input_dim(api().model, 1, 2, &dim) == AMBIT_OK);
  CHECK(dim.value == 4);
  CHECK(dim.symbol == -1);
  REQUIRE(api().output_dim(api().model, 0, 1, &dim) == AMBIT_OK);
  CHECK(std::string(dim.expr) == "2*seq");
  CHECK(dim.value == -1);
}

TEST_CASE("symbols, guards and variants", "[runtime]") {
  ambit_symbol_info symbol;
  REQUIRE(api().symbol(api().model, 1, &symbol) == AMBIT_OK);
  CHECK(std::string(symbol.name) == "seq");
  CHECK(symbol.max == 512);
  ambit_guard_info guard;
  REQUIRE(api().guard(api().model, 2, &guard) == AMBIT_OK);
  CHECK(std::string(guard.text) == "batch*seq <= 2048");
  CHECK(std::string(guard.origin) == "node 'Expand_12'");
  CHECK(guard.guard_class == AMBIT_GUARD_RELATION);
  ambit_variant_info variant;
  REQUIRE(api().variant(api().model, 0, &variant) == AMBIT_OK);
  CHECK(std::string(variant.name) == "exact_seq_128");
  CHECK(std::string(variant.kind) == "exact");
  CHECK(std::string(variant.domain) == "seq == 128");
}

TEST_CASE("indices out of range", "[runtime]") {
  ambit_tensor_info tensor;
  ambit_dim_info dim;
  ambit_symbol_info symbol;
  ambit_guard_info guard;
  ambit_variant_info variant;
  for (int32_t index : {-1, 3}) {
    const ambit_model *model = api().model;
    CHECK(api().input(model, index, &tensor) == AMBIT_INVALID_ARGUMENT);
    CHECK(api().output(model, index, &tensor) == AMBIT_INVALID_ARGUMENT);
    CHECK(api().input_dim(model, index, 0, &dim) == AMBIT_INVALID_ARGUMENT);
    CHECK(api().output_dim(model, 0, index, &dim) == AMBIT_INVALID_ARGUMENT);
    CHECK(api().symbol(model, index, &symbol) == AMBIT_INVALID_ARGUMENT);
    CHECK(api().guard(model, index, &guard) == AMBIT_INVALID_ARGUMENT);
    CHECK(api().variant(model, index, &variant) == AMBIT_INVALID_ARGUMENT);
  }
  Context context;
  int32_t answer;
  CHECK(api().admits(context, Inputs(2, 8), 2, 3, &answer) ==
        AMBIT_INVALID_ARGUMENT);
  CHECK(context.error() == "variant 3 asked for, the model has 3");
  CHECK(api().guard_holds(context, Inputs(2, 8), 2, -1, &answer) ==
        AMBIT_INVALID_ARGUMENT);
  CHECK(context.error() == "guard -1 asked for, the model has 3");
}

TEST_CASE("symbol values and guards of given shapes", "[runtime]") {
  Context context;
  int64_t values[2];
  REQUIRE(api().symbol_values(context, Inputs(4, 19), 2, values) == AMBIT_OK);
  CHECK(values[0] == 4);
  CHECK(values[1] == 19);
  int32_t holds = -1;
  Inputs odd(3, 19);
  REQUIRE(api().guard_holds(context, odd, 2, 1, &holds) == AMBIT_OK);
  CHECK(holds == 0);
  REQUIRE(api().guard_holds(context, odd, 2, 2, &holds) == AMBIT_OK);
  CHECK(holds == 1);
}

TEST_CASE("the choice and its reasons", "[runtime]") {
  Context context;
  int32_t variant = -1, admits = -1;
  REQUIRE(api().select(context, Inputs(2, 128), 2, &variant) == AMBIT_OK);
  CHECK(variant == 0);
  REQUIRE(api().select(context, Inputs(2, 16), 2, &variant) == AMBIT_OK);
  CHECK(variant == 1);
  REQUIRE(api().select(context, Inputs(2, 17), 2, &variant) == AMBIT_OK);
  CHECK(variant == 2);
  REQUIRE(api().admits(context, Inputs(2, 17), 2, 1, &admits) == AMBIT_OK);
  CHECK(admits == 0);

  char text[512];
  REQUIRE(api().explain(context, Inputs(2, 17), 2, text, sizeof text) ==
          AMBIT_OK);
  CHECK(std::string(text) ==
        "exact_seq_128 (exact) refuses, it needs seq == 128 and seq = 17\n"
        "range_seq_16 (range) refuses, it needs seq <= 16 and seq = 17\n"
        "generic (generic) runs, it covers all declared shapes\n");
  char little[12];
  REQUIRE(api().explain(context, Inputs(2, 17), 2, little, sizeof little) ==
          AMBIT_OK);
  CHECK(std::string(little) == "exact_seq_1");
}

TEST_CASE("shapes of outputs and workspace", "[runtime]") {
  Context context;
  int64_t dims[2];
  ambit_tensor outputs[2] = {};
  outputs[0].rank = 2;
  outputs[0].dims = dims;
  REQUIRE(api().output_shapes(context, Inputs(2, 17), 2, outputs, 2) ==
          AMBIT_OK);
  CHECK(dims[0] == 2);
  CHECK(dims[1] == 34);
  CHECK(outputs[0].bytes == 2 * 34 * 4);
  CHECK(outputs[0].dtype == AMBIT_FLOAT32);
  CHECK(outputs[1].rank == 0);
  CHECK(outputs[1].bytes == 8);

  // Without an array of the caller the context lends its own.
  outputs[0].dims = nullptr;
  REQUIRE(api().output_shapes(context, Inputs(4, 5), 2, outputs, 2) ==
          AMBIT_OK);
  REQUIRE(outputs[0].dims);
  CHECK(outputs[0].dims[1] == 10);

  outputs[0].rank = 1;
  CHECK(api().output_shapes(context, Inputs(4, 5), 2, outputs, 2) ==
        AMBIT_INVALID_ARGUMENT);
  CHECK(context.error() == "room for 1 dims of output 'y', expected 2");
  CHECK(api().output_shapes(context, Inputs(4, 5), 2, outputs, 1) ==
        AMBIT_INVALID_ARGUMENT);
  CHECK(context.error() == "1 outputs given, expected 2");

  int64_t bytes = 0;
  REQUIRE(api().workspace_bytes(context, Inputs(2, 17), 2, &bytes) == AMBIT_OK);
  CHECK(bytes == 2 * 17 * 8);
}
