// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting the shapes of runs: what is counted, in how much memory, as which
// text.

#include "TestModel.h"
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

static std::string json(ambit_context *context) {
  size_t needed = 0;
  REQUIRE(api().profile_json(context, nullptr, 0, &needed) == AMBIT_OK);
  std::string text(needed, '?');
  REQUIRE(api().profile_json(context, text.data(), text.size(), &needed) ==
          AMBIT_OK);
  CHECK(text.back() == '\0');
  text.pop_back();
  return text;
}

static void run(ambit_context *context, int64_t batch, int64_t seq) {
  Outputs outputs(batch, seq);
  api().run(context, Inputs(batch, seq), 2, outputs, 2);
}

/// The value of a field of that name.
static int64_t field(const std::string &text, const std::string &name) {
  size_t at = text.find("\"" + name + "\":");
  REQUIRE(at != std::string::npos);
  return std::atoll(text.c_str() + at + name.size() + 3);
}

TEST_CASE("a context counts when it is told to", "[runtime]") {
  Context context;
  size_t needed = 0;
  CHECK(api().profile_json(context, nullptr, 0, &needed) ==
        AMBIT_INVALID_ARGUMENT);
  CHECK(context.error() == "this context counts no shapes");
  REQUIRE(api().profile(context, 1) == AMBIT_OK);
  run(context, 2, 17);
  run(context, 2, 17);
  run(context, 3, 16); // an odd batch
  std::string text = json(context);
  CHECK(text.find("{\"ambit_profile\":1,\"model\":\"") == 0);
  CHECK(text.find("\"inputs\":[{\"name\":\"ids\",\"dtype\":7,\"rank\":2},"
                  "{\"name\":\"mask\",\"dtype\":1,\"rank\":3}],"
                  "\"symbols\":[\"batch\",\"seq\"],"
                  "\"calls\":2,\"other\":0,\"refused\":1,"
                  "\"shapes\":[[2,17,2]]}\n") != std::string::npos);
  run(context, 1, 8);
  CHECK(json(context).find("[1,8,1]") != std::string::npos);
  // Begins anew.
  REQUIRE(api().profile(context, 1) == AMBIT_OK);
  CHECK(field(json(context), "calls") == 0);
  REQUIRE(api().profile(context, 0) == AMBIT_OK);
  CHECK(api().profile_json(context, nullptr, 0, &needed) ==
        AMBIT_INVALID_ARGUMENT);
}

TEST_CASE("text that does not fit is cut", "[runtime]") {
  Context context;
  REQUIRE(api().profile(context, 1) == AMBIT_OK);
  char text[20] = "";
  size_t needed = 0;
  REQUIRE(api().profile_json(context, text, sizeof text, &needed) == AMBIT_OK);
  CHECK(std::string(text) == "{\"ambit_profile\":1,");
  CHECK(needed == json(context).size() + 1);
}

namespace {
struct Memory {
  size_t live = 0, most = 0;
  bool refuses = false;
  ambit_context_options options{};
  Memory() {
    options.struct_bytes = sizeof options;
    options.user = this;
    options.allocate = [](void *user, size_t alignment,
                          size_t bytes) -> void * {
      auto *self = static_cast<Memory *>(user);
      if (self->refuses)
        return nullptr;
      self->live += bytes;
      self->most = std::max(self->most, self->live);
      return std::aligned_alloc(alignment, bytes);
    };
    options.release = [](void *user, void *data, size_t bytes) {
      static_cast<Memory *>(user)->live -= bytes;
      std::free(data);
    };
  }
};
} // namespace

TEST_CASE("a million shapes stay within a mebibyte", "[runtime]") {
  Memory memory;
  {
    Context context(&memory.options);
    size_t before = memory.live;
    REQUIRE(api().profile(context, 1) == AMBIT_OK);
    CHECK(memory.live - before <= 1 << 20);
    constexpr int64_t kShapes = 1000000;
    for (int64_t i = 0; i < kShapes; ++i) {
      context.handle->symbols[0] = i % 1000;
      context.handle->symbols[1] = i / 1000;
      ambit_profile_count(context, AMBIT_OK);
    }
    CHECK(memory.most - before <= 1 << 20);
    std::string text = json(context);
    CHECK(field(text, "calls") == kShapes);
    int64_t rows = std::count(text.begin(), text.end(), '[') - 3;
    CHECK(rows > 20000);
    CHECK(field(text, "other") == kShapes - rows);
    // What has a place is still counted.
    context.handle->symbols[0] = 5;
    context.handle->symbols[1] = 0;
    ambit_profile_count(context, AMBIT_OK);
    CHECK(json(context).find("[5,0,2]") != std::string::npos);
  }
  CHECK(memory.live == 0);
}

TEST_CASE("every shape has its own count", "[runtime]") {
  Context context;
  REQUIRE(api().profile(context, 1) == AMBIT_OK);
  for (int64_t round = 0; round < 3; ++round)
    for (int64_t i = 0; i < 5000; ++i) {
      context.handle->symbols[0] = i % 8;
      context.handle->symbols[1] = i / 8 - 100;
      ambit_profile_count(context, AMBIT_OK);
    }
  std::string text = json(context);
  CHECK(field(text, "other") == 0);
  for (int64_t i = 0; i < 5000; ++i) {
    std::string row =
        "[" + std::to_string(i % 8) + "," + std::to_string(i / 8 - 100) + ",3]";
    if (text.find(row) == std::string::npos)
      FAIL(row);
  }
}

TEST_CASE("a profile without memory is an error", "[runtime]") {
  Memory memory;
  Context context(&memory.options);
  memory.refuses = true;
  CHECK(api().profile(context, 1) == AMBIT_OUT_OF_MEMORY);
  CHECK(context.error().find("out of memory: the profile needs ") == 0);
}

TEST_CASE("AMBIT_PROFILE names a file to which contexts add lines",
          "[runtime]") {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("ambit-profile-" + std::to_string(getpid())))
                         .string();
  setenv("AMBIT_PROFILE", path.c_str(), 1);
  for (int64_t seq : {5, 6}) {
    Context context;
    run(context, 1, seq);
  }
  {
    Context idle; // has nothing to say
  }
  unsetenv("AMBIT_PROFILE");
  {
    Context context;
    run(context, 1, 7);
  }
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::filesystem::remove(path);
  CHECK(text.str().find("[1,5,1]") != std::string::npos);
  CHECK(text.str().find("[1,6,1]") != std::string::npos);
  std::string all = text.str();
  CHECK(std::count(all.begin(), all.end(), '\n') == 2);
}
