// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A prover that facts and symbols are added to, provers over parts of another
// one's domain, and what bounds the work of a proof.

#include "Parsed.h"
#include "RandomTree.h"
#include "ambit/Symbolic/Prover.h"
#include "catch2/catch.hpp"

using namespace ambit;

TEST_CASE("a fact is known as soon as it is assumed") {
  Prover prover{Domain()};
  CHECK(prover.prove(condition("n >= 3")) == Truth::Unknown);
  CHECK(prover.prove(condition("n == m || n == 1")) == Truth::Unknown);
  CHECK(prover.simplify(expr("max(n, 2)")).str() == "max(2, n)");
  prover.assume(condition("n >= 3"));
  CHECK(prover.prove(condition("n >= 3")) == Truth::Yes);
  CHECK(prover.prove(condition("n < 2")) == Truth::No);
  CHECK(prover.simplify(expr("max(n, 2)")).str() == "n");
  prover.assume(condition("n == m || n == 1"));
  CHECK(prover.prove(condition("n == m")) == Truth::Yes);
  prover.assume(condition("k % 4 == 0"));
  CHECK(prover.prove(condition("3*k % 4 == 0")) == Truth::Yes);
  prover.assume(condition("k == 2*j"));
  CHECK(prover.prove(condition("j % 2 == 0")) == Truth::Yes);
}

TEST_CASE("what was decided outlives unrelated facts") {
  Prover prover{Domain()};
  CHECK(prover.prove(condition("a < 0")) == Truth::No);
  CHECK(prover.prove(condition("a == b")) == Truth::Unknown);
  CHECK(prover.bounds(expr("a + b")).min == 0);
  prover.assume(condition("n == 7"));
  CHECK(prover.prove(condition("a < 0")) == Truth::No);
  CHECK(prover.prove(condition("a == b")) == Truth::Unknown);
  prover.assume(condition("a >= 2"));
  CHECK(prover.bounds(expr("a + b")).min == 2);
  CHECK(prover.bounds(expr("n")).isPoint());
}

TEST_CASE("contradicting facts make everything true") {
  Prover prover{Domain()};
  prover.assume(condition("n >= 3"));
  CHECK(prover.prove(condition("m == 1")) == Truth::Unknown);
  prover.assume(condition("n <= 2"));
  CHECK(prover.prove(condition("m == 1")) == Truth::Yes);
}

TEST_CASE("symbols may be added") {
  Domain domain;
  domain.setRange("n", {1, 64, 1});
  Prover prover(domain);
  CHECK(prover.prove(condition("n <= 64")) == Truth::Yes);
  prover.addSymbol("k", {2, 8, 1});
  prover.addSymbol("five", {5, 5, 1});
  prover.addSymbol("even", {0, 64, 2});
  CHECK(prover.prove(condition("k*n <= 512")) == Truth::Yes);
  CHECK(prover.prove(condition("five == 5")) == Truth::Yes);
  CHECK(prover.prove(condition("even % 2 == 0")) == Truth::Yes);
  prover.addUnbacked("count", {0, 64, 1});
  prover.assume(condition("count <= n"));
  CHECK(prover.prove(condition("count <= n")) == Truth::Yes);
  // What is checked later says nothing about what runs before.
  prover.assume(condition("count >= 3"));
  CHECK(prover.prove(condition("n >= 3")) == Truth::Unknown);
  CHECK(prover.prove(condition("n + count >= 6")) == Truth::Yes);
}

