// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `ambit shapes`: what is known of a model's shapes without compiling anything.

#include "LoadModel.h"
#include "ShapeOrigins.h"
#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Pipeline.h"

using namespace mlir;
using namespace ambit;

/// The values of --set, which must satisfy the domain as far as they go.
static FailureOr<std::map<std::string, Expr>>
checkValues(ModuleOp module, const std::map<std::string, int64_t> &set) {
  Domain domain = sym::getDomain(module);
  std::map<std::string, Expr> values;
  auto fail = [&]() {
    return emitError(optionLocation(module.getContext(), "--set"));
  };
  for (auto [name, value] : set) {
    if (!domain.ranges().count(name))
      return fail() << "the model has no symbol '" << name << "'";
    SymbolRange range = domain.range(name);
    if (value < range.min || value > range.max || value % range.divisor)
      return fail() << "'" << name << "' is " << value << ", expected "
                    << range.min << ".."
                    << (range.max == Interval::kMax ? ""
                                                    : std::to_string(range.max))
                    << (range.divisor > 1
                            ? ", a multiple of " + std::to_string(range.divisor)
                            : "");
    values[name] = Expr(value);
  }
  std::map<std::string, int64_t> known = set;
  for (auto symbol : module.getOps<sym::SymbolOp>())
    if (std::optional<Expr> definition = symbol.getExpr())
      if (std::optional<int64_t> value = definition->evaluate(known)) {
        known[symbol.getName().str()] = *value;
        values[symbol.getName().str()] = Expr(*value);
      }
  for (const Condition &rule : domain.assumptions())
    if (rule.evaluate(known) == false)
      return fail() << "rule '" << rule.str() << "' fails";
  return values;
}

LogicalResult ambit::runShapes(const ShapesOptions &options,
                               MLIRContext &context, llvm::raw_ostream &out) {
  OwningOpRef<ModuleOp> module = loadModel(options, context);
  if (!module)
    return failure();
  auto main = module->lookupSymbol<func::FuncOp>("main");
  if (!options.why.empty()) {
    FailureOr<ShapeOrigin> origin = traceShape(main, options.why);
    if (failed(origin))
      return failure();
    if (options.json)
      printJson(toJson(*origin), out);
    else
      printOrigin(*origin, out);
    return success();
  }
  auto values = checkValues(*module, options.set);
  if (failed(values))
    return failure();
  if (options.json) {
    Json json = {{"inputs", toJson(getInputShapes(main), *values)},
                 {"nodes", toJson(getNodeShapes(main), *values)},
                 {"outputs", toJson(getOutputShapes(main), *values)}};
    printJson(json, out);
    return success();
  }
  printShapes("inputs", getInputShapes(main), *values, out);
  printShapes("nodes", getNodeShapes(main), *values, out);
  printShapes("outputs", getOutputShapes(main), *values, out);
  return success();
}
