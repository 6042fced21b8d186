// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making contexts: allocator, CPU features, objects that are refused.

#include "TestModel.h"
#include <catch2/catch.hpp>
#include <cstdlib>

namespace {
/// Counts what goes through it; refuses once `left` is used up.
struct Allocator {
  int live = 0, calls = 0, left = 1000;
  size_t bytes = 0;
  ambit_context_options options{};
  Allocator() {
    options.struct_bytes = sizeof options;
    options.user = this;
    options.allocate = [](void *user, size_t alignment,
                          size_t bytes) -> void * {
      auto *self = static_cast<Allocator *>(user);
      ++self->calls;
      if (self->left-- <= 0)
        return nullptr;
      CHECK(bytes % alignment == 0);
      ++self->live;
      self->bytes += bytes;
      return std::aligned_alloc(alignment, bytes);
    };
    options.release = [](void *user, void *data, size_t bytes) {
      auto *self = static_cast<Allocator *>(user);
      --self->live;
      self->bytes -= bytes;
      std::free(data);
    };
  }
};
} // namespace

TEST_CASE("a context frees what it allocates", "[runtime]") {
  Allocator allocator;
  {
    Context context(&allocator.options);
    Outputs outputs(2, 17);
    CHECK(api().run(context, Inputs(2, 17), 2, outputs, 2) == AMBIT_OK);
    CHECK(api().run_owned(context, Inputs(2, 17), 2, outputs, 2) == AMBIT_OK);
    CHECK(allocator.live == 3);
  }
  CHECK(allocator.live == 0);
  CHECK(allocator.bytes == 0);
}

TEST_CASE("run allocates nothing once the workspace is large enough",
          "[runtime]") {
  Allocator allocator;
  Context context(&allocator.options);
  Inputs large(4, 128), small(2, 16), bad(3, 16);
  Outputs largeOut(4, 128), smallOut(2, 16), owned(4, 128);
  REQUIRE(api().reserve(context, large, 2) == AMBIT_OK);
  REQUIRE(api().run_owned(context, large, 2, owned, 2) == AMBIT_OK);
  int before = allocator.calls;
  for (int i = 0; i < 3; ++i) {
    CHECK(api().run(context, large, 2, largeOut, 2) == AMBIT_OK);
    CHECK(api().run(context, small, 2, smallOut, 2) == AMBIT_OK);
    CHECK(api().run(context, bad, 2, smallOut, 2) == AMBIT_GUARD_FAILED);
    CHECK(api().run_owned(context, small, 2, owned, 2) == AMBIT_OK);
  }
  CHECK(allocator.calls == before);
}

TEST_CASE("reserving bytes", "[runtime]") {
  Allocator allocator;
  Context context(&allocator.options);
  REQUIRE(api().reserve_bytes(context, 100000) == AMBIT_OK);
  int before = allocator.calls;
  Outputs outputs(4, 128);
  CHECK(api().run(context, Inputs(4, 128), 2, outputs, 2) == AMBIT_OK);
  CHECK(allocator.calls == before);
  CHECK(api().reserve_bytes(context, -1) == AMBIT_INVALID_ARGUMENT);
  CHECK(context.error() == "workspace of -1 bytes, expected at least 0");
  CHECK(api().reserve_bytes(context, INT64_MAX) == AMBIT_OVERFLOW);
  CHECK(context.error() == "size of the workspace overflows 64 bits");
}

TEST_CASE("out of memory is an error and the context stays usable",
          "[runtime]") {
  Allocator allocator;
  Context context(&allocator.options);
  allocator.left = 0;
  Inputs inputs(2, 17);
  Outputs outputs(2, 17);
  CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_OUT_OF_MEMORY);
  CHECK(context.error() == "out of memory: the workspace needs 320 bytes");
  CHECK(outputs.yDims[0] == -1);
  allocator.left = 10;
  CHECK(api().run(context, inputs, 2, outputs, 2) == AMBIT_OK);
  CHECK(context.error() == "");

  Allocator none;
  none.left = 0;
  Context refused(&none.options, api().model);
  CHECK(refused.status == AMBIT_OUT_OF_MEMORY);
  CHECK(refused.why == "out of memory for a context");
  CHECK(refused.handle == nullptr);
}

