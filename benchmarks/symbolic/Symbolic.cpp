// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long does one question to the symbolic core take? Prints microseconds per
// question, by the method that answers it, with a cold memo every time.

#include "ambit/Symbolic/Domain.h"
#include "ambit/Symbolic/Parser.h"
#include "ambit/Symbolic/Prover.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace ambit;

static Condition condition(const char *text) {
  ParseError error;
  std::optional<Condition> result = parseCondition(text, error);
  if (!result) {
    std::fprintf(stderr, "%s\n", error.render(text).c_str());
    std::exit(1);
  }
  return *result;
}

/// The least time of a few, in microseconds.
template <typename Body> static double measure(Body body) {
  double best = 1e30;
  for (int round = 0; round < 7; ++round) {
    auto start = std::chrono::steady_clock::now();
    constexpr int kRepeats = 50;
    for (int i = 0; i < kRepeats; ++i)
      body();
    std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count() / kRepeats);
  }
  return best;
}

static Domain makeDomain() {
  Domain domain;
  domain.setRange("batch", {1, 64});
  domain.setRange("seq", {1, 4096});
  domain.setRange("h", {32, 1024, 32});
  domain.assume(condition("past + cur == total"));
  domain.assume(condition("u <= v"));
  return domain;
}

static void question(const char *method, const char *text) {
  Domain domain = makeDomain();
  Condition asked = condition(text);
  const char *answers[] = {"no", "unknown", "yes"};
  Truth truth = Prover(domain).prove(asked);
  double build = measure([&] { Prover prover(domain); });
  double both = measure([&] {
    Prover prover(domain);
    truth = prover.prove(asked);
  });
  std::printf("%-12s %9.2f us  %-8s %s\n", method, both - build,
              answers[int(truth)], text);
}

static void coverage(int64_t side) {
  Domain whole;
  whole.setRange("batch", {1, 64 * side});
  whole.setRange("seq", {1, 64 * side});
  std::vector<Domain> parts;
  for (int64_t i = 0; i < side; ++i)
    for (int64_t j = 0; j < side; ++j) {
      parts.emplace_back();
      parts.back().setRange("batch", {64 * i + 1, 64 * i + 64});
      parts.back().setRange("seq", {64 * j + 1, 64 * j + 64});
    }
  bool isDecided = false;
  double time = measure([&] { findUncovered(whole, parts, isDecided); });
  std::printf("%-12s %9.2f us  %lld x %lld grid\n", "coverage", time,
              (long long)side, (long long)side);
}

int main() {
  Domain domain = makeDomain();
  std::printf("%-12s %9.2f us\n", "new prover",
              measure([&] { Prover prover(domain); }));
  question("canonical", "ceildiv(ceildiv(h, 2), 2) == ceildiv(h, 4)");
  question("interval", "batch*seq >= 1");
  question("congruence", "2*seq == 2*batch + 1");
  question("substitution", "batch*total == batch*past + batch*cur");
  question("sample", "batch == seq");
  question("case split", "min(5000, seq) == seq || min(5000, seq) == 5000");
  question("case split", "max(a, b) + min(a, b) == a + b");
  question("linear", "floordiv(u, 3) <= floordiv(v, 3)");
  question("product", "2*a*floordiv(b, 2) <= a*b");
  question("product", "u*w <= v*w");
  question("gives up", "a*b*b <= b*b*c + c || a*b >= c*c");
  for (int64_t side : {2, 4, 8, 16})
    coverage(side);
  return 0;
}
