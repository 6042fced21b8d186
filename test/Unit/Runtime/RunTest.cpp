// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running the model: results, checks on memory, data errors.

#include "TestModel.h"
#include <catch2/catch.hpp>
#include <cstring>
#include <thread>

TEST_CASE("run fills the caller's buffers", "[runtime]") {
  Context context;
  CHECK(api().last_variant(context) == -1);
  for (int64_t seq : {1, 16, 17, 128}) {
    Inputs inputs(2, seq);
    Outputs outputs(2, seq);
    REQUIRE(api().run(context, inputs, 2, outputs, 2) == AMBIT_OK);
    CHECK(outputs.yDims[0] == 2);
    CHECK(outputs.yDims[1] == 2 * seq);
    CHECK(outputs.y[2 * seq] == float(seq));
    CHECK(outputs.y[4 * seq - 1] == 0.5f * float(2 * seq - 1));
    CHECK(outputs.total == (2 * seq - 1) * seq);
    CHECK(api().last_variant(context) == (seq == 128 ? 0 : seq <= 16 ? 1 : 2));
  }
}

TEST_CASE("run_owned lends memory of the context", "[runtime]") {
  Context context;
  Inputs inputs(2, 17);
  ambit_tensor outputs[2] = {};
  REQUIRE(api().run_owned(context, inputs, 2, outputs, 2) == AMBIT_OK);
  CHECK(outputs[0].bytes == 2 * 34 * 4);
  CHECK(outputs[0].dims[1] == 34);
  CHECK(static_cast<float *>(outputs[0].data)[34] == 17.0f);
  CHECK(*static_cast<int64_t *>(outputs[1].data) == 33 * 17);
  CHECK(reinterpret_cast<uintptr_t>(outputs[1].data) % 64 == 0);

  // What was lent cannot be an input of the next run: it may move.
  Inputs again(2, 17);
  again.tensors[1].data = outputs[0].data;
  CHECK(api().run_owned(context, again, 2, outputs, 2) ==
        AMBIT_INVALID_ARGUMENT);
  CHECK(context.error() == "input 'mask' lies in the outputs of this context");
}

/// The words for a run that must be refused with `status` and write nothing.
static std::string refusal(const Inputs &inputs, Outputs &outputs,
                           int32_t status) {
  Context context;
  CHECK(api().run(context, inputs, 2, outputs, 2) == status);
  CHECK(outputs.yDims[0] == -1);
  for (float value : outputs.y)
    CHECK(value == -1);
  return context.error();
}

TEST_CASE("buffers that are too small", "[runtime]") {
  Inputs inputs(2, 8);
  Outputs outputs(2, 8);
  inputs.tensors[1].bytes = 255;
  CHECK(refusal(inputs, outputs, AMBIT_BUFFER_TOO_SMALL) ==
        "buffer of input 'mask' has 255 bytes, expected 256");
  inputs.tensors[1].bytes = 256;
  outputs.tensors[0].bytes = 127;
  CHECK(refusal(inputs, outputs, AMBIT_BUFFER_TOO_SMALL) ==
        "buffer of output 'y' has 127 bytes, expected 128");
  outputs.tensors[0].bytes = -1;
  CHECK(refusal(inputs, outputs, AMBIT_BUFFER_TOO_SMALL) ==
        "buffer of output 'y' has -1 bytes, expected 128");
}

TEST_CASE("null and misaligned data", "[runtime]") {
  Inputs inputs(2, 8);
  Outputs outputs(2, 8);
  inputs.tensors[0].data = nullptr;
  CHECK(refusal(inputs, outputs, AMBIT_INVALID_ARGUMENT) ==
        "data of input 'ids' is null, expected 128 bytes");
  std::vector<char> odd(200);
  inputs.tensors[0].data = odd.data() + 1;
  CHECK(refusal(inputs, outputs, AMBIT_INVALID_ARGUMENT) ==
        "data of input 'ids' is not aligned to 8 bytes");
  inputs.tensors[0].data = inputs.ids.data();
  outputs.tensors[1].data = nullptr;
  CHECK(refusal(inputs, outputs, AMBIT_INVALID_ARGUMENT) ==
        "data of output 'total' is null, expected 8 bytes");
}

TEST_CASE("overlapping memory", "[runtime]") {
  Inputs inputs(2, 8);
  Outputs outputs(2, 8);
  outputs.tensors[1].data = inputs.ids.data() + 3;
  CHECK(refusal(inputs, outputs, AMBIT_INVALID_ARGUMENT) ==
        "output 'total' overlaps input 'ids' in memory");
  outputs.tensors[1].data = outputs.y.data() + 2;
  CHECK(refusal(inputs, outputs, AMBIT_INVALID_ARGUMENT) ==
        "output 'total' overlaps output 'y' in memory");
}

