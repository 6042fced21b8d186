// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what was asked for to the table of variants: every symbol that an option
// names has a list of alternatives (sizes, then intervals); a variant is a
// choice of one alternative for each of these symbols.

#include "PlanInternals.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace mlir;
using namespace ambit;
using namespace ambit::planning;

using Values = std::map<std::string, std::vector<int64_t>>;

static Location optionLoc(MLIRContext *context, StringRef option) {
  return NameLoc::get(StringAttr::get(context, option));
}

static std::string listSymbols(const Domain &model) {
  std::vector<std::string> names;
  for (const auto &[name, range] : model.ranges())
    names.push_back("'" + name + "'");
  if (names.empty())
    return "the model has none";
  return "the model has " + llvm::join(names, ", ");
}

static std::string rangeText(const SymbolRange &range) {
  std::string text = std::to_string(range.min) + "..";
  if (range.max < INT64_MAX)
    text += std::to_string(range.max);
  return text;
}

static LogicalResult checkValue(Location loc, const std::string &symbol,
                                const SymbolRange &range, int64_t value) {
  if (value < range.min || value > range.max)
    return emitError(loc) << "size " << value << " of '" << symbol
                          << "' is outside of its range, expected "
                          << rangeText(range);
  if (range.divisor > 1 && value % range.divisor != 0)
    return emitError(loc) << "size " << value << " of '" << symbol
                          << "', expected a multiple of " << range.divisor;
  return success();
}

static LogicalResult checkValues(Location loc, const Domain &model,
                                 const Values &values, bool wantsOrder) {
  bool ok = true;
  for (const auto &[symbol, sizes] : values) {
    auto known = model.ranges().find(symbol);
    if (known == model.ranges().end()) {
      emitError(loc) << "no symbol is called '" << symbol << "'; "
                     << listSymbols(model);
      ok = false;
      continue;
    }
    if (sizes.empty()) {
      emitError(loc) << "no size is given for '" << symbol << "'";
      ok = false;
    }
    std::set<int64_t> seen;
    for (auto [index, size] : llvm::enumerate(sizes)) {
      ok &= succeeded(checkValue(loc, symbol, known->second, size));
      if (!seen.insert(size).second) {
        emitError(loc) << "size " << size << " of '" << symbol
                       << "' is given twice";
        ok = false;
      } else if (wantsOrder && index > 0 && size < sizes[index - 1]) {
        emitError(loc) << "sizes of '" << symbol
                       << "' are out of order: " << size << " comes after "
                       << sizes[index - 1] << ", expected increasing ones";
        ok = false;
      }
    }
  }
  return success(ok);
}

/// The alternatives of one symbol: sizes in order, then intervals.
static std::vector<SymbolRange> makeAlternatives(const SymbolRange &declared,
                                                 std::vector<int64_t> exact,
                                                 ArrayRef<int64_t> buckets) {
  std::vector<SymbolRange> ranges;
  int64_t divisor = std::max<int64_t>(declared.divisor, 1);
  int64_t low = declared.min + (divisor - declared.min % divisor) % divisor;
  for (int64_t high : buckets) {
    // An interval of one size is that size.
    if (low != high)
      ranges.push_back({low, high, divisor});
    else if (!llvm::is_contained(exact, high))
      exact.push_back(high);
    low = high + divisor;
  }
  llvm::sort(exact);
  std::vector<SymbolRange> all;
  for (int64_t size : exact)
    all.push_back({size, size, 1});
  all.insert(all.end(), ranges.begin(), ranges.end());
  return all;
}

static std::string makeName(const Box &box, std::set<std::string> &taken) {
  std::string name;
  for (const auto &[symbol, range] : box) {
    if (!name.empty())
      name += "_";
    for (char c : symbol)
      name += llvm::isAlnum(c) ? c : '_';
    name += "_" + std::to_string(range.min);
    if (!isPoint(range))
      name += "_" + std::to_string(range.max);
  }
  while (!taken.insert(name).second)
    name += "_";
  return name;
}

static unsigned countPoints(const Box &box) {
  return llvm::count_if(
      box, [](const auto &entry) { return isPoint(entry.second); });
}

/// Every combination of alternatives, those with more single sizes first.
static std::vector<Box>
combine(const std::map<std::string, std::vector<SymbolRange>> &alternatives) {
  std::vector<Box> boxes;
  if (alternatives.empty())
    return boxes;
  boxes.emplace_back();
  for (const auto &[symbol, ranges] : alternatives) {
    std::vector<Box> longer;
    for (const Box &box : boxes)
      for (const SymbolRange &range : ranges) {
        longer.push_back(box);
        longer.back()[symbol] = range;
      }
    boxes = std::move(longer);
  }
  llvm::stable_sort(boxes, [](const Box &lhs, const Box &rhs) {
    return countPoints(lhs) > countPoints(rhs);
  });
  return boxes;
}

