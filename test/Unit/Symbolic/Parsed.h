// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions and conditions of tests, written as text.

#ifndef AMBIT_TEST_UNIT_SYMBOLIC_PARSED_H
#define AMBIT_TEST_UNIT_SYMBOLIC_PARSED_H

#include "ambit/Symbolic/Parser.h"
#include "catch2/catch.hpp"

namespace ambit {

inline Expr expr(llvm::StringRef text) {
  ParseError error;
  std::optional<Expr> result = parseExpr(text, error);
  INFO(error.render(text));
  REQUIRE(result);
  return *result;
}

inline Condition condition(llvm::StringRef text) {
  ParseError error;
  std::optional<Condition> result = parseCondition(text, error);
  INFO(error.render(text));
  REQUIRE(result);
  return *result;
}

} // namespace ambit

#endif // AMBIT_TEST_UNIT_SYMBOLIC_PARSED_H
