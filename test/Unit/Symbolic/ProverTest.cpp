// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the prover decides, what it must leave open, and how domains and facts
// enter.

#include "ambit/Symbolic/Prover.h"
#include "Parsed.h"
#include "catch2/catch.hpp"

using namespace ambit;

namespace {

/// A domain in text, with the questions asked of it.
class Scene {
public:
  Scene() = default;
  Scene(std::map<std::string, SymbolRange> ranges,
        std::vector<std::string> facts = {}) {
    for (auto &[symbol, range] : ranges)
      domain.setRange(symbol, range);
    for (const std::string &fact : facts)
      domain.assume(condition(fact));
  }
  std::string prove(llvm::StringRef text) {
    switch (prover().prove(condition(text))) {
    case Truth::Yes:
      return "yes";
    case Truth::No:
      return "no";
    case Truth::Unknown:
      break;
    }
    return "unknown";
  }
  std::string simplify(llvm::StringRef text) {
    return prover().simplify(expr(text)).str();
  }
  Interval bounds(llvm::StringRef text) { return prover().bounds(expr(text)); }
  Prover &prover() {
    if (!theProver)
      theProver = std::make_unique<Prover>(domain);
    return *theProver;
  }

private:
  Domain domain;
  std::unique_ptr<Prover> theProver;
};

} // namespace

TEST_CASE("sizes without a declared range are not negative") {
  Scene scene;
  CHECK(scene.prove("b >= 0") == "yes");
  CHECK(scene.prove("b >= 1") == "unknown");
  CHECK(scene.prove("b < 0") == "no");
  CHECK(scene.prove("b*floordiv(h, 2)*w >= 0") == "yes");
  CHECK(scene.prove("a == b") == "unknown");
  CHECK(scene.prove("a != b") == "unknown");
  CHECK(scene.prove("a == a + 1") == "no");
  CHECK(scene.prove("a != a + 1") == "yes");
}

TEST_CASE("congruences") {
  Scene scene;
  CHECK(scene.prove("s*100 % 100 == 0") == "yes");
  CHECK(scene.prove("2*a == 2*b + 1") == "no");
  CHECK(scene.prove("6*a + 4 == 9*b") == "no");
  CHECK(scene.prove("s % 4 == 0") == "unknown");
}

TEST_CASE("rounding divisions") {
  Scene scene;
  CHECK(scene.prove("floordiv(floordiv(h + 1, 2) + 1, 2) == "
                    "ceildiv(ceildiv(h, 2), 2)") == "yes");
  CHECK(scene.prove("floordiv(3*h, 4) == h - ceildiv(h, 4)") == "yes");
  CHECK(scene.prove("floordiv(h, 2) <= h") == "yes");
  CHECK(scene.prove("h - 2*floordiv(h, 2) <= 1") == "yes");
  CHECK(scene.prove("h == 4*floordiv(h, 4) + h % 4") == "yes");
  CHECK(scene.prove("2*b*floordiv(h, 2) <= b*h") == "yes");
  CHECK(scene.prove("floordiv(a, 3) <= floordiv(a + b, 3)") == "yes");
  CHECK(scene.prove("floordiv(h, 2) == floordiv(h + 1, 2)") == "unknown");
}

TEST_CASE("divisions by a positive symbol") {
  Scene scene({{"b", {1, Interval::kMax}}});
  CHECK(scene.simplify("floordiv(b*s, b)") == "s");
  CHECK(scene.simplify("floordiv(b*s + r, b)") == "s + floordiv(r, b)");
  CHECK(scene.simplify("mod(b*s, b)") == "0");
  CHECK(scene.simplify("mod(b*s + r, b)") == "mod(r, b)");
  CHECK(scene.prove("floordiv(a, b) >= 0") == "yes");
  CHECK(scene.prove("floordiv(a, b) <= a") == "yes");
  CHECK(scene.prove("b*floordiv(a, b) <= a") == "yes");
  CHECK(scene.prove("a < b*floordiv(a, b) + b") == "yes");
  CHECK(scene.prove("mod(a, b) < b") == "yes");
  CHECK(scene.prove("mod(a, b) <= a") == "yes");
  // Of two batches that are one, exporters divide by either.
  Scene same({{"b", {1, Interval::kMax}}}, {"c == b"});
  CHECK(same.simplify("floordiv(c*s, b)") == "s");
  // Without a positive divisor nothing cancels.
  Scene open;
  CHECK(open.simplify("floordiv(b*s, b)") == "floordiv(b*s, b)");
}

