// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contradictions are found by proof: if no sizes satisfy everything, rules are
// dropped one by one while that stays so. What is left clashes.

#include "ambit/Dialect/Sym/IR/Constraints.h"
#include "ambit/Symbolic/Parser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ambit;

using Sizes = std::map<std::string, int64_t>;

namespace {
/// A condition, or the range of a symbol.
struct Rule {
  std::optional<Condition> condition;
  std::string symbol;
  SymbolRange range;

  std::string text() const;
};
} // namespace

std::string Rule::text() const {
  if (condition)
    return "'" + condition->str() + "'";
  std::string text = "'" + symbol + "' in " + std::to_string(range.min);
  if (range.max != range.min)
    text += ".." + (range.max == INT64_MAX ? "" : std::to_string(range.max));
  if (range.divisor > 1)
    text += " in multiples of " + std::to_string(range.divisor);
  return text;
}

static Domain makeDomain(ArrayRef<Rule> rules) {
  Domain domain;
  for (const Rule &rule : rules) {
    if (rule.condition)
      domain.assume(*rule.condition);
    else
      domain.setRange(rule.symbol, rule.range);
  }
  return domain;
}

static bool isEmpty(ArrayRef<Rule> rules) {
  bool isDecided = true;
  return !findUncovered(makeDomain(rules), {}, isDecided) && isDecided;
}

/// Drops every rule that the contradiction does not need, the last first.
static SmallVector<Rule> minimise(SmallVector<Rule> rules) {
  for (size_t index = rules.size(); index-- > 0;) {
    SmallVector<Rule> fewer(rules);
    fewer.erase(fewer.begin() + index);
    if (isEmpty(fewer))
      rules = std::move(fewer);
  }
  return rules;
}

static LogicalResult reportClash(Location loc, ArrayRef<Rule> rules) {
  InFlightDiagnostic error = emitError(loc);
  if (rules.size() == 1)
    return error << rules[0].text() << " holds for no sizes";
  for (auto [index, rule] : llvm::enumerate(rules)) {
    if (index > 0)
      error << (index + 1 == rules.size() ? " and " : ", ");
    error << rule.text();
  }
  error << " never hold together";
  bool isDecided = true;
  std::optional<Sizes> sizes;
  if (rules.size() == 2)
    sizes = findUncovered(makeDomain(rules.front()), {}, isDecided);
  if (!sizes)
    return error << ": no sizes are left";
  error << ": ";
  llvm::interleave(
      *sizes,
      [&](const auto &entry) { error << entry.first << " = " << entry.second; },
      [&] { error << ", "; });
  return error << " satisfies only the first";
}

static LogicalResult checkSymbols(Location loc, const Domain &domain,
                                  const Condition &constraint) {
  std::set<std::string> used;
  for (const Relation &relation : constraint.anyOf) {
    relation.lhs.collectSymbols(used);
    relation.rhs.collectSymbols(used);
  }
  for (const std::string &name : used) {
    if (domain.ranges().count(name))
      continue;
    std::vector<std::string> known;
    for (const auto &[symbol, range] : domain.ranges())
      known.push_back("'" + symbol + "'");
    return emitError(loc) << "the model has no symbol '" << name << "', which '"
                          << constraint.str() << "' is about; "
                          << (known.empty() ? "it has none"
                                            : "its symbols are " +
                                                  llvm::join(known, ", "));
  }
  return success();
}

LogicalResult sym::checkConstraints(Location loc, const Domain &domain,
                                    ArrayRef<Condition> constraints) {
  bool ok = true;
  for (const Condition &constraint : constraints)
    ok &= succeeded(checkSymbols(loc, domain, constraint));
  if (!ok)
    return failure();
  SmallVector<Rule> rules;
  for (const Condition &constraint : constraints)
    rules.push_back({constraint, "", {}});
  for (const Condition &fact : domain.assumptions())
    rules.push_back({fact, "", {}});
  for (const auto &[symbol, range] : domain.ranges())
    rules.push_back({std::nullopt, symbol, range});
  if (constraints.empty() || !isEmpty(rules))
    return success();
  return reportClash(loc, minimise(std::move(rules)));
}

FailureOr<SmallVector<Condition>>
sym::parseConstraints(Location loc, ArrayRef<std::string> texts) {
  SmallVector<Condition> constraints;
  bool ok = true;
  for (const std::string &text : texts) {
    ParseError problem;
    std::optional<Condition> condition = parseCondition(text, problem);
    if (condition)
      constraints.push_back(std::move(*condition));
    else
      emitError(loc) << problem.render(text);
    ok &= condition.has_value();
  }
  if (!ok)
    return failure();
  return constraints;
}
