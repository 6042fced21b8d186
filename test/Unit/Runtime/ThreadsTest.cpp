// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts with threads: where they come from, and what is refused.

#include "TestModel.h"
#include "pool.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <thread>

namespace {
/// What the body below was given, and what it did with it.
struct Trace {
  std::atomic<int64_t> units{0};
  bool isParallel = false;
};
thread_local Trace *trace = nullptr;

/// The test model with a body that runs 1000 units and writes no output.
struct UnitModel {
  ambit_descriptor descriptor = ambit_descriptor_instance;
  ambit_desc_variant variants[3];
  ambit_model model{&descriptor};
  UnitModel() {
    for (int i = 0; i < 3; ++i) {
      variants[i] = ambit_descriptor_instance.variants[i];
      variants[i].body = body;
    }
    descriptor.variants = variants;
  }
  static int32_t body(const void *const *, void *const *, void *, int64_t *,
                      ambit_exec *exec) {
    auto task = [](void *arg, int64_t begin, int64_t end) {
      static_cast<Trace *>(arg)->units += end - begin;
    };
    trace->isParallel = exec->parallel_for;
    if (exec->parallel_for)
      exec->parallel_for(exec, 1000, 10, task, trace);
    else
      task(trace, 0, 1000);
    return AMBIT_OK;
  }
};

ambit_context_options optionsFor(int32_t threads) {
  ambit_context_options options{};
  options.struct_bytes = sizeof options;
  options.threads = threads;
  return options;
}
} // namespace

/// Runs a context `times`; says whether every run did its units.
static bool runs(ambit_context *context, int times, bool &isParallel) {
  Inputs inputs(2, 17);
  Outputs outputs(2, 17);
  for (int i = 0; i < times; ++i) {
    Trace mine;
    trace = &mine;
    if (api().run(context, inputs, 2, outputs, 2) != AMBIT_OK ||
        mine.units != 1000)
      return false;
    isParallel = mine.isParallel;
  }
  return true;
}

TEST_CASE("threads of a context", "[threads]") {
  UnitModel model;
  for (int32_t threads : {0, 1, 2, 5}) {
    ambit_context_options options = optionsFor(threads);
    Context context(&options, &model.model);
    REQUIRE(context.status == AMBIT_OK);
    bool isParallel = false;
    CHECK(runs(context, 100, isParallel));
    CHECK(isParallel == (threads > 1));
  }
}

TEST_CASE("contexts in several threads share nothing", "[threads]") {
  UnitModel first, second;
  std::atomic<int> failures{0};
  std::vector<std::thread> hosts;
  for (UnitModel *model : {&first, &second, &first})
    hosts.emplace_back([&failures, model] {
      ambit_context_options options = optionsFor(2);
      ambit_context *context = nullptr;
      bool isParallel = false;
      if (api().context_create(&model->model, &options, &context, nullptr, 0) !=
              AMBIT_OK ||
          !runs(context, 300, isParallel) || !isParallel)
        ++failures;
      api().context_destroy(context);
    });
  for (std::thread &host : hosts)
    host.join();
  CHECK(failures == 0);
}

TEST_CASE("a context moves between threads", "[threads]") {
  UnitModel model;
  ambit_context_options options = optionsFor(3);
  Context context(&options, &model.model);
  for (int round = 0; round < 3; ++round) {
    bool isFine = false, isParallel = false;
    std::thread([&] { isFine = runs(context, 20, isParallel); }).join();
    CHECK(isFine);
    CHECK(isParallel);
  }
}

TEST_CASE("threads of the host", "[threads]") {
  struct Host {
    int calls = 0;
    int64_t count = 0, grain = 0;
  } host;
  UnitModel model;
  ambit_context_options options = optionsFor(0);
  options.parallel_user = &host;
  options.parallel_for = [](void *user, int64_t count, int64_t grain,
                            void (*task)(void *, int64_t, int64_t), void *arg) {
    auto *self = static_cast<Host *>(user);
    ++self->calls;
    self->count = count;
    self->grain = grain;
    std::thread other([&] { task(arg, count / 3, count); });
    task(arg, 0, count / 3);
    other.join();
  };
  Context context(&options, &model.model);
  REQUIRE(context.status == AMBIT_OK);
  bool isParallel = false;
  CHECK(runs(context, 4, isParallel));
  CHECK(isParallel);
  CHECK(host.calls == 4);
  CHECK(host.count == 1000);
  CHECK(host.grain == 10);
}

TEST_CASE("options for threads that are refused", "[threads]") {
  auto refusal = [](ambit_context_options options) {
    Context context(&options, api().model);
    CHECK(context.status == AMBIT_INVALID_ARGUMENT);
    CHECK(context.handle == nullptr);
    return context.why;
  };
  CHECK(refusal(optionsFor(-1)) == "threads is -1, expected 0..1024");
  CHECK(refusal(optionsFor(1025)) == "threads is 1025, expected 0..1024");
  ambit_context_options both = optionsFor(2);
  both.parallel_for = [](void *, int64_t count, int64_t,
                         void (*task)(void *, int64_t, int64_t),
                         void *arg) { task(arg, 0, count); };
  CHECK(refusal(both) ==
        "threads is 2, expected 0 or 1 when parallel_for is given");
}

TEST_CASE("the memory of threads is the host's", "[threads]") {
  struct Allocator {
    int live = 0, left = 1000;
  } allocator;
  ambit_context_options options = optionsFor(2);
  options.user = &allocator;
  options.allocate = [](void *user, size_t alignment, size_t bytes) -> void * {
    auto *self = static_cast<Allocator *>(user);
    if (self->left-- <= 0)
      return nullptr;
    ++self->live;
    return std::aligned_alloc(alignment, bytes);
  };
  options.release = [](void *user, void *data, size_t) {
    --static_cast<Allocator *>(user)->live;
    std::free(data);
  };
  {
    Context context(&options);
    CHECK(allocator.live == 2);
  }
  CHECK(allocator.live == 0);
  allocator.left = 1;
  Context refused(&options, api().model);
  CHECK(refused.status == AMBIT_OUT_OF_MEMORY);
  CHECK(refused.why == "out of memory for 2 threads");
  CHECK(allocator.live == 0);
}