/// Whether no shape reaches a box: it breaks a guard, or earlier variants take
/// all that it has. Doubt counts as reachable.
static bool isReachable(Plan &plan, const VariantPlan &variant) {
  std::vector<Domain> earlier = meeting(plan.model, variant.box, plan.variants);
  if (earlier.empty() && plan.model.assumptions().empty())
    return true;
  bool decided = true;
  if (findUncovered(variant.domain, {}, decided) == std::nullopt && decided) {
    plan.notes.push_back("variant '" + variant.name +
                         "' is left out: the guards admit none of its shapes");
    return false;
  }
  if (earlier.empty())
    return true;
  decided = true;
  if (findUncovered(variant.domain, earlier, decided) || !decided)
    return true;
  plan.notes.push_back("variant '" + variant.name +
                       "' is left out: the variants before it take all of its "
                       "shapes");
  return false;
}

static void addVariant(Plan &plan, std::string name, std::string kind,
                       Box box) {
  VariantPlan variant{std::move(name), std::move(kind), std::move(box), {}};
  variant.domain = within(plan.model, variant.box);
  if (isReachable(plan, variant))
    plan.variants.push_back(std::move(variant));
}

/// Adds the variant for every shape, unless the others cover them.
static LogicalResult addFallback(MLIRContext *context, Plan &plan,
                                 bool isAllowed) {
  if (isAllowed) {
    addVariant(plan, "generic", "generic", {});
    // Guards that contradict each other are the business of another phase.
    if (plan.variants.empty()) {
      plan.notes.clear();
      plan.variants.push_back({"generic", "generic", {}, plan.model});
    }
    return success();
  }
  if (plan.variants.empty())
    return emitError(optionLoc(context, "--no-fallback"),
                     "without a generic variant, other variants must be asked "
                     "for (--exact, --bucket)");
  return success();
}

FailureOr<Plan> ambit::makePlan(MLIRContext *context, const Domain &model,
                                const PlanOptions &options) {
  Location exactLoc = optionLoc(context, "--exact");
  Location bucketLoc = optionLoc(context, "--bucket");
  bool exactOk = succeeded(checkValues(exactLoc, model, options.exact, false));
  bool bucketsOk =
      succeeded(checkValues(bucketLoc, model, options.buckets, true));
  if (!exactOk || !bucketsOk)
    return failure();

  std::map<std::string, std::vector<SymbolRange>> alternatives;
  for (const auto &[symbol, range] : model.ranges()) {
    auto exact = options.exact.find(symbol);
    auto buckets = options.buckets.find(symbol);
    bool hasExact = exact != options.exact.end();
    bool hasBuckets = buckets != options.buckets.end();
    if (hasExact || hasBuckets)
      alternatives[symbol] = makeAlternatives(
          range, hasExact ? exact->second : std::vector<int64_t>(),
          hasBuckets ? ArrayRef<int64_t>(buckets->second)
                     : ArrayRef<int64_t>());
  }
  uint64_t count = alternatives.empty() ? 0 : 1;
  for (const auto &[symbol, ranges] : alternatives)
    count = llvm::SaturatingMultiply<uint64_t>(count, ranges.size());
  count = llvm::SaturatingAdd<uint64_t>(count, options.fallback);
  if (count > options.maxVariants)
    return emitError(optionLoc(context, "--max-variants"))
           << count << " variants are asked for, at most "
           << options.maxVariants
           << " are allowed; give fewer sizes to --exact and --bucket, or "
              "raise "
              "this limit";

  Plan plan;
  plan.model = model;
  std::set<std::string> names{"generic", "main"};
  for (Box &box : combine(alternatives)) {
    bool isExact = countPoints(box) == box.size();
    std::string name = makeName(box, names);
    addVariant(plan, std::move(name), isExact ? "exact" : "range",
               std::move(box));
  }
  if (failed(addFallback(context, plan, options.fallback)) ||
      failed(verifyPlan(context, plan)))
    return failure();
  return plan;
}

SmallVector<Condition> ambit::getConditions(const Plan &plan,
                                            const VariantPlan &variant) {
  SmallVector<Condition> conditions;
  for (const auto &[name, range] : variant.box) {
    Expr symbol = Expr::symbol(name);
    SymbolRange declared = plan.model.range(name);
    if (isPoint(range)) {
      conditions.push_back(Condition::equal(symbol, Expr(range.min)));
      continue;
    }
    // The first multiple above the declared minimum is no bound of its own.
    if (range.min - declared.min >= std::max<int64_t>(declared.divisor, 1))
      conditions.push_back(
          Relation{Relation::Kind::GE, symbol, Expr(range.min)});
    if (range.max < declared.max)
      conditions.push_back(
          Relation{Relation::Kind::LE, symbol, Expr(range.max)});
    if (range.divisor > declared.divisor)
      conditions.push_back(Condition::divisible(symbol, Expr(range.divisor)));
  }
  return conditions;
}
