// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From IR to the rows of the object's tables: where each symbol is read from.

#include "Internals.h"
#include "ambit/Symbolic/EntryBounds.h"
#include "ambit/Symbolic/LinearForm.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;
using namespace ambit::dispatch::lowering;

Domain ModelTables::domain() const {
  Domain domain;
  for (const Symbol &symbol : symbols)
    domain.setRange(symbol.name, symbol.range);
  return domain;
}

template <typename OpT> static ModelTables::Tensor readTensor(OpT op) {
  auto type = cast<RankedTensorType>(op.getType());
  ModelTables::Tensor tensor{
      op.getName().str(), *getDataType(type.getElementType()), {}};
  for (Expr dim : sym::getDims(type))
    tensor.dims.push_back({dim, -1, dim});
  return tensor;
}

/// Gives every symbol the first dim of an input that is this symbol alone, else
/// the first that is a linear form of it.
static void bindSymbols(ModelTables &tables) {
  std::map<std::string, int32_t> indices;
  for (auto [index, symbol] : llvm::enumerate(tables.symbols))
    indices[symbol.name] = int32_t(index);
  for (auto [input, tensor] : llvm::enumerate(tables.inputs))
    for (auto [number, dim] : llvm::enumerate(tensor.dims)) {
      std::optional<LinearForm> form = asLinear(dim.expr);
      auto found = form ? indices.find(form->symbol) : indices.end();
      if (found == indices.end())
        continue;
      ModelTables::Symbol &symbol = tables.symbols[found->second];
      bool isAlone = dim.expr.isSymbol();
      if (isAlone)
        dim.symbol = found->second;
      bool isBound = symbol.input >= 0;
      bool wasAlone = isBound && symbol.scale == 1 && symbol.offset == 0;
      if (isBound && (wasAlone || !isAlone))
        continue;
      symbol.input = int32_t(input);
      symbol.dim = int32_t(number);
      symbol.scale = form->scale;
      symbol.offset = form->offset;
    }
}

/// Gives symbols that are elements of inputs their places.
static void bindElements(ModelTables &tables, SmallVector<InputOp> inputs) {
  std::map<std::string, ModelTables::Symbol *> symbols;
  for (ModelTables::Symbol &symbol : tables.symbols)
    symbols[symbol.name] = &symbol;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    if (!input.getElements())
      continue;
    for (auto [number, element] :
         llvm::enumerate(input.getElements()->getDims())) {
      auto found = element.isSymbol() ? symbols.find(element.symbolName().str())
                                      : symbols.end();
      if (found == symbols.end() || found->second->input >= 0)
        continue;
      found->second->input = int32_t(index);
      found->second->element = int64_t(number);
    }
  }
}

/// Every symbol that a rule mentions must be one of the module's.
static LogicalResult checkSymbols(Operation *op, Expr expr,
                                  const std::set<std::string> &known) {
  std::set<std::string> used;
  expr.collectSymbols(used);
  for (const std::string &name : used)
    if (!known.count(name))
      return op->emitError() << "'" << expr.str() << "' mentions '" << name
                             << "', which no sym.symbol declares";
  return success();
}

static LogicalResult checkSymbols(Operation *op, ArrayRef<Condition> conditions,
                                  const std::set<std::string> &known) {
  for (const Condition &condition : conditions)
    for (const Relation &relation : condition.anyOf)
      if (failed(checkSymbols(op, relation.lhs, known)) ||
          failed(checkSymbols(op, relation.rhs, known)))
        return failure();
  return success();
}

/// A definition is computed at entry, from symbols that have their values then.
static LogicalResult checkDefinitions(ModuleOp module) {
  std::set<std::string> known;
  for (sym::SymbolOp symbol : module.getOps<sym::SymbolOp>()) {
    std::set<std::string> used;
    if (std::optional<Expr> definition = symbol.getExpr())
      definition->collectSymbols(used);
    for (const std::string &name : used)
      if (!known.count(name))
        return symbol.emitError()
               << "'" << symbol.getName() << "' is defined by '" << name
               << "', expected symbols that stand before it and are known at "
                  "entry";
    if (!symbol.getUnbacked())
      known.insert(symbol.getName().str());
  }
  return success();
}

