// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that a run sets: what is known when, and what they are at most.

#include "ambit/Symbolic/EntryBounds.h"
#include "ambit/Symbolic/Parser.h"
#include "catch2/catch.hpp"

using namespace ambit;

static Expr expr(llvm::StringRef text) {
  ParseError error;
  return parseExpr(text, error).value_or(Expr::invalid());
}

/// Sizes n and m, then a <= n and b <= a that a run sets in this order.
static Domain makeDomain(llvm::ArrayRef<llvm::StringRef> facts = {}) {
  Domain domain;
  domain.setRange("n", {1, 100, 1});
  domain.setRange("m", {0, Interval::kMax, 1});
  for (const char *symbol : {"a", "b"}) {
    domain.setRange(symbol, {0, Interval::kMax, 1});
    domain.setUnbacked(symbol);
  }
  llvm::SmallVector<llvm::StringRef> all = {"a <= n", "b <= a"};
  all.append(facts.begin(), facts.end());
  ParseError error;
  for (llvm::StringRef fact : all)
    domain.assume(*parseCondition(fact, error));
  return domain;
}

TEST_CASE("facts hold for what is computed after they are checked") {
  Prover prover(makeDomain({"n >= b + 5", "a == 2"}));
  // The facts imply these, but they are checked while the model runs.
  CHECK_FALSE(prover.isAtLeast(expr("n"), 5));
  CHECK_FALSE(prover.isAtLeast(expr("n"), 2));
  CHECK(prover.simplify(expr("min(n, 5)")) == expr("min(n, 5)"));
  CHECK(prover.bounds(expr("n")).min == 1);
  // Once `a` is set, what mentions it is known, but not what mentions `b`.
  CHECK(prover.isAtLeast(expr("n + a"), 4));
  CHECK_FALSE(prover.isAtLeast(expr("n + a"), 7));
  CHECK(prover.simplify(expr("a + 1")) == Expr(3));
  CHECK(prover.isAtLeast(expr("n + a + b"), 7));
}

TEST_CASE("levels follow the order of the symbols") {
  Domain domain = makeDomain();
  CHECK(domain.level(std::set<std::string>{"n", "m"}) == 0);
  CHECK(domain.level(std::set<std::string>{"a", "n"}) == 1);
  CHECK(domain.level(std::set<std::string>{"a", "b"}) == 2);
  CHECK(domain.atLevel(0).assumptions().empty());
  CHECK(domain.atLevel(1).assumptions().size() == 1);
  CHECK(domain.atLevel(2).assumptions().size() == 2);
  CHECK(domain.atLevel(2).unbacked().empty());
}

TEST_CASE("sizes are bounded by what is known at entry") {
  EntryBounds bounds(makeDomain());
  auto above = [&](llvm::StringRef text) {
    std::optional<Expr> bound = bounds.above(expr(text));
    return bound ? bound->str() : "none";
  };
  CHECK(above("n - m") == expr("n - m").str());
  CHECK(above("a") == "n");
  CHECK(above("b") == "n");
  CHECK(above("4*a*b*m + 3") == expr("4*n*n*m + 3").str());
  CHECK(above("n - a") == "n");
  CHECK(above("a - 1") == expr("n - 1").str());
  CHECK(above("floordiv(a + 7, 8)") == expr("floordiv(n + 7, 8)").str());
  CHECK(above("a % 4") == "3");
  CHECK(above("min(a, 10)") == expr("min(n, 10)").str());
  CHECK(above("max(a, m)") == expr("max(n, m)").str());
  CHECK(above("-floordiv(-a, 2)") == expr("-floordiv(-n, 2)").str());
  // The sign of a factor is not known, a divisor is set later.
  CHECK(above("a*floordiv(n - m, 2)") == "none");
  CHECK(above("floordiv(n, a)") == "none");
}

TEST_CASE("a size without a bound has none") {
  Domain domain = makeDomain();
  domain.setRange("c", {2, Interval::kMax, 1});
  domain.setUnbacked("c");
  EntryBounds bounds(domain);
  CHECK_FALSE(bounds.above(expr("c")));
  CHECK(bounds.below(expr("c")) == Expr(2));
  CHECK(bounds.above(expr("min(c, n)")) == expr("n"));
  CHECK(bounds.above(expr("n - c")) == expr("n - 2"));
}

TEST_CASE("bounds over the trips of loops in each other") {
  EntryBounds bounds(makeDomain());
  bounds.add("i", expr("n - 1"));
  bounds.add("j", expr("2*i"));
  CHECK(bounds.above(expr("m*i + m")) == expr("m*n"));
  CHECK(bounds.above(expr("j + a")) == expr("3*n - 2"));
  CHECK(bounds.below(expr("i + 3")) == Expr(3));
  CHECK(bounds.aboveSize(expr("2*i + 1 - m")) == expr("max(0, 2*n - 1 - m)"));
}

TEST_CASE("bounds of sizes are sizes") {
  EntryBounds bounds(makeDomain({"a >= 5"}));
  CHECK(bounds.aboveSize(expr("a - 5")) == expr("max(n - 5, 0)"));
  CHECK(bounds.aboveSize(expr("a")) == expr("n"));
  CHECK(bounds.aboveSize(expr("n - 5")) == expr("n - 5"));
}

TEST_CASE("bounds are right for all values") {
  EntryBounds bounds(makeDomain());
  for (llvm::StringRef text :
       {"a*b + n", "n*n - a*b", "3 - 2*a", "floordiv(n - a, 3)",
        "min(a, b) - max(a, m)", "a*floordiv(b, 2)", "(a + 5) % 7 - b",
        "max(m - a, 0)*b"}) {
    std::optional<Expr> high = bounds.above(expr(text));
    std::optional<Expr> low = bounds.below(expr(text));
    INFO(text.str());
    for (int64_t n = 1; n < 6; ++n)
      for (int64_t m : {0, 1, 4})
        for (int64_t a = 0; a <= n; ++a)
          for (int64_t b = 0; b <= a; ++b) {
            std::map<std::string, int64_t> values = {
                {"n", n}, {"m", m}, {"a", a}, {"b", b}};
            int64_t value = *expr(text).evaluate(values);
            CHECK((!high || *high->evaluate(values) >= value));
            CHECK((!low || *low->evaluate(values) <= value));
          }
  }
}
