// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `ambit inspect` on a model that is not compiled: what its object would say.

#include "../PhasePasses.h"
#include "InspectOperators.h"
#include "LoadModel.h"
#include "ModelVariants.h"
#include "Samples.h"
#include "ambit/Dialect/Dispatch/Transforms/Guards.h"
#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "ambit/Driver/Pipeline.h"
#include "ambit/Specialize/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace ambit;

static Json symbolsToJson(ModuleOp module) {
  Json list = Json::array();
  for (auto symbol : module.getOps<sym::SymbolOp>()) {
    Json max;
    if (int64_t(symbol.getMax()) != Interval::kMax)
      max = int64_t(symbol.getMax());
    list.push_back({{"name", symbol.getName().str()},
                    {"min", int64_t(symbol.getMin())},
                    {"max", std::move(max)},
                    {"divisor", int64_t(symbol.getDivisor())}});
  }
  return list;
}

static Json guardsToJson(ArrayRef<dispatch::Guard> guards) {
  Json list = Json::array();
  for (const dispatch::Guard &guard : guards)
    list.push_back(
        {{"text", guard.condition.str()},
         {"origin", guard.origin},
         {"class", dispatch::getGuardClassName(guard.condition).str()}});
  return list;
}

static void printSymbols(ModuleOp module, llvm::raw_ostream &out) {
  if (!module.getOps<sym::SymbolOp>().empty())
    out << "symbols:\n";
  for (auto symbol : module.getOps<sym::SymbolOp>()) {
    out << "  " << llvm::left_justify(symbol.getName(), 20) << ' '
        << int64_t(symbol.getMin()) << "..";
    if (int64_t(symbol.getMax()) != Interval::kMax)
      out << int64_t(symbol.getMax());
    if (symbol.getDivisor() != 1)
      out << ", a multiple of " << symbol.getDivisor();
    if (symbol.getUnbacked())
      out << " depends on data";
    if (symbol.getDefinition())
      out << " is " << *symbol.getDefinition();
    out << '\n';
  }
}

static void printGuards(StringRef title, ArrayRef<dispatch::Guard> guards,
                        llvm::raw_ostream &out) {
  if (!guards.empty())
    out << title << ":\n";
  for (const dispatch::Guard &guard : guards)
    out << "  " << llvm::left_justify(guard.condition.str(), 36) << ' '
        << dispatch::getGuardClassName(guard.condition) << ", from "
        << guard.origin << '\n';
}

/// The module with the bodies of its variants, which know how they are padded.
static OwningOpRef<ModuleOp> specializeCopy(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext());
  buildSimplify(manager);
  manager.addPass(createSpecializePass());
  if (failed(manager.run(*copy)))
    return {};
  return copy;
}

static LogicalResult inspectPadding(ModuleOp module, bool asJson,
                                    llvm::raw_ostream &out) {
  OwningOpRef<ModuleOp> copy = specializeCopy(module);
  if (!copy)
    return failure();
  if (asJson)
    printJson({{"padding", paddingToJson(*copy)}}, out);
  else
    printPadding(*copy, out);
  return success();
}

LogicalResult ambit::inspectModel(const InspectOptions &options,
                                  MLIRContext &context,
                                  llvm::raw_ostream &out) {
  if (options.ops)
    return inspectOperators(options, context, out);
  SampleReport report;
  FailureOr<ModelOptions> applied = applySamples(options, context, report);
  if (failed(applied))
    return failure();
  OwningOpRef<ModuleOp> module = loadModel(*applied, context);
  if (!module)
    return failure();
  // In the order of a compilation, so that both plan with the same guards.
  if (failed(planModel(*module, options)))
    return failure();
  if (options.padding)
    return inspectPadding(*module, options.json, out);
  PassManager manager(&context);
  manager.addPass(dispatch::createPruneGuardsPass());
  if (failed(manager.run(*module)))
    return failure();
  auto main = module->lookupSymbol<func::FuncOp>("main");
  // Without a choice of sections, all of them.
  bool all = !options.guards && !options.variants;
  if (options.json) {
    Json json = Json::object();
    if (all) {
      json["inputs"] = toJson(getInputShapes(main), {});
      json["outputs"] = toJson(getOutputShapes(main), {});
      json["symbols"] = symbolsToJson(*module);
    }
    if (all || options.guards) {
      json["guards"] = guardsToJson(dispatch::collectGuards(*module));
      json["guards_on_data"] =
          guardsToJson(dispatch::collectLaterGuards(*module));
    }
    if (all || options.variants) {
      json["variants"] = variantsToJson(*module);
      json["notes"] = omittedToJson(*module);
    }
    if (!options.samples.empty())
      json["samples"] = toJson(report);
    printJson(json, out);
    return success();
  }
  if (all) {
    printShapes("inputs", getInputShapes(main), {}, out);
    printShapes("outputs", getOutputShapes(main), {}, out);
    printSymbols(*module, out);
  }
  if (all || options.guards) {
    printGuards("guards", dispatch::collectGuards(*module), out);
    printGuards("guards on sizes that depend on data",
                dispatch::collectLaterGuards(*module), out);
  }
  if (all || options.variants)
    printVariants(*module, out);
  return success();
}
