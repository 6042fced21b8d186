// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expected times of a model, from its kernels.

#include "ModelCosts.h"
#include "../PhasePasses.h"
#include "ambit/Cost/BodyCost.h"
#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "ambit/Specialize/Passes.h"
#include "ambit/Specialize/Plan.h"

using namespace mlir;
using namespace ambit;

namespace {
/// The sizes of a shape and what follows from them, for one model.
class ShapeCompletion {
public:
  explicit ShapeCompletion(ModuleOp module) {
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
} // namespace

FailureOr<VariantCosts> ambit::measureCosts(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  ShapeCompletion completion(module);
  PassManager manager(module.getContext());
  buildSimplify(manager);
  manager.addPass(createPlanVariantsPass(PlanOptions()));
  manager.addPass(createSpecializePass());
  buildKernels(manager);
  if (failed(manager.run(*copy)))
    return failure();
  auto cost = std::make_shared<cost::BodyCost>(
      cost::BodyCost::of(copy->lookupSymbol<func::FuncOp>("generic")));
  return VariantCosts{[=](const Shape &shape, const SymbolSet &fixed) {
    Shape sizes = completion.complete(shape);
    SymbolSet constant = completion.complete(fixed);
    cost::BodyCost::Times times = cost->at(sizes, constant);
    return BodyTimes{times.generic, times.exact,
                     cost->getPadding(sizes, constant)};
  }};
}
