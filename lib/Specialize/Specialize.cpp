// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass `specialize`: a copy of @main for each variant, its expressions
// rewritten for the variant's domain, its types inferred again, its tensors
// padded where the plan says so.

#include "Padding/PadTails.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Shape/InferShapes.h"
#include "ambit/Specialize/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ambit {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "ambit/Specialize/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;

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

/// Pads what a fact makes equal to padded sizes: kv where kv == past + seq.
static void followFacts(const Domain &domain,
                        std::map<std::string, Expr> &tops) {
  for (const Condition &fact : domain.assumptions()) {
    if (fact.anyOf.size() != 1 || fact.anyOf.front().kind != Relation::Kind::EQ)
      continue;
    const Relation &relation = fact.anyOf.front();
    for (auto [symbol, value] : {std::pair(relation.lhs, relation.rhs),
                                 std::pair(relation.rhs, relation.lhs)}) {
      Expr top = value.substitute(tops);
      if (symbol.isSymbol() && top.isValid() && top != value)
        tops.try_emplace(symbol.symbolName().str(), top);
    }
  }
}

/// Pads the body of a variant. Where no op can be padded, it is a range.
static LogicalResult padVariant(func::FuncOp variant, dispatch::VariantOp plan,
                                const Domain &domain, FreePadding freePadding) {
  std::optional<DictionaryAttr> given = plan.getTops();
  if (!given)
    return plan.emitOpError("is padded, and does not say to what sizes");
  std::map<std::string, Expr> tops;
  for (NamedAttribute top : *given) {
    SymbolRange range = domain.range(top.getName().strref());
    int64_t size = cast<IntegerAttr>(top.getValue()).getInt();
    if (range.max > size)
      return plan.emitOpError()
             << "pads '" << top.getName().strref() << "' to " << size
             << ", expected its largest size or more: " << range.max;
    tops[top.getName().str()] = Expr(size);
  }
  followFacts(domain, tops);
  PaddingReport report;
  if (failed(padTails(variant, domain, tops, freePadding, report)))
    return failure();
  Builder builder(variant.getContext());
  std::string summary = std::to_string(report.padded) +
                        " ops on padded sizes, " + std::to_string(report.kept) +
                        " on true sizes";
  SmallVector<StringRef> lines{summary};
  lines.append(report.lines.begin(), report.lines.end());
  plan.setPaddingAttr(builder.getStrArrayAttr(lines));
  if (report.padded == 0)
    plan.setKind(dispatch::VariantKind::Range);
  return success();
}

static LogicalResult makeVariant(func::FuncOp main, dispatch::VariantOp plan,
                                 Prover &whole, FreePadding freePadding) {
  OpBuilder builder(main);
  auto module = main->getParentOfType<ModuleOp>();
  auto variant = cast<func::FuncOp>(builder.clone(*main));
  variant.setName(plan.getBody());
  variant->setAttr(attributes::kVariant, builder.getUnitAttr());
  Domain domain =
      dispatch::within(whole.domain(), dispatch::getConditions(plan));
  std::map<std::string, Expr> sizes;
  for (const auto &[symbol, range] : domain.ranges())
    if (range.min == range.max)
      sizes[symbol] = Expr(range.min);
  // What is undecided here was undecided for the model, and has a guard there.
  graph::ShapeContext context(whole, domain);
  Prover &prover = context.getProver();
  for (auto symbol : module.getOps<sym::SymbolOp>())
    if (std::optional<Expr> value = symbol.getExpr()) {
      Expr known = prover.simplify(value->substitute(sizes));
      if (known.constant())
        sizes[symbol.getName().str()] = known;
    }
  rewriteExpressions(variant, [&](Expr expr) {
    return prover.simplify(expr.substitute(sizes));
  });
  bool isPadded = plan.getKind() == dispatch::VariantKind::Padded;
  if (failed(inferShapes(variant, context)) || failed(foldOps(variant)) ||
      (isPadded && (failed(padVariant(variant, plan, domain, freePadding)) ||
                    failed(foldOps(variant))))) {
    variant.emitError() << "variant '" << plan.getBody() << "' cannot be made";
    return failure();
  }
  return success();
}

static LogicalResult specialize(ModuleOp module, FreePadding freePadding) {
  FailureOr<func::FuncOp> main = getMain(module);
  FailureOr<dispatch::ModelOp> model = dispatch::getModel(module);
  if (failed(main) || failed(model))
    return failure();
  for (auto variant : model->getAll<dispatch::VariantOp>())
    if (module.lookupSymbol(variant.getBody()))
      return module.emitError() << "symbol '" << variant.getBody()
                                << "' is taken, a variant needs it";
  Prover whole(sym::getDomain(module));
  for (auto variant : model->getAll<dispatch::VariantOp>())
    if (failed(makeVariant(*main, variant, whole, freePadding)))
      return failure();
  main->erase();
  return success();
}

namespace {
struct SpecializePass : ambit::impl::SpecializePassBase<SpecializePass> {
  using SpecializePassBase::SpecializePassBase;
  void runOnOperation() override {
    if (failed(specialize(getOperation(), freePadding)))
      signalPassFailure();
  }
};
} // namespace
