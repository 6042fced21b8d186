// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refutation by interval propagation, elimination of equalities, case splits on
// min, max and disjunctions, and Presburger arithmetic at the leaves.

#include "Refuter.h"
#include "LinearSystem.h"

using namespace ambit;
using namespace ambit::detail;

static constexpr unsigned kMaxBranches = 96;
static constexpr unsigned kMaxLinearSystems = 24;
static constexpr unsigned kMaxEliminations = 16;
static constexpr unsigned kMaxFacts = 24;

static std::set<std::string> symbolsOf(llvm::ArrayRef<Constraint> constraints) {
  std::set<std::string> symbols;
  for (const Constraint &constraint : constraints)
    constraint.expr.collectSymbols(symbols);
  return symbols;
}

Refuter::Refuter(const View &view, bool wantsCandidate)
    : view(view), wantsCandidate(wantsCandidate) {
  for (const Constraint &constraint : view.constraints)
    constraintSymbols.push_back(symbolsOf({constraint}));
  for (const Alternatives &alternatives : view.disjunctions)
    disjunctionSymbols.push_back(symbolsOf(alternatives));
}

/// Marks sets that meet `reached`, then those that meet a marked one, and so on
/// to the limit: facts that are near come first.
static std::vector<bool>
joinReached(std::set<std::string> reached,
            llvm::ArrayRef<std::set<std::string>> sets) {
  std::vector<bool> joined(sets.size());
  unsigned count = 0;
  for (bool changed = true; changed;) {
    changed = false;
    std::set<std::string> next = reached;
    for (size_t i = 0; i < sets.size() && count < kMaxFacts; ++i) {
      if (joined[i] || llvm::none_of(sets[i], [&](const std::string &symbol) {
            return reached.count(symbol);
          }))
        continue;
      next.insert(sets[i].begin(), sets[i].end());
      joined[i] = changed = true;
      ++count;
    }
    reached = std::move(next);
  }
  return joined;
}

Refuter::Branch
Refuter::makeBranch(llvm::ArrayRef<Constraint> constraints,
                    llvm::ArrayRef<Alternatives> disjunctions) const {
  Branch branch{view.box,
                llvm::SmallVector<Constraint>(constraints),
                llvm::SmallVector<Alternatives>(disjunctions),
                {},
                {}};
  if (view.constraints.empty() && view.disjunctions.empty())
    return branch;
  // Facts about unrelated symbols cost time and, where the domain is not empty,
  // prove nothing.
  std::set<std::string> reached = symbolsOf(constraints);
  for (const Alternatives &alternatives : disjunctions)
    for (const std::string &symbol : symbolsOf(alternatives))
      reached.insert(symbol);
  std::vector<std::set<std::string>> sets = constraintSymbols;
  sets.insert(sets.end(), disjunctionSymbols.begin(), disjunctionSymbols.end());
  bool takeAll = constraints.empty() && disjunctions.empty();
  std::vector<bool> joined = joinReached(std::move(reached), sets);
  for (auto [index, constraint] : llvm::enumerate(view.constraints))
    if (takeAll || joined[index])
      branch.constraints.push_back(constraint);
  for (auto [index, alternatives] : llvm::enumerate(view.disjunctions))
    if (takeAll || joined[view.constraints.size() + index])
      branch.facts.push_back(alternatives);
  return branch;
}

bool Refuter::isEmpty(llvm::ArrayRef<Constraint> constraints,
                      llvm::ArrayRef<Alternatives> disjunctions) {
  branchBudget = kMaxBranches;
  linearBudget = kMaxLinearSystems;
  witness.reset();
  return view.isEmpty || refute(makeBranch(constraints, disjunctions));
}

void Refuter::Branch::rewrite(llvm::function_ref<Expr(Expr)> rewriter) {
  for (Constraint &constraint : constraints)
    constraint.expr = rewriter(constraint.expr);
  for (auto *lists : {&goals, &facts})
    for (Alternatives &alternatives : *lists)
      for (Constraint &constraint : alternatives)
        constraint.expr = rewriter(constraint.expr);
}

/// Uses an equality with a unit symbol up: the symbol goes everywhere.
bool Refuter::eliminateEquality(Branch &branch) {
  for (size_t i = 0; i < branch.constraints.size(); ++i) {
    if (!branch.constraints[i].isEquality)
      continue;
    auto solution = solveForSymbol(branch.constraints[i].expr);
    if (!solution)
      continue;
    auto &[symbol, value] = *solution;
    branch.constraints.erase(branch.constraints.begin() + i);
    std::map<std::string, Expr> binding{{symbol, value}};
    branch.rewrite([&](Expr expr) { return expr.substitute(binding); });
    Interval interval = branch.box[symbol];
    if (interval.min != Interval::kMin)
      branch.constraints.push_back({value - Expr(interval.min)});
    if (interval.max != Interval::kMax)
      branch.constraints.push_back({Expr(interval.max) - value});
    branch.bindings.push_back({symbol, value});
    return true;
  }
  return false;
}