TEST_CASE("a part of a domain knows what the whole knows") {
  Domain domain;
  domain.setRange("n", {0, 64, 1});
  domain.assume(condition("m == n || m == 1"));
  Prover whole(domain);
  Domain part = domain;
  part.setRange("n", {17, 32, 1});
  Prover narrow(whole, part), same(whole, domain);
  CHECK(narrow.prove(condition("n >= 17")) == Truth::Yes);
  CHECK(narrow.prove(condition("m >= 1")) == Truth::Yes);
  CHECK(whole.prove(condition("n >= 17")) == Truth::Unknown);
  CHECK(same.prove(condition("n >= 17")) == Truth::Unknown);
  CHECK(same.prove(condition("m == n || m == 1")) == Truth::Yes);
  CHECK(narrow.simplify(expr("min(n, 40)")).str() == "n");
  same.assume(condition("n >= 20"));
  CHECK(same.prove(condition("n >= 17")) == Truth::Yes);
  CHECK(whole.prove(condition("n >= 17")) == Truth::Unknown);
}

TEST_CASE("an example shows that a condition can hold") {
  Prover prover{Domain()};
  prover.assume(condition("a == c || a == 1"));
  prover.assume(condition("b == c || b == 1"));
  CHECK(prover.hasExample(condition("a == b")));
  CHECK_FALSE(prover.hasExample(condition("a < 0")));
  CHECK_FALSE(prover.hasExample(condition("a == a + 1")));
}

TEST_CASE("proofs stop when the budget is spent") {
  auto budget = std::make_shared<ProofBudget>(0);
  Prover prover(Domain(), budget);
  CHECK(prover.prove(condition("max(a, b)*min(a, b) == a*b")) ==
        Truth::Unknown);
  // What needs no search is still known.
  CHECK(prover.prove(condition("a >= 0")) == Truth::Yes);
  Prover open{Domain()};
  CHECK(open.prove(condition("max(a, b)*min(a, b) == a*b")) == Truth::Yes);
  CHECK(open.budget()->remaining() < ProofBudget().remaining());
}

TEST_CASE("the work of proofs over a chain of sizes is linear in its length") {
  // Each next size is 1 or the common size so far, as in x0 + x1 + x2 ...
  auto workFor = [](int count) {
    Prover prover{Domain()};
    for (int i = 1; i < count; ++i) {
      std::string common = "c" + std::to_string(i);
      prover.addSymbol(common, SymbolRange());
      for (std::string size :
           {"c" + std::to_string(i - 1), "n" + std::to_string(i)}) {
        Condition agrees =
            condition(size + " == " + common + " || " + size + " == 1");
        CHECK(prover.prove(agrees) == Truth::Unknown);
        prover.assume(simplify(agrees, prover));
        CHECK(prover.prove(agrees) == Truth::Yes);
      }
    }
    return ProofBudget().remaining() - prover.budget()->remaining();
  };
  uint64_t few = workFor(20), many = workFor(80);
  INFO(few << " and " << many);
  CHECK(many <= 6 * (few + 100));
}

TEST_CASE("assuming one by one proves what assuming at once proves") {
  test::Random random(17);
  const std::vector<std::string> facts = {
      "a >= 1",           "a + b <= 12",
      "b == 2*c",         "c % 3 == 0",
      "a == d || a == 1", "d <= 9",
      "a*b <= 40",        "b == a || b == 0",
      "max(a, d) >= 3",   "floordiv(d, 2) >= 1"};
  const std::vector<std::string> questions = {
      "a >= 1",          "b % 2 == 0",      "b % 6 == 0",       "a <= 12",
      "d >= 2",          "c <= 6",          "a == d || a == 1", "b <= 12",
      "a + b + c <= 18", "a == b || b == 0"};
  for (unsigned round = 0; round < 60; ++round) {
    Domain domain;
    Prover slow{Domain()};
    for (const std::string &fact : facts)
      if (random.chance(33)) {
        for (const std::string &question : questions)
          if (random.chance(25))
            (void)slow.prove(condition(question));
        domain.assume(condition(fact));
        slow.assume(condition(fact));
      }
    Prover fast(domain);
    for (const std::string &question : questions) {
      INFO(question << " in round " << round);
      Truth once = fast.prove(condition(question));
      if (once != Truth::Unknown)
        CHECK(slow.prove(condition(question)) == once);
    }
  }
}
