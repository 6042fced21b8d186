// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constraint language: what is read, and where an error points.

#include "ambit/Symbolic/Parser.h"
#include "catch2/catch.hpp"

using namespace ambit;

static std::string read(llvm::StringRef text) {
  ParseError error;
  std::optional<Expr> expr = parseExpr(text, error);
  return expr ? expr->str() : error.render(text);
}

static std::string readCondition(llvm::StringRef text) {
  ParseError error;
  std::optional<Condition> condition = parseCondition(text, error);
  return condition ? condition->str() : error.render(text);
}

TEST_CASE("the text of expressions") {
  CHECK(read("2*s0+1") == "2*s0 + 1");
  CHECK(read(" ( a + b ) * 3 ") == "3*a + 3*b");
  CHECK(read("a - b - c") == "a - b - c");
  CHECK(read("a - (b - c)") == "a - b + c");
  CHECK(read("a // 2 // 2") == "floordiv(a, 4)");
  CHECK(read("a * b // 2") == "floordiv(a*b, 2)");
  CHECK(read("x - a // 2") == "x - floordiv(a, 2)");
  CHECK(read("-a // 4") == "-floordiv(a + 3, 4)");
  CHECK(read("x - a % 4") == "x - mod(a, 4)");
  CHECK(read("ceildiv(h, 2)") == "floordiv(h + 1, 2)");
  CHECK(read("min(seq, 512, other)") == "min(512, other, seq)");
  CHECK(read("max(7)") == "7");
  CHECK(read("batch.0:x_1") == "batch.0:x_1");
  CHECK(read("min + max") == "max + min");
  CHECK(read("2*shape[0] - x:y[12]") == "2*shape[0] - x:y[12]");
  CHECK(read("shape[a]") == "expected the number of an element, as in "
                            "'shape[0]'\nshape[a]\n      ^");
  CHECK(read("n + s[3") == "expected the number of an element, as in "
                           "'shape[0]'\nn + s[3\n      ^");
}

TEST_CASE("spellings of sympy") {
  CHECK(read("FloorDiv(s0, 2)") == "floordiv(s0, 2)");
  CHECK(read("Max(1, Min(s0, s1))") == "max(1, min(s0, s1))");
  CHECK(read("Mod(s0, 2)") == "mod(s0, 2)");
  CHECK(read("s0**2 - 2**2") == "s0*s0 - 4");
  CHECK(read("-s0**2") == "-s0*s0");
}

TEST_CASE("numbers at the edge of 64 bits") {
  CHECK(read("9223372036854775807") == "9223372036854775807");
  CHECK(read("-9223372036854775808") == "-9223372036854775808");
  CHECK(read("x - 9223372036854775808*y") == "x - 9223372036854775808*y");
  CHECK(read("9223372036854775808") ==
        "the number does not fit in 64 bits\n9223372036854775808\n^");
  CHECK(
      read("s * 3 * 9223372036854775807") ==
      "the expression overflows 64 bits\ns * 3 * 9223372036854775807\n      ^");
}

/// `count` operands with `join` between them; each has its number where `stem`
/// is not closed.
static std::string list(llvm::StringRef stem, llvm::StringRef join, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i ? join : "").str() + stem.str() +
            (stem.ends_with(")") ? "" : std::to_string(i));
  return text;
}

TEST_CASE("expressions that would grow without bound are refused") {
  auto isRefused = [](llvm::StringRef text) {
    return llvm::StringRef(read(text))
        .starts_with("the expression has too many terms");
  };
  CHECK(isRefused(list("(a)", "*", 5000)));
  CHECK(isRefused(list("n", " + ", 3000)));
  CHECK(isRefused("max(" + list("n", ", ", 3000) + ")"));
  CHECK(isRefused("(a + b + c + d)**16"));
  CHECK(isRefused("(a + b)*(c + d)*(e + f)*(g + h)*(i + j)*(k + l)*(m + n)*"
                  "(o + p)*(q + r)"));
  CHECK(isRefused("(((n**64)**64)**64)**64"));
  // What real models have is far below.
  CHECK_FALSE(isRefused(list("n", " + ", 100)));
  CHECK_FALSE(isRefused("max(" + list("n", ", ", 26) + ")"));
  CHECK_FALSE(isRefused("(a + b)**16"));
}

TEST_CASE("errors point at the column") {
  CHECK(read("") == "expected an operand, found the end\n\n^");
  CHECK(read("a +") == "expected an operand, found the end\na +\n   ^");
  CHECK(read("a b") == "expected an operator, found 'b'\na b\n  ^");
  CHECK(read("a / 2") ==
        "'/' is not exact; use '//' for floor division\na / 2\n  ^");
  CHECK(read("a // 0") == "division by zero\na // 0\n  ^");
  CHECK(read("mod(a, 1 - 1)") == "division by zero\nmod(a, 1 - 1)\n^");
  CHECK(read("(a") == "expected ')', found the end\n(a\n  ^");
  CHECK(read("min(a") == "expected ',' or ')', found the end\nmin(a\n     ^");
  CHECK(read("foo(1)") == "unknown function 'foo', expected floordiv, ceildiv, "
                          "mod, min or max\nfoo(1)\n^");
  CHECK(read("mod(a)") == "'mod' takes 2 arguments, found 1\nmod(a)\n^");
  CHECK(read("a\n$") == "expected an operator, found '$'\na $\n  ^");
  CHECK(read("a**b") == "an exponent must be a constant from 0 to 64\na**b\n^");
}

TEST_CASE("the text of conditions") {
  CHECK(readCondition("a == b || a == 1||b==1") ==
        "a == b || a == 1 || b == 1");
  CHECK(readCondition("seq % 16 == 0") == "seq % 16 == 0");
  for (llvm::StringRef text : {"a != 1", "a <= 1", "a < 1", "a >= 1", "a > 1"})
    CHECK(readCondition(text) == text);
  CHECK(readCondition("a = 1") ==
        "expected one of == != <= < >= >, found '='\na = 1\n  ^");
  CHECK(readCondition("a == 1 &&") ==
        "expected '||' or the end, found '&'\na == 1 &&\n       ^");
  CHECK(readCondition("a == 1 ||") ==
        "expected an operand, found the end\na == 1 ||\n         ^");
}

TEST_CASE("hostile nesting is an error, not a crash") {
  std::string open(100000, '('), minus(100000, '-'), calls;
  for (int i = 0; i < 100000; ++i)
    calls += "min(";
  for (const std::string &text : {open, minus, calls})
    CHECK(llvm::StringRef(read(text))
              .starts_with("the expression is nested too deeply"));
}
