// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass `dispatch-prune-guards`.

#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "ambit/Dialect/Dispatch/Transforms/SelectTable.h"
#include "ambit/Symbolic/Prover.h"

namespace ambit::dispatch {
#define GEN_PASS_DEF_PRUNEGUARDSPASS
#include "ambit/Dialect/Dispatch/Transforms/Passes.h.inc"
} // namespace ambit::dispatch

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;

/// As many guards as this, of those nearest to another one, are asked to prove
/// it: a limit keeps the work linear in the guards.
static constexpr size_t kMaxPremises = 64;

namespace {

/// The guards of a module that are checked at entry.
class GuardSet {
public:
  GuardSet(ArrayRef<sym::GuardOp> ops, const Domain &ranges);

  /// Drops bounds of symbols that another bound implies, so that of several the
  /// one stays that says most.
  void dropWeakBounds();
  /// Drops guards that the others prove, the last first.
  void dropProven();
  /// An error at each guard that fails whatever the sizes are.
  LogicalResult checkPossible();

private:
  struct Entry {
    sym::GuardOp op;
    Condition condition;
    std::set<std::string> symbols;
  };
  void erase(size_t index);
  Domain premisesOf(size_t index) const;

  const Domain &ranges;
  std::shared_ptr<ProofBudget> budget = std::make_shared<ProofBudget>();
  /// Dropped guards have no op any more.
  SmallVector<Entry, 0> guards;
  std::map<std::string, SmallVector<size_t>> bySymbol;
};

} // namespace

GuardSet::GuardSet(ArrayRef<sym::GuardOp> ops, const Domain &ranges)
    : ranges(ranges) {
  for (auto [index, op] : llvm::enumerate(ops)) {
    Entry entry{op, sym::getCondition(op), {}};
    entry.condition.collectSymbols(entry.symbols);
    for (const std::string &symbol : entry.symbols)
      bySymbol[symbol].push_back(index);
    guards.push_back(std::move(entry));
  }
}

void GuardSet::erase(size_t index) {
  guards[index].op.erase();
  guards[index].op = {};
}

LogicalResult GuardSet::checkPossible() {
  Prover prover(ranges, budget);
  for (Entry &guard : guards)
    if (!prover.hasExample(guard.condition) &&
        prover.prove(guard.condition) == Truth::No)
      return guard.op.emitError()
             << "rule '" << guard.op.getCondition()
             << "' fails for every shape in the declared ranges";
  return success();
}

void GuardSet::dropWeakBounds() {
  std::map<std::string, SmallVector<std::pair<size_t, Interval>>> bounds;
  for (auto [index, guard] : llvm::enumerate(guards))
    if (std::optional<Bound> bound = getBound(guard.condition))
      bounds[bound->symbol].push_back({index, bound->interval});
  for (auto &[symbol, list] : bounds)
    for (size_t weak = list.size(); weak-- > 0;) {
      auto implies = [&](const auto &strong) {
        Interval lhs = strong.second, rhs = list[weak].second;
        return strong.first != list[weak].first && lhs.min >= rhs.min &&
               lhs.max <= rhs.max &&
               (!(lhs == rhs) || strong.first < list[weak].first);
      };
      if (llvm::none_of(list, implies))
        continue;
      erase(list[weak].first);
      list.erase(list.begin() + weak);
    }
}

/// The ranges of the symbols and those other guards that are connected with a
/// guard through symbols, the nearest first. The rest could not help to prove
/// it.
Domain GuardSet::premisesOf(size_t index) const {
  std::set<std::string> reached = guards[index].symbols, fresh = reached;
  std::set<size_t> premises;
  while (!fresh.empty() && premises.size() < kMaxPremises) {
    std::set<size_t> next;
    for (const std::string &symbol : fresh)
      for (size_t other : bySymbol.at(symbol))
        if (other != index && guards[other].op)
          next.insert(other);
    fresh.clear();
    for (size_t other : next)
      if (premises.size() < kMaxPremises && premises.insert(other).second)
        for (const std::string &symbol : guards[other].symbols)
          if (reached.insert(symbol).second)
            fresh.insert(symbol);
  }
  Domain domain;
  for (const std::string &symbol : reached)
    domain.setRange(symbol, ranges.range(symbol));
  for (size_t other : premises)
    domain.assume(guards[other].condition);
  return domain;
}

void GuardSet::dropProven() {
  for (size_t index = guards.size(); index-- > 0;) {
    if (!guards[index].op)
      continue;
    Prover prover(premisesOf(index), budget);
    if (prover.prove(guards[index].condition) == Truth::Yes)
      erase(index);
  }
}

namespace {

struct PruneGuardsPass
    : ambit::dispatch::impl::PruneGuardsPassBase<PruneGuardsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Domain whole = sym::getDomain(module), ranges;
    for (const auto &[symbol, range] : whole.ranges())
      ranges.setRange(symbol, range);
    SmallVector<sym::GuardOp> ops;
    for (auto guard : module.getOps<sym::GuardOp>())
      if (whole.level(sym::getCondition(guard)) == 0)
        ops.push_back(guard);
    GuardSet guards(ops, ranges);
    if (failed(guards.checkPossible()))
      return signalPassFailure();
    guards.dropWeakBounds();
    guards.dropProven();
  }
};

} // namespace
