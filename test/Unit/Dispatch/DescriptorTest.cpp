// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every field of the descriptor as the runtime reads it, and the functions.

#include "JitModel.h"
#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

static const char *const text = R"mlir(
  sym.symbol "batch" min 1 max 64 declared loc("--dim")
  sym.symbol "seq" min 0 max 9223372036854775807 divisor 8
  sym.guard "batch <= seq || seq == 0" loc("Add_4")
  sym.guard "floordiv(seq, batch) <= 1000000"
  dispatch.model "bert" cpu "x86-64-v3" isa ["avx2", "fma"] {
    dispatch.input "ids" : tensor<?x?x4xi64, #sym.shape<[batch, seq, 4]>>
    dispatch.input "mask" : tensor<?xi1, #sym.shape<["seq + 1"]>>
    dispatch.output "scores" : tensor<?x?xf32, #sym.shape<["batch*seq", "mod(seq, 5)"]>>
    dispatch.output "one" : tensor<f16>
    dispatch.variant @seq_128 kind "exact" where ["seq == 128", "batch <= 8"] workspace <["64*batch*seq"]>
    dispatch.variant @generic kind "generic" workspace <["seq - 100"]>
    dispatch.check "node 'G': index is out of range"
}
)mlir";

static std::string str(const char *value) { return value; }

TEST_CASE("the tables hold the model's description") {
  JitModel model(text, {"seq_128", "generic"});
  CHECK(model->version == AMBIT_DESCRIPTOR_VERSION);
  CHECK(str(model->model_name) == "bert");

  REQUIRE(model->input_count == 2);
  CHECK(str(model->inputs[0].name) == "ids");
  CHECK(model->inputs[0].dtype == 7);
  REQUIRE(model->inputs[0].rank == 3);
  CHECK(str(model->inputs[0].dims[1].expr) == "seq");
  CHECK(model->inputs[0].dims[1].value == -1);
  CHECK(model->inputs[0].dims[1].symbol == 1);
  CHECK(str(model->inputs[0].dims[2].expr) == "4");
  CHECK(model->inputs[0].dims[2].value == 4);
  CHECK(model->inputs[0].dims[2].symbol == -1);
  CHECK(model->inputs[1].dtype == 9);
  CHECK(str(model->inputs[1].dims[0].expr) == "seq + 1");
  CHECK(model->inputs[1].dims[0].symbol == -1);

  REQUIRE(model->output_count == 2);
  CHECK(str(model->outputs[0].dims[0].expr) == "batch*seq");
  CHECK(model->outputs[0].dims[0].symbol == -1);
  CHECK(model->outputs[1].rank == 0);
  CHECK(model->outputs[1].dims == nullptr);
  CHECK(model->outputs[1].dtype == 10);

  REQUIRE(model->symbol_count == 2);
  CHECK(str(model->symbols[1].name) == "seq");
  CHECK(model->symbols[1].max == INT64_MAX);
  CHECK(model->symbols[1].divisor == 8);
  CHECK(model->symbols[1].input == 0);
  CHECK(model->symbols[1].dim == 1);
  CHECK(model->symbols[1].scale == 1);
  CHECK(model->symbols[1].offset == 0);

  REQUIRE(model->variant_count == 2);
  CHECK(str(model->variants[0].name) == "seq_128");
  CHECK(str(model->variants[0].kind) == "exact");
  CHECK(str(model->variants[0].domain) == "seq == 128 && batch <= 8");
  CHECK(str(model->variants[1].domain) == "every shape");
  CHECK(model->variants[1].body(nullptr, nullptr, nullptr, nullptr, nullptr) ==
        0);

  REQUIRE(model->check_count == 1);
  CHECK(str(model->checks[0].text) == "node 'G': index is out of range");
  REQUIRE(model->isa_count == 2);
  CHECK(str(model->isa[1]) == "fma");
}

