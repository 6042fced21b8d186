// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive descent over the constraint language. The spellings of sympy
// (FloorDiv, Mod, Min, Max, **) are read too, for .pt2 files.

#include "ambit/Symbolic/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ambit;

namespace {

/// Bounds the recursion on hostile input.
constexpr unsigned kMaxNesting = 200;
constexpr int64_t kMaxPower = 64;

enum class Function { None, FloorDiv, CeilDiv, Mod, Min, Max };

class Parser {
public:
  Parser(llvm::StringRef text, ParseError &error) : text(text), error(error) {}

  std::optional<Expr> wholeExpr() {
    std::optional<Expr> expr = sum();
    if (expr && !atEnd())
      return fail("expected an operator, found " + found());
    return expr;
  }

  std::optional<Condition> wholeCondition() {
    Condition condition;
    do {
      std::optional<Relation> next = relation();
      if (!next)
        return std::nullopt;
      condition.anyOf.push_back(*next);
    } while (consume("||"));
    if (!atEnd()) {
      fail("expected '||' or the end, found " + found());
      return std::nullopt;
    }
    return condition;
  }

private:
  std::nullopt_t fail(const llvm::Twine &message) {
    return failAt(position, message);
  }
  std::nullopt_t failAt(size_t column, const llvm::Twine &message) {
    error.column = column;
    error.message = message.str();
    return std::nullopt;
  }

  void skipSpace() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  bool atEnd() {
    skipSpace();
    return position == text.size();
  }
  llvm::StringRef rest() {
    skipSpace();
    return text.drop_front(position);
  }
  bool consume(llvm::StringRef token) {
    if (!rest().starts_with(token))
      return false;
    position += token.size();
    return true;
  }
  std::string found() {
    if (atEnd())
      return "the end";
    return "'" + text.substr(position, 1).str() + "'";
  }

  /// Reports an invalid result of a builder at the operator's column.
  std::optional<Expr> checked(Expr expr, size_t column) {
    if (!expr.isValid())
      return failAt(column, "the expression " + expr.problem());
    return expr;
  }
  std::optional<Expr> divided(Function function, Expr lhs, Expr rhs,
                              size_t column) {
    if (rhs.isConstant(0))
      return failAt(column, "division by zero");
    Expr result = function == Function::Mod       ? Expr::mod(lhs, rhs)
                  : function == Function::CeilDiv ? Expr::ceilDiv(lhs, rhs)
                                                  : Expr::floorDiv(lhs, rhs);
    return checked(result, column);
  }

  std::optional<Relation> relation() {
    std::optional<Expr> lhs = sum();
    if (!lhs)
      return std::nullopt;
    static const std::pair<llvm::StringRef, Relation::Kind> operators[] = {
        {"==", Relation::Kind::EQ}, {"!=", Relation::Kind::NE},
        {"<=", Relation::Kind::LE}, {">=", Relation::Kind::GE},
        {"<", Relation::Kind::LT},  {">", Relation::Kind::GT}};
    for (auto [token, kind] : operators) {
      if (!consume(token))
        continue;
      std::optional<Expr> rhs = sum();
      if (!rhs)
        return std::nullopt;
      return Relation{kind, *lhs, *rhs};
    }
    return fail("expected one of == != <= < >= >, found " + found());
  }

  std::optional<Expr> sum() {
    std::optional<Expr> result = product();
    while (result) {
      skipSpace();
      size_t column = position;
      bool negative = consume("-");
      if (!negative && !consume("+"))
        break;
      // `- 2^63` is a literal of its own, so that INT64_MIN can be read back.
      std::optional<Expr> operand = product(negative);
      if (!operand)
        return std::nullopt;
      result = checked(*result + *operand, column);
    }
    return result;
  }

  std::optional<Expr> product(bool negative = false) {
    std::optional<Expr> result = unary(negative);
    while (result) {
      skipSpace();
      size_t column = position;
      bool divide = consume("//");
      bool modulo = !divide && consume("%");
      if (!divide && !modulo && !consume("*")) {
        if (rest().starts_with("/"))
          return fail("'/' is not exact; use '//' for floor division");
        break;
      }
      // A sign pulled in from the sum belongs to the whole product.
      if (negative && (divide || modulo)) {
        result = checked(-*result, column);
        if (!result)
          return std::nullopt;
      }
      std::optional<Expr> operand = unary(false);
      if (!operand)
        return std::nullopt;
      if (divide || modulo) {
        result = divided(modulo ? Function::Mod : Function::FloorDiv, *result,
                         *operand, column);
        if (result && negative)
          result = checked(-*result, column);
      } else {
        result = checked(*result * *operand, column);
      }
    }
    return result;
  }

  std::optional<Expr> unary(bool negative) {
    unsigned signs = 0;
    while (true) {
      if (consume("-"))
        negative = !negative;
      else if (!consume("+"))
        break;
      if (++signs > kMaxNesting)
        return fail("the expression is nested too deeply");
    }
    skipSpace();
    size_t column = position;
    std::optional<Expr> base = primary(negative);
    if (!base || !consume("**"))
      return base;
    return power(*base, negative, column);
  }