TEST_CASE("options of another size", "[runtime]") {
  Allocator allocator;
  // A program from before `user` existed would pass less; nothing beyond is
  // read.
  ambit_context_options options{};
  options.struct_bytes = offsetof(ambit_context_options, allocate);
  options.allocate = allocator.options.allocate;
  Context context(&options);
  CHECK(allocator.calls == 0);
  options.struct_bytes = sizeof options;
  Context refused(&options, api().model);
  CHECK(refused.status == AMBIT_INVALID_ARGUMENT);
  CHECK(refused.why ==
        "one of allocate and release is null, expected both or neither");
}

TEST_CASE("a CPU without a feature is refused before anything runs",
          "[runtime]") {
  ambit_descriptor descriptor = ambit_descriptor_instance;
  const char *features[] = {"sse3", "warp-drive"};
  descriptor.isa = features;
  descriptor.isa_count = 2;
  ambit_model model{&descriptor};
  CHECK(std::string(api().missing_isa(&model)) == "warp-drive");
  Context context(nullptr, &model);
  CHECK(context.status == AMBIT_UNSUPPORTED_CPU);
  CHECK(context.why ==
        "this CPU lacks 'warp-drive', which the model was compiled for");
  CHECK(context.handle == nullptr);
  descriptor.isa_count = 1;
  CHECK(api().missing_isa(&model) == nullptr);
}

TEST_CASE("the CPU is read as the compiler reads it", "[runtime]") {
  ambit_descriptor descriptor = ambit_descriptor_instance;
  descriptor.isa_count = 1;
  ambit_model model{&descriptor};
  auto has = [&](const char *feature) {
    descriptor.isa = &feature;
    return !api().missing_isa(&model);
  };
  CHECK(has("avx2") == bool(__builtin_cpu_supports("avx2")));
  CHECK(has("fma") == bool(__builtin_cpu_supports("fma")));
  CHECK(has("bmi2") == bool(__builtin_cpu_supports("bmi2")));
  CHECK(has("popcnt") == bool(__builtin_cpu_supports("popcnt")));
  CHECK(has("avx512f") == bool(__builtin_cpu_supports("avx512f")));
  CHECK(has("avx512vl") == bool(__builtin_cpu_supports("avx512vl")));
  CHECK(has("avx512vbmi2") == bool(__builtin_cpu_supports("avx512vbmi2")));
  CHECK(has("avx512vnni") == bool(__builtin_cpu_supports("avx512vnni")));
}

TEST_CASE("malformed tables are refused", "[runtime]") {
  ambit_descriptor descriptor = ambit_descriptor_instance;
  ambit_model model{&descriptor};
  auto refusal = [&] {
    Context context(nullptr, &model);
    CHECK(context.status == AMBIT_BAD_OBJECT);
    return context.why;
  };
  descriptor.version = 77;
  CHECK(refusal() ==
        "the model's tables have another version than its runtime");
  descriptor.version = AMBIT_DESCRIPTOR_VERSION;
  ambit_desc_symbol symbols[] = {
      {"batch", 1, 8, 1, 0, 0, 1, 0, -1, 0, nullptr},
      {"seq", 1, 512, 1, 2, 1, 1, 0, -1, 0, nullptr}};
  descriptor.symbols = symbols;
  CHECK(refusal() == "a symbol of the model belongs to no input");
  symbols[1] = {"seq", 1, 512, 1, 0, 2, 1, 0, -1, 0, nullptr};
  CHECK(refusal() == "a symbol of the model is no dim of an input");
  symbols[1] = {"seq", 1, 512, 1, 0, 1, 0, 0, -1, 0, nullptr};
  CHECK(refusal() == "a symbol of the model has the scale 0");
  descriptor.symbols = ambit_descriptor_instance.symbols;
  ambit_desc_dim dims[] = {{"batch", -1, 0}, {"seq", -1, 2}};
  ambit_desc_tensor inputs[] = {{"ids", AMBIT_INT64, 2, dims},
                                ambit_descriptor_instance.inputs[1]};
  descriptor.inputs = inputs;
  CHECK(refusal() == "an input dim of the model is no symbol that it has");
}