TEST_CASE("guards have texts, classes and origins") {
  JitModel model(text, {"seq_128", "generic"});
  struct Row {
    const char *text, *origin;
    int32_t guardClass;
  };
  const Row rows[] = {
      {"batch >= 1", "option --dim", 0},
      {"batch <= 64", "option --dim", 0},
      {"seq % 8 == 0", "the model", 2},
      {"batch <= seq || seq == 0", "node 'Add_4'", 3},
      {"floordiv(seq, batch) <= 1000000", "the model", 3},
  };
  REQUIRE(model->guard_count == 5);
  for (int32_t index = 0; index < 5; ++index) {
    INFO(index);
    const ambit_desc_guard &guard = model->guards[index];
    std::string found = guard.text;
    if (index != 2)
      CHECK(found == rows[index].text);
    CHECK(str(guard.origin) == rows[index].origin);
    CHECK(guard.guard_class == rows[index].guardClass);
  }
}

TEST_CASE("a guard about the name of a broadcast lists all its sizes") {
  JitModel model(R"mlir(
    sym.symbol "a" min 0 max 9223372036854775807
    sym.symbol "b" min 0 max 9223372036854775807
    sym.symbol "c" min 0 max 9223372036854775807
    sym.symbol "ab" min 0 max 9223372036854775807 is "max(2*a, b)*min(1, 2*a, b)"
    sym.symbol "abc" min 0 max 9223372036854775807 is "max(ab, c)*min(1, ab, c)"
    sym.guard "2*a == ab || 2*a == 1" loc("Add_0")
    sym.guard "abc == ab || ab == 1" loc("Add_1")
    sym.guard "ab == a || ab == 1" loc("Expand_2")
    sym.guard "c == 8 || c == 1" loc("Expand_3")
    dispatch.model "m" {
      dispatch.input "x" : tensor<?x?x?xf32, #sym.shape<[a, b, c]>>
      dispatch.output "y" : tensor<?xf32, #sym.shape<[abc]>>
      dispatch.variant @generic kind "generic" workspace <[0]>
    }
  )mlir",
                 {"generic"});
  auto sizes = [&](int32_t index) {
    const ambit_desc_guard &guard = model->guards[index];
    std::string text;
    for (int32_t i = 0; i < guard.size_count; ++i)
      text += str(guard.sizes[i].expr) + ":" +
              std::to_string(guard.sizes[i].symbol) + " ";
    return text;
  };
  REQUIRE(model->guard_count == 4);
  CHECK(sizes(0) == "2*a:-1 b:1 ");
  CHECK(sizes(1) == "2*a:-1 b:1 c:2 ");
  // Not each of the sizes need be 1 or a here.
  CHECK(sizes(2) == "");
  CHECK(sizes(3) == "");
}

TEST_CASE("the first failing guard is found, and each can be asked") {
  JitModel model(text, {"seq_128", "generic"});
  auto failed = [&](int64_t batch, int64_t seq) {
    int64_t symbols[] = {batch, seq};
    int32_t first = model->guards_failed(symbols);
    for (int32_t guard = 0; guard < model->guard_count; ++guard) {
      int32_t holds = model->guard_holds(guard, symbols);
      CHECK((holds == 0 || holds == 1));
      if (first < 0 || guard < first)
        CHECK(holds == 1);
      if (guard == first)
        CHECK(holds == 0);
    }
    return first;
  };
  CHECK(failed(2, 16) == -1);
  CHECK(failed(2, 0) == -1);
  // Nothing divides by the zero.
  CHECK(failed(0, 16) == 0);
  CHECK(failed(65, 80) == 1);
  CHECK(failed(2, 15) == 2);
  CHECK(failed(20, 16) == 3);
  CHECK(failed(1, 8000000) == 4);
  int64_t symbols[] = {1, 8};
  CHECK(model->guard_holds(5, symbols) == 0);
  CHECK(model->guard_holds(-1, symbols) == 0);
}

TEST_CASE("what input dims must be") {
  JitModel model(text, {"seq_128", "generic"});
  int64_t dims[4] = {-7, -7, -7, -7};
  int64_t symbols[] = {3, 16};
  CHECK(model->input_dims(symbols, dims) == 0);
  CHECK(dims[0] == 3);
  CHECK(dims[1] == 16);
  CHECK(dims[2] == 4);
  CHECK(dims[3] == 17);
  // A sum that overflows is no size.
  int64_t large[] = {1, INT64_MAX};
  CHECK(model->input_dims(large, dims) == 0);
  CHECK(dims[3] == -1);
}

