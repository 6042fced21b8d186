// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of expressions and conditions in the constraint language, and the small
// operations on relations and conditions.

#include "Node.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ambit;
using namespace ambit::detail;

static void print(llvm::raw_ostream &os, const Atom &atom) {
  llvm::SmallVector<Expr> operands;
  switch (atom.kind) {
  case Atom::Kind::Symbol:
    os << atom.name;
    return;
  case Atom::Kind::FloorDiv:
    os << "floordiv(";
    operands = {atom.lhs, atom.rhs};
    break;
  case Atom::Kind::Mod:
    os << "mod(";
    operands = {atom.lhs, atom.rhs};
    break;
  case Atom::Kind::Min:
  case Atom::Kind::Max:
    os << (atom.kind == Atom::Kind::Min ? "min(" : "max(");
    operands.push_back(atom.lhs);
    flatten(atom.kind, atom.rhs, operands);
    break;
  }
  llvm::interleaveComma(operands, os,
                        [&](Expr operand) { os << operand.str(); });
  os << ')';
}

static void printSign(llvm::raw_ostream &os, bool negative, bool first) {
  if (first)
    os << (negative ? "-" : "");
  else
    os << (negative ? " - " : " + ");
}

std::string Expr::str() const {
  if (!isValid())
    return "<invalid>";
  if (terms().empty())
    return "0";
  std::string text;
  llvm::raw_string_ostream os(text);
  bool first = true;
  for (const Term &term : terms()) {
    printSign(os, term.coefficient < 0, first);
    first = false;
    uint64_t magnitude = term.coefficient < 0 ? -uint64_t(term.coefficient)
                                              : uint64_t(term.coefficient);
    if (magnitude != 1 || term.factors.empty())
      os << magnitude << (term.factors.empty() ? "" : "*");
    llvm::interleave(
        term.factors, os, [&](const Atom *factor) { print(os, *factor); }, "*");
  }
  return text;
}

static llvm::StringRef spelling(Relation::Kind kind) {
  switch (kind) {
  case Relation::Kind::EQ:
    return "==";
  case Relation::Kind::NE:
    return "!=";
  case Relation::Kind::LE:
    return "<=";
  case Relation::Kind::LT:
    return "<";
  case Relation::Kind::GE:
    return ">=";
  case Relation::Kind::GT:
    break;
  }
  return ">";
}

std::string Relation::str() const {
  // Divisibility as it is written by hand: "n % 8 == 0".
  const Atom *atom = asAtom(lhs);
  if (atom && atom->kind == Atom::Kind::Mod) {
    std::string dividend = atom->lhs.str();
    if (!atom->lhs.isSymbol())
      dividend = "(" + dividend + ")";
    if (atom->rhs.constant().value_or(0) > 0)
      return dividend + " % " + atom->rhs.str() + " " + spelling(kind).str() +
             " " + rhs.str();
  }
  return (lhs.str() + " " + spelling(kind) + " " + rhs.str()).str();
}

Relation Relation::substitute(const std::map<std::string, Expr> &values) const {
  return {kind, lhs.substitute(values), rhs.substitute(values)};
}

std::optional<bool>
Relation::evaluate(const std::map<std::string, int64_t> &values) const {
  std::optional<int64_t> left = lhs.evaluate(values);
  std::optional<int64_t> right = rhs.evaluate(values);
  if (!left || !right)
    return std::nullopt;
  switch (kind) {
  case Kind::EQ:
    return *left == *right;
  case Kind::NE:
    return *left != *right;
  case Kind::LE:
    return *left <= *right;
  case Kind::LT:
    return *left < *right;
  case Kind::GE:
    return *left >= *right;
  case Kind::GT:
    break;
  }
  return *left > *right;
}

Condition Condition::divisible(Expr expr, Expr divisor) {
  return equal(Expr::mod(expr, divisor), Expr());
}

Condition Condition::equal(Expr lhs, Expr rhs) {
  return Relation{Relation::Kind::EQ, lhs, rhs};
}

bool Condition::isValid() const {
  return llvm::all_of(anyOf, [](const Relation &relation) {
    return relation.lhs.isValid() && relation.rhs.isValid();
  });
}

void Condition::collectSymbols(std::set<std::string> &names) const {
  for (const Relation &relation : anyOf) {
    relation.lhs.collectSymbols(names);
    relation.rhs.collectSymbols(names);
  }
}

std::string Condition::str() const {
  if (anyOf.empty())
    return "0 == 1";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      anyOf, os, [&](const Relation &relation) { os << relation.str(); },
      " || ");
  return text;
}

Condition
Condition::substitute(const std::map<std::string, Expr> &values) const {
  Condition result;
  for (const Relation &relation : anyOf)
    result.anyOf.push_back(relation.substitute(values));
  return result;
}

std::optional<bool>
Condition::evaluate(const std::map<std::string, int64_t> &values) const {
  std::optional<bool> result = false;
  for (const Relation &relation : anyOf) {
    std::optional<bool> holds = relation.evaluate(values);
    if (holds == true)
      return true;
    if (!holds)
      result = std::nullopt;
  }
  return result;
}
