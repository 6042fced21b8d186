// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every atom is monotone in its operands, so a bound of an expression is made
// from bounds of its parts: products of factors that are not negative, sums by
// the sign of each coefficient.

#include "ambit/Symbolic/EntryBounds.h"

using namespace ambit;

/// The E of `symbol <= E`, or of `symbol < E` the one below.
static std::optional<Expr> readBound(const Condition &fact,
                                     llvm::StringRef symbol) {
  if (fact.anyOf.size() != 1)
    return std::nullopt;
  Relation relation = fact.anyOf.front();
  auto isSymbol = [&](Expr expr) {
    return expr.isSymbol() && expr.symbolName() == symbol;
  };
  using Kind = Relation::Kind;
  if (isSymbol(relation.rhs)) {
    std::swap(relation.lhs, relation.rhs);
    if (relation.kind == Kind::GE || relation.kind == Kind::GT)
      relation.kind = relation.kind == Kind::GE ? Kind::LE : Kind::LT;
    else if (relation.kind != Kind::EQ)
      return std::nullopt;
  }
  if (!isSymbol(relation.lhs))
    return std::nullopt;
  if (relation.kind == Kind::LE || relation.kind == Kind::EQ)
    return relation.rhs;
  if (relation.kind == Kind::LT)
    return relation.rhs - 1;
  return std::nullopt;
}

EntryBounds::EntryBounds(const Domain &domain) : entry(domain.atLevel(0)) {
  std::map<std::string, Expr> points;
  for (const auto &[symbol, range] : domain.ranges())
    if (range.min == range.max)
      points[symbol] = Expr(range.min);
  for (const std::string &symbol : domain.unbacked()) {
    SymbolRange range = domain.range(symbol);
    Bound bound{Expr(range.min), std::nullopt};
    if (range.max < Interval::kMax)
      bound.high = Expr(range.max);
    for (const Condition &fact : domain.assumptions()) {
      std::optional<Expr> high = readBound(fact, symbol);
      std::set<std::string> used;
      if (high)
        high->collectSymbols(used);
      // `symbol` itself is in `bounds` only after this, as are later ones.
      if (!high || used.count(symbol) || domain.level(fact) == 0 ||
          domain.level(fact) != domain.level(std::set<std::string>{symbol}))
        continue;
      high = above(high->substitute(points));
      if (!high || !high->isValid())
        continue;
      bound.high = bound.high ? Expr::min(*bound.high, *high) : *high;
    }
    if (bound.high)
      bound.high = entry.simplify(*bound.high);
    bounds.emplace(symbol, std::move(bound));
  }
}

void EntryBounds::add(const std::string &symbol, Expr last) {
  bounds[symbol] = Bound{Expr(0), above(last)};
}

bool EntryBounds::isEntry(Expr expr) const {
  if (bounds.empty())
    return true;
  std::set<std::string> used;
  expr.collectSymbols(used);
  return llvm::none_of(
      used, [&](const std::string &name) { return bounds.count(name) != 0; });
}

std::optional<Expr> EntryBounds::bound(const Atom &atom, bool wantsHigh) {
  using Kind = Atom::Kind;
  if (atom.kind == Kind::Symbol) {
    auto found = bounds.find(atom.name);
    if (found == bounds.end())
      return Expr::symbol(atom.name);
    return wantsHigh ? found->second.high : found->second.low;
  }
  if (atom.kind == Kind::FloorDiv || atom.kind == Kind::Mod) {
    // A divisor that is set later could be anything.
    if (!isEntry(atom.rhs) || !entry.isAtLeast(atom.rhs, 1))
      return std::nullopt;
    if (atom.kind == Kind::Mod && !isEntry(atom.lhs))
      return wantsHigh ? atom.rhs - 1 : Expr(0);
    std::optional<Expr> lhs = bound(atom.lhs, wantsHigh);
    if (!lhs)
      return std::nullopt;
    return atom.kind == Kind::Mod ? Expr::mod(*lhs, atom.rhs)
                                  : Expr::floorDiv(*lhs, atom.rhs);
  }
  std::optional<Expr> lhs = bound(atom.lhs, wantsHigh);
  std::optional<Expr> rhs = bound(atom.rhs, wantsHigh);
  bool isMin = atom.kind == Kind::Min;
  // One operand of a minimum bounds it from above, one of a maximum from below.
  if (!lhs || !rhs)
    return isMin == wantsHigh ? (lhs ? lhs : rhs) : std::nullopt;
  return isMin ? Expr::min(*lhs, *rhs) : Expr::max(*lhs, *rhs);
}

std::optional<Expr> EntryBounds::bound(const Term &term, bool wantsHigh) {
  bool isNegative = term.coefficient < 0;
  Expr known = 1;
  Expr later = 1;
  bool isMixed = false;
  for (const Atom *factor : term.factors) {
    Expr itself = 1;
    switch (factor->kind) {
    case Atom::Kind::Symbol:
      itself = Expr::symbol(factor->name);
      break;
    case Atom::Kind::FloorDiv:
      itself = Expr::floorDiv(factor->lhs, factor->rhs);
      break;
    case Atom::Kind::Mod:
      itself = Expr::mod(factor->lhs, factor->rhs);
      break;
    case Atom::Kind::Min:
      itself = Expr::min(factor->lhs, factor->rhs);
      break;
    case Atom::Kind::Max:
      itself = Expr::max(factor->lhs, factor->rhs);
      break;
    }
    if (isEntry(itself)) {
      known = known * itself;
      continue;
    }
    isMixed = true;
    std::optional<Expr> part = bound(*factor, wantsHigh != isNegative);
    bool isAlone = term.factors.size() == 1;
    // A product grows with its factors only where none is negative.
    if (!part || (!isAlone && !isSize(bound(*factor, false))))
      return std::nullopt;
    later = later * *part;
  }
  if (isMixed && !isSize(known))
    return std::nullopt;
  return Expr(term.coefficient) * known * later;
}

std::optional<Expr> EntryBounds::bound(Expr expr, bool wantsHigh) {
  if (isEntry(expr))
    return expr;
  Expr sum = 0;
  for (const Term &term : expr.terms()) {
    std::optional<Expr> part = bound(term, wantsHigh);
    if (!part || !part->isValid())
      return std::nullopt;
    sum = sum + *part;
  }
  if (!sum.isValid())
    return std::nullopt;
  return sum;
}

std::optional<Expr> EntryBounds::aboveSize(Expr size) {
  std::optional<Expr> high = above(size);
  if (!high || isEntry(size) || isSize(high))
    return high;
  return Expr::max(*high, Expr(0));
}