TEST_CASE("a symbol comes from the dim that is simplest to read") {
  JitModel model(R"mlir(
    sym.symbol "n" min 0 max 64
    sym.symbol "m" min 0 max 64
    sym.symbol "k" min 0 max 64
    dispatch.model "s" {
      dispatch.input "a" : tensor<?x?x?xf32, #sym.shape<["2*n + 1", "8 - m", "k*n"]>>
      dispatch.input "b" : tensor<?x?x?xf32, #sym.shape<["n + 1", m, "3*k"]>>
      dispatch.variant @v kind "generic" workspace <[64]>
    })mlir",
                 {"v"});
  const int64_t rows[3][4] = {{0, 0, 2, 1}, {1, 1, 1, 0}, {1, 2, 3, 0}};
  REQUIRE(model->symbol_count == 3);
  for (int32_t index = 0; index < 3; ++index) {
    INFO(index);
    CHECK(model->symbols[index].input == rows[index][0]);
    CHECK(model->symbols[index].dim == rows[index][1]);
    CHECK(model->symbols[index].scale == rows[index][2]);
    CHECK(model->symbols[index].offset == rows[index][3]);
  }
  CHECK(model->guard_count == 3);
  CHECK(model->inputs[0].dims[1].symbol == -1);
  CHECK(model->inputs[1].dims[1].symbol == 1);
}

TEST_CASE("output dims and workspace sizes are checked") {
  JitModel model(text, {"seq_128", "generic"});
  int64_t dims[2] = {-7, -7};
  int64_t symbols[] = {3, 16};
  CHECK(model->output_dims(symbols, dims) == 0);
  CHECK(dims[0] == 48);
  CHECK(dims[1] == 1);
  // Two dims of which one overflows; and a product that does.
  int64_t large[] = {64, int64_t(1) << 60};
  CHECK(model->output_dims(large, dims) == -1);
  int64_t product[] = {64, (int64_t(1) << 56) + 8};
  CHECK(model->output_dims(product, dims) == -1);

  CHECK(model->variants[0].workspace(symbols) == 64 * 48);
  CHECK(model->variants[0].workspace(large) == -1);
  // Never a negative size.
  CHECK(model->variants[1].workspace(symbols) == -1);
  CHECK(model->variants[0].admits(symbols) == 0);
  CHECK(model->variants[1].admits(symbols) == 1);
}

TEST_CASE("the manifest is JSON and depends on the model only") {
  JitModel first(text, {"seq_128", "generic"});
  JitModel second(text, {"seq_128", "generic"});
  CHECK(str(first->manifest) == str(second->manifest));
  auto manifest = nlohmann::json::parse(first->manifest, nullptr, false);
  REQUIRE(!manifest.is_discarded());
  CHECK(manifest["model"] == "bert");
  CHECK(manifest["symbols"][1]["max"].is_null());
  CHECK(manifest["variants"][0]["where"][0] == "seq == 128");
  CHECK(manifest["inputs"][0]["dims"][2] == 4);
}

TEST_CASE("a model without symbols") {
  JitModel model(R"mlir(
    dispatch.model "s" {
      dispatch.input "x" : tensor<2xf32>
      dispatch.output "y" : tensor<3x4xf32>
      dispatch.variant @v kind "generic" workspace <[64]>
    })mlir",
                 {"v"});
  int64_t dims[2] = {0, 0};
  CHECK(model->symbol_count == 0);
  CHECK(model->symbols == nullptr);
  CHECK(model->guards_failed(nullptr) == -1);
  CHECK(model->guard_holds(0, nullptr) == 0);
  CHECK(model->select(nullptr) == 0);
  CHECK(model->output_dims(nullptr, dims) == 0);
  CHECK(dims[0] == 3);
  CHECK(dims[1] == 4);
  CHECK(model->variants[0].workspace(nullptr) == 64);
}
