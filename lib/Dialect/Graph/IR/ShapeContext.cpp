// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions of shape rules: proven, refused, or turned into guards; and the
// verifier that holds result types against the rule.
//
// A loop that may run once or not at all is a branch. What its body needs
// becomes the guard "the condition holds, or no trip runs"; the condition
// itself may be relied on only between entering and leaving the loop. The guard
// is what tells: entering the loop adds the rest of every such fact, leaving
// takes it away.

#include "ambit/Dialect/Graph/IR/ShapeContext.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/InferTypes.h"
#include "ambit/Symbolic/Parser.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static bool mentions(const Condition &condition, StringRef symbol) {
  std::set<std::string> names;
  condition.collectSymbols(names);
  return names.count(symbol.str()) != 0;
}

/// Whether a loop runs once or not at all, and which is not known.
static bool isBranch(Expr trips, Prover &prover) {
  return !trips.constant() && prover.bounds(trips).max <= 1;
}

static Relation runsNoTrip(Expr trips) {
  return Relation{Relation::Kind::LE, trips, Expr(0)};
}

/// What facts "..., or no trip runs" say where a trip runs.
static std::vector<Condition> factsInside(const Domain &domain, Expr trips) {
  std::vector<Condition> inside;
  for (const Condition &fact : domain.assumptions()) {
    Condition rest;
    for (const Relation &relation : fact.anyOf)
      if (!(relation == runsNoTrip(trips)))
        rest.anyOf.push_back(relation);
    if (!rest.anyOf.empty() && rest.anyOf.size() < fact.anyOf.size())
      inside.push_back(std::move(rest));
  }
  return inside;
}

LogicalResult ShapeContext::require(Operation *op, const Condition &condition,
                                    const Twine &what) {
  return require([&] { return op->emitError(); }, op->getLoc(), condition,
                 what);
}

LogicalResult ShapeContext::require(Location loc, const Condition &condition,
                                    const Twine &what) {
  return require([&] { return emitError(loc); }, loc, condition, what);
}

LogicalResult
ShapeContext::require(function_ref<InFlightDiagnostic()> emitError,
                      Location loc, const Condition &condition,
                      const Twine &what) {
  for (const Relation &relation : condition.anyOf)
    for (Expr side : {relation.lhs, relation.rhs})
      if (!side.isValid())
        return emitError() << what << ": a size " << side.problem();
  // Where nobody asks for guards, all that matters is whether it can hold.
  if (!addGuard && prover.hasExample(condition))
    return success();
  switch (prover.prove(condition)) {
  case Truth::Yes:
    return success();
  case Truth::No:
    return emitError() << what << ": '" << condition.str() << "' never holds";
  case Truth::Unknown:
    break;
  }
  if (!addGuard)
    return success();
  auto dependsOnIteration = [&](StringRef iteration) {
    return emitError() << what << ": '" << condition.str()
                       << "' depends on the iteration '" << iteration
                       << "' of a loop";
  };
  for (size_t number = loops.size(); number-- > 0;) {
    const Loop &loop = loops[number];
    if (isBranch(loop.trips, prover)) {
      // From here outwards: the condition, or some branch does not run.
      std::vector<Condition> steps = {ambit::simplify(condition, prover)};
      for (const Loop &outer :
           llvm::reverse(ArrayRef(loops).take_front(number + 1))) {
        if (isBranch(outer.trips, prover)) {
          steps.push_back(steps.back());
          steps.back().anyOf.push_back(runsNoTrip(outer.trips));
        } else if (mentions(steps.back(), outer.iteration)) {
          return dependsOnIteration(outer.iteration);
        }
      }
      if (prover.prove(steps.back()) != Truth::Yes)
        assume(steps.back(), loc);
      for (const Condition &step : steps)
        prover.assume(step);
      return success();
    }
    if (!mentions(condition, loop.iteration))
      continue;
    std::optional<Condition> lifted = forAllTrips(condition, loop);
    if (!lifted)
      return dependsOnIteration(loop.iteration);
    if (failed(require(emitError, loc, *lifted, what)))
      return failure();
    prover.assume(condition);
    return success();
  }
  assume(ambit::simplify(condition, prover), loc);
  return success();
}

