// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prover: memoised answers from, in order of cost, the canonical form,
// intervals, counterexamples on a few sample points, and refutation.

#include "ambit/Symbolic/Prover.h"
#include "FactIndex.h"
#include "Refuter.h"
#include "Samples.h"
#include <tuple>

using namespace ambit;
using namespace ambit::detail;

/// Real models need up to a few hundred thousand steps.
static constexpr uint64_t kDefaultSteps = 40'000'000;

ProofBudget::ProofBudget() : left(kDefaultSteps) {}

/// A domain without levels, and what is known of it.
struct Prover::State {
  /// An answer, and the number of facts when it was given.
  template <typename T> struct Answer {
    T value;
    unsigned factCount = 0;
  };

  /// What is prepared for proofs; made anew where a fact changes what
  /// expressions look like.
  struct Prepared {
    Prepared(const Domain &domain, ProofBudget &budget)
        : view(domain), refuter(view, budget), samples(domain, view),
          factCount(domain.assumptions().size()) {}

    View view;
    Refuter refuter;
    Samples samples;
    llvm::DenseMap<std::pair<const void *, unsigned>, Answer<Truth>>
        constraintMemo;
    size_t factCount;
  };

  /// Prover::simplify asks the prover itself.
  class ProvingSimplifier : public Simplifier {
  public:
    explicit ProvingSimplifier(State &state) : state(state) {}

  protected:
    Interval bounds(Expr expr) override { return state.bounds(expr); }
    bool isAtLeast(Expr lhs, Expr rhs) override {
      return state.prove({state.view().normalise(lhs - rhs)}) == Truth::Yes;
    }
    int64_t divisorOf(llvm::StringRef symbol) override {
      return state.view().divisorOf(symbol);
    }
    std::optional<Expr> replacementOf(llvm::StringRef symbol) override {
      return state.representative(symbol);
    }
    unsigned factCount() const override { return state.index.size(); }
    unsigned lastFactOn(Expr expr) override { return state.lastFactOn({expr}); }

  private:
    State &state;
  };

  State(Domain given, ProofBudget &budget)
      : domain(std::move(given)), budget(budget) {
    for (const Condition &fact : domain.assumptions())
      index.add(fact);
  }

  void assume(const Condition &fact);
  void addSymbol(llvm::StringRef symbol, SymbolRange range);
  Prepared &prepare();
  View &view() { return prepare().view; }
  unsigned lastFactOn(llvm::ArrayRef<Expr> exprs);

  Truth prove(const Relation &relation);
  Truth prove(const Constraint &constraint);
  Truth decide(const Constraint &constraint);
  bool proveDisjunction(const Condition &condition);
  Interval bounds(Expr expr);
  Expr simplify(Expr expr);
  Expr representative(llvm::StringRef symbol);

  Domain domain;
  ProofBudget &budget;
  FactIndex index;
  std::unique_ptr<Prepared> prepared;
  ProvingSimplifier simplifier{*this};
  std::map<std::tuple<int, const void *, const void *>, Answer<Truth>>
      relationMemo;
  llvm::DenseMap<const void *, Answer<Interval>> boundsMemo;
};

Prover::Prover(Domain domain, std::shared_ptr<ProofBudget> budget)
    : whole(std::make_unique<Domain>(std::move(domain))),
      steps(budget ? std::move(budget) : std::make_shared<ProofBudget>()),
      states(whole->unbacked().size() + 1) {}
Prover::Prover(Prover &base, Domain part)
    : Prover(std::move(part), base.steps) {
  this->base = &base;
  isAll = *whole == base.domain();
}
Prover::~Prover() = default;
Prover::Prover(Prover &&) = default;
Prover &Prover::operator=(Prover &&) = default;
const Domain &Prover::domain() const { return *whole; }

Prover::State &Prover::stateFor(llvm::ArrayRef<Expr> exprs) {
  unsigned level = 0;
  if (states.size() > 1) {
    std::set<std::string> used;
    for (Expr expr : exprs)
      expr.collectSymbols(used);
    level = whole->level(used);
  }
  if (!states[level])
    states[level] = std::make_unique<State>(
        states.size() > 1 ? whole->atLevel(level) : *whole, *steps);
  return *states[level];
}

void Prover::assume(const Condition &fact) {
  isAll = false;
  whole->assume(fact);
  for (size_t level = whole->level(fact); level < states.size(); ++level)
    if (states[level])
      states[level]->assume(fact);
}

void Prover::addSymbol(llvm::StringRef symbol, SymbolRange range) {
  isAll = false;
  whole->setRange(symbol, range);
  for (std::unique_ptr<State> &state : states)
    if (state)
      state->addSymbol(symbol, range);
}