TEST_CASE("room for dims and count of outputs", "[runtime]") {
  Inputs inputs(2, 8);
  Outputs outputs(2, 8);
  outputs.tensors[0].rank = 1;
  CHECK(refusal(inputs, outputs, AMBIT_INVALID_ARGUMENT) ==
        "room for 1 dims of output 'y', expected 2");
  Context context;
  CHECK(api().run(context, inputs, 2, nullptr, 2) == AMBIT_INVALID_ARGUMENT);
  CHECK(context.error() == "0 outputs given, expected 2");
}

TEST_CASE("data that the graph rejects", "[runtime]") {
  Context context;
  Inputs inputs(2, 8);
  Outputs outputs(2, 8);
  inputs.ids[5] = -42;
  CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_DATA_ERROR);
  CHECK(context.error() ==
        "node 'Gather_5': index of 'ids' below 0: found -42");
  CHECK(api().last_variant(context) == -1);
  inputs.ids[5] = 42;
  CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_OK);
  CHECK(context.error() == "");
}

TEST_CASE("threads share a model, each with its context", "[runtime]") {
  int wrong[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&wrong, t] {
      ambit_context *context = nullptr;
      wrong[t] += api().context_create(api().model, nullptr, &context, nullptr,
                                       0) != AMBIT_OK;
      for (int64_t seq = 1; seq <= 200; ++seq) {
        Inputs inputs(2, seq);
        Outputs outputs(2, seq);
        wrong[t] += api().run(context, inputs, 2, outputs, 2) != AMBIT_OK;
        wrong[t] += outputs.total != (2 * seq - 1) * seq;
      }
      api().context_destroy(context);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int t = 0; t < 4; ++t)
    CHECK(wrong[t] == 0);
}

TEST_CASE("tensors of size zero may have no data", "[runtime]") {
  ambit_descriptor descriptor = ambit_descriptor_instance;
  ambit_desc_symbol symbols[] = {
      {"batch", 0, 8, 1, 0, 0, 1, 0, -1, 0, nullptr},
      {"seq", 0, 512, 1, 0, 1, 1, 0, -1, 0, nullptr}};
  descriptor.symbols = symbols;
  ambit_model model{&descriptor};
  Context context(nullptr, &model);
  REQUIRE(context.status == AMBIT_OK);
  for (int64_t batch : {0, 2}) {
    Inputs inputs(batch, 0);
    Outputs outputs(batch, 0);
    for (ambit_tensor *tensor :
         {&inputs.tensors[0], &inputs.tensors[1], &outputs.tensors[0]})
      *tensor = {nullptr, 0, tensor->dtype, tensor->rank, tensor->dims};
    CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_OK);
    CHECK(outputs.yDims[0] == batch);
    CHECK(outputs.yDims[1] == 0);
    CHECK(outputs.total == 0);
    ambit_tensor owned[2] = {};
    CHECK(api().run_owned(context, inputs, 2, owned, 2) == AMBIT_OK);
    CHECK(owned[0].bytes == 0);
    CHECK(owned[0].data == nullptr);
  }
}

TEST_CASE("sizes of outputs and workspace that overflow", "[runtime]") {
  ambit_descriptor descriptor = ambit_descriptor_instance;
  ambit_desc_variant variants[3];
  std::memcpy(variants, ambit_descriptor_instance.variants, sizeof variants);
  variants[1].workspace = [](const int64_t *) -> int64_t { return -1; };
  descriptor.variants = variants;
  ambit_model model{&descriptor};
  Context context(nullptr, &model);
  Inputs inputs(2, 8);
  Outputs outputs(2, 8);
  CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_OVERFLOW);
  CHECK(context.error() ==
        "size of the workspace overflows 64 bits in variant 'range_seq_16'");
  descriptor.output_dims = [](const int64_t *, int64_t *) -> int32_t {
    return -1;
  };
  CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_OVERFLOW);
  CHECK(context.error() == "size of an output overflows 64 bits");
  descriptor.output_dims = [](const int64_t *, int64_t *dims) -> int32_t {
    dims[0] = dims[1] = int64_t(1) << 40;
    return 0;
  };
  CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_OVERFLOW);
  CHECK(context.error() == "size of output 'y' overflows 64 bits");
}
