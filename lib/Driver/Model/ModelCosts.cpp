// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expected times of a model, from its kernels.

#include "ModelCosts.h"
#include "../PhasePasses.h"
#include "ambit/Cost/CodeCost.h"
#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "ambit/Specialize/Passes.h"
#include "ambit/Specialize/Plan.h"

using namespace mlir;
using namespace ambit;

/// Sizes and what follows from them, for one model.
class ModelCosts::Completion {
public:
  explicit Completion(ModuleOp module) {
    for (auto symbol : module.getOps<sym::SymbolOp>()) {
      SymbolRange range = sym::getDomain(module).range(symbol.getName());
      if (std::optional<Expr> definition = symbol.getExpr())
        definitions.emplace_back(symbol.getName().str(), *definition);
      else if (symbol.getUnbacked())
        typical[symbol.getName().str()] = getTypicalSize(range);
    }
  }
  Shape complete(const Shape &shape) const {
    Shape all = typical;
    for (const auto &[symbol, size] : shape)
      all[symbol] = size;
    for (const auto &[symbol, expr] : definitions)
      if (std::optional<int64_t> value = expr.evaluate(all))
        all[symbol] = *value;
    return all;
  }

  /// What is constant when these symbols are.
  SymbolSet complete(SymbolSet fixed) const {
    for (const auto &[symbol, expr] : definitions) {
      std::set<std::string> used;
      expr.collectSymbols(used);
      if (llvm::all_of(used, [&](const std::string &name) {
            return fixed.count(name) != 0;
          }))
        fixed.insert(symbol);
    }
    return fixed;
  }

private:
  std::vector<std::pair<std::string, Expr>> definitions;
  Shape typical;
};

FailureOr<ModelCosts> ModelCosts::measure(ModuleOp module,
                                          const cost::Rates &rates) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext());
  buildSimplify(manager);
  manager.addPass(createPlanVariantsPass(PlanOptions()));
  manager.addPass(createSpecializePass());
  buildKernels(manager);
  if (failed(manager.run(*copy)))
    return failure();
  auto generic = copy->lookupSymbol<func::FuncOp>("generic");
  ModelCosts costs;
  costs.completion = std::make_shared<Completion>(module);
  costs.body =
      std::make_shared<cost::BodyCost>(cost::BodyCost::of(generic, rates));
  costs.code = std::make_shared<cost::CodeCost>(cost::CodeCost::of(generic));
  return costs;
}

VariantCosts ModelCosts::times() const {
  return {[*this](const Shape &shape, const SymbolSet &fixed) {
    Shape sizes = completion->complete(shape);
    SymbolSet constant = completion->complete(fixed);
    cost::BodyCost::Times times = body->at(sizes, constant);
    return BodyTimes{times.generic, times.exact,
                     body->getPadding(sizes, constant)};
  }};
}

std::vector<cost::CodeSize> ModelCosts::codeOf(const Plan &plan) const {
  cost::CodeCost::Known known;
  std::vector<cost::CodeSize> all(plan.variants.size());
  std::set<std::string> bodies;
  // The generic variant has its kernels first, whatever its place.
  auto add = [&](size_t index) {
    const VariantPlan &variant = plan.variants[index];
    bool isPadded = variant.kind == dispatch::VariantKind::Padded;
    Shape top;
    SymbolSet fixed, padded;
    for (const auto &[symbol, range] : variant.box) {
      top[symbol] = range.max;
      bool isPoint = range.min == range.max;
      if (isPoint || isPadded)
        fixed.insert(symbol);
      if (isPadded && !isPoint)
        padded.insert(symbol);
    }
    // A shared body has symbols for its sizes, and is there once.
    if (!variant.shares.empty()) {
      if (!bodies.insert(variant.shares).second) {
        all[index] = cost::CodeCost::getEntry();
        return;
      }
      fixed.clear();
    }
    all[index] = code->add(completion->complete(top),
                           completion->complete(fixed), known);
    if (!isPadded)
      return;
    cost::CodeSize more = code->getPadding(completion->complete(padded));
    all[index].bytes += more.bytes;
    all[index].seconds += more.seconds;
    all[index].kernels += more.kernels;
  };
  for (size_t index = plan.variants.size(); index-- > 0;)
    add(index);
  return all;
}
