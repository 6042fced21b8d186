// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what was asked for to the table of variants: a variant is a choice of
// one alternative for each symbol that an option names.

#include "ChooseBuckets.h"
#include "PlanTraffic.h"
#include "ambit/Symbolic/Parser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::planning;

static std::string claim(std::string name, std::set<std::string> &taken) {
  while (!taken.insert(name).second)
    name += "_";
  return name;
}

static std::string makeName(const Domain &model, const Box &box,
                            std::set<std::string> &taken) {
  std::string name;
  for (const auto &[symbol, range] : box) {
    if (!name.empty())
      name += "_";
    name += asNamePart(symbol) + "_" + std::to_string(range.min);
    if (!isPoint(range))
      name += "_" + std::to_string(range.max);
    if (!isPoint(range) && range.divisor > model.range(symbol).divisor)
      name += "_by_" + std::to_string(range.divisor);
  }
  return claim(std::move(name), taken);
}

/// What padded variants that share a body have in common: the symbols that they
/// bound, each with its size or, where it is padded, without.
using Form = std::vector<std::pair<std::string, std::optional<int64_t>>>;

static Form formOf(const Box &box) {
  Form form;
  for (const auto &[symbol, range] : box)
    form.emplace_back(symbol,
                      isPoint(range) ? std::optional(range.min) : std::nullopt);
  return form;
}

static std::string makeName(const Form &form, std::set<std::string> &taken) {
  std::string name = "padded";
  for (const auto &[symbol, size] : form)
    name +=
        "_" + asNamePart(symbol) + (size ? "_" + std::to_string(*size) : "");
  return claim(std::move(name), taken);
}

/// What a variant makes of a box, by two of its alternatives. Single sizes have
/// no say, and what chooses by itself yields.
static BucketKind::Way combineWays(const Cell &cell,
                                   const Alternative &choice) {
  using Way = BucketKind::Way;
  if (isPoint(choice.range))
    return cell.way;
  if (countPoints(cell.box) == cell.box.size() || cell.way == Way::Auto)
    return choice.way;
  return choice.way == Way::Auto ? cell.way : std::max(cell.way, choice.way);
}

/// Every combination of alternatives, those with more single sizes first.
static std::vector<Cell> combine(const Alternatives &alternatives) {
  std::vector<Cell> cells;
  if (alternatives.empty())
    return cells;
  cells.emplace_back();
  for (const auto &[symbol, choices] : alternatives) {
    std::vector<Cell> longer;
    for (const Cell &cell : cells)
      for (const Alternative &choice : choices) {
        longer.push_back(cell);
        longer.back().box[symbol] = choice.range;
        longer.back().way = combineWays(cell, choice);
      }
    cells = std::move(longer);
  }
  llvm::stable_sort(cells, [](const Cell &lhs, const Cell &rhs) {
    return countPoints(lhs.box) > countPoints(rhs.box);
  });
  return cells;
}

