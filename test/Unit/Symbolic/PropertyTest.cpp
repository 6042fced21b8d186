// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random expressions against naive evaluation, and the prover's answers against
// brute force over small domains.

#include "RandomTree.h"
#include "ambit/Symbolic/Parser.h"
#include "ambit/Symbolic/Prover.h"
#include "catch2/catch.hpp"

using namespace ambit;
using namespace ambit::test;

namespace {

struct Sample {
  std::unique_ptr<Tree> tree;
  Expr expr;
};

Sample sample(Random &random, unsigned depth) {
  Sample result{randomTree(random, depth), Expr()};
  result.expr = result.tree->build();
  return result;
}

/// Catch2's assertions are too slow for millions of checks.
void demand(bool holds, const std::string &what) {
  if (!holds)
    FAIL(what);
}

std::string describe(const Point &point) {
  std::string text;
  for (const auto &[symbol, value] : point)
    text += " " + symbol + "=" + std::to_string(value);
  return text;
}

/// Where the tree has a value, the expression has the same.
void checkEvaluation(const Sample &sample, const std::vector<Point> &points) {
  for (const Point &point : points) {
    std::optional<int64_t> expected = sample.tree->evaluate(point);
    if (expected && sample.expr.isValid())
      demand(sample.expr.evaluate(point) == expected,
             sample.expr.str() + " is not " + std::to_string(*expected) +
                 " at" + describe(point));
  }
}

void checkRoundTrip(Expr expr) {
  if (!expr.isValid())
    return;
  ParseError error;
  std::optional<Expr> read = parseExpr(expr.str(), error);
  demand(read == expr, "reads back differently: " + expr.str() +
                           (read ? " as " + read->str() : error.message));
}

void checkBoundsAndSimplify(Expr expr, Prover &prover,
                            const std::vector<Point> &points) {
  Interval bounds = prover.bounds(expr);
  Expr simple = prover.simplify(expr);
  for (const Point &point : points) {
    std::optional<int64_t> value = expr.evaluate(point);
    if (!value)
      continue;
    demand(bounds.min <= *value && *value <= bounds.max,
           "bounds of " + expr.str() + " are wrong at" + describe(point));
    demand(simple.evaluate(point) == value,
           expr.str() + " is not " + simple.str() + " at" + describe(point));
  }
}

Truth check(const Condition &condition, Prover &prover,
            const std::vector<Point> &points) {
  Truth truth = prover.prove(condition);
  if (truth == Truth::Unknown || points.empty())
    return truth;
  for (const Point &point : points) {
    std::optional<bool> holds = condition.evaluate(point);
    if (holds)
      demand(*holds == (truth == Truth::Yes),
             condition.str() + " was decided wrongly at" + describe(point));
  }
  return truth;
}

/// Simplifying changes no answer that there is.
void checkSimplified(const Condition &condition, Prover &prover,
                     const std::vector<Point> &points) {
  Condition simple = simplify(condition, prover);
  for (const Point &point : points)
    if (std::optional<bool> holds = condition.evaluate(point))
      demand(simple.evaluate(point) == holds, condition.str() + " is not " +
                                                  simple.str() + " at" +
                                                  describe(point));
}

/// What brute force says.
Truth truthOf(const Condition &condition, const std::vector<Point> &points) {
  bool isTrue = false, isFalse = false;
  for (const Point &point : points)
    if (std::optional<bool> holds = condition.evaluate(point))
      (*holds ? isTrue : isFalse) = true;
  return isTrue && isFalse ? Truth::Unknown : isTrue ? Truth::Yes : Truth::No;
}

} // namespace

TEST_CASE("random expressions agree with naive evaluation and brute force") {
  Random random(20240607);
  unsigned decidable = 0, decided = 0;
  for (unsigned batch = 0; batch < 2500; ++batch) {
    bool isOpen = batch % 2 == 0;
    Domain domain = randomDomain(random, isOpen);
    // Every third domain is cut by a fact.
    if (batch % 3 == 0)
      domain.assume(randomRelation(random, sample(random, 2).expr,
                                   sample(random, 1).expr));
    std::vector<Point> points = pointsOf(domain);
    Prover prover(domain);
    for (unsigned pair = 0; pair < 40; ++pair) {
      Sample lhs = sample(random, 1 + pair % 3), rhs = sample(random, 2);
      checkEvaluation(lhs, points);
      checkEvaluation(rhs, points);
      Condition condition = randomRelation(random, lhs.expr, rhs.expr);
      if (pair % 8 == 0) {
        checkRoundTrip(lhs.expr);
        checkBoundsAndSimplify(lhs.expr, prover, points);
        condition.anyOf.push_back(
            randomRelation(random, rhs.expr, sample(random, 1).expr));
      }
      Truth truth = check(condition, prover, points);
      if (pair % 4 == 0)
        checkSimplified(condition, prover, points);
      if (isOpen || points.empty() ||
          truthOf(condition, points) == Truth::Unknown)
        continue;
      ++decidable;
      decided += truth != Truth::Unknown;
    }
  }
  INFO(decided << " of " << decidable << " decidable conditions decided");
  // Far below what is reached: a guard against a prover that has gone quiet.
  CHECK(decided * 10 >= decidable * 8);
}

TEST_CASE("random coverage agrees with brute force") {
  Random random(99);
  unsigned undecided = 0;
  for (unsigned round = 0; round < 1500; ++round) {
    Domain whole = randomDomain(random);
    std::vector<Domain> parts;
    for (int64_t i = 0, e = random.range(1, 6); i < e; ++i) {
      parts.push_back(random.chance(20) ? whole : randomDomain(random));
      if (random.chance(30))
        parts.back().assume(randomRelation(random, sample(random, 1).expr,
                                           sample(random, 1).expr));
    }
    bool isDecided = false;
    std::optional<Point> gap = findUncovered(whole, parts, isDecided);
    auto covered = [&](const Point &point) {
      return llvm::any_of(
          parts, [&](const Domain &part) { return part.contains(point); });
    };
    if (gap) {
      demand(isDecided && whole.contains(*gap) && !covered(*gap),
             "no gap at" + describe(*gap));
    } else if (isDecided) {
      for (const Point &point : pointsOf(whole))
        demand(covered(point), "missed the gap at" + describe(point));
    }
    undecided += !isDecided;
  }
  CHECK(undecided < 150);
}