void ShapeContext::assume(const Condition &fact, Location loc) {
  if (addGuard)
    addGuard(fact, loc);
  prover.assume(fact);
}

void ShapeContext::addUnbacked(StringRef symbol, SymbolRange range) {
  prover.addUnbacked(symbol, range);
}

void ShapeContext::enterLoop(StringRef iteration, Expr trips) {
  Domain domain = prover.domain();
  int64_t most = prover.bounds(trips).max;
  domain.setRange(iteration, SymbolRange{0, std::max<int64_t>(most, 1) - 1, 1});
  domain.assume(Relation{Relation::Kind::LT, Expr::symbol(iteration), trips});
  if (isBranch(trips, prover))
    for (Condition &fact : factsInside(prover.domain(), trips))
      domain.assume(std::move(fact));
  Prover inner(std::move(domain), prover.budget());
  loops.push_back(Loop{iteration.str(), trips, std::move(prover),
                       definitions.size(), broadcastSizes, broadcasts});
  prover = std::move(inner);
}

void ShapeContext::leaveLoop(StringRef iteration) {
  Domain inner = prover.domain();
  Expr trips = loops.back().trips;
  prover = std::move(loops.back().outer);
  loops.pop_back();
  for (const auto &[symbol, range] : inner.ranges())
    if (symbol != iteration && !prover.domain().ranges().count(symbol)) {
      if (llvm::is_contained(inner.unbacked(), symbol))
        continue;
      prover.addSymbol(symbol, range);
    }
  for (const std::string &symbol : inner.unbacked())
    if (!llvm::is_contained(prover.domain().unbacked(), symbol))
      prover.addUnbacked(symbol, inner.range(symbol));
  std::vector<Condition> inside = factsInside(inner, trips);
  auto isInside = [&](const Condition &fact) {
    return llvm::any_of(inside, [&](const Condition &other) {
      return other.anyOf == fact.anyOf;
    });
  };
  // What was known outside comes first, then what holds only in the loop.
  size_t known = prover.domain().assumptions().size();
  for (const Condition &fact : inner.assumptions().drop_front(known))
    if (!mentions(fact, iteration) && !isInside(fact))
      prover.assume(fact);
}

void ShapeContext::forgetLoop() {
  Loop &loop = loops.back();
  prover = std::move(loop.outer);
  definitions.erase(definitions.begin() + loop.definitions, definitions.end());
  broadcastSizes = std::move(loop.broadcastSizes);
  broadcasts = std::move(loop.broadcasts);
  loops.pop_back();
}

bool ShapeContext::dependsOnTrip(Expr expr) const {
  std::set<std::string> names;
  expr.collectSymbols(names);
  return llvm::any_of(loops, [&](const Loop &loop) {
    return names.count(loop.iteration) != 0;
  });
}

bool ShapeContext::isKnownAtEntry(Expr expr) const {
  std::set<std::string> used;
  expr.collectSymbols(used);
  return prover.domain().level(used) == 0 && !dependsOnTrip(expr);
}

/// An inequality that is linear in the number of the trip holds for all trips
/// when it holds for the first or the last, or when there are none.
std::optional<Condition> ShapeContext::forAllTrips(const Condition &condition,
                                                   const Loop &loop) {
  using Kind = Relation::Kind;
  if (condition.anyOf.size() != 1)
    return std::nullopt;
  Relation relation = condition.anyOf.front();
  bool isLower = relation.kind == Kind::GE || relation.kind == Kind::GT;
  if (!isLower && relation.kind != Kind::LE && relation.kind != Kind::LT)
    return std::nullopt;
  Expr difference = relation.lhs - relation.rhs;
  Expr first = difference.substitute({{loop.iteration, Expr(0)}});
  Expr step = difference.substitute({{loop.iteration, Expr(1)}}) - first;
  bool isGrowing = step.isValid() && prover.isAtLeast(step, 0);
  if (!step.isValid() || (!isGrowing && !prover.isAtLeast(0, step)) ||
      first + step * Expr::symbol(loop.iteration) != difference)
    return std::nullopt;
  bool isTightestFirst = isGrowing == isLower;
  Expr tightest =
      isTightestFirst ? first : first + step * (loop.trips - Expr(1));
  if (!tightest.isValid())
    return std::nullopt;
  Condition lifted(Relation{relation.kind, tightest, Expr(0)});
  Relation none{Kind::LE, loop.trips, Expr(0)};
  if (prover.prove(none) != Truth::No)
    lifted.anyOf.push_back(none);
  return lifted;
}

