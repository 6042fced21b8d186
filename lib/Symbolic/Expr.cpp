// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expr: construction, polynomial arithmetic, substitution and evaluation.

#include "ambit/Symbolic/Expr.h"
#include "Node.h"
#include "ambit/Symbolic/Terms.h"

using namespace ambit;
using namespace ambit::detail;

Expr::Expr() : node(constantNode(0)) {}
Expr::Expr(int64_t value) : node(constantNode(value)) {}
Expr Expr::invalid() { return Expr(invalidNode()); }

Expr Expr::symbol(llvm::StringRef name) {
  return makeAtom(Atom::Kind::Symbol, name, Expr(), Expr());
}

bool Expr::isValid() const { return node->valid; }
llvm::StringRef Expr::problem() const {
  return node == oversizeNode() ? "has too many terms" : "overflows 64 bits";
}
llvm::ArrayRef<Term> Expr::terms() const { return node->terms; }

std::optional<int64_t> Expr::constant() const {
  if (!node->valid)
    return std::nullopt;
  if (node->terms.empty())
    return 0;
  if (node->terms.size() == 1 && node->terms[0].factors.empty())
    return node->terms[0].coefficient;
  return std::nullopt;
}

bool Expr::isSymbol() const {
  const Atom *atom = asAtom(*this);
  return atom && atom->kind == Atom::Kind::Symbol;
}

llvm::StringRef Expr::symbolName() const {
  return isSymbol() ? llvm::StringRef(asAtom(*this)->name) : llvm::StringRef();
}

bool Expr::operator<(Expr other) const { return compare(*this, other) < 0; }

static void append(std::vector<RawTerm> &terms, Expr expr) {
  for (const Term &term : expr.terms())
    terms.push_back(
        {term.coefficient, Factors(term.factors.begin(), term.factors.end())});
}

Expr ambit::operator+(Expr lhs, Expr rhs) {
  if (!lhs.isValid() || !rhs.isValid())
    return lhs.isValid() ? rhs : lhs;
  if (rhs.terms().empty())
    return lhs;
  if (lhs.terms().empty())
    return rhs;
  std::vector<RawTerm> terms;
  append(terms, lhs);
  append(terms, rhs);
  return makePolynomial(std::move(terms));
}

Expr ambit::operator*(Expr lhs, Expr rhs) {
  if (!lhs.isValid() || !rhs.isValid())
    return lhs.isValid() ? rhs : lhs;
  if (lhs.isConstant(1))
    return rhs;
  if (rhs.isConstant(1))
    return lhs;
  size_t left = lhs.terms().size(), right = rhs.terms().size();
  if (left > 1 && right > 1 && left * right > kMaxProductTerms)
    return oversize();
  std::vector<RawTerm> terms;
  for (const Term &left : lhs.terms())
    for (const Term &right : rhs.terms()) {
      auto product = checkedMul(left.coefficient, right.coefficient);
      if (!product)
        return Expr::invalid();
      RawTerm term{*product, {}};
      term.factors.append(left.factors.begin(), left.factors.end());
      term.factors.append(right.factors.begin(), right.factors.end());
      terms.push_back(std::move(term));
    }
  return makePolynomial(std::move(terms));
}

Expr ambit::operator-(Expr operand) { return operand * Expr(-1); }

Expr ambit::operator-(Expr lhs, Expr rhs) {
  if (lhs == rhs)
    return lhs.isValid() ? Expr() : lhs;
  return lhs + -rhs;
}

void Expr::collectSymbols(std::set<std::string> &names) const {
  for (const Term &term : terms())
    for (const Atom *factor : term.factors) {
      if (factor->kind == Atom::Kind::Symbol) {
        names.insert(factor->name);
        continue;
      }
      factor->lhs.collectSymbols(names);
      factor->rhs.collectSymbols(names);
    }
}

static std::optional<Expr>
substituteAtom(const Atom &atom, const std::map<std::string, Expr> &values) {
  if (atom.kind == Atom::Kind::Symbol) {
    auto found = values.find(atom.name);
    if (found == values.end())
      return std::nullopt;
    return found->second;
  }
  Expr lhs = atom.lhs.substitute(values), rhs = atom.rhs.substitute(values);
  if (lhs == atom.lhs && rhs == atom.rhs)
    return std::nullopt;
  return rebuildAtom(atom.kind, lhs, rhs);
}

