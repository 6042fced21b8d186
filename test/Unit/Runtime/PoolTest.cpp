// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread pool by itself: every index once, whatever the sizes, and nobody
// left behind.

#include "pool.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <memory>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>
#include <xmmintrin.h>

namespace {
/// A pool that stops itself.
class Pool {
public:
  explicit Pool(int32_t threads) {
    memory = std::aligned_alloc(AMBIT_ALIGNMENT, ambit_pool_bytes(threads));
    int32_t why = -1;
    exec.pool = pool = ambit_pool_start(memory, threads, &why);
    if (!pool)
      throw std::system_error(why, std::generic_category());
  }
  ~Pool() {
    ambit_pool_stop(pool);
    std::free(memory);
  }
  Pool(const Pool &) = delete;

  using Body = std::function<void(int64_t begin, int64_t end)>;
  void run(int64_t count, int64_t grain, Body body) {
    ambit_pool_run(
        &exec, count, grain,
        [](void *arg, int64_t begin, int64_t end) {
          (*static_cast<Body *>(arg))(begin, end);
        },
        &body);
  }

private:
  void *memory;
  ambit_pool *pool;
  ambit_exec exec = {};
};

/// Counts how often each index was run.
struct Visits {
  explicit Visits(size_t count) : counts(count) {}
  void add(int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      counts[i].fetch_add(1, std::memory_order_relaxed);
  }
  bool eachOnce() const {
    for (const std::atomic<int> &count : counts)
      if (count != 1)
        return false;
    return true;
  }
  std::vector<std::atomic<int>> counts;
};
} // namespace

TEST_CASE("every index runs once", "[pool]") {
  int32_t threads = GENERATE(1, 2, 3, 8);
  Pool pool(threads);
  for (int64_t count : {0, 1, 2, 7, 64, 1000, 4097})
    for (int64_t grain : {1, 3, 64, 5000}) {
      Visits visits(count);
      std::atomic<int> small{0};
      pool.run(count, grain, [&](int64_t begin, int64_t end) {
        visits.add(begin, end);
        small += begin >= end || (end - begin < grain && end != count);
      });
      CHECK(visits.eachOnce());
      CHECK(small == 0);
    }
}

TEST_CASE("results of a job are there when it returns", "[pool]") {
  Pool pool(3);
  std::vector<int64_t> values(10000);
  for (int64_t round = 1; round < 200; ++round) {
    pool.run(values.size(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        values[i] += round;
    });
    REQUIRE(values.front() == round * (round + 1) / 2);
    REQUIRE(values.back() == values.front());
  }
}

TEST_CASE("many small jobs", "[pool]") {
  Pool pool(3);
  std::atomic<int64_t> sum{0};
  for (int64_t job = 0; job < 20000; ++job)
    pool.run(12, 1, [&](int64_t begin, int64_t end) { sum += end - begin; });
  CHECK(sum == 12 * 20000);
}

TEST_CASE("workers that sleep wake up", "[pool]") {
  Pool pool(2);
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    // Both pieces must run at the same time: each waits for the other.
    std::atomic<int> inside{0};
    pool.run(2, 1, [&](int64_t, int64_t) {
      ++inside;
      while (inside < 2)
        std::this_thread::yield();
    });
    CHECK(inside == 2);
  }
}

TEST_CASE("the caller waits for a slow worker", "[pool]") {
  Pool pool(2);
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> isDone{false}, workerCame{false};
  pool.run(2, 1, [&](int64_t, int64_t) {
    if (std::this_thread::get_id() == caller) {
      while (!workerCame)
        std::this_thread::yield();
      return;
    }
    workerCame = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    isDone = true;
  });
  CHECK(isDone);
}

TEST_CASE("pools end while idle, awake or asleep", "[pool]") {
  for (int round = 0; round < 50; ++round) {
    Pool pool(4);
    if (round % 2)
      pool.run(100, 1, [](int64_t, int64_t) {});
    if (round % 10 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_CASE("a pool in each of several threads", "[pool]") {
  std::vector<std::thread> callers;
  std::atomic<int> failures{0};
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      Pool pool(2);
      for (int job = 0; job < 500; ++job) {
        Visits visits(100);
        pool.run(100, 1,
                 [&](int64_t begin, int64_t end) { visits.add(begin, end); });
        failures += !visits.eachOnce();
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  CHECK(failures == 0);
}

TEST_CASE("a job may use another pool", "[pool]") {
  Pool outer(2);
  std::vector<std::unique_ptr<Pool>> inner;
  for (int i = 0; i < 8; ++i)
    inner.push_back(std::make_unique<Pool>(2));
  std::atomic<int64_t> sum{0};
  outer.run(8, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      inner[i]->run(50, 1,
                    [&](int64_t low, int64_t high) { sum += high - low; });
  });
  CHECK(sum == 8 * 50);
}

TEST_CASE("workers round as the caller does", "[pool]") {
  Pool pool(3);
  unsigned before = _mm_getcsr();
  for (unsigned mode : {_MM_ROUND_DOWN, _MM_ROUND_UP, _MM_ROUND_NEAREST}) {
    _mm_setcsr((before & ~_MM_ROUND_MASK) | mode);
    std::atomic<int> others{0};
    pool.run(64, 1, [&](int64_t, int64_t) {
      others += (_mm_getcsr() & _MM_ROUND_MASK) != mode;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    });
    _mm_setcsr(before);
    CHECK(others == 0);
  }
}

#if !defined(__SANITIZE_THREAD__)
TEST_CASE("a child of fork works alone and ends the pool", "[pool]") {
  Pool pool(3);
  pool.run(100, 1, [](int64_t, int64_t) {});
  pid_t child = fork();
  if (child == 0) {
    alarm(20); // instead of hanging the tests
    Visits visits(1000);
    pool.run(1000, 1,
             [&](int64_t begin, int64_t end) { visits.add(begin, end); });
    pool.~Pool();
    _exit(visits.eachOnce() ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
#endif
