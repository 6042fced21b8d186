// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of a function: binds symbols, checks shapes and guards, then walks
// the ops in order.

#include "Evaluate.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Symbolic/LinearForm.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

namespace {
/// Where a symbol got its value.
struct Origin {
  unsigned input;
  int64_t dim;
};
} // namespace

/// The input's name in the model, or its number.
static std::string nameOf(func::FuncOp function, unsigned input) {
  if (auto name =
          function.getArgAttrOfType<StringAttr>(input, attributes::kName))
    return "'" + name.str() + "'";
  return std::to_string(input);
}

/// Checks rank and element type of every input.
static LogicalResult checkTypes(func::FuncOp function,
                                ArrayRef<HostTensor> inputs) {
  if (inputs.size() != function.getNumArguments())
    return function.emitError()
           << "got " << inputs.size() << " inputs, expected "
           << function.getNumArguments();
  for (auto [index, type, input] :
       llvm::enumerate(function.getArgumentTypes(), inputs)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return function.emitError()
             << "input " << nameOf(function, index) << " is no tensor";
    if (input.getElementType() != tensor.getElementType() ||
        input.getRank() != tensor.getRank())
      return function.emitError()
             << "input " << nameOf(function, index) << " has rank "
             << input.getRank() << " and element type "
             << input.getElementType() << ", expected " << tensor.getRank()
             << " and " << tensor.getElementType();
  }
  return success();
}

/// Solves the dims that are linear forms for symbols which no dim is alone.
static LogicalResult solveSymbols(func::FuncOp function,
                                  ArrayRef<HostTensor> inputs,
                                  Symbols &symbols) {
  for (auto [index, type, input] :
       llvm::enumerate(function.getArgumentTypes(), inputs))
    for (auto [dim, expr, size] :
         llvm::enumerate(sym::getDims(type), input.getDims())) {
      std::optional<LinearForm> form = asLinear(expr);
      // A kernel's size is an atom that has its value already.
      if (!form || symbols.count(form->symbol) || symbols.count(expr.str()))
        continue;
      std::optional<int64_t> value = form->solve(size);
      if (!value)
        return function.emitError()
               << "dim " << dim << " of input " << nameOf(function, index)
               << " is " << size << ", expected '" << expr.str() << "'";
      symbols[form->symbol] = *value;
    }
  return success();
}

/// An integer, or the bits of a float.
static int64_t readElement(const HostTensor &input, int64_t number) {
  if (input.getElementType().isF32())
    return input.data<int32_t>()[number];
  if (input.getElementType().isF64())
    return input.data<int64_t>()[number];
  return input.getInt(number);
}

/// Binds the symbols that are elements of inputs.
static void bindElements(func::FuncOp function, ArrayRef<HostTensor> inputs,
                         Symbols &symbols) {
  auto module = function->getParentOfType<ModuleOp>();
  for (auto [index, input] : llvm::enumerate(inputs)) {
    auto elements =
        function.getArgAttrOfType<sym::ShapeAttr>(index, sym::kElements);
    if (!elements ||
        int64_t(elements.getDims().size()) != input.getNumElements())
      continue;
    for (auto [number, element] : llvm::enumerate(elements.getDims()))
      if (element.isSymbol())
        symbols[element.symbolName().str()] = readElement(input, number);
  }
  if (!module)
    return;
  for (auto symbol : module.getOps<sym::SymbolOp>())
    if (auto found = symbols.find(symbol.getName().str());
        symbol.getSaturates() && found != symbols.end())
      found->second = std::clamp(found->second, int64_t(symbol.getMin()),
                                 int64_t(symbol.getMax()));
}

/// Computes the symbols that are names for expressions.
static LogicalResult defineSymbols(func::FuncOp function, Symbols &symbols) {
  auto module = function->getParentOfType<ModuleOp>();
  if (!module || function->hasAttr(attributes::kKernel))
    return success();
  for (auto symbol : module.getOps<sym::SymbolOp>()) {
    std::optional<Expr> definition = symbol.getExpr();
    if (!definition)
      continue;
    std::optional<int64_t> value = definition->evaluate(symbols);
    if (!value)
      return symbol.emitError()
             << "size '" << symbol.getName() << "' has no value";
    symbols[symbol.getName().str()] = *value;
  }
  return success();
}