Expr detail::rebuildAtom(Atom::Kind kind, Expr lhs, Expr rhs) {
  switch (kind) {
  case Atom::Kind::FloorDiv:
    return Expr::floorDiv(lhs, rhs);
  case Atom::Kind::Mod:
    return Expr::mod(lhs, rhs);
  case Atom::Kind::Min:
    return Expr::min(lhs, rhs);
  case Atom::Kind::Max:
    return Expr::max(lhs, rhs);
  case Atom::Kind::Symbol:
    break;
  }
  return Expr::invalid();
}

Expr Expr::substitute(const std::map<std::string, Expr> &values) const {
  return rewriteAtoms(
      *this, [&](const Atom &atom) { return substituteAtom(atom, values); });
}

/// A term over rewritten atoms; nothing when all of them stay.
static std::optional<Expr> rewriteTerm(const Term &term, AtomRewrite rewrite) {
  llvm::SmallVector<std::optional<Expr>, 4> factors;
  bool isChanged = false;
  for (const Atom *factor : term.factors) {
    std::optional<Expr> next = rewrite(*factor);
    if (next && asAtom(*next) == factor)
      next.reset();
    isChanged |= next.has_value();
    factors.push_back(next);
  }
  countTerms(2 * factors.size());
  if (!isChanged)
    return std::nullopt;
  Expr product(term.coefficient);
  for (auto [factor, next] : llvm::zip_equal(term.factors, factors))
    product = product * next.value_or(ambit::asExpr(*factor));
  return product;
}

Expr detail::rewriteAtoms(Expr expr, AtomRewrite rewrite) {
  if (!expr.isValid())
    return expr;
  std::vector<RawTerm> terms;
  bool isChanged = false;
  for (const Term &term : expr.terms()) {
    std::optional<Expr> next = rewriteTerm(term, rewrite);
    isChanged |= next.has_value();
    if (!next) {
      terms.push_back({term.coefficient,
                       Factors(term.factors.begin(), term.factors.end())});
      continue;
    }
    if (!next->isValid())
      return *next;
    append(terms, *next);
  }
  countTerms(isChanged ? 0 : terms.size() + 1);
  return isChanged ? makePolynomial(std::move(terms)) : expr;
}

Expr ambit::asExpr(const Atom &atom) { return makeTerm(1, {&atom}); }

Expr ambit::asExpr(const Term &term) {
  return makeTerm(term.coefficient, term.factors);
}

int64_t ambit::contentOf(Expr expr) {
  int64_t content = 0;
  for (const Term &term : expr.terms())
    content = gcd(content, term.coefficient);
  return content;
}

static std::optional<int64_t>
evaluateAtom(const Atom &atom, const std::map<std::string, int64_t> &values) {
  if (atom.kind == Atom::Kind::Symbol) {
    auto found = values.find(atom.name);
    if (found == values.end())
      return std::nullopt;
    return found->second;
  }
  std::optional<int64_t> lhs = atom.lhs.evaluate(values);
  std::optional<int64_t> rhs = atom.rhs.evaluate(values);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (atom.kind) {
  case Atom::Kind::FloorDiv:
    return checkedFloorDiv(*lhs, *rhs);
  case Atom::Kind::Mod:
    return checkedMod(*lhs, *rhs);
  case Atom::Kind::Min:
    return std::min(*lhs, *rhs);
  case Atom::Kind::Max:
    return std::max(*lhs, *rhs);
  case Atom::Kind::Symbol:
    break;
  }
  return std::nullopt;
}

std::optional<int64_t>
Expr::evaluate(const std::map<std::string, int64_t> &values) const {
  if (!isValid())
    return std::nullopt;
  int64_t sum = 0;
  for (const Term &term : terms()) {
    std::optional<int64_t> product = term.coefficient;
    for (const Atom *factor : term.factors) {
      std::optional<int64_t> value = evaluateAtom(*factor, values);
      if (!value)
        return std::nullopt;
      product = checkedMul(*product, *value);
      if (!product)
        return std::nullopt;
    }
    std::optional<int64_t> next = checkedAdd(sum, *product);
    if (!next)
      return std::nullopt;
    sum = *next;
  }
  return sum;
}