  std::optional<Expr> power(Expr base, bool negative, size_t column) {
    std::optional<Expr> exponent = primary(false);
    if (!exponent)
      return std::nullopt;
    std::optional<int64_t> count = exponent->constant();
    if (!count || *count < 0 || *count > kMaxPower)
      return failAt(column, "an exponent must be a constant from 0 to 64");
    // The sign binds weaker than the power.
    if (negative)
      base = -base;
    Expr result(1);
    for (int64_t i = 0; i < *count; ++i)
      result = result * base;
    return checked(negative ? -result : result, column);
  }

  std::optional<Expr> primary(bool negative) {
    llvm::StringRef next = rest();
    size_t column = position;
    if (next.empty())
      return fail("expected an operand, found the end");
    if (llvm::isDigit(next[0]))
      return literal(negative);
    std::optional<Expr> result;
    if (llvm::isAlpha(next[0]) || next[0] == '_') {
      result = symbolOrCall();
    } else if (consume("(")) {
      result = nested([&] { return sum(); }, column);
      if (result && !consume(")"))
        return fail("expected ')', found " + found());
    } else {
      return fail("expected an operand, found " + found());
    }
    if (result && negative)
      result = checked(-*result, column);
    return result;
  }

  std::optional<Expr> literal(bool negative) {
    llvm::StringRef digits = rest().take_while(llvm::isDigit);
    size_t column = position;
    position += digits.size();
    uint64_t value;
    uint64_t limit = uint64_t(INT64_MAX) + (negative ? 1 : 0);
    if (digits.getAsInteger(10, value) || value > limit)
      return failAt(column, "the number does not fit in 64 bits");
    return Expr(int64_t(negative ? -value : value));
  }

  template <typename Body>
  std::optional<Expr> nested(Body body, size_t column) {
    if (nesting == kMaxNesting)
      return failAt(column, "the expression is nested too deeply");
    ++nesting;
    std::optional<Expr> result = body();
    --nesting;
    return result;
  }

  std::optional<Expr> symbolOrCall() {
    size_t column = position;
    llvm::StringRef name = rest().take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '.' || c == ':';
    });
    position += name.size();
    if (text.drop_front(position).starts_with("["))
      return element(column);
    if (!rest().starts_with("("))
      return Expr::symbol(name);
    Function function =
        llvm::StringSwitch<Function>(name)
            .Cases("floordiv", "FloorDiv", "CleanDiv", Function::FloorDiv)
            .Cases("ceildiv", "CeilDiv", Function::CeilDiv)
            .Cases("mod", "Mod", "PythonMod", Function::Mod)
            .Cases("min", "Min", Function::Min)
            .Cases("max", "Max", Function::Max)
            .Default(Function::None);
    if (function == Function::None)
      return failAt(column, "unknown function '" + name +
                                "', expected floordiv, ceildiv, mod, min or "
                                "max");
    consume("(");
    return nested([&] { return arguments(function, name, column); }, column);
  }

  /// `shape[0]`: an element of an input, whose name begins at `column`.
  std::optional<Expr> element(size_t column) {
    llvm::StringRef index =
        text.drop_front(position + 1).take_while(llvm::isDigit);
    size_t end = position + 1 + index.size();
    if (index.empty() || end >= text.size() || text[end] != ']') {
      ++position;
      return fail("expected the number of an element, as in 'shape[0]'");
    }
    position = end + 1;
    return Expr::symbol(text.slice(column, position));
  }

  std::optional<Expr> arguments(Function function, llvm::StringRef name,
                                size_t column) {
    llvm::SmallVector<Expr> list;
    do {
      std::optional<Expr> argument = sum();
      if (!argument)
        return std::nullopt;
      list.push_back(*argument);
    } while (consume(","));
    if (!consume(")"))
      return fail("expected ',' or ')', found " + found());
    if (function == Function::Min || function == Function::Max) {
      Expr result = list[0];
      for (Expr next : llvm::ArrayRef(list).drop_front())
        result = function == Function::Min ? Expr::min(result, next)
                                           : Expr::max(result, next);
      return checked(result, column);
    }
    if (list.size() != 2)
      return failAt(column, "'" + name + "' takes 2 arguments, found " +
                                llvm::Twine(list.size()));
    return divided(function, list[0], list[1], column);
  }

  llvm::StringRef text;
  ParseError &error;
  size_t position = 0;
  unsigned nesting = 0;
};

} // namespace

std::optional<Expr> ambit::parseExpr(llvm::StringRef text, ParseError &error) {
  return Parser(text, error).wholeExpr();
}

std::optional<Condition> ambit::parseCondition(llvm::StringRef text,
                                               ParseError &error) {
  return Parser(text, error).wholeCondition();
}

std::string ParseError::render(llvm::StringRef text) const {
  std::string line = text.str();
  // One line and one column a byte, whatever the text holds.
  for (char &c : line)
    if (c == '\n' || c == '\r' || c == '\t')
      c = ' ';
  return message + "\n" + line + "\n" +
         std::string(std::min(column, line.size()), ' ') + "^";
}

std::string ambit::asNamePart(llvm::StringRef text) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) ? c : '_';
  return name;
}
