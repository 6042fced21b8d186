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

static LogicalResult checkValue(Location loc, const std::string &symbol,
                                const SymbolRange &range, int64_t value) {
  if (value < range.min || value > range.max)
    return emitError(loc) << "size " << value << " of '" << symbol
                          << "' is outside of its range, expected "
                          << rangeText({range.min, range.max, 1});
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

namespace {
/// Builds a plan variant by variant.
class Planner {
public:
  Planner(MLIRContext *context, const PlanInput &input)
      : context(context), input(input) {
    plan.model = input.model;
  }
  FailureOr<Plan> make();

private:
  using Alternatives = std::map<std::string, std::vector<SymbolRange>>;
  FailureOr<Alternatives> collectAlternatives() const;
  void add(std::string name, dispatch::VariantKind kind, Box box, Location loc);
  LogicalResult addFallback();
  std::optional<OmittedVariant> findObstacle(const VariantPlan &variant,
                                             Location loc) const;
  OmittedVariant blameRule(const VariantPlan &variant, Location loc) const;
  bool isEmpty(const Domain &domain) const;

  MLIRContext *context;
  const PlanInput &input;
  Plan plan;
};
} // namespace

/// Doubt counts as not empty.
bool Planner::isEmpty(const Domain &domain) const {
  bool isDecided = true;
  return !findUncovered(domain, {}, isDecided) && isDecided;
}

/// Says which rule keeps all shapes of a box out; several may do it together.
OmittedVariant Planner::blameRule(const VariantPlan &variant,
                                  Location loc) const {
  for (auto [rule, origin] :
       llvm::zip(plan.model.assumptions(), input.origins)) {
    Domain alone = boxDomain(plan.model, variant.box);
    alone.assume(rule);
    if (isEmpty(alone))
      return {variant.name,
              "rule '" + rule.str() + "' from " +
                  dispatch::describeOrigin(origin) +
                  " admits none of its shapes",
              origin};
  }
  return {variant.name, "the guards admit none of its shapes", loc};
}

/// Why no shape reaches a box: it breaks a guard, or earlier variants take all
/// that it has. Doubt counts as reachable.
std::optional<OmittedVariant> Planner::findObstacle(const VariantPlan &variant,
                                                    Location loc) const {
  std::vector<Domain> earlier = meeting(plan.model, variant.box, plan.variants);
  if (!plan.model.assumptions().empty() && isEmpty(variant.domain))
    return blameRule(variant, loc);
  if (earlier.empty())
    return std::nullopt;
  bool isDecided = true;
  if (findUncovered(variant.domain, earlier, isDecided) || !isDecided)
    return std::nullopt;
  return OmittedVariant{variant.name,
                        "the variants before it take all of its shapes", loc};
}

void Planner::add(std::string name, dispatch::VariantKind kind, Box box,
                  Location loc) {
  VariantPlan variant{std::move(name), kind, std::move(box), {}};
  variant.domain = within(plan.model, variant.box);
  if (std::optional<OmittedVariant> omitted = findObstacle(variant, loc))
    plan.omitted.push_back(std::move(*omitted));
  else
    plan.variants.push_back(std::move(variant));
}

/// Adds the variant for every shape, unless the others cover them.
LogicalResult Planner::addFallback() {
  Location loc = optionLoc(context, "--no-fallback");
  if (input.options.fallback) {
    add("generic", dispatch::VariantKind::Generic, {},
        optionLoc(context, "plan"));
    // Guards that contradict each other are the business of another phase.
    if (plan.variants.empty()) {
      plan.omitted.clear();
      plan.variants.push_back(
          {"generic", dispatch::VariantKind::Generic, {}, plan.model});
    }
    return success();
  }
  if (plan.variants.empty())
    return emitError(loc, "without a generic variant, other variants must be "
                          "asked for (--exact, --bucket)");
  return success();
}

FailureOr<Planner::Alternatives> Planner::collectAlternatives() const {
  const PlanOptions &options = input.options;
  Alternatives alternatives;
  for (const auto &[symbol, range] : plan.model.ranges()) {
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
              "raise this limit";
  return alternatives;
}

FailureOr<Plan> Planner::make() {
  Location exactLoc = optionLoc(context, "--exact");
  Location bucketLoc = optionLoc(context, "--bucket");
  bool exactOk =
      succeeded(checkValues(exactLoc, plan.model, input.options.exact, false));
  bool bucketsOk = succeeded(
      checkValues(bucketLoc, plan.model, input.options.buckets, true));
  if (!exactOk || !bucketsOk)
    return failure();
  FailureOr<Alternatives> alternatives = collectAlternatives();
  if (failed(alternatives))
    return failure();
  std::set<std::string> names{"generic", "main"};
  for (Box &box : combine(*alternatives)) {
    bool isExact = countPoints(box) == box.size();
    std::string name = makeName(box, names);
    add(std::move(name),
        isExact ? dispatch::VariantKind::Exact : dispatch::VariantKind::Range,
        std::move(box), isExact ? exactLoc : bucketLoc);
  }
  if (failed(addFallback()) || failed(verifyPlan(context, plan)))
    return failure();
  return std::move(plan);
}

FailureOr<Plan> ambit::makePlan(MLIRContext *context, const PlanInput &input) {
  return Planner(context, input).make();
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
