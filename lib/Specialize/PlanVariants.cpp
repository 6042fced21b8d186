// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass `plan-variants`: makes the plan and writes it into the module, as
// the `dispatch.model` that all later phases read.

#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Shape/InferShapes.h"
#include "ambit/Specialize/Passes.h"
#include "ambit/Specialize/Plan.h"

namespace ambit {
#define GEN_PASS_DEF_PLANVARIANTSPASS
#include "ambit/Specialize/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;

/// Reads "NAME:1:2:3".
static LogicalResult
readSizes(Location loc, ArrayRef<std::string> texts,
          llvm::function_ref<std::vector<int64_t> &(std::string)> sizes) {
  for (StringRef text : texts) {
    SmallVector<StringRef> parts;
    text.split(parts, ':');
    std::vector<int64_t> &list = sizes(parts.front().str());
    for (StringRef part : ArrayRef(parts).drop_front())
      if (part.getAsInteger(10, list.emplace_back()))
        return emitError(loc)
               << "'" << part << "' in '" << text << "', expected an integer";
  }
  return success();
}

PlanInput ambit::makePlanInput(ModuleOp module, PlanOptions options) {
  PlanInput input{sym::getEntryDomain(module), {}, std::move(options)};
  for (auto symbol : module.getOps<sym::SymbolOp>())
    if (std::optional<Expr> definition = symbol.getExpr())
      input.definitions.emplace_back(symbol.getName().str(), *definition);
  Domain whole = sym::getDomain(module);
  for (auto guard : module.getOps<sym::GuardOp>())
    if (whole.level(sym::getCondition(guard)) == 0)
      input.origins.push_back(guard.getLoc());
  return input;
}

static StringAttr nameOf(Builder &builder, Attribute given, StringRef kind,
                         size_t index) {
  if (auto name = dyn_cast_or_null<StringAttr>(given))
    return name;
  return builder.getStringAttr(kind + std::to_string(index));
}

static void describeSignature(OpBuilder &builder, Location loc,
                              func::FuncOp main) {
  for (auto [index, type] : llvm::enumerate(main.getArgumentTypes()))
    builder.create<dispatch::InputOp>(
        main.getArgument(index).getLoc(),
        nameOf(builder, main.getArgAttr(index, attributes::kName), "input",
               index),
        TypeAttr::get(type),
        main.getArgAttrOfType<sym::ShapeAttr>(index, sym::kElements));
  for (auto [index, type] : llvm::enumerate(main.getResultTypes()))
    builder.create<dispatch::OutputOp>(
        loc,
        nameOf(builder, main.getResultAttr(index, attributes::kName), "output",
               index),
        TypeAttr::get(type));
}

/// The sizes that a padded variant computes on: the largest of its box.
static DictionaryAttr getTops(Builder &builder, const VariantPlan &variant) {
  if (variant.kind != dispatch::VariantKind::Padded)
    return {};
  SmallVector<NamedAttribute> tops;
  for (const auto &[symbol, range] : variant.box)
    if (range.min != range.max)
      tops.push_back(
          builder.getNamedAttr(symbol, builder.getI64IntegerAttr(range.max)));
  return builder.getDictionaryAttr(tops);
}

static void describePlan(ModuleOp module, func::FuncOp main, const Plan &plan) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  auto name = module->getAttrOfType<StringAttr>(attributes::kModel);
  auto model = builder.create<dispatch::ModelOp>(
      loc, name ? name : builder.getStringAttr("model"), StringAttr(),
      builder.getStrArrayAttr({}));
  builder.createBlock(&model.getBody());
  describeSignature(builder, loc, main);
  for (const VariantPlan &variant : plan.variants) {
    SmallVector<Attribute> where;
    for (const Condition &condition : getConditions(plan, variant))
      where.push_back(builder.getStringAttr(condition.str()));
    builder.create<dispatch::VariantOp>(
        loc, variant.name, variant.kind, builder.getArrayAttr(where),
        getTops(builder, variant),
        variant.shares.empty()
            ? FlatSymbolRefAttr()
            : FlatSymbolRefAttr::get(builder.getContext(), variant.shares),
        ArrayAttr(), sym::ShapeAttr(), builder.getStrArrayAttr({}));
  }
  for (const OmittedVariant &omitted : plan.omitted)
    builder.create<dispatch::OmittedOp>(omitted.loc, omitted.name,
                                        omitted.reason);
}

namespace {

struct PlanVariantsPass : ambit::impl::PlanVariantsPassBase<PlanVariantsPass> {
  using PlanVariantsPassBase::PlanVariantsPassBase;
  explicit PlanVariantsPass(PlanOptions options) : given(std::move(options)) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<func::FuncOp> main = getMain(module);
    FailureOr<PlanOptions> options = readOptions(module.getLoc());
    if (failed(main) || failed(options))
      return signalPassFailure();
    for (auto model : module.getOps<dispatch::ModelOp>()) {
      model.emitError("module has a dispatch.model already");
      return signalPassFailure();
    }
    FailureOr<Plan> plan =
        makePlan(&getContext(), makePlanInput(module, std::move(*options)));
    if (failed(plan))
      return signalPassFailure();
    describePlan(module, *main, *plan);
  }

private:
  FailureOr<PlanOptions> readOptions(Location loc) {
    if (given)
      return *given;
    PlanOptions options;
    options.fallback = fallback;
    options.maxVariants = maxVariants;
    options.sharing = share ? Sharing::Always : Sharing::Never;
    auto exactOf = [&](std::string name) -> std::vector<int64_t> & {
      return options.exact[name];
    };
    auto endsOf = [&](std::string name) -> std::vector<int64_t> & {
      return options.buckets[name].sizes;
    };
    if (failed(readSizes(loc, exact, exactOf)) ||
        failed(readSizes(loc, bucket, endsOf)))
      return failure();
    for (const std::string &name : padded)
      options.kinds[name].way = BucketKind::Way::Padded;
    return options;
  }

  std::optional<PlanOptions> given;
};

} // namespace

std::unique_ptr<Pass> ambit::createPlanVariantsPass(PlanOptions options) {
  return std::make_unique<PlanVariantsPass>(std::move(options));
}
