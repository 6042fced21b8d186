// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns ranges, divisors and facts into substitutions, a box and constraints.

#include "View.h"

using namespace ambit;
using namespace ambit::detail;

/// An equality whose other side is larger than this is not substituted.
static constexpr uint32_t kMaxBoundSize = 40;

Relation detail::negate(Relation relation) {
  using Kind = Relation::Kind;
  switch (relation.kind) {
  case Kind::EQ:
    return {Kind::NE, relation.lhs, relation.rhs};
  case Kind::NE:
    return {Kind::EQ, relation.lhs, relation.rhs};
  case Kind::LE:
    return {Kind::GT, relation.lhs, relation.rhs};
  case Kind::LT:
    return {Kind::GE, relation.lhs, relation.rhs};
  case Kind::GE:
    return {Kind::LT, relation.lhs, relation.rhs};
  case Kind::GT:
    break;
  }
  return {Kind::LE, relation.lhs, relation.rhs};
}

Alternatives detail::asConstraints(const Relation &relation) {
  Expr difference = relation.lhs - relation.rhs, one(1);
  switch (relation.kind) {
  case Relation::Kind::EQ:
    return {{difference, true}};
  case Relation::Kind::NE:
    return {{difference - one}, {-difference - one}};
  case Relation::Kind::LE:
    return {{-difference}};
  case Relation::Kind::LT:
    return {{-difference - one}};
  case Relation::Kind::GE:
    return {{difference}};
  case Relation::Kind::GT:
    break;
  }
  return {{difference - one}};
}

/// Reads `s % k == 0` into the symbol's divisor.
static bool readDivisor(const Relation &relation,
                        std::map<std::string, SymbolRange> &ranges) {
  if (relation.kind != Relation::Kind::EQ || !relation.rhs.isConstant(0))
    return false;
  llvm::ArrayRef<Term> terms = relation.lhs.terms();
  if (terms.size() != 1 || terms[0].factors.size() != 1)
    return false;
  const Atom *atom = terms[0].factors[0];
  if (atom->kind != Atom::Kind::Mod || !atom->lhs.isSymbol())
    return false;
  std::optional<int64_t> k = atom->rhs.constant();
  std::string symbol = atom->lhs.symbolName().str();
  SymbolRange &range =
      ranges.try_emplace(symbol, Domain().range(symbol)).first->second;
  if (!k || *k < 1 || range.divisor < 1)
    return false;
  std::optional<int64_t> multiple =
      checkedMul(range.divisor / gcd(range.divisor, *k), *k);
  if (!multiple)
    return false;
  range.divisor = *multiple;
  return true;
}

void View::bindRange(const std::string &symbol, SymbolRange range) {
  int64_t divisor = std::max<int64_t>(range.divisor, 1);
  divisors[symbol] = divisor;
  Interval interval{range.min, range.max};
  if (divisor > 1) {
    // Divide by rounding inwards; infinite bounds stay.
    if (range.min != Interval::kMin)
      interval.min = -*checkedFloorDiv(-range.min, divisor);
    if (range.max != Interval::kMax)
      interval.max = *checkedFloorDiv(range.max, divisor);
  }
  isEmpty |= interval.min > interval.max;
  if (interval.isPoint()) {
    setImage(symbol, Expr(interval.min) * Expr(divisor));
  } else if (divisor > 1) {
    std::string multiple = "\1" + symbol;
    setImage(symbol, Expr::symbol(multiple) * Expr(divisor));
    box.set(multiple, interval);
  } else {
    box.set(symbol, interval);
  }
}

void View::setImage(const std::string &symbol, Expr image) {
  auto [entry, isNew] = substitution.try_emplace(symbol, image);
  std::set<std::string> symbols;
  if (!isNew) {
    entry->second.collectSymbols(symbols);
    for (const std::string &name : symbols)
      mentioned[name].erase(symbol);
    byImage[entry->second.getAsOpaquePointer()].erase(symbol);
    entry->second = image;
    symbols.clear();
  }
  image.collectSymbols(symbols);
  for (const std::string &name : symbols)
    mentioned[name].insert(symbol);
  byImage[image.getAsOpaquePointer()].insert(symbol);
}

const std::set<std::string> &View::dependents(const std::string &symbol) const {
  static const std::set<std::string> none;
  auto found = mentioned.find(symbol);
  return found == mentioned.end() ? none : found->second;
}