void Prover::addUnbacked(llvm::StringRef symbol, SymbolRange range) {
  addSymbol(symbol, range);
  whole->setUnbacked(symbol);
  states.resize(whole->unbacked().size() + 1);
}

/// Points that facts have thinned out are chosen again, when there are twice as
/// many facts as the last time.
static constexpr size_t kFewSamples = 2;

Prover::State::Prepared &Prover::State::prepare() {
  if (prepared && prepared->samples.size() < kFewSamples &&
      domain.assumptions().size() > 2 * prepared->factCount)
    prepared.reset();
  if (!prepared)
    prepared = std::make_unique<Prepared>(domain, budget);
  return *prepared;
}

void Prover::State::assume(const Condition &fact) {
  domain.assume(fact);
  index.add(fact);
  if (!prepared)
    return;
  bool wasEmpty = prepared->view.isEmpty;
  if (!prepared->view.add(fact)) {
    prepared.reset();
    return;
  }
  prepared->samples.add(fact);
  // Where there is nothing, everything holds, whatever it is about.
  if (prepared->view.isEmpty && !wasEmpty) {
    relationMemo.clear();
    boundsMemo.clear();
  }
}

void Prover::State::addSymbol(llvm::StringRef symbol, SymbolRange range) {
  domain.setRange(symbol, range);
  if (prepared && prepared->view.add(symbol, range))
    prepared->samples.extend(Expr::symbol(symbol));
  else
    prepared.reset();
}

/// The number of the last fact that may bear on the expressions.
unsigned Prover::State::lastFactOn(llvm::ArrayRef<Expr> exprs) {
  std::set<std::string> symbols;
  for (Expr expr : exprs)
    expr.collectSymbols(symbols);
  return index.last(symbols);
}

Expr Prover::State::representative(llvm::StringRef symbol) {
  Expr image = view().image(symbol);
  if (image.constant())
    return image;
  // An image that is a symbol of the domain is the smaller name for both.
  if (image.isSymbol() && !isMultiple(image.symbolName()))
    return image;
  // Of symbols proven equal, the first one speaks for all.
  std::optional<std::string> name = view().nameOf(image);
  return name ? Expr::symbol(*name) : Expr::symbol(symbol);
}

Truth Prover::State::decide(const Constraint &constraint) {
  Prepared &known = prepare();
  View &view = known.view;
  Refuter &refuter = known.refuter;
  Samples &samples = known.samples;
  if (view.isEmpty)
    return Truth::Yes;
  if (!constraint.expr.isValid())
    return Truth::Unknown;
  Verdict verdict = view.bounder.decide(constraint);
  if (verdict != Verdict::Open)
    return verdict == Verdict::True ? Truth::Yes : Truth::No;
  Samples::Seen seen = samples.evaluate(constraint);
  if (seen.isTrue && seen.isFalse)
    return Truth::Unknown;
  if (std::optional<Samples::Seen> all = samples.evaluateAll(constraint)) {
    if (!all->isFalse)
      return Truth::Yes;
    if (!all->isTrue)
      return Truth::No;
    if (view.constraints.empty() && view.disjunctions.empty())
      return Truth::Unknown;
  }
  Expr expr = constraint.expr, one(1);
  if (!seen.isFalse) {
    bool neverBelow = refuter.isEmpty({{-expr - one}});
    if (neverBelow &&
        (!constraint.isEquality || refuter.isEmpty({{expr - one}})))
      return Truth::Yes;
  }
  if (!seen.isTrue && refuter.isEmpty({constraint}))
    return Truth::No;
  return Truth::Unknown;
}

Truth Prover::State::prove(const Constraint &constraint) {
  std::pair<const void *, unsigned> key(constraint.expr.getAsOpaquePointer(),
                                        constraint.isEquality);
  auto &memo = prepare().constraintMemo;
  auto found = memo.find(key);
  if (found != memo.end() && (found->second.value != Truth::Unknown ||
                              found->second.factCount == index.size()))
    return found->second.value;
  Truth truth = decide(constraint);
  memo[key] = {truth, index.size()};
  return truth;
}

Truth Prover::State::prove(const Relation &relation) {
  std::tuple<int, const void *, const void *> key(
      int(relation.kind), relation.lhs.getAsOpaquePointer(),
      relation.rhs.getAsOpaquePointer());
  auto found = relationMemo.find(key);
  if (found != relationMemo.end()) {
    const auto &[truth, factCount] = found->second;
    if (truth != Truth::Unknown || factCount == index.size() ||
        lastFactOn({relation.lhs, relation.rhs}) <= factCount)
      return truth;
  }
  bool isNegated = relation.kind == Relation::Kind::NE;
  Relation positive = isNegated ? negate(relation) : relation;
  Constraint constraint = asConstraints(positive)[0];
  Truth truth = prove(view().normalise(constraint));
  if (isNegated && !view().isEmpty && truth != Truth::Unknown)
    truth = truth == Truth::Yes ? Truth::No : Truth::Yes;
  relationMemo[key] = {truth, index.size()};
  return truth;
}

