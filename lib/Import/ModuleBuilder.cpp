// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates the function of a model, and collects its guards.

#include "ModuleBuilder.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Sym/IR/Constraints.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

bool ModuleBuilder::start(
    Location loc, StringRef name, Signature given, const ImportOptions &options,
    llvm::function_ref<Location(const Argument &)> nameLoc) {
  signature = std::move(given);
  symbolLoc = options.dimsLoc;
  valueLoc = options.valuesLoc;
  Domain domain = signature.domain();
  SmallVector<Condition> constraints;
  for (const ImportConstraint &constraint : options.constraints)
    constraints.push_back(constraint.condition);
  if (!constraints.empty() &&
      failed(sym::checkConstraints(options.constraints.front().loc, domain,
                                   constraints)))
    return false;
  for (const ImportConstraint &constraint : options.constraints) {
    domain.assume(constraint.condition);
    addGuard(constraint.condition, constraint.loc);
  }

  module = ModuleOp::create(loc);
  (*module)->setAttr("ambit.model", builder.getStringAttr(name));
  SmallVector<Type> types;
  for (const Argument &argument : signature.arguments)
    types.push_back(argument.type);
  builder.setInsertionPointToEnd(module->getBody());
  function = builder.create<func::FuncOp>(loc, "main",
                                          builder.getFunctionType(types, {}));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  // Set at once: each call stores the list of all arguments anew.
  SmallVector<DictionaryAttr> attributes;
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    NamedAttrList list;
    list.set("ambit.name", builder.getStringAttr(argument.name));
    if (!argument.elements.empty())
      list.set(sym::kElements,
               sym::ShapeAttr::get(builder.getContext(), argument.elements));
    attributes.push_back(list.getDictionary(builder.getContext()));
    entry->getArgument(index).setLoc(nameLoc(argument));
  }
  function.setAllArgAttrs(attributes);
  shapeContext = std::make_unique<graph::ShapeContext>(
      std::move(domain), [this](const Condition &condition, Location) {
        addGuard(condition, graphBuilder->getLoc());
      });
  graphBuilder = std::make_unique<GraphBuilder>(builder, *shapeContext);
  return checkDerivedDims(nameLoc);
}

void ModuleBuilder::addGuard(const Condition &condition, Location loc) {
  std::string text = condition.str();
  if (guardTexts.insert(text).second)
    guards.push_back({text, loc});
}

void ModuleBuilder::dropGuards(size_t first) {
  for (const auto &[text, loc] : ArrayRef(guards).drop_front(first))
    guardTexts.erase(text);
  guards.erase(guards.begin() + first, guards.end());
}

/// A dim like "seq - 1" is a size for some values of its symbols only.
bool ModuleBuilder::checkDerivedDims(
    llvm::function_ref<Location(const Argument &)> nameLoc) {
  bool areSizes = true;
  for (const Argument &argument : signature.arguments) {
    graphBuilder->setLoc(nameLoc(argument));
    for (Expr dim : sym::getDims(argument.type))
      areSizes &= succeeded(shapeContext->require(
          function, Relation{Relation::Kind::GE, dim, Expr(0)},
          "dim '" + dim.str() + "' of input '" + argument.name + "'"));
  }
  return areSizes;
}

void ModuleBuilder::setResults(ValueRange values, ArrayRef<std::string> names) {
  builder.create<func::ReturnOp>(module->getLoc(), values);
  function.setType(
      builder.getFunctionType(function.getArgumentTypes(), values.getTypes()));
  // Set at once: each call stores the list of all results anew.
  SmallVector<DictionaryAttr> attributes;
  for (const std::string &name : names)
    attributes.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr("ambit.name", builder.getStringAttr(name))));
  function.setAllResultAttrs(attributes);
}

OwningOpRef<ModuleOp> ModuleBuilder::finish() {
  Location loc = module->getLoc();
  builder.setInsertionPointToStart(module->getBody());
  for (const Symbol &symbol : signature.symbols) {
    std::optional<Location> optionLoc = symbol.isFixed      ? valueLoc
                                        : symbol.isDeclared ? symbolLoc
                                                            : std::nullopt;
    auto op = builder.create<sym::SymbolOp>(optionLoc.value_or(loc),
                                            symbol.name, symbol.range);
    op.setDeclared(symbol.isDeclared || symbol.isFixed);
    op.setSaturates(symbol.saturates);
  }
  for (const graph::ShapeContext::Definition &made :
       shapeContext->getDefinitions())
    builder.create<sym::SymbolOp>(made.loc, made.name, made.range)
        .setDefinition(made.value.str());
  const Domain &domain = shapeContext->getProver().domain();
  for (auto op : function.getOps<graph::SizeSourceOpInterface>())
    builder
        .create<sym::SymbolOp>(op->getLoc(), op.getSymbol(),
                               domain.range(op.getSymbol()))
        .setUnbacked(true);
  for (const auto &[text, guardLoc] : guards)
    builder.create<sym::GuardOp>(guardLoc, text);
  if (failed(verify(*module)))
    return nullptr;
  return std::move(module);
}