TEST_CASE("min and max are split into cases") {
  Scene open, small({{"seq", {0, 512}}});
  CHECK(open.prove("min(512, seq) == seq") == "unknown");
  CHECK(small.prove("min(512, seq) == seq") == "yes");
  CHECK(small.prove("min(511, seq) == seq") == "unknown");
  CHECK(open.prove("min(1, b) == 1 || min(1, b) == b") == "yes");
  CHECK(open.prove("max(a, b) + min(a, b) == a + b") == "yes");
  CHECK(open.prove("max(a, b)*min(a, b) == a*b") == "yes");
  CHECK(open.prove("s - min(s, 512) >= 0") == "yes");
  CHECK(open.prove("min(a, b, c) <= max(a, d)") == "yes");
  CHECK(open.prove("max(a, b) < a") == "no");
}

TEST_CASE("disjunctions hold when no relation alone does") {
  Scene scene;
  CHECK(scene.prove("a < b || a >= b") == "yes");
  CHECK(scene.prove("a == b || a != b") == "yes");
  CHECK(scene.prove("a <= 3 || a >= 5 || a == 4") == "yes");
  CHECK(scene.prove("a <= 3 || a >= 5") == "unknown");
  CHECK(scene.prove("a < 0 || b < 0") == "no");
  CHECK(scene.prover().prove(Condition()) == Truth::No);
}

TEST_CASE("products") {
  Scene scene({{"a", {1}}, {"b", {1}}, {"c", {1}}});
  CHECK(scene.prove("a*b >= a") == "yes");
  CHECK(scene.prove("a*b*c >= c") == "yes");
  CHECK(scene.prove("a*b + 1 >= a + b") == "yes");
  CHECK(scene.prove("a*b == a") == "unknown");
  CHECK(scene.prove("b*(h % 3) <= 2*b") == "yes");
}

TEST_CASE("facts") {
  Scene scene({}, {"a == b", "c >= 4", "s % 16 == 0", "n == 2*m + 1",
                   "p + q <= 10", "u <= v", "x == y || x == 1"});
  CHECK(scene.prove("a*c == b*c") == "yes");
  CHECK(scene.prove("c >= 4") == "yes");
  CHECK(scene.prove("c >= 5") == "unknown");
  CHECK(scene.prove("s % 8 == 0") == "yes");
  CHECK(scene.prove("s % 32 == 0") == "unknown");
  CHECK(scene.prove("s == 17") == "no");
  CHECK(scene.prove("n % 2 == 1") == "yes");
  CHECK(scene.prove("floordiv(n, 2) == m") == "yes");
  CHECK(scene.prove("p <= 10") == "yes");
  CHECK(scene.prove("u*c <= v*c") == "yes");
  CHECK(scene.prove("floordiv(u, 3) <= floordiv(v, 3)") == "yes");
  CHECK(scene.prove("x == y || x == 1") == "yes");
  CHECK(scene.prove("x <= max(y, 1)") == "yes");
  CHECK(scene.prove("x == y") == "unknown");
  CHECK(scene.bounds("p + q") == Interval{0, 10});
  CHECK(scene.bounds("2*p + q") == Interval{0, 20});
}

TEST_CASE("a contradictory domain proves everything") {
  Scene empty({{"a", {5, 4}}}), facts({}, {"a > 3", "a < 2"});
  CHECK(empty.prove("a == 7") == "yes");
  CHECK(facts.prove("a == 7") == "yes");
}

TEST_CASE("divisors") {
  Scene scene({{"s", {0, 4096, 16}}, {"t", {1, 30, 8}}});
  CHECK(scene.prove("s % 16 == 0") == "yes");
  CHECK(scene.prove("s + t == 15") == "no");
  CHECK(scene.prove("floordiv(s, 16)*16 == s") == "yes");
  CHECK(scene.bounds("t") == Interval{8, 24});
  CHECK(scene.simplify("floordiv(s + 3, 16)") == "floordiv(s, 16)");
  CHECK(scene.simplify("s % 16") == "0");
  CHECK(scene.simplify("(s + 3) % 8") == "3");
}

TEST_CASE("simplify cancels divisors that cannot be zero") {
  Scene nonzero({{"b", {1}}, {"w", {1}}}), open;
  CHECK(nonzero.simplify("floordiv(b*s*h, b)") == "h*s");
  CHECK(nonzero.simplify("floordiv(b*h*w*1, b*1)") == "h*w");
  CHECK(nonzero.simplify("floordiv(b*h, b*w)") == "floordiv(h, w)");
  CHECK(nonzero.simplify("floordiv(b*h + b - 1, b)") == "h");
  CHECK(nonzero.simplify("(b*h) % b") == "0");
  CHECK(nonzero.simplify("floordiv((b + w)*h, b + w)") == "h");
  CHECK(open.simplify("floordiv(b*s, b)") == "floordiv(b*s, b)");
}

