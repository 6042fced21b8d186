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
/// Steps of one question.
static constexpr uint64_t kMaxWork = 200'000;

static std::set<std::string> symbolsOf(llvm::ArrayRef<Constraint> constraints) {
  std::set<std::string> symbols;
  for (const Constraint &constraint : constraints)
    constraint.expr.collectSymbols(symbols);
  return symbols;
}

Refuter::Refuter(const View &view, ProofBudget &budget, bool wantsCandidate)
    : view(view), budget(budget), wantsCandidate(wantsCandidate) {}

void FactLookup::update() {
  if (removals != view.removals()) {
    constraints.clear();
    disjunctions.clear();
    constraintCount = disjunctionCount = 0;
    removals = view.removals();
  }
  for (; constraintCount < view.constraints.size(); ++constraintCount)
    for (const std::string &symbol :
         symbolsOf({view.constraints[constraintCount]}))
      constraints[symbol].push_back(constraintCount);
  for (; disjunctionCount < view.disjunctions.size(); ++disjunctionCount)
    for (const std::string &symbol :
         symbolsOf(view.disjunctions[disjunctionCount]))
      disjunctions[symbol].push_back(disjunctionCount);
}

FactLookup::Found FactLookup::near(const std::set<std::string> &symbols) {
  update();
  std::set<unsigned> foundConstraints, foundDisjunctions;
  std::set<std::string> reached = symbols, fresh = symbols;
  auto isFull = [&] {
    return foundConstraints.size() + foundDisjunctions.size() >= kMaxFacts;
  };
  while (!fresh.empty() && !isFull()) {
    std::set<unsigned> nextConstraints, nextDisjunctions;
    for (const std::string &symbol : fresh) {
      auto collect = [&](const Index &index, std::set<unsigned> &next) {
        if (auto found = index.find(symbol); found != index.end())
          next.insert(found->second.begin(), found->second.end());
      };
      collect(constraints, nextConstraints);
      collect(disjunctions, nextDisjunctions);
    }
    std::set<std::string> mentioned;
    for (unsigned number : nextConstraints)
      if (!isFull() && foundConstraints.insert(number).second)
        view.constraints[number].expr.collectSymbols(mentioned);
    for (unsigned number : nextDisjunctions)
      if (!isFull() && foundDisjunctions.insert(number).second)
        for (const Constraint &constraint : view.disjunctions[number])
          constraint.expr.collectSymbols(mentioned);
    fresh.clear();
    for (const std::string &symbol : mentioned)
      if (reached.insert(symbol).second)
        fresh.insert(symbol);
  }
  return {llvm::to_vector(foundConstraints),
          llvm::to_vector(foundDisjunctions)};
}

Refuter::Branch Refuter::makeBranch(llvm::ArrayRef<Constraint> constraints,
                                    llvm::ArrayRef<Alternatives> disjunctions) {
  Branch branch{Box(&view.box),
                llvm::SmallVector<Constraint>(constraints),
                llvm::SmallVector<Alternatives>(disjunctions),
                {},
                {}};
  if (constraints.empty() && disjunctions.empty()) {
    branch.constraints.append(view.constraints);
    branch.facts.append(view.disjunctions);
    return branch;
  }
  if (view.constraints.empty() && view.disjunctions.empty())
    return branch;
  // Facts about unrelated symbols cost time and, where the domain is not empty,
  // prove nothing.
  std::set<std::string> symbols = symbolsOf(constraints);
  for (const Alternatives &alternatives : disjunctions)
    symbols.merge(symbolsOf(alternatives));
  FactLookup::Found near = lookup.near(symbols);
  for (unsigned number : near.constraints)
    branch.constraints.push_back(view.constraints[number]);
  for (unsigned number : near.disjunctions)
    branch.facts.push_back(view.disjunctions[number]);
  return branch;
}

/// The steps of this question so far.
uint64_t Refuter::work() const { return termsBuilt() - start + linearWork; }

bool Refuter::isEmpty(llvm::ArrayRef<Constraint> constraints,
                      llvm::ArrayRef<Alternatives> disjunctions) {
  branchBudget = kMaxBranches;
  linearBudget = kMaxLinearSystems;
  witness.reset();
  if (view.isEmpty || budget.isSpent())
    return view.isEmpty;
  begin();
  bool result = refute(makeBranch(constraints, disjunctions));
  budget.spend(work());
  return result;
}

void Refuter::begin() {
  start = termsBuilt();
  linearWork = 0;
  workLimit = std::min(kMaxWork, budget.remaining());
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

/// Drops alternatives that the intervals refute and lists that they prove. A
/// list with one alternative left becomes a constraint. False if a list has
/// none left; `isMore` is set when there is a new constraint.
static bool propagate(llvm::SmallVector<Alternatives> &lists, Bounder &bounder,
                      llvm::SmallVector<Constraint> &constraints,
                      bool &isMore) {
  bool isPossible = true;
  llvm::erase_if(lists, [&](Alternatives &alternatives) {
    bool isProven = false;
    llvm::erase_if(alternatives, [&](const Constraint &constraint) {
      Verdict verdict = bounder.decide(constraint);
      isProven |= verdict == Verdict::True;
      return verdict == Verdict::False;
    });
    if (isProven)
      return true;
    isPossible &= !alternatives.empty();
    if (alternatives.size() != 1)
      return false;
    constraints.push_back(alternatives.front());
    return isMore = true;
  });
  return isPossible;
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
    // Alternatives are simplified once they are constraints: most never are.
    for (Constraint &constraint : branch.constraints)
      constraint.expr = simplifier.simplify(constraint.expr);
    bool isFalse = false;
    llvm::erase_if(branch.constraints, [&](const Constraint &constraint) {
      Verdict verdict = bounder.decide(constraint);
      isFalse |= verdict == Verdict::False;
      // A symbol's own bound lives on in the box.
      return verdict == Verdict::True;
    });
    bool isMore = false;
    if (isFalse ||
        !propagate(branch.goals, bounder, branch.constraints, isMore) ||
        !propagate(branch.facts, bounder, branch.constraints, isMore))
      return true;
    if (!eliminateEquality(branch) && !isMore)
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
  return rewriteAtoms(expr, [&](const Atom &atom) -> std::optional<Expr> {
    if (&atom == &target)
      return value;
    if (atom.kind == Atom::Kind::Symbol)
      return std::nullopt;
    Expr lhs = replaceAtom(atom.lhs, target, value);
    Expr rhs = replaceAtom(atom.rhs, target, value);
    if (lhs == atom.lhs && rhs == atom.rhs)
      return std::nullopt;
    return rebuildAtom(atom.kind, lhs, rhs);
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
  linearWork += system.cost();
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
  if (branchBudget == 0 || work() > workLimit)
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
  llvm::ArrayRef facts = llvm::ArrayRef(branch.constraints).drop_front();
  if (facts.empty() || budget.isSpent())
    return Bounder(branch.box).bounds(expr);
  begin();
  for (const Constraint &constraint : facts)
    system.add(constraint);
  Interval interval = system.optimize(expr);
  linearWork += system.cost();
  budget.spend(work());
  return interval;
}