Expr ShapeContext::define(std::string name, Expr value, Location loc) {
  while (prover.domain().ranges().count(name))
    name += "_";
  SymbolRange range;
  Interval bounds = prover.bounds(value);
  range.min = std::max<int64_t>(bounds.min, 0);
  range.max = std::max<int64_t>(bounds.max, range.min);
  prover.addSymbol(name, range);
  definitions.push_back({name, range, value, loc});
  return Expr::symbol(name);
}

std::optional<Expr> ShapeContext::defineBroadcast(const std::set<Expr> &sizes,
                                                  const std::set<Expr> &parts,
                                                  Location loc) {
  auto known = broadcasts.find(sizes);
  if (known != broadcasts.end())
    return known->second;
  if (!addGuard ||
      !llvm::all_of(parts, [&](Expr part) { return isKnownAtEntry(part); }))
    return std::nullopt;
  std::set<std::string> names;
  sizes.begin()->collectSymbols(names);
  std::string name = "common";
  if (!broadcasts.empty())
    name += std::to_string(broadcasts.size() + 1);
  if (!names.empty())
    name += "_" + asNamePart(*names.begin());
  Expr common = define(name, graph::getBroadcast(parts), loc);
  broadcasts.insert({sizes, common});
  broadcastSizes.insert({common, sizes});
  return common;
}

std::set<Expr> ShapeContext::getBroadcastSizes(Expr expr) const {
  auto found = broadcastSizes.find(expr);
  return found == broadcastSizes.end() ? graph::getBroadcastSizes(expr)
                                       : found->second;
}

LogicalResult ShapeContext::requireEqual(Operation *op, Expr lhs, Expr rhs,
                                         const Twine &what) {
  if (lhs == rhs && lhs.isValid())
    return success();
  std::optional<int64_t> left = lhs.constant(), right = rhs.constant();
  if (left && right)
    return op->emitError() << what << ": " << *left << " vs " << *right;
  Condition equal = Condition::equal(lhs, rhs);
  if (!prover.hasExample(equal) && prover.prove(equal) == Truth::No)
    return op->emitError() << what << ": '" << lhs.str() << "' vs '"
                           << rhs.str() << "'";
  return require(op, equal, what);
}

LogicalResult graph::detail::verifyShapeRule(Operation *op) {
  // Operands without an encoding have dims that no rule can speak of.
  auto isComplete = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::all_of(sym::getDims(tensor),
                                  [](Expr d) { return d.isValid(); });
  };
  if (!llvm::all_of(op->getOperandTypes(), isComplete) ||
      !llvm::all_of(op->getResultTypes(), isComplete))
    return op->emitOpError(
        "has a dynamic dim without expression; expected a #sym.shape encoding");
  for (Type type : op->getOperandTypes())
    if (failed(checkTensorSize([&] { return op->emitOpError(); },
                               cast<RankedTensorType>(type))))
      return failure();
  ShapeContext context{Domain()};
  SmallVector<RankedTensorType> expected;
  if (failed(inferTypes(op, context, expected)))
    return failure();
  for (auto [found, wanted] : llvm::zip_equal(op->getResultTypes(), expected)) {
    auto tensor = cast<RankedTensorType>(found);
    if (tensor.getElementType() != wanted.getElementType() ||
        tensor.getRank() != wanted.getRank())
      return op->emitOpError()
             << "has result type " << found << ", expected " << wanted;
    for (auto [index, lhs, rhs] :
         llvm::enumerate(sym::getDims(found), sym::getDims(wanted)))
      if (lhs != rhs &&
          context.getProver().prove(Condition::equal(lhs, rhs)) == Truth::No)
        return op->emitOpError()
               << "has '" << lhs.str() << "' for dim " << index
               << " of the result, expected '" << rhs.str() << "'";
  }
  return success();
}