/// Binds symbols to what dims say, then checks every dim.
static LogicalResult bindSymbols(func::FuncOp function,
                                 ArrayRef<HostTensor> inputs,
                                 Symbols &symbols) {
  std::map<std::string, Origin> origins;
  for (auto [index, type, input] :
       llvm::enumerate(function.getArgumentTypes(), inputs))
    for (auto [dim, expr, size] :
         llvm::enumerate(sym::getDims(type), input.getDims()))
      if (expr.isSymbol() &&
          symbols.insert({expr.symbolName().str(), size}).second)
        origins[expr.symbolName().str()] = {unsigned(index), int64_t(dim)};
  bindElements(function, inputs, symbols);
  if (failed(solveSymbols(function, inputs, symbols)) ||
      failed(defineSymbols(function, symbols)))
    return failure();
  for (auto [index, type, input] :
       llvm::enumerate(function.getArgumentTypes(), inputs))
    for (auto [dim, expr, size] :
         llvm::enumerate(sym::getDims(type), input.getDims())) {
      if (!expr.isValid())
        continue;
      std::optional<int64_t> expected = evaluateDim(expr, symbols);
      if (!expected)
        return function.emitError()
               << "dim " << dim << " ('" << expr.str() << "') of input "
               << nameOf(function, index) << " has a symbol without value";
      if (*expected == size)
        continue;
      InFlightDiagnostic error = function.emitError();
      error << "dim " << dim << " ('" << expr.str() << "') of input "
            << nameOf(function, index) << " is " << size << ", expected "
            << *expected;
      auto origin = expr.isSymbol() ? origins.find(expr.symbolName().str())
                                    : origins.end();
      if (origin != origins.end())
        error << " as in dim " << origin->second.dim << " of input "
              << nameOf(function, origin->second.input);
      return error;
    }
  return success();
}

/// Checks the module's declared ranges and guards.
static LogicalResult checkDomain(func::FuncOp function,
                                 const Symbols &symbols) {
  auto module = function->getParentOfType<ModuleOp>();
  // The symbols of a kernel are not those of the module.
  if (!module || function->hasAttr(attributes::kKernel))
    return success();
  for (auto symbol : module.getOps<sym::SymbolOp>()) {
    auto found = symbols.find(symbol.getName().str());
    if (found == symbols.end())
      continue;
    int64_t value = found->second, divisor = symbol.getDivisor();
    if (value < int64_t(symbol.getMin()) || value > int64_t(symbol.getMax()) ||
        value % divisor != 0)
      return symbol.emitError() << "'" << symbol.getName() << "' is " << value
                                << ", which is outside of its declared values";
  }
  for (auto guard : module.getOps<sym::GuardOp>())
    // A guard over symbols of another function says nothing here.
    if (sym::getCondition(guard).evaluate(symbols) == false)
      return guard.emitError()
             << "guard '" << guard.getCondition() << "' does not hold";
  return success();
}

/// Checks a computed tensor against the type of its value.
static LogicalResult checkResult(Operation *op, unsigned number,
                                 const HostTensor &tensor,
                                 const Symbols &symbols) {
  auto type = cast<RankedTensorType>(op->getResult(number).getType());
  SmallVector<Expr> dims = sym::getDims(type);
  if (int64_t(dims.size()) != tensor.getRank() ||
      type.getElementType() != tensor.getElementType())
    return op->emitError() << "result " << number
                           << " was evaluated to another rank or element type "
                              "than declared";
  for (auto [dim, expr, size] : llvm::enumerate(dims, tensor.getDims()))
    if (auto declared = evaluateDim(expr, symbols);
        declared && *declared != size)
      return op->emitError()
             << "dim " << dim << " of result " << number << " is " << size
             << ", declared as '" << expr.str() << "', which is " << *declared;
  return success();
}

