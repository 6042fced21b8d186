// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows the symbols of a module: those of inputs are known from the start,
// the others where an op sets them.

#include "CheckText.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "ambit/Symbolic/Parser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace ambit;

namespace {
class SymbolChecker {
public:
  explicit SymbolChecker(ModuleOp module);
  LogicalResult checkGuards(ModuleOp module);
  LogicalResult checkFunction(func::FuncOp function);

private:
  LogicalResult checkOp(Operation *op, const std::set<std::string> &used);
  std::set<std::string> symbolsOf(Operation *op);

  std::set<std::string> declared, known;
  /// Where symbolsOf puts what its walk finds.
  std::set<std::string> found;
  AttrTypeWalker walker;
};
} // namespace

SymbolChecker::SymbolChecker(ModuleOp module) {
  for (auto symbol : module.getOps<sym::SymbolOp>()) {
    declared.insert(symbol.getName().str());
    if (!symbol.getUnbacked())
      known.insert(symbol.getName().str());
  }
  walker.addWalk([this](sym::ShapeAttr shape) {
    for (Expr dim : shape.getDims())
      dim.collectSymbols(found);
  });
}

std::set<std::string> SymbolChecker::symbolsOf(Operation *op) {
  found.clear();
  // A function's type is known once its end is reached.
  if (!isa<func::FuncOp>(op))
    walker.walk(op->getAttrDictionary());
  for (Type type : op->getResultTypes())
    walker.walk(type);
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      walker.walk(argument.getType());
  return std::exchange(found, {});
}

LogicalResult SymbolChecker::checkOp(Operation *op,
                                     const std::set<std::string> &used) {
  for (const std::string &symbol : used) {
    if (!declared.count(symbol))
      return emitError(op->getLoc()) << "size '" << symbol
                                     << "' is not declared, expected an op "
                                        "'sym.symbol \""
                                     << symbol << "\"' in the module";
    if (!known.count(symbol))
      return emitError(op->getLoc())
             << "size '" << symbol << "' is used before an op sets it";
  }
  return success();
}

LogicalResult SymbolChecker::checkGuards(ModuleOp module) {
  LogicalResult result = success();
  // A guard on what a body finds is checked there.
  known = declared;
  for (auto guard : module.getOps<sym::GuardOp>()) {
    std::set<std::string> used;
    ParseError unused;
    if (std::optional<Condition> condition =
            parseCondition(guard.getCondition(), unused))
      for (const Relation &relation : condition->anyOf) {
        relation.lhs.collectSymbols(used);
        relation.rhs.collectSymbols(used);
      }
    if (failed(checkOp(guard, used)))
      result = failure();
  }
  return result;
}

LogicalResult SymbolChecker::checkFunction(func::FuncOp function) {
  if (failed(checkOp(function, symbolsOf(function))))
    return failure();
  auto visit = [&](Operation *op) {
    if (auto source = dyn_cast<graph::SizeSourceOpInterface>(op))
      known.insert(source.getSymbol().str());
    return failed(checkOp(op, symbolsOf(op))) ? WalkResult::interrupt()
                                              : WalkResult::advance();
  };
  return failure(
      function.getBody().walk<WalkOrder::PreOrder>(visit).wasInterrupted());
}

/// A kernel is compiled from its text alone.
static LogicalResult checkKernel(func::FuncOp kernel) {
  auto sizes = kernel->getAttrOfType<sym::ShapeAttr>(attributes::kSizes);
  if (sizes && kernel.getNumResults() == 1 && !kernel.isDeclaration())
    return success();
  return emitError(kernel.getLoc())
         << "kernel '@" << kernel.getName()
         << "' is incomplete, expected a body, one result and an attribute "
            "'ambit.sizes'";
}

LogicalResult ambit::checkText(ModuleOp module) {
  LogicalResult result = success();
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(attributes::kKernel) && failed(checkKernel(function)))
      result = failure();
  auto main = module.lookupSymbol<func::FuncOp>("main");
  SymbolChecker checker(module);
  if (failed(checker.checkFunction(main)) ||
      failed(checker.checkGuards(module)))
    result = failure();
  return result;
}
