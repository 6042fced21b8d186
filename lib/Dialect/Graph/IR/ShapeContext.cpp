// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions of shape rules: proven, refused, or turned into guards; and the
// verifier that holds result types against the rule.

#include "ambit/Dialect/Graph/IR/ShapeContext.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/InferTypes.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static bool mentions(const Condition &condition, StringRef symbol) {
  std::set<std::string> names;
  for (const Relation &relation : condition.anyOf) {
    relation.lhs.collectSymbols(names);
    relation.rhs.collectSymbols(names);
  }
  return names.count(symbol.str()) != 0;
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
    if (!relation.lhs.isValid() || !relation.rhs.isValid())
      return emitError() << what << ": a size overflows 64 bits";
  switch (prover->prove(condition)) {
  case Truth::Yes:
    return success();
  case Truth::No:
    return emitError() << what << ": '" << condition.str() << "' never holds";
  case Truth::Unknown:
    break;
  }
  if (!addGuard)
    return success();
  for (const Loop &loop : llvm::reverse(loops)) {
    if (!mentions(condition, loop.iteration))
      continue;
    std::optional<Condition> lifted = forAllTrips(condition, loop);
    if (!lifted)
      return emitError() << what << ": '" << condition.str()
                         << "' depends on the iteration '" << loop.iteration
                         << "' of a loop";
    if (failed(require(emitError, loc, *lifted, what)))
      return failure();
    Domain domain = prover->domain();
    domain.assume(condition);
    prover = std::make_unique<Prover>(std::move(domain));
    return success();
  }
  assume(ambit::simplify(condition, *prover), loc);
  return success();
}

void ShapeContext::assume(const Condition &fact, Location loc) {
  if (addGuard)
    addGuard(fact, loc);
  Domain domain = prover->domain();
  domain.assume(fact);
  prover = std::make_unique<Prover>(std::move(domain));
}

void ShapeContext::addUnbacked(StringRef symbol, SymbolRange range) {
  Domain domain = prover->domain();
  domain.setRange(symbol, range);
  domain.setUnbacked(symbol);
  prover = std::make_unique<Prover>(std::move(domain));
}

void ShapeContext::enterLoop(StringRef iteration, Expr trips) {
  Domain domain = prover->domain();
  int64_t most = prover->bounds(trips).max;
  domain.setRange(iteration, SymbolRange{0, std::max<int64_t>(most, 1) - 1, 1});
  domain.assume(Relation{Relation::Kind::LT, Expr::symbol(iteration), trips});
  prover = std::make_unique<Prover>(std::move(domain));
  loops.push_back(Loop{iteration.str(), trips});
}

void ShapeContext::leaveLoop(StringRef iteration) {
  loops.pop_back();
  Domain domain;
  for (const auto &[symbol, range] : prover->domain().ranges())
    if (symbol != iteration)
      domain.setRange(symbol, range);
  for (const Condition &fact : prover->domain().assumptions())
    if (!mentions(fact, iteration))
      domain.assume(fact);
  for (const std::string &symbol : prover->domain().unbacked())
    domain.setUnbacked(symbol);
  prover = std::make_unique<Prover>(std::move(domain));
}

bool ShapeContext::dependsOnTrip(Expr expr) const {
  std::set<std::string> names;
  expr.collectSymbols(names);
  return llvm::any_of(loops, [&](const Loop &loop) {
    return names.count(loop.iteration) != 0;
  });
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
  if (!step.isValid() || !step.constant() ||
      first + step * Expr::symbol(loop.iteration) != difference)
    return std::nullopt;
  bool isTightestFirst = (*step.constant() > 0) == isLower;
  Expr tightest =
      isTightestFirst ? first : first + step * (loop.trips - Expr(1));
  if (!tightest.isValid())
    return std::nullopt;
  Condition lifted(Relation{relation.kind, tightest, Expr(0)});
  Relation none{Kind::LE, loop.trips, Expr(0)};
  if (prover->prove(none) != Truth::No)
    lifted.anyOf.push_back(none);
  return lifted;
}

Expr ShapeContext::define(std::string name, Expr value, Location loc) {
  Domain domain = prover->domain();
  while (domain.ranges().count(name))
    name += "_";
  SymbolRange range;
  range.max = std::max<int64_t>(prover->bounds(value).max, 0);
  domain.setRange(name, range);
  definitions.push_back({name, range, value, loc});
  prover = std::make_unique<Prover>(std::move(domain));
  return Expr::symbol(name);
}

LogicalResult ShapeContext::requireEqual(Operation *op, Expr lhs, Expr rhs,
                                         const Twine &what) {
  if (lhs == rhs && lhs.isValid())
    return success();
  std::optional<int64_t> left = lhs.constant(), right = rhs.constant();
  if (left && right)
    return op->emitError() << what << ": " << *left << " vs " << *right;
  if (prover->prove(Relation{Relation::Kind::EQ, lhs, rhs}) == Truth::No)
    return op->emitError() << what << ": '" << lhs.str() << "' vs '"
                           << rhs.str() << "'";
  return require(op, Condition::equal(lhs, rhs), what);
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
      if (context.getProver().prove(Relation{Relation::Kind::EQ, lhs, rhs}) ==
          Truth::No)
        return op->emitOpError()
               << "has '" << lhs.str() << "' for dim " << index
               << " of the result, expected '" << rhs.str() << "'";
  }
  return success();
}