namespace {
/// The tensors of the values that are still needed.
class Frame {
public:
  void define(Value value, HostTensor tensor) {
    if (value.use_empty())
      return;
    int64_t uses = std::distance(value.use_begin(), value.use_end());
    live[value] = {std::move(tensor), uses};
  }
  const HostTensor *lookup(Value value) { return &live.at(value).tensor; }
  /// Counts the uses of an op that has run, and frees what is dead.
  void release(Operation *op) {
    for (Value operand : op->getOperands())
      if (--live.at(operand).uses == 0)
        live.erase(operand);
  }

private:
  struct Entry {
    HostTensor tensor;
    int64_t uses = 0;
  };
  struct Less {
    bool operator()(Value a, Value b) const {
      return a.getAsOpaquePointer() < b.getAsOpaquePointer();
    }
  };
  std::map<Value, Entry, Less> live;
};
} // namespace

/// Runs one op.
static LogicalResult run(Operation *op, Frame &frame, Symbols &symbols) {
  auto evaluated = dyn_cast<graph::ReferenceOpInterface>(op);
  if (!evaluated)
    return op->emitError() << "'" << op->getName()
                           << "' has no reference evaluation";
  std::vector<const HostTensor *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(frame.lookup(operand));
  Results results;
  if (failed(evaluated.evaluate(operands, symbols, results)))
    return failure();
  if (auto source = dyn_cast<graph::SizeSourceOpInterface>(op)) {
    symbols[source.getSymbol().str()] =
        results.front().getDims()[source.getSymbolDim()];
    if (failed(checkDomain(op->getParentOfType<func::FuncOp>(), symbols)))
      return failure();
  }
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(checkResult(op, i, results[i], symbols)))
      return failure();
  for (auto [value, tensor] : llvm::zip_equal(op->getResults(), results))
    frame.define(value, std::move(tensor));
  frame.release(op);
  return success();
}

LogicalResult reference::evaluateBlock(Block &block,
                                       ArrayRef<HostTensor> inputs,
                                       Symbols symbols, Results &outputs) {
  Frame frame;
  for (auto [argument, input] : llvm::zip_equal(block.getArguments(), inputs))
    frame.define(argument, input);
  for (Operation &op : block.without_terminator())
    if (failed(run(&op, frame, symbols)))
      return failure();
  for (Value value : block.getTerminator()->getOperands())
    outputs.push_back(*frame.lookup(value));
  return success();
}

LogicalResult reference::evaluateFunction(func::FuncOp function,
                                          ArrayRef<HostTensor> inputs,
                                          std::vector<HostTensor> &outputs,
                                          Symbols symbols) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("needs one block to be evaluated");
  if (failed(checkTypes(function, inputs)) ||
      failed(bindSymbols(function, inputs, symbols)) ||
      failed(checkDomain(function, symbols)))
    return failure();
  if (!function.front().mightHaveTerminator())
    return function.emitError("ends without func.return");
  return evaluateBlock(function.front(), inputs, symbols, outputs);
}

LogicalResult reference::evaluate(graph::LaunchOp op, Operands operands,
                                  const Symbols &symbols, Results &results) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getKernelAttr());
  if (!kernel)
    return op.emitError() << "kernel '" << op.getKernel()
                          << "' has been lowered, nothing to evaluate";
  FailureOr<SmallVector<int64_t>> values =
      evaluateDims(op, op.getDims().getDims(), symbols);
  if (failed(values))
    return failure();
  // `ambit.sizes` lists the kernel's own sizes in the order of the launch's
  // dims.
  Symbols sizes;
  if (auto names = kernel->getAttrOfType<sym::ShapeAttr>(attributes::kSizes))
    for (auto [name, value] : llvm::zip_equal(names.getDims(), *values))
      sizes[name.str()] = value;
  std::vector<HostTensor> inputs;
  for (const HostTensor *operand : operands)
    inputs.push_back(*operand);
  return evaluateFunction(kernel, inputs, results, std::move(sizes));
}
