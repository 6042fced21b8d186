// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonical forms, evaluation, substitution and the limits of 64 bits.

#include "ambit/Symbolic/Expr.h"
#include "catch2/catch.hpp"
#include <thread>

using namespace ambit;

static const Expr a = Expr::symbol("a"), b = Expr::symbol("b"),
                  c = Expr::symbol("c"), h = Expr::symbol("h");

static Expr floorDiv(Expr lhs, Expr rhs) { return Expr::floorDiv(lhs, rhs); }

TEST_CASE("polynomials have one form") {
  CHECK((a + b) * (a - b) == a * a - b * b);
  CHECK(a + b - a == b);
  CHECK(a - a == Expr(0));
  CHECK((a * b).str() == "a*b");
  CHECK((b * a + 2 * a + 1 - b).str() == "a*b + 2*a - b + 1");
  CHECK(Expr(0).str() == "0");
  CHECK((Expr() - a).str() == "-a");
}

TEST_CASE("terms come in canonical order, the constant last") {
  Expr expr = 7 + a + 3 * b * a;
  REQUIRE(expr.terms().size() == 3);
  CHECK(expr.terms()[0].coefficient == 3);
  CHECK(expr.terms()[0].factors.size() == 2);
  CHECK(expr.terms()[1].factors[0]->name == "a");
  CHECK(expr.terms()[2].coefficient == 7);
  CHECK(expr.terms()[2].factors.empty());
  CHECK(Expr(0).terms().empty());
}

TEST_CASE("floordiv by a constant") {
  CHECK(floorDiv(4 * a + 3, 4) == a);
  CHECK(floorDiv(6 * a + b, 4) == a + floorDiv(2 * a + b, 4));
  CHECK(floorDiv(2 * a, 4) == floorDiv(a, 2));
  CHECK(floorDiv(2 * a + 1, 4) == floorDiv(a, 2));
  CHECK(floorDiv(floorDiv(a, 2), 3) == floorDiv(a, 6));
  CHECK(floorDiv(floorDiv(h + 1, 2) + 1, 2) == floorDiv(h + 3, 4));
  CHECK(floorDiv(a, -2) == floorDiv(-a, 2));
  CHECK(floorDiv(a, 1) == a);
  CHECK(floorDiv(-7, 2) == Expr(-4));
  CHECK_FALSE(floorDiv(a, 0).isValid());
}

TEST_CASE("floordiv by an expression cancels numbers only") {
  CHECK(floorDiv(2 * a, 2 * b) == floorDiv(a, b));
  CHECK(floorDiv(a, -b) == floorDiv(-a, b));
  CHECK(floorDiv(floorDiv(a, b), 3) == floorDiv(a, 3 * b));
  // b may be 0: this needs a domain.
  CHECK(floorDiv(a * b, b) != a);
}

TEST_CASE("ceildiv is floordiv with a rounded constant") {
  CHECK(Expr::ceilDiv(h, 2) == floorDiv(h + 1, 2));
  CHECK(Expr::ceilDiv(Expr::ceilDiv(h, 2), 2) == Expr::ceilDiv(h, 4));
  CHECK(Expr::ceilDiv(7, 2) == Expr(4));
  CHECK(Expr::ceilDiv(a, b) == -floorDiv(-a, b));
}

TEST_CASE("mod") {
  CHECK(Expr::mod(100 * a, 100) == Expr(0));
  CHECK(Expr::mod(102 * a + 1, 100) == 2 * Expr::mod(a, 50) + 1);
  CHECK(Expr::mod(Expr::mod(a, 8) + 3, 4) == Expr::mod(a + 3, 4));
  CHECK(Expr::mod(-7, 4) == Expr(1));
  CHECK(Expr::mod(7, -4) == Expr(-1));
  CHECK(Expr::mod(a, 1) == Expr(0));
  CHECK_FALSE(Expr::mod(a, 0).isValid());
}

TEST_CASE("min and max are flat, sorted and without losers") {
  CHECK(Expr::min(a, Expr::min(b, c)) == Expr::min(Expr::min(c, a), b));
  CHECK(Expr::min(a, a + 3) == a);
  CHECK(Expr::max(a, a + 3) == a + 3);
  CHECK(Expr::min(512, Expr::min(a, 600)).str() == "min(512, a)");
  CHECK(Expr::max(Expr::min(a, 5), 7) == Expr(7));
  CHECK(Expr::max(a, Expr::min(a, b)) == a);
  CHECK(Expr::min(a, Expr::max(a + 1, b)) == a);
  CHECK(Expr::min(a, a) == a);
  CHECK(Expr::max(3, -4) == Expr(3));
}

TEST_CASE("min and max take in a constant that is added to one of them") {
  CHECK(Expr::max(0, Expr::max(0, a - 1) - 1) == Expr::max(0, a - 2));
  CHECK(Expr::min(9, Expr::min(7, a) + 1) == Expr::min(8, a + 1));
  CHECK(Expr::max(b, Expr(3) - Expr::min(a, 1)) ==
        Expr::max(2, Expr::max(b, Expr(3) - a)));
  // The other kind stays inside.
  CHECK(Expr::max(0, Expr::min(a, b) - 1).str() == "max(0, min(a, b) - 1)");
  // What would overflow stays as it is.
  Expr far = Expr::min(Expr(INT64_MAX), a) + 1;
  CHECK(Expr::min(b, far).evaluate({{"a", 4}, {"b", 9}}) == 5);
}