TEST_CASE("simplify decides min, max and ranges") {
  Scene scene({{"a", {1}}, {"b", {1}}, {"x", {5, 5}}, {"k", {0, 7}}});
  CHECK(scene.simplify("max(a, b)*min(1, a, b)") == "max(a, b)");
  CHECK(scene.simplify("x*a") == "5*a");
  CHECK(scene.simplify("floordiv(k, 8)") == "0");
  CHECK(scene.simplify("k % 8") == "k");
  CHECK(scene.simplify("min(k, 3 + k*k)") == "k");
  CHECK(scene.simplify("min(a, b)") == "min(a, b)");
}

TEST_CASE("simplify lets an extremum absorb what cancels an operand") {
  Scene scene({}, {});
  CHECK(scene.simplify("n - min(1, n)") == "max(0, n - 1)");
  CHECK(scene.simplify("n - min(2, m, n)") == "n - min(2, m, n)");
  CHECK(scene.simplify("max(3, n) - n") == "max(0, -n + 3)");
  CHECK(scene.simplify("min(1, n) - n") == "min(0, -n + 1)");
}

TEST_CASE("nested clamps stay small") {
  Domain domain;
  domain.setRange("n", SymbolRange{0, 40});
  Prover prover(domain);
  Expr n = Expr::symbol("n"), cutFront = n, cutBack = n;
  for (int64_t depth = 1; depth <= 32; ++depth) {
    cutFront = prover.simplify(cutFront - Expr::max(0, Expr::min(1, cutFront)));
    cutBack = prover.simplify(Expr::max(0, cutBack - 1));
    for (int64_t size = 0; size <= 40; ++size)
      for (Expr cut : {cutFront, cutBack})
        REQUIRE(cut.evaluate({{"n", size}}) ==
                std::max<int64_t>(0, size - depth));
    CHECK(cutFront == cutBack);
  }
  CHECK(cutBack.str() == "max(0, n - 32)");
}

TEST_CASE("simplify uses equal symbols and never grows") {
  Scene scene({}, {"a == b", "n == p*q + r + 7"});
  CHECK(scene.simplify("b*c") == "a*c");
  CHECK(scene.simplify("a - b + c") == "c");
  CHECK(scene.simplify("n") == "n");
  Scene cache({}, {"past + cur == total", "h % 32 == 0"});
  CHECK(cache.simplify("total - past") == "cur");
  CHECK(cache.simplify("4*floordiv(h, 32) - floordiv(h, 8)") == "0");
}

TEST_CASE("bounds") {
  Scene scene({{"h", {1, 512}}, {"k", {1, 7}}, {"n", {-4, 4}}});
  CHECK(scene.bounds("h - min(h, k)") == Interval{0, 511});
  CHECK(scene.bounds("floordiv(h, 2)") == Interval{0, 256});
  CHECK(scene.bounds("h - floordiv(h, 2)") == Interval{1, 256});
  CHECK(scene.bounds("n*n") == Interval{0, 16});
  CHECK(scene.bounds("h % 16") == Interval{0, 15});
  CHECK(scene.bounds("b*h") == Interval{0, Interval::kMax});
  CHECK(scene.bounds("0 - b") == Interval{Interval::kMin, 0});
}

TEST_CASE("huge ranges saturate instead of wrapping") {
  Scene scene({{"a", {0, INT64_MAX - 1}}, {"b", {2, INT64_MAX - 1}}});
  CHECK(scene.bounds("a*b").max == Interval::kMax);
  CHECK(scene.prove("a*b*b >= 0") == "yes");
  CHECK(scene.prove("a + b >= 2") == "yes");
  CHECK(scene.prove("9223372036854775807*a >= 0") == "yes");
  Expr overflow = Expr(INT64_MAX) + 1;
  CHECK(scene.prover().prove(Relation{Relation::Kind::EQ, overflow, 0}) ==
        Truth::Unknown);
}

TEST_CASE("Domain::contains") {
  Domain domain;
  domain.setRange("s", {16, 64, 16});
  domain.assume(condition("s + t <= 70"));
  CHECK(domain.contains({{"s", 32}, {"t", 3}}));
  CHECK_FALSE(domain.contains({{"s", 33}, {"t", 3}}));
  CHECK_FALSE(domain.contains({{"s", 80}, {"t", 3}}));
  CHECK_FALSE(domain.contains({{"s", 64}, {"t", 7}}));
  CHECK_FALSE(domain.contains({{"s", 32}, {"t", -1}}));
  CHECK_FALSE(domain.contains({{"s", 32}}));
}
