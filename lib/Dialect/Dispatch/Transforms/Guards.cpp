// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of guards: ranges of symbols are guards too, so that they can be
// listed and explained.

#include "ambit/Dialect/Dispatch/Transforms/Guards.h"
#include "ambit/Dialect/Dispatch/Transforms/SelectTable.h"
#include "ambit/Dialect/Graph/IR/ShapeContext.h"
#include "ambit/Symbolic/Prover.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;

static bool isDivisibility(const Relation &relation) {
  if (relation.kind != Relation::Kind::EQ || !relation.rhs.isConstant(0))
    return false;
  ArrayRef<Term> terms = relation.lhs.terms();
  return terms.size() == 1 && terms[0].factors.size() == 1 &&
         terms[0].factors[0]->kind == Atom::Kind::Mod;
}

int32_t dispatch::getGuardClass(const Condition &condition) {
  if (condition.anyOf.size() != 1)
    return 3;
  const Relation &relation = condition.anyOf.front();
  if (isDivisibility(relation))
    return 2;
  if (relation.kind == Relation::Kind::EQ)
    return 1;
  return getBound(condition) ? 0 : 3;
}

StringRef dispatch::getGuardClassName(const Condition &condition) {
  static constexpr StringRef names[] = {"range", "equality", "divisibility",
                                        "relation"};
  return names[getGuardClass(condition)];
}

/// Whether a symbol's definition gives no other values than its range has.
static bool isWithinRange(sym::SymbolOp symbol, Prover &ranges) {
  std::optional<Expr> definition = symbol.getExpr();
  if (!definition || symbol.getDivisor() > 1)
    return false;
  Interval values = ranges.bounds(*definition);
  return values.min >= int64_t(symbol.getMin()) &&
         values.max <= int64_t(symbol.getMax());
}

static void addRangeGuards(std::vector<Guard> &guards, sym::SymbolOp symbol) {
  std::string origin = describeOrigin(symbol.getLoc());
  if (symbol.getDeclared() && origin == "the model")
    origin = "option --dim";
  Expr value = Expr::symbol(symbol.getName());
  int64_t min = symbol.getMin(), max = symbol.getMax();
  int64_t divisor = symbol.getDivisor();
  auto add = [&](Condition condition) {
    guards.push_back({std::move(condition), origin});
  };
  // What an element's type holds is no rule of the model.
  if (isElementName(symbol.getName()) && !symbol.getDeclared())
    return;
  if (min == max) {
    add(Condition::equal(value, Expr(min)));
    return;
  }
  if (min > 0 || (min < 0 && min > Interval::kMin))
    add(Relation{Relation::Kind::GE, value, Expr(min)});
  if (max < INT64_MAX)
    add(Relation{Relation::Kind::LE, value, Expr(max)});
  if (divisor > 1)
    add(Condition::divisible(value, Expr(divisor)));
}

namespace {
/// What the sizes are that the model's broadcasts have names for.
class Broadcasts {
public:
  explicit Broadcasts(ModuleOp module);
  /// The sizes that meet where a guard says "size == name || size == 1".
  std::vector<Expr> findMeeting(const Condition &condition) const;

private:
  /// By name, with names of parts written out.
  std::map<Expr, std::set<Expr>> sizes;
};
} // namespace

Broadcasts::Broadcasts(ModuleOp module) {
  for (sym::SymbolOp symbol : module.getOps<sym::SymbolOp>()) {
    std::optional<Expr> definition = symbol.getExpr();
    if (!definition)
      continue;
    std::set<Expr> parts = graph::getBroadcastSizes(*definition);
    if (parts.size() < 2)
      continue;
    std::set<Expr> &all = sizes[Expr::symbol(symbol.getName())];
    for (Expr part : parts) {
      auto known = sizes.find(part);
      if (known == sizes.end())
        all.insert(part);
      else
        all.insert(known->second.begin(), known->second.end());
    }
  }
}

/// Whether some relation of a condition says that the expression is 0; terms
/// may stand on either side.
static bool saysZero(const Condition &condition, Expr expr) {
  return llvm::any_of(condition.anyOf, [&](const Relation &relation) {
    Expr difference = relation.lhs - relation.rhs;
    return relation.kind == Relation::Kind::EQ &&
           (difference == expr || difference == -expr);
  });
}

std::vector<Expr> Broadcasts::findMeeting(const Condition &condition) const {
  if (condition.anyOf.size() != 2)
    return {};
  std::set<std::string> used;
  condition.collectSymbols(used);
  for (const auto &[name, all] : sizes) {
    if (!used.count(name.symbolName().str()))
      continue;
    std::set<Expr> parts = all;
    for (const auto &[other, some] : sizes)
      if (std::includes(all.begin(), all.end(), some.begin(), some.end()))
        parts.insert(other);
    for (Expr part : parts)
      if (part != name && saysZero(condition, part - name))
        return {all.begin(), all.end()};
  }
  return {};
}

std::vector<Guard> dispatch::collectGuards(ModuleOp module) {
  std::vector<Guard> guards;
  Domain domain = sym::getDomain(module), ranges;
  for (const auto &[symbol, range] : domain.ranges())
    ranges.setRange(symbol, range);
  Prover prover(std::move(ranges));
  for (sym::SymbolOp symbol : module.getOps<sym::SymbolOp>())
    if (!symbol.getUnbacked() && !isWithinRange(symbol, prover))
      addRangeGuards(guards, symbol);
  Broadcasts broadcasts(module);
  for (sym::GuardOp guard : module.getOps<sym::GuardOp>())
    if (Condition condition = sym::getCondition(guard);
        domain.level(condition) == 0) {
      std::vector<Expr> meeting = broadcasts.findMeeting(condition);
      guards.push_back({std::move(condition), describeOrigin(guard.getLoc()),
                        std::move(meeting)});
    }
  return guards;
}

std::vector<Guard> dispatch::collectLaterGuards(ModuleOp module) {
  std::vector<Guard> guards;
  Domain domain = sym::getDomain(module);
  for (sym::GuardOp guard : module.getOps<sym::GuardOp>())
    if (Condition condition = sym::getCondition(guard);
        domain.level(condition) > 0)
      guards.push_back({std::move(condition), describeOrigin(guard.getLoc())});
  return guards;
}

std::string dispatch::getDomainText(ArrayRef<Condition> conditions) {
  if (conditions.empty())
    return "every shape";
  return llvm::join(llvm::map_range(conditions,
                                    [&](const Condition &condition) {
                                      std::string text = condition.str();
                                      bool isSum = condition.anyOf.size() > 1 &&
                                                   conditions.size() > 1;
                                      return isSum ? "(" + text + ")" : text;
                                    }),
                    " && ");
}