static LogicalResult checkAllSymbols(ModuleOp module, ModelOp model) {
  if (failed(checkDefinitions(module)))
    return failure();
  std::set<std::string> known;
  for (sym::SymbolOp symbol : module.getOps<sym::SymbolOp>())
    known.insert(symbol.getName().str());
  for (sym::GuardOp guard : module.getOps<sym::GuardOp>())
    if (failed(checkSymbols(guard, sym::getCondition(guard), known)))
      return failure();
  auto checkTensor = [&](auto op) {
    for (Expr dim : sym::getDims(op.getType()))
      if (failed(checkSymbols(op, dim, known)))
        return failure();
    return success();
  };
  for (InputOp input : model.getAll<InputOp>())
    if (failed(checkTensor(input)))
      return failure();
  for (OutputOp output : model.getAll<OutputOp>())
    if (failed(checkTensor(output)))
      return failure();
  for (VariantOp variant : model.getAll<VariantOp>()) {
    std::optional<sym::ShapeAttr> workspace = variant.getWorkspace();
    if (!workspace)
      return variant.emitError()
             << "variant '" << variant.getBody() << "' has no workspace size";
    if (failed(checkSymbols(variant, getConditions(variant), known)) ||
        failed(checkSymbols(variant, workspace->getDims().front(), known)))
      return failure();
  }
  return success();
}

static LogicalResult boundOutputs(ModelTables &tables, ModelOp model) {
  EntryBounds bounds(sym::getDomain(model->getParentOfType<ModuleOp>()));
  for (auto [op, tensor] :
       llvm::zip_equal(model.getAll<OutputOp>(), tables.outputs))
    for (auto [index, dim] : llvm::enumerate(tensor.dims)) {
      std::optional<Expr> bound = bounds.aboveSize(dim.expr);
      if (!bound)
        return op.emitError()
               << "dim " << index << " ('" << dim.expr.str() << "') of output '"
               << tensor.name
               << "' has no upper bound that is known before the model runs";
      dim.bound = *bound;
      tables.dependsOnData |= dim.bound != dim.expr;
    }
  return success();
}

FailureOr<ModelTables> lowering::readModel(ModuleOp module, ModelOp model) {
  if (failed(checkAllSymbols(module, model)))
    return failure();
  ModelTables tables;
  tables.name = model.getName().str();
  tables.cpu = model.getCpu().value_or("").str();
  for (StringAttr name : model.getIsa().getAsRange<StringAttr>())
    tables.isa.push_back(name.str());
  for (InputOp input : model.getAll<InputOp>())
    tables.inputs.push_back(readTensor(input));
  for (OutputOp output : model.getAll<OutputOp>())
    tables.outputs.push_back(readTensor(output));
  for (VariantOp variant : model.getAll<VariantOp>()) {
    tables.variants.push_back({variant.getBody().str(), variant.getKind(),
                               getConditions(variant),
                               variant.getWorkspace()->getDims().front()});
    for (StringAttr check : variant.getChecks().getAsRange<StringAttr>())
      tables.variants.back().checks.push_back(check.str());
  }
  auto symbolOps = llvm::to_vector(module.getOps<sym::SymbolOp>());
  for (sym::SymbolOp symbol : symbolOps)
    tables.symbols.push_back(
        {symbol.getName().str(),
         SymbolRange{int64_t(symbol.getMin()), int64_t(symbol.getMax()),
                     int64_t(symbol.getDivisor())}});
  bindSymbols(tables);
  bindElements(tables, model.getAll<InputOp>());
  for (auto [symbol, op] : llvm::zip_equal(tables.symbols, symbolOps)) {
    symbol.saturates = op.getSaturates();
    symbol.definition = op.getExpr();
    if (symbol.input < 0 && !symbol.definition && !op.getUnbacked())
      return op.emitError()
             << "symbol '" << symbol.name
             << "' cannot be computed from the dims of the inputs, of which "
                "none is '"
             << symbol.name << "' or a linear form of it like '2*"
             << symbol.name << " + 1'";
  }
  if (failed(boundOutputs(tables, model)))
    return failure();
  tables.guards = collectGuards(module);
  return tables;
}