static dispatch::VariantKind kindOf(const Cell &cell) {
  if (countPoints(cell.box) == cell.box.size())
    return dispatch::VariantKind::Exact;
  switch (cell.way) {
  case BucketKind::Way::Range:
    return dispatch::VariantKind::Range;
  case BucketKind::Way::Padded:
    return dispatch::VariantKind::Padded;
  case BucketKind::Way::Divisible:
    return dispatch::VariantKind::Divisible;
  case BucketKind::Way::Auto:
    break;
  }
  llvm_unreachable("the planner has chosen");
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
  bool choose(Cell &cell, Location loc);
  void addTraffic(std::set<std::string> &names);
  void shareBodies(std::set<std::string> &names);
  bool gainsFromConstants(const VariantPlan &variant) const;
  void add(std::string name, dispatch::VariantKind kind, Box box, Location loc);
  LogicalResult addFallback();
  std::optional<OmittedVariant> findObstacle(const VariantPlan &variant,
                                             Location loc) const;
  OmittedVariant blameRule(const VariantPlan &variant, Location loc) const;
  bool isEmpty(const Domain &domain) const;

  MLIRContext *context;
  const PlanInput &input;
  Plan plan;
  /// Variants that expected times chose: constants are why they are there.
  std::set<std::string> chosen;
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

/// Narrows a cell to what is worth a variant; false, with a note, when that is
/// nothing.
bool Planner::choose(Cell &cell, Location loc) {
  assert(input.options.costs && "buckets that choose need expected times");
  BucketChoice choice = chooseBucket(plan.model, cell.box, input.options.costs);
  if (!choice.padded) {
    std::set<std::string> any;
    plan.omitted.push_back(
        {makeName(plan.model, cell.box, any), choice.reason, loc});
    return false;
  }
  cell.box = *choice.padded;
  cell.way = BucketKind::Way::Padded;
  return true;
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
  Location loc = optionLoc(context, "--fallback");
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

/// Adds the variants that the observed shapes ask for.
void Planner::addTraffic(std::set<std::string> &names) {
  const PlanOptions &options = input.options;
  assert(options.costs && "traffic needs expected times");
  unsigned others = options.fallback ? 1 : 0;
  TrafficPlan found = planTraffic(
      input, options.maxVariants - std::min(others, options.maxVariants));
  for (Cell &cell : found.cells) {
    std::string name = makeName(plan.model, cell.box, names);
    dispatch::VariantKind kind = kindOf(cell);
    chosen.insert(name);
    add(std::move(name), kind, std::move(cell.box),
        optionLoc(context, "--profile"));
  }
  plan.traffic = found.report;
}

bool Planner::gainsFromConstants(const VariantPlan &variant) const {
  const VariantCosts &costs = input.options.costs;
  return !costs || chosen.count(variant.name) ||
         getSaving(plan.model, variant.box, costs) >= kLeastSaving;
}

/// So many padded variants of the same symbols have bodies of their own even
/// where constants are expected to save little.
constexpr size_t kOwnBodies = 8;

/// Gives padded variants that bound the same symbols, and have the same ones at
/// one size, a body for all.
void Planner::shareBodies(std::set<std::string> &names) {
  Sharing sharing = input.options.sharing;
  std::map<Form, std::vector<VariantPlan *>> groups;
  for (VariantPlan &variant : plan.variants) {
    if (variant.kind != dispatch::VariantKind::Padded ||
        sharing == Sharing::Never ||
        (sharing == Sharing::Auto && gainsFromConstants(variant)))
      continue;
    groups[formOf(variant.box)].push_back(&variant);
  }
  for (auto &[form, members] : groups) {
    if (members.size() <= (sharing == Sharing::Auto ? kOwnBodies : 1))
      continue;
    std::string name = makeName(form, names);
    for (VariantPlan *member : members)
      member->shares = name;
  }
}

FailureOr<Plan> Planner::make() {
  FailureOr<Alternatives> alternatives =
      collectAlternatives(context, plan.model, input.options);
  if (failed(alternatives))
    return failure();
  std::set<std::string> names{"generic", "main"};
  for (Cell &cell : combine(*alternatives)) {
    bool isExact = countPoints(cell.box) == cell.box.size();
    Location loc = optionLoc(context, isExact ? "--exact" : "--bucket");
    bool isAuto = cell.way == BucketKind::Way::Auto && !isExact;
    if (isAuto && !choose(cell, loc))
      continue;
    std::string name = makeName(plan.model, cell.box, names);
    dispatch::VariantKind kind = kindOf(cell);
    if (isAuto)
      chosen.insert(name);
    add(std::move(name), kind, std::move(cell.box), loc);
  }
  if (input.options.traffic)
    addTraffic(names);
  shareBodies(names);
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
    // A padded variant says what it pads to.
    if (range.max < declared.max ||
        variant.kind == dispatch::VariantKind::Padded)
      conditions.push_back(
          Relation{Relation::Kind::LE, symbol, Expr(range.max)});
    if (range.divisor > declared.divisor)
      conditions.push_back(Condition::divisible(symbol, Expr(range.divisor)));
  }
  return conditions;
}