std::optional<std::string> View::nameOf(Expr image) const {
  auto found = byImage.find(image.getAsOpaquePointer());
  if (found != byImage.end())
    for (const std::string &symbol : found->second)
      if (!isMultiple(symbol))
        return symbol;
  return std::nullopt;
}

static bool mentions(Expr expr, const Atom *symbol) {
  return llvm::any_of(expr.terms(), [&](const Term &term) {
    return llvm::any_of(term.factors, [&](const Atom *factor) {
      return factor == symbol ||
             (factor->kind != Atom::Kind::Symbol &&
              (mentions(factor->lhs, symbol) || mentions(factor->rhs, symbol)));
    });
  });
}

/// Whether the box alone keeps the value in the interval.
bool View::isWithin(Expr value, Interval interval) {
  Interval known = Bounder(box).bounds(value);
  return known.min >= interval.min && known.max <= interval.max;
}

void View::bind(const std::string &symbol, Expr value) {
  const Atom *atom = asAtom(Expr::symbol(symbol));
  std::map<std::string, Expr> binding{{symbol, value}};
  auto rewrite = [&](Constraint &constraint) {
    if (mentions(constraint.expr, atom))
      constraint.expr = constraint.expr.substitute(binding);
  };
  reboundSymbols = dependents(symbol);
  for (const std::string &name : reboundSymbols)
    setImage(name, substitution.at(name).substitute(binding));
  for (Constraint &constraint : constraints)
    rewrite(constraint);
  for (Alternatives &alternatives : disjunctions)
    llvm::for_each(alternatives, rewrite);
  setImage(symbol, value);
  reboundSymbols.insert(symbol);
  Interval interval = box[symbol];
  if (isWithin(value, interval))
    return;
  if (interval.min != Interval::kMin)
    constraints.push_back({value - Expr(interval.min)});
  if (interval.max != Interval::kMax)
    constraints.push_back({Expr(interval.max) - value});
}

std::optional<std::pair<std::string, Expr>>
detail::solveForSymbol(Expr difference) {
  for (const Term &term : llvm::reverse(difference.terms())) {
    if (term.factors.size() != 1 ||
        term.factors[0]->kind != Atom::Kind::Symbol ||
        (term.coefficient != 1 && term.coefficient != -1))
      continue;
    Expr rest = difference - makeTerm(term.coefficient, term.factors);
    std::set<std::string> others;
    rest.collectSymbols(others);
    Expr value = rest * Expr(-term.coefficient);
    if (value.isValid() && !others.count(term.factors[0]->name))
      return std::pair(term.factors[0]->name, value);
  }
  return std::nullopt;
}

bool View::bindSymbol(Expr difference) {
  auto solution = solveForSymbol(difference);
  if (!solution || ExprNode::of(solution->second)->size > kMaxBoundSize)
    return false;
  bind(solution->first, solution->second);
  return true;
}

/// An expression of the same sign, without the factors that all terms share and
/// that the box keeps above 0: 8*n - 4*n*n as 8 - 4*n where n >= 1.
Expr View::dropPositiveFactors(Expr expr) const {
  if (!expr.isValid() || expr.terms().empty())
    return expr;
  llvm::SmallVector<const Atom *> shared(expr.terms().front().factors);
  for (const Term &term : expr.terms()) {
    llvm::SmallVector<const Atom *> left(term.factors);
    llvm::erase_if(shared, [&](const Atom *atom) {
      auto *found = llvm::find(left, atom);
      if (found == left.end())
        return true;
      left.erase(found);
      return false;
    });
  }
  llvm::erase_if(shared, [&](const Atom *atom) {
    return Bounder(box).bounds(llvm::ArrayRef(atom)).min < 1;
  });
  if (shared.empty())
    return expr;
  Expr quotient(0);
  for (const Term &term : expr.terms()) {
    llvm::SmallVector<const Atom *> left(term.factors);
    for (const Atom *atom : shared)
      left.erase(llvm::find(left, atom));
    quotient = quotient + makeTerm(term.coefficient, left);
  }
  return quotient;
}

/// A fact over the view's symbols; nothing when it is too large to say, which
/// is a fact not used.
std::optional<Alternatives>
View::readAlternatives(const Condition &fact) const {
  Alternatives alternatives;
  for (const Relation &relation : fact.anyOf)
    for (Constraint constraint :
         asConstraints(relation.substitute(substitution))) {
      if (!constraint.expr.isValid())
        return std::nullopt;
      constraint.expr = dropPositiveFactors(constraint.expr);
      alternatives.push_back(constraint);
    }
  return alternatives;
}

