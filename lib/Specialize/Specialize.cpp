// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binding: a copy of @main for each variant, its expressions rewritten for the
// variant's domain, its types inferred again; and the pass `specialize`.

#include "ambit/Specialize/Specialize.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Shape/InferShapes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace ambit;

static constexpr StringRef kKind = "ambit.variant";
static constexpr StringRef kDomain = "ambit.domain";
static constexpr StringRef kName = "ambit.name";

/// The ranges of a domain as an attribute; guards stay with the module.
static ArrayAttr makeDomainAttr(Builder &builder, const Domain &domain) {
  SmallVector<Attribute> entries;
  for (const auto &[symbol, range] : domain.ranges())
    entries.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("symbol", builder.getStringAttr(symbol)),
         builder.getNamedAttr("min", builder.getI64IntegerAttr(range.min)),
         builder.getNamedAttr("max", builder.getI64IntegerAttr(range.max)),
         builder.getNamedAttr("divisor",
                              builder.getI64IntegerAttr(range.divisor))}));
  return builder.getArrayAttr(entries);
}

Domain ambit::domainOf(func::FuncOp variant) {
  Domain domain;
  if (auto module = variant->getParentOfType<ModuleOp>())
    domain = sym::getDomain(module);
  auto entries = variant->getAttrOfType<ArrayAttr>(kDomain);
  if (!entries)
    return domain;
  for (Attribute entry : entries) {
    auto range = dyn_cast<DictionaryAttr>(entry);
    auto symbol = range ? range.getAs<StringAttr>("symbol") : StringAttr();
    if (!symbol)
      continue;
    auto read = [&](StringRef field, int64_t fallback) {
      auto value = range.getAs<IntegerAttr>(field);
      return value ? value.getInt() : fallback;
    };
    SymbolRange known = domain.range(symbol.getValue());
    domain.setRange(symbol.getValue(),
                    SymbolRange{read("min", known.min), read("max", known.max),
                                read("divisor", known.divisor)});
  }
  return domain;
}