/// Refutes the conjunction of the negated relations.
bool Prover::State::proveDisjunction(const Condition &condition) {
  Prepared &known = prepare();
  View &view = known.view;
  Refuter &refuter = known.refuter;
  Samples &samples = known.samples;
  llvm::SmallVector<Constraint> constraints;
  llvm::SmallVector<Alternatives> disjunctions;
  Condition normal;
  for (const Relation &relation : condition.anyOf) {
    Relation next{relation.kind, view.normalise(relation.lhs - relation.rhs),
                  Expr()};
    if (!next.lhs.isValid())
      return false;
    normal.anyOf.push_back(next);
    Alternatives negated = asConstraints(negate(next));
    if (negated.size() == 1)
      constraints.push_back(negated[0]);
    else
      disjunctions.push_back(negated);
  }
  if (samples.isSomewhere(normal, false))
    return false;
  return refuter.isEmpty(constraints, disjunctions);
}

Interval Prover::State::bounds(Expr expr) {
  auto found = boundsMemo.find(expr.getAsOpaquePointer());
  if (found != boundsMemo.end() &&
      (found->second.factCount == index.size() ||
       lastFactOn({expr}) <= found->second.factCount))
    return found->second.value;
  View &view = this->view();
  Expr normal = view.normalise(expr);
  Interval result = view.bounder.bounds(normal);
  if (normal.isValid() && !result.isPoint() && !view.constraints.empty())
    result = prepared->refuter.optimize(normal);
  boundsMemo[expr.getAsOpaquePointer()] = {result, index.size()};
  return result;
}

Truth Prover::prove(const Relation &relation) {
  if (base)
    if (Truth truth = base->prove(relation); isAll || truth != Truth::Unknown)
      return truth;
  return stateFor({relation.lhs, relation.rhs}).prove(relation);
}

Truth Prover::prove(const Condition &condition) {
  if (base)
    if (Truth truth = base->prove(condition); isAll || truth != Truth::Unknown)
      return truth;
  llvm::SmallVector<Expr> sides;
  for (const Relation &relation : condition.anyOf)
    sides.append({relation.lhs, relation.rhs});
  State &state = stateFor(sides);
  if (state.index.contains(condition))
    return Truth::Yes;
  bool isNever = true;
  for (const Relation &relation : condition.anyOf) {
    Truth truth = state.prove(relation);
    if (truth == Truth::Yes)
      return Truth::Yes;
    isNever &= truth == Truth::No;
  }
  if (isNever)
    return state.view().isEmpty ? Truth::Yes : Truth::No;
  if (condition.anyOf.size() > 1 && state.proveDisjunction(condition))
    return Truth::Yes;
  return Truth::Unknown;
}

bool Prover::hasExample(const Condition &condition) {
  if (isAll)
    return base->hasExample(condition);
  llvm::SmallVector<Expr> sides;
  for (const Relation &relation : condition.anyOf)
    sides.append({relation.lhs, relation.rhs});
  State::Prepared &prepared = stateFor(sides).prepare();
  return prepared.samples.isSomewhere(
      condition.substitute(prepared.view.images()), true);
}

Interval Prover::bounds(Expr expr) {
  return isAll ? base->bounds(expr) : stateFor({expr}).bounds(expr);
}

Expr Prover::State::simplify(Expr expr) {
  Expr result = simplifier.simplify(expr);
  if (ExprNode::of(result)->size > ExprNode::of(expr)->size)
    result = expr;
  // The view's form knows equalities between more than two symbols.
  Expr normal = view().normalise(expr);
  if (!normal.isValid() || !result.isValid())
    return result;
  // Points are found by linear programming: not where samples differ.
  if (!prepared->samples.isVarying(normal))
    if (Interval interval = bounds(expr); interval.isPoint())
      return Expr(interval.min);
  std::set<std::string> symbols;
  normal.collectSymbols(symbols);
  bool isPublic = llvm::none_of(symbols, isMultiple);
  bool isSmaller = ExprNode::of(normal)->size < ExprNode::of(result)->size;
  return isPublic && isSmaller ? normal : result;
}

Expr Prover::simplify(Expr expr) {
  return isAll ? base->simplify(expr) : stateFor({expr}).simplify(expr);
}