void View::addFacts(llvm::ArrayRef<Condition> facts) {
  for (const Condition &fact : facts) {
    std::optional<Alternatives> alternatives = readAlternatives(fact);
    if (!alternatives)
      continue;
    isEmpty |= alternatives->empty();
    if (alternatives->size() != 1) {
      disjunctions.push_back(*alternatives);
      continue;
    }
    const Constraint &only = alternatives->front();
    if (!only.isEquality || !bindSymbol(only.expr))
      constraints.push_back(only);
  }
}

bool View::add(const Condition &fact) {
  std::map<std::string, SymbolRange> unused;
  if (fact.anyOf.size() == 1 && readDivisor(fact.anyOf[0], unused))
    return false;
  std::optional<Alternatives> alternatives = readAlternatives(fact);
  if (!alternatives)
    return true;
  llvm::erase_if(*alternatives, [&](const Constraint &constraint) {
    return bounder.decide(constraint) == Verdict::False;
  });
  isEmpty |= alternatives->empty();
  if (alternatives->size() > 1)
    disjunctions.push_back(*alternatives);
  if (alternatives->size() != 1)
    return true;
  addConstraint(alternatives->front());
  return true;
}

void View::addConstraint(const Constraint &constraint) {
  unsigned before = box.changeCount();
  if (constraint.isEquality && bindSymbol(constraint.expr)) {
    ++bindingCount;
    dropOversized();
  } else {
    constraints.push_back(constraint);
    isEmpty |= !box.tighten({constraint});
    if (box.changeCount() == before)
      return;
  }
  isEmpty |= !box.tighten(constraints);
  propagateUnits();
  bounder.forget();
  simplifier.forget();
}

/// Substitution may have overflowed: such a fact is of no use.
void View::dropOversized() {
  llvm::erase_if(constraints, [](const Constraint &constraint) {
    return !constraint.expr.isValid();
  });
  llvm::erase_if(disjunctions, [](const Alternatives &alternatives) {
    return llvm::any_of(alternatives, [](const Constraint &constraint) {
      return !constraint.expr.isValid();
    });
  });
}

bool View::add(llvm::StringRef symbol, SymbolRange range) {
  if (range.min == range.max || range.divisor > 1)
    return false;
  unsigned before = box.changeCount();
  bindRange(symbol.str(), range);
  return box.changeCount() != before;
}

View::View(const Domain &domain) {
  std::map<std::string, SymbolRange> ranges = domain.ranges();
  llvm::SmallVector<Condition> facts;
  for (const Condition &fact : domain.assumptions())
    if (fact.anyOf.size() != 1 || !readDivisor(fact.anyOf[0], ranges))
      facts.push_back(fact);
  for (const auto &[symbol, range] : ranges)
    bindRange(symbol, range);
  addFacts(facts);
  dropOversized();
  isEmpty |= !box.tighten(constraints);
  propagateUnits();
}

/// Drops what the box decides; a list with one open alternative left becomes a
/// constraint.
void View::propagateUnits() {
  ++removalCount;
  Bounder current(box);
  llvm::erase_if(disjunctions, [&](Alternatives &alternatives) {
    llvm::erase_if(alternatives, [&](const Constraint &constraint) {
      return current.decide(constraint) == Verdict::False;
    });
    isEmpty |= alternatives.empty();
    if (alternatives.size() == 1)
      constraints.push_back(alternatives[0]);
    return alternatives.size() < 2;
  });
  isEmpty |= !box.tighten(constraints);
  // What the box knows by now may divide what was read before.
  for (Constraint &constraint : constraints)
    constraint.expr = dropPositiveFactors(constraint.expr);
  isEmpty |= !box.tighten(constraints);
  Bounder final(box);
  llvm::erase_if(constraints, [&](const Constraint &constraint) {
    Verdict verdict = final.decide(constraint);
    isEmpty |= verdict == Verdict::False;
    return verdict == Verdict::True;
  });
}

Expr View::normalise(Expr expr) {
  return simplifier.simplify(expr.substitute(substitution));
}

Expr View::image(llvm::StringRef symbol) const {
  auto found = substitution.find(symbol.str());
  return found == substitution.end() ? Expr::symbol(symbol) : found->second;
}

int64_t View::divisorOf(llvm::StringRef symbol) const {
  auto found = divisors.find(symbol.str());
  return found == divisors.end() ? 1 : found->second;
}