/// Propagates and simplifies the branch in place. True if it has no point.
bool Refuter::isContradictory(Branch &branch) {
  for (unsigned step = 0; step < kMaxEliminations; ++step) {
    // What overflowed on the way says nothing any more.
    llvm::erase_if(branch.constraints, [](const Constraint &constraint) {
      return !constraint.expr.isValid();
    });
    if (!branch.box.tighten(branch.constraints))
      return true;
    Bounder bounder(branch.box);
    IntervalSimplifier simplifier(bounder);
    branch.rewrite([&](Expr expr) { return simplifier.simplify(expr); });
    bool isFalse = false;
    llvm::erase_if(branch.constraints, [&](const Constraint &constraint) {
      Verdict verdict = bounder.decide(constraint);
      isFalse |= verdict == Verdict::False;
      // A symbol's own bound lives on in the box.
      return verdict == Verdict::True;
    });
    if (isFalse)
      return true;
    if (!eliminateEquality(branch))
      return false;
  }
  return false;
}

/// A min or max whose operands contain no other one.
static const Atom *findExtremum(Expr expr) {
  for (const Term &term : expr.terms())
    for (const Atom *factor : term.factors) {
      if (factor->kind == Atom::Kind::Symbol)
        continue;
      for (Expr operand : {factor->lhs, factor->rhs})
        if (const Atom *inner = findExtremum(operand))
          return inner;
      if (factor->kind == Atom::Kind::Min || factor->kind == Atom::Kind::Max)
        return factor;
    }
  return nullptr;
}

static Expr replaceAtom(Expr expr, const Atom &target, Expr value) {
  return rewriteAtoms(expr, [&](const Atom &atom) {
    if (&atom == &target)
      return value;
    const Atom *pointer = &atom;
    if (atom.kind == Atom::Kind::Symbol)
      return makeTerm(1, {pointer});
    return rebuildAtom(atom.kind, replaceAtom(atom.lhs, target, value),
                       replaceAtom(atom.rhs, target, value));
  });
}

bool Refuter::refuteExtremum(const Branch &branch, const Atom &atom) {
  // min(a, b) is a where b - a >= 0, and b where a - b >= 1.
  Expr difference = atom.rhs - atom.lhs;
  if (atom.kind == Atom::Kind::Max)
    difference = -difference;
  const std::pair<Expr, Expr> cases[] = {{atom.lhs, difference},
                                         {atom.rhs, -difference - Expr(1)}};
  for (auto [value, condition] : cases) {
    Branch copy = branch;
    copy.rewrite([&](Expr expr) { return replaceAtom(expr, atom, value); });
    copy.constraints.push_back({condition});
    if (!refute(std::move(copy)))
      return false;
  }
  return true;
}

bool Refuter::refuteAlternatives(const Branch &branch,
                                 const Alternatives &alternatives) {
  for (const Constraint &alternative : alternatives) {
    Branch copy = branch;
    // An alternative that overflowed restricts nothing: it cannot be refuted
    // by itself, only together with the rest.
    copy.constraints.push_back(alternative);
    if (!refute(std::move(copy)))
      return false;
  }
  return true;
}

bool Refuter::refuteLinear(const Branch &branch) {
  if (linearBudget == 0)
    return false;
  --linearBudget;
  LinearSystem system(branch.box);
  for (const Constraint &constraint : branch.constraints)
    system.add(constraint);
  system.defineMonomials();
  if (system.isEmpty())
    return true;
  if (wantsCandidate && !witness && branch.facts.empty()) {
    witness = system.sample();
    if (!witness)
      return false;
    // Eliminated symbols follow from the ones that are left.
    for (const auto &[symbol, value] : llvm::reverse(branch.bindings)) {
      std::set<std::string> symbols;
      value.collectSymbols(symbols);
      for (const std::string &name : symbols)
        witness->insert({name, branch.box[name].min});
      if (std::optional<int64_t> number = value.evaluate(*witness))
        (*witness)[symbol] = *number;
    }
  }
  return false;
}

bool Refuter::refute(Branch branch) {
  if (branchBudget == 0)
    return false;
  --branchBudget;
  if (isContradictory(branch))
    return true;
  if (!branch.goals.empty()) {
    Alternatives goal = branch.goals.pop_back_val();
    return refuteAlternatives(branch, goal);
  }
  for (const Constraint &constraint : branch.constraints)
    if (const Atom *atom = findExtremum(constraint.expr))
      return refuteExtremum(branch, *atom);
  if (refuteLinear(branch))
    return true;
  if (branch.facts.empty())
    return false;
  Alternatives fact = branch.facts.pop_back_val();
  return refuteAlternatives(branch, fact);
}

Interval Refuter::optimize(Expr expr) {
  Branch branch = makeBranch({{expr}}, {});
  LinearSystem system(branch.box);
  // The first one is the expression itself, and no fact.
  for (const Constraint &constraint :
       llvm::ArrayRef(branch.constraints).drop_front())
    system.add(constraint);
  return system.optimize(expr);
}