TEST_CASE("overflow is invalid and absorbs everything") {
  Expr huge(INT64_MAX);
  Expr invalid = huge + 1;
  CHECK_FALSE(invalid.isValid());
  CHECK_FALSE((huge * a * 2).isValid());
  CHECK_FALSE((-Expr(INT64_MIN)).isValid());
  CHECK_FALSE(floorDiv(INT64_MIN, -1).isValid());
  for (Expr expr :
       {invalid + 1, invalid * 0, invalid - invalid, Expr::min(invalid, a),
        Expr::mod(a, invalid), floorDiv(invalid, 2), Expr::ceilDiv(a, invalid)})
    CHECK(expr == Expr::invalid());
  CHECK(invalid.str() == "<invalid>");
  CHECK_FALSE(invalid.constant());
  CHECK_FALSE(invalid.evaluate({}));
}

TEST_CASE("a sum that leaves 64 bits on the way but not at its end") {
  CHECK((Expr(INT64_MAX) * a + b) - Expr(INT64_MAX) * a == b);
}

TEST_CASE("expressions past the size limit are invalid, not slow") {
  Expr expr = a;
  for (int i = 0; i < 64; ++i)
    expr = floorDiv(expr * b, c) + Expr::mod(expr, c);
  CHECK_FALSE(expr.isValid());
  Expr product = 1;
  for (int i = 0; i < 30; ++i)
    product = product * (Expr::symbol("x" + std::to_string(i)) + 1);
  CHECK_FALSE(product.isValid());
}

TEST_CASE("evaluate") {
  Expr expr = floorDiv(a * a, b) + Expr::min(a, 2) - Expr::mod(a, 3);
  CHECK(expr.evaluate({{"a", 7}, {"b", 2}}) == 24 + 2 - 1);
  CHECK_FALSE(expr.evaluate({{"a", 7}, {"b", 0}}));
  CHECK_FALSE(expr.evaluate({{"a", 7}}));
  CHECK_FALSE((a * a).evaluate({{"a", int64_t(1) << 40}}));
}

TEST_CASE("substitute rebuilds the canonical form") {
  Expr expr = floorDiv(a + b, 4) + Expr::max(a, c);
  CHECK(expr.substitute({{"a", 4 * h}, {"b", 2}, {"c", Expr(0)}}) ==
        h + Expr::max(4 * h, 0));
  CHECK(expr.substitute({}) == expr);
  CHECK_FALSE(floorDiv(a, b).substitute({{"b", Expr(0)}}).isValid());
}

TEST_CASE("symbols") {
  CHECK(a.isSymbol());
  CHECK(a.symbolName() == "a");
  CHECK_FALSE((2 * a).isSymbol());
  CHECK_FALSE((a * b).isSymbol());
  std::set<std::string> names;
  (floorDiv(a * b, 2) + Expr::max(h, 1)).collectSymbols(names);
  CHECK(names == std::set<std::string>{"a", "b", "h"});
}

TEST_CASE("the order depends on structure") {
  CHECK(Expr::symbol("m") < Expr::symbol("n"));
  CHECK_FALSE(Expr::symbol("n") < Expr::symbol("m"));
  CHECK_FALSE(a < a);
  // Named in the reverse order of their creation.
  Expr later = Expr::symbol("order_b"), earlier = Expr::symbol("order_a");
  CHECK((later + earlier).str() == "order_a + order_b");
}

TEST_CASE("relations and conditions") {
  CHECK(Condition::divisible(a, 16).str() == "a % 16 == 0");
  CHECK(Condition::divisible(a + 1, 16).str() == "(a + 1) % 16 == 0");
  Condition any;
  CHECK(any.evaluate({}) == false);
  any.anyOf = {{Relation::Kind::EQ, floorDiv(1, a), 1},
               {Relation::Kind::GE, b, 2}};
  CHECK(any.str() == "floordiv(1, a) == 1 || b >= 2");
  CHECK(any.evaluate({{"a", 0}, {"b", 2}}) == true);
  CHECK(any.evaluate({{"a", 0}, {"b", 1}}) == std::nullopt);
  CHECK(any.evaluate({{"a", 2}, {"b", 1}}) == false);
  CHECK(any.substitute({{"b", c}}).anyOf[1].lhs == c);
}

TEST_CASE("building from many threads gives the same nodes") {
  std::vector<Expr> results(8);
  std::vector<std::thread> threads;
  for (Expr &result : results)
    threads.emplace_back([&result] {
      Expr sum;
      for (int i = 0; i < 200; ++i)
        sum = sum + floorDiv(Expr::symbol("t" + std::to_string(i)) + i, i + 2);
      result = sum;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (Expr result : results)
    CHECK(result == results[0]);
}
