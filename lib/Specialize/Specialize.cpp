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

/// The sizes that a padded variant says it computes on.
static FailureOr<std::map<std::string, Expr>> readTops(dispatch::VariantOp plan,
                                                       const Domain &domain) {
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
  return tops;
}

namespace {
/// A body that is to be made, and the variants that it is for.
struct Body {
  std::string name;
  /// The shapes that it takes.
  Domain shapes;
  /// Symbols to what they are padded to; empty when it is not padded.
  std::map<std::string, Expr> tops;
  /// `shapes`, and what is known of symbols in `tops`.
  Domain domain;
  SmallVector<dispatch::VariantOp> variants;
};
} // namespace

static FailureOr<Body> planBody(dispatch::VariantOp plan, const Domain &whole) {
  Body body;
  body.name = plan.getBody();
  body.shapes = dispatch::within(whole, dispatch::getConditions(plan));
  body.domain = body.shapes;
  body.variants = {plan};
  if (plan.getKind() != dispatch::VariantKind::Padded)
    return body;
  FailureOr<std::map<std::string, Expr>> tops = readTops(plan, body.shapes);
  if (failed(tops))
    return failure();
  body.tops = std::move(*tops);
  return body;
}

static FailureOr<Body> planBody(const dispatch::Family &family,
                                const Domain &whole) {
  Body body{family.name, family.shapes, {}, family.getDomain(), family.members};
  for (dispatch::VariantOp member : family.members)
    if (failed(readTops(
            member, dispatch::within(whole, dispatch::getConditions(member)))))
      return failure();
  for (const auto &[symbol, top] : family.tops)
    body.tops[symbol] = Expr::symbol(top);
  return body;
}

/// Pads a body. Where no op can be padded, its variants are ranges.
static LogicalResult padBody(func::FuncOp function, Body &body,
                             FreePadding freePadding) {
  followFacts(body.domain, body.tops);
  PaddingReport report;
  if (failed(padTails(function, body.domain, body.tops, freePadding, report)))
    return failure();
  Builder builder(function.getContext());
  std::string summary = std::to_string(report.padded) +
                        " ops on padded sizes, " + std::to_string(report.kept) +
                        " on true sizes";
  SmallVector<StringRef> lines{summary};
  lines.append(report.lines.begin(), report.lines.end());
  body.variants.front().setPaddingAttr(builder.getStrArrayAttr(lines));
  if (report.padded == 0)
    for (dispatch::VariantOp variant : body.variants)
      variant.setKind(dispatch::VariantKind::Range);
  return success();
}

static LogicalResult makeBody(func::FuncOp main, Body &body, Prover &whole,
                              FreePadding freePadding) {
  OpBuilder builder(main);
  auto module = main->getParentOfType<ModuleOp>();
  auto variant = cast<func::FuncOp>(builder.clone(*main));
  variant.setName(body.name);
  variant->setAttr(attributes::kVariant, builder.getUnitAttr());
  std::map<std::string, Expr> sizes;
  for (const auto &[symbol, range] : body.shapes.ranges())
    if (range.min == range.max)
      sizes[symbol] = Expr(range.min);
  // What is undecided here was undecided for the model, and has a guard there.
  graph::ShapeContext context(whole, body.shapes);
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
  if (failed(inferShapes(variant, context)) || failed(foldOps(variant)) ||
      (!body.tops.empty() && (failed(padBody(variant, body, freePadding)) ||
                              failed(foldOps(variant))))) {
    variant.emitError() << "variant '" << body.name << "' cannot be made";
    return failure();
  }
  return success();
}

/// What is to be made: a body for each variant, one for those that share.
static FailureOr<std::vector<Body>>
planBodies(ModuleOp module, dispatch::ModelOp model, const Domain &whole) {
  std::vector<Body> bodies;
  for (auto variant : model.getAll<dispatch::VariantOp>()) {
    if (variant.getShares())
      continue;
    FailureOr<Body> body = planBody(variant, whole);
    if (failed(body))
      return failure();
    bodies.push_back(std::move(*body));
  }
  for (const dispatch::Family &family : dispatch::getFamilies(module)) {
    FailureOr<Body> body = planBody(family, whole);
    if (failed(body))
      return failure();
    bodies.push_back(std::move(*body));
  }
  return bodies;
}

static LogicalResult specialize(ModuleOp module, FreePadding freePadding) {
  FailureOr<func::FuncOp> main = getMain(module);
  FailureOr<dispatch::ModelOp> model = dispatch::getModel(module);
  if (failed(main) || failed(model))
    return failure();
  Prover whole(sym::getDomain(module));
  FailureOr<std::vector<Body>> bodies =
      planBodies(module, *model, whole.domain());
  if (failed(bodies))
    return failure();
  for (Body &body : *bodies)
    if (module.lookupSymbol(body.name))
      return module.emitError()
             << "symbol '" << body.name << "' is taken, a variant needs it";
  for (Body &body : *bodies)
    if (failed(makeBody(*main, body, whole, freePadding)))
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
