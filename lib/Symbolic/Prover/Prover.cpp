// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prover: memoised answers from, in order of cost, the canonical form,
// intervals, counterexamples on a few sample points, and refutation.

#include "Refuter.h"
#include "Samples.h"
#include <tuple>

using namespace ambit;
using namespace ambit::detail;

struct Prover::State {
  /// Prover::simplify asks the prover itself.
  class ProvingSimplifier : public Simplifier {
  public:
    explicit ProvingSimplifier(State &state) : state(state) {}

  protected:
    Interval bounds(Expr expr) override { return state.bounds(expr); }
    bool isAtLeast(Expr lhs, Expr rhs) override {
      return state.prove({state.view.normalise(lhs - rhs)}) == Truth::Yes;
    }
    int64_t divisorOf(llvm::StringRef symbol) override {
      return state.view.divisorOf(symbol);
    }
    Expr replacementOf(llvm::StringRef symbol) override {
      return state.representative(symbol);
    }

  private:
    State &state;
  };

  explicit State(Domain given)
      : domain(std::move(given)), view(domain), refuter(view),
        samples(domain, view), simplifier(*this) {
    // Of symbols proven equal, the first one speaks for all.
    for (const auto &[symbol, image] : view.images())
      if (!isMultiple(symbol))
        representatives.try_emplace(image.getAsOpaquePointer(), symbol);
  }

  Truth prove(const Relation &relation);
  Truth prove(const Constraint &constraint);
  Truth decide(const Constraint &constraint);
  bool proveDisjunction(const Condition &condition);
  Interval bounds(Expr expr);
  Expr simplify(Expr expr);
  Expr representative(llvm::StringRef symbol) const;

  Domain domain;
  View view;
  Refuter refuter;
  Samples samples;
  ProvingSimplifier simplifier;
  llvm::DenseMap<const void *, std::string> representatives;
  llvm::DenseMap<std::pair<const void *, unsigned>, Truth> constraintMemo;
  std::map<std::tuple<int, const void *, const void *>, Truth> relationMemo;
  llvm::DenseMap<const void *, Interval> boundsMemo;
};

Prover::Prover(Domain domain)
    : whole(std::move(domain)), states(whole.unbacked().size() + 1) {}
Prover::~Prover() = default;
const Domain &Prover::domain() const { return whole; }

Prover::State &Prover::stateFor(llvm::ArrayRef<Expr> exprs) {
  unsigned level = 0;
  if (states.size() > 1) {
    std::set<std::string> used;
    for (Expr expr : exprs)
      expr.collectSymbols(used);
    level = whole.level(used);
  }
  if (!states[level])
    states[level] = std::make_unique<State>(
        states.size() > 1 ? whole.atLevel(level) : whole);
  return *states[level];
}

Expr Prover::State::representative(llvm::StringRef symbol) const {
  Expr image = view.image(symbol);
  if (image.constant())
    return image;
  // An image that is a symbol of the domain is the smaller name for both.
  if (image.isSymbol() && !isMultiple(image.symbolName()))
    return image;
  auto found = representatives.find(image.getAsOpaquePointer());
  return Expr::symbol(found == representatives.end() ? symbol : found->second);
}

Truth Prover::State::decide(const Constraint &constraint) {
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
  auto found = constraintMemo.find(key);
  if (found != constraintMemo.end())
    return found->second;
  Truth truth = decide(constraint);
  constraintMemo[key] = truth;
  return truth;
}

Truth Prover::State::prove(const Relation &relation) {
  auto [found, isNew] = relationMemo.try_emplace(
      {int(relation.kind), relation.lhs.getAsOpaquePointer(),
       relation.rhs.getAsOpaquePointer()},
      Truth::Unknown);
  if (!isNew)
    return found->second;
  bool isNegated = relation.kind == Relation::Kind::NE;
  Relation positive = isNegated ? negate(relation) : relation;
  Constraint constraint = asConstraints(positive)[0];
  Truth truth = prove(view.normalise(constraint));
  if (isNegated && !view.isEmpty && truth != Truth::Unknown)
    truth = truth == Truth::Yes ? Truth::No : Truth::Yes;
  return found->second = truth;
}

/// Refutes the conjunction of the negated relations.
bool Prover::State::proveDisjunction(const Condition &condition) {
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
  if (samples.hasCounterexample(normal))
    return false;
  return refuter.isEmpty(constraints, disjunctions);
}

Interval Prover::State::bounds(Expr expr) {
  auto found = boundsMemo.find(expr.getAsOpaquePointer());
  if (found != boundsMemo.end())
    return found->second;
  Expr normal = view.normalise(expr);
  Interval result = view.bounder.bounds(normal);
  if (normal.isValid() && !result.isPoint() && !view.constraints.empty())
    result = refuter.optimize(normal);
  boundsMemo[expr.getAsOpaquePointer()] = result;
  return result;
}

Truth Prover::prove(const Relation &relation) {
  return stateFor({relation.lhs, relation.rhs}).prove(relation);
}

Truth Prover::prove(const Condition &condition) {
  llvm::SmallVector<Expr> sides;
  for (const Relation &relation : condition.anyOf)
    sides.append({relation.lhs, relation.rhs});
  State &state = stateFor(sides);
  bool isNever = true;
  for (const Relation &relation : condition.anyOf) {
    Truth truth = state.prove(relation);
    if (truth == Truth::Yes)
      return Truth::Yes;
    isNever &= truth == Truth::No;
  }
  if (isNever)
    return state.view.isEmpty ? Truth::Yes : Truth::No;
  if (condition.anyOf.size() > 1 && state.proveDisjunction(condition))
    return Truth::Yes;
  return Truth::Unknown;
}

Interval Prover::bounds(Expr expr) { return stateFor({expr}).bounds(expr); }

Expr Prover::State::simplify(Expr expr) {
  Expr result = simplifier.simplify(expr);
  if (ExprNode::of(result)->size > ExprNode::of(expr)->size)
    result = expr;
  // The view's form knows equalities between more than two symbols.
  Expr normal = view.normalise(expr);
  if (!normal.isValid() || !result.isValid())
    return result;
  Interval interval = bounds(expr);
  if (interval.isPoint())
    return Expr(interval.min);
  std::set<std::string> symbols;
  normal.collectSymbols(symbols);
  bool isPublic = llvm::none_of(symbols, isMultiple);
  bool isSmaller = ExprNode::of(normal)->size < ExprNode::of(result)->size;
  return isPublic && isSmaller ? normal : result;
}

Expr Prover::simplify(Expr expr) { return stateFor({expr}).simplify(expr); }
