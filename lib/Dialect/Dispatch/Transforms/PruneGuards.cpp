// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass `dispatch-prune-guards`.

#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "ambit/Dialect/Dispatch/Transforms/SelectTable.h"

namespace ambit::dispatch {
#define GEN_PASS_DEF_PRUNEGUARDSPASS
#include "ambit/Dialect/Dispatch/Transforms/Passes.h.inc"
} // namespace ambit::dispatch

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;

static std::set<std::string> getSymbols(const Condition &condition) {
  std::set<std::string> names;
  for (const Relation &relation : condition.anyOf) {
    relation.lhs.collectSymbols(names);
    relation.rhs.collectSymbols(names);
  }
  return names;
}

/// The ranges of the symbols and those other guards that are connected with
/// guard `index` through symbols. The rest could not help to prove it.
static Domain makeDomain(const Domain &ranges, ArrayRef<sym::GuardOp> guards,
                         size_t index) {
  Domain domain = ranges;
  std::set<std::string> connected =
      getSymbols(sym::getCondition(guards[index]));
  std::vector<bool> isIn(guards.size());
  isIn[index] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [other, guard] : llvm::enumerate(guards)) {
      Condition condition = sym::getCondition(guard);
      std::set<std::string> symbols = getSymbols(condition);
      if (isIn[other] || llvm::none_of(symbols, [&](const std::string &name) {
            return connected.count(name) != 0;
          }))
        continue;
      domain.assume(std::move(condition));
      connected.insert(symbols.begin(), symbols.end());
      isIn[other] = changed = true;
    }
  }
  return domain;
}

/// Drops bounds of symbols that another bound implies, so that of several the
/// one stays that says most.
static void dropWeakBounds(SmallVectorImpl<sym::GuardOp> &guards) {
  auto implies = [&](size_t strong, size_t weak) {
    std::optional<Bound> lhs = getBound(sym::getCondition(guards[strong]));
    std::optional<Bound> rhs = getBound(sym::getCondition(guards[weak]));
    return lhs && rhs && lhs->symbol == rhs->symbol &&
           lhs->interval.min >= rhs->interval.min &&
           lhs->interval.max <= rhs->interval.max &&
           (!(lhs->interval == rhs->interval) || strong < weak);
  };
  for (size_t weak = guards.size(); weak-- > 0;)
    for (size_t strong = 0; strong < guards.size(); ++strong)
      if (strong != weak && implies(strong, weak)) {
        guards[weak].erase();
        guards.erase(guards.begin() + weak);
        break;
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
    SmallVector<sym::GuardOp> guards;
    for (auto guard : module.getOps<sym::GuardOp>())
      if (whole.level(sym::getCondition(guard)) == 0)
        guards.push_back(guard);
    for (sym::GuardOp guard : guards)
      if (Prover(ranges).prove(sym::getCondition(guard)) == Truth::No) {
        guard.emitError() << "rule '" << guard.getCondition()
                          << "' fails for every shape in the declared ranges";
        return signalPassFailure();
      }
    dropWeakBounds(guards);
    for (size_t index = guards.size(); index-- > 0;) {
      Prover prover(makeDomain(ranges, guards, index));
      if (prover.prove(sym::getCondition(guards[index])) != Truth::Yes)
        continue;
      guards[index].erase();
      guards.erase(guards.begin() + index);
    }
  }
};

} // namespace