/// Rewrites every dim expression in types and attributes below `function`.
static void rewriteExpressions(func::FuncOp function,
                               llvm::function_ref<Expr(Expr)> rewrite) {
  AttrTypeReplacer replacer;
  auto rewriteAll = [&](ArrayRef<Expr> dims) {
    return llvm::map_to_vector(dims, rewrite);
  };
  replacer.addReplacement([&](sym::ShapeAttr shape) -> Attribute {
    return sym::ShapeAttr::get(shape.getContext(), rewriteAll(shape.getDims()));
  });
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        auto shape = dyn_cast_or_null<sym::ShapeAttr>(type.getEncoding());
        Type rewritten = type;
        // A dim can only become invalid or negative where the guards admit no
        // shape; then the type stays, and inference reports the op.
        if (shape)
          if (RankedTensorType better = sym::getTensorType(
                  rewriteAll(shape.getDims()), type.getElementType()))
            rewritten = better;
        return std::make_pair(rewritten, WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

static LogicalResult foldOps(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  for (RegisteredOperationName op :
       function.getContext()->getRegisteredOperations())
    if (op.getDialectNamespace() == "graph")
      op.getCanonicalizationPatterns(patterns, function.getContext());
  GreedyRewriteConfig config;
  config.useTopDownTraversal = true;
  bool changed = false;
  if (failed(applyPatternsAndFoldGreedily(function, std::move(patterns), config,
                                          &changed)))
    return function.emitError("simplification does not come to an end");
  return success();
}

/// The variant's shapes, and what is known of sizes that its body sets.
static Domain wholeDomain(ModuleOp module, const VariantPlan &plan) {
  Domain domain = plan.domain, whole = sym::getDomain(module);
  for (const std::string &symbol : whole.unbacked()) {
    domain.setRange(symbol, whole.range(symbol));
    domain.setUnbacked(symbol);
  }
  for (const Condition &fact : whole.assumptions())
    if (whole.level(fact) > 0)
      domain.assume(fact);
  return domain;
}

static LogicalResult makeVariant(func::FuncOp main, const VariantPlan &plan,
                                 Prover &whole) {
  OpBuilder builder(main);
  auto variant = cast<func::FuncOp>(builder.clone(*main));
  variant.setName(plan.name);
  Domain domain = wholeDomain(main->getParentOfType<ModuleOp>(), plan);
  std::map<std::string, Expr> sizes;
  for (const auto &[symbol, range] : domain.ranges())
    if (range.min == range.max)
      sizes[symbol] = Expr(range.min);
  // What is undecided here was undecided for the model, and has a guard there.
  graph::ShapeContext context(whole, domain);
  Prover &prover = context.getProver();
  for (auto symbol : main->getParentOfType<ModuleOp>().getOps<sym::SymbolOp>())
    if (std::optional<Expr> value = symbol.getExpr()) {
      Expr known = prover.simplify(value->substitute(sizes));
      if (known.constant())
        sizes[symbol.getName().str()] = known;
    }
  rewriteExpressions(variant, [&](Expr expr) {
    return prover.simplify(expr.substitute(sizes));
  });
  variant->setAttr(kKind, builder.getStringAttr(plan.kind));
  variant->setAttr(kDomain, makeDomainAttr(builder, domain));
  if (failed(inferShapes(variant, context)) || failed(foldOps(variant))) {
    variant.emitError() << "variant '" << plan.name << "' cannot be made";
    return failure();
  }
  return success();
}

static StringAttr nameOf(Builder &builder, Attribute given, StringRef kind,
                         size_t index) {
  if (auto name = dyn_cast_or_null<StringAttr>(given))
    return name;
  return builder.getStringAttr(kind + std::to_string(index));
}

static void describeModel(ModuleOp module, func::FuncOp main,
                          const Plan &plan) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  auto name = module->getAttrOfType<StringAttr>("ambit.model");
  auto model = builder.create<dispatch::ModelOp>(
      loc, name ? name : builder.getStringAttr("model"), StringAttr(),
      builder.getStrArrayAttr({}));
  builder.createBlock(&model.getBody());
  for (auto [index, type] : llvm::enumerate(main.getArgumentTypes()))
    builder.create<dispatch::InputOp>(
        main.getArgument(index).getLoc(),
        nameOf(builder, main.getArgAttr(index, kName), "input", index),
        TypeAttr::get(type),
        main.getArgAttrOfType<sym::ShapeAttr>(index, sym::kElements));
  for (auto [index, type] : llvm::enumerate(main.getResultTypes()))
    builder.create<dispatch::OutputOp>(
        loc, nameOf(builder, main.getResultAttr(index, kName), "output", index),
        TypeAttr::get(type));
  for (const VariantPlan &variant : plan.variants) {
    SmallVector<std::string> where;
    for (const Condition &condition : getConditions(plan, variant))
      where.push_back(condition.str());
    SmallVector<StringRef> texts(where.begin(), where.end());
    builder.create<dispatch::VariantOp>(loc, variant.name, variant.kind,
                                        builder.getStrArrayAttr(texts),
                                        sym::ShapeAttr());
  }
}

LogicalResult ambit::specialize(ModuleOp module, const Plan &plan) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return module.emitError("module has no function '@main' with a body");
  for (Operation &op : *module.getBody())
    if (isa<dispatch::ModelOp>(op))
      return op.emitError("module has a dispatch.model already");
  for (const VariantPlan &variant : plan.variants)
    if (module.lookupSymbol(variant.name))
      return module.emitError()
             << "symbol '" << variant.name << "' is taken, a variant needs it";
  Prover whole(sym::getDomain(module));
  for (const VariantPlan &variant : plan.variants)
    if (failed(makeVariant(main, variant, whole)))
      return failure();
  describeModel(module, main, plan);
  main.erase();
  return success();
}
