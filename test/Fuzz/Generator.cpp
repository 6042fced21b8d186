// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Growth of a random graph: form after form, undone when it does not fit.

#include "Generator.h"
#include "Exactness.h"
#include "Forms/Generation.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Driver/Pipeline.h"
#include "ambit/Reference/HostTensor.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::fuzz;

Generation::Generation(MLIRContext &context, uint64_t seed)
    : random(seed), module(ModuleOp::create(UnknownLoc::get(&context))),
      opBuilder(&context) {
  opBuilder.setInsertionPointToEnd(module->getBody());
  declareSymbols();
  function = opBuilder.create<func::FuncOp>(module->getLoc(), "main",
                                            opBuilder.getFunctionType({}, {}));
  opBuilder.setInsertionPointToEnd(function.addEntryBlock());
  resetBuilder();
  addFirstInputs();
}

void Generation::declareSymbols() {
  int64_t count = random.between(1, 3);
  for (int64_t i = 0; i < count; ++i) {
    std::string name(1, "nms"[i]);
    SymbolRange range;
    range.min = random.oneIn(4) ? random.choose({1, 2}) : 0;
    range.max = random.choose<int64_t>({64, 64, 512, INT64_MAX});
    range.divisor = random.oneIn(10) ? 8 : 1;
    if (range.divisor > 1)
      range.min = random.choose({0, 8});
    symbols.push_back(Expr::symbol(name));
    domain.setRange(name, range);
    opBuilder.create<sym::SymbolOp>(module->getLoc(), name, range)
        .setDeclared(true);
  }
  for (int i = 0; i < 200; ++i) {
    std::map<std::string, int64_t> sample;
    for (Expr symbol : symbols)
      sample[symbol.symbolName().str()] = random.oneOf<int64_t>(kSizes);
    if (domain.contains(sample))
      samples.push_back(std::move(sample));
  }
}

void Generation::resetBuilder() {
  Domain known = domain;
  for (const Condition &guard : guards)
    known.assume(guard);
  shapes = std::make_unique<graph::ShapeContext>(
      known, [this](const Condition &guard, const auto &) {
        guards.push_back(guard);
      });
  builder = std::make_unique<GraphBuilder>(opBuilder, *shapes);
}

/// Every symbol stands alone somewhere, so that it has a value.
void Generation::addFirstInputs() {
  int64_t count = random.between(1, 3);
  std::vector<SmallVector<Expr>> inputs(count);
  for (SmallVector<Expr> &dims : inputs)
    for (int64_t rank = random.choose({1, 2, 2, 3, 3, 4, 4}); rank > 0; --rank)
      dims.push_back(randomDim());
  for (Expr symbol : symbols) {
    SmallVector<Expr> &dims = inputs[random.below(count)];
    if (dims.size() < 4)
      dims.insert(dims.begin() + random.below(dims.size() + 1), symbol);
    else
      dims[0] = symbol;
  }
  // A dim may have lost its symbol to another one.
  std::set<Expr> alone;
  for (const SmallVector<Expr> &dims : inputs)
    alone.insert(dims.begin(), dims.end());
  for (Expr symbol : symbols)
    if (!alone.count(symbol))
      inputs.push_back({symbol});
  for (const SmallVector<Expr> &dims : inputs)
    addOperand(dims, randomType());
}

Type Generation::randomFloat() {
  if (random.below(8))
    return opBuilder.getF32Type();
  return random.choose<Type>({opBuilder.getF64Type(), opBuilder.getF64Type(),
                              opBuilder.getF16Type(), opBuilder.getBF16Type()});
}

Type Generation::randomType() {
  if (random.below(3))
    return randomFloat();
  return random.choose<Type>({opBuilder.getI64Type(), opBuilder.getI64Type(),
                              opBuilder.getI32Type(), opBuilder.getI1Type(),
                              opBuilder.getI1Type(), opBuilder.getI8Type(),
                              opBuilder.getIntegerType(8, /*isSigned=*/false)});
}

Expr Generation::randomDim() {
  switch (random.below(10)) {
  case 0:
    return randomSymbol() * Expr(2);
  case 1:
    return randomSymbol() + Expr(random.between(1, 3));
  case 2:
  case 3:
  case 4:
    return random.choose<int64_t>({1, 1, 2, 3, 4, 5, 8, 17});
  default:
    return randomSymbol();
  }
}

Value Generation::pick(llvm::function_ref<bool(Value)> fits) {
  SmallVector<Value> fitting;
  for (Value value : pool)
    if (fits(value))
      fitting.push_back(value);
  if (fitting.empty())
    return {};
  int64_t first = random.below(fitting.size());
  int64_t second = random.below(fitting.size());
  return fitting[std::max(first, second)];
}

Value Generation::pickFloat(int64_t minRank, int64_t maxRank) {
  return pick([&](Value value) {
    return isa<FloatType>(elementTypeOf(value)) && rankOf(value) >= minRank &&
           rankOf(value) <= maxRank;
  });
}

Value Generation::constant(ArrayRef<int64_t> dims, Type elementType) {
  reference::HostTensor tensor(elementType, dims);
  bool isFloat = isa<FloatType>(elementType), isBool = elementType.isInteger(1);
  bool isSplat = random.oneIn(5);
  int64_t number = random.between(-8, 8);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    if (!isSplat)
      number = random.between(-8, 8);
    if (isFloat)
      tensor.setFloat(i, double(number) / 4);
    else
      tensor.setInt(i, isBool ? number & 1 : number % 4);
  }
  // The text must hold the elements, whatever their number.
  ArrayRef<char> bytes = tensor.getBytes();
  auto type = RankedTensorType::get(dims, elementType);
  if (tensor.getNumElements() == 0)
    return builder->constant(
        DenseElementsAttr::get(type, ArrayRef<Attribute>()));
  if (!isBool)
    return builder->constant(DenseElementsAttr::getFromRawBuffer(type, bytes));
  SmallVector<bool> flags(bytes.begin(), bytes.end());
  return builder->constant(DenseElementsAttr::get(type, flags));
}

Value Generation::addOperand(ArrayRef<Expr> dims, Type elementType,
                             bool mayBeConstant) {
  SmallVector<int64_t> sizes;
  int64_t count = 1;
  for (Expr dim : dims)
    if (std::optional<int64_t> size = dim.constant()) {
      sizes.push_back(*size);
      count *= *size;
    }
  if (mayBeConstant && sizes.size() == dims.size() && count <= 2048 &&
      !random.oneIn(3)) {
    Value value = constant(sizes, elementType);
    exactness[value] = true;
    return value;
  }
  RankedTensorType type = sym::getTensorType(dims, elementType);
  if (!type)
    return {};
  Value value = function.front().addArgument(type, function.getLoc());
  exactness[value] = true;
  pool.push_back(value);
  return value;
}

Value Generation::operandLike(ArrayRef<Expr> dims, Type elementType) {
  Value known = pick([&](Value value) {
    return elementTypeOf(value) == elementType &&
           ArrayRef<Expr>(dimsOf(value)) == dims;
  });
  if (known && !random.oneIn(4))
    return known;
  return addOperand(dims, elementType, /*mayBeConstant=*/true);
}

bool Generation::isExact(Value value) {
  auto known = exactness.find(value);
  if (known != exactness.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  bool exact = isExactOp(op);
  for (Value operand : op->getOperands())
    exact &= isExact(operand);
  return exactness[value] = exact;
}

bool Generation::isAcceptable(Value value) {
  SmallVector<Expr> dims = dimsOf(value);
  if (dims.size() > 5)
    return false;
  for (Expr dim : dims)
    if (dim.str().size() > 80)
      return false;
  int64_t admitted = 0, moderate = 0;
  for (const auto &sample : samples) {
    if (!llvm::all_of(guards, [&](const Condition &guard) {
          return guard.evaluate(sample) == true;
        }))
      continue;
    ++admitted;
    int64_t count = 1;
    for (Expr dim : dims)
      count *= std::min<int64_t>(dim.evaluate(sample).value_or(1000), 1000);
    moderate += count <= 20000;
  }
  return admitted >= 8 && moderate >= 6;
}

void Generation::undo(Operation *last, size_t arguments, size_t guardCount) {
  Block &block = function.front();
  while (!block.empty() && &block.back() != last)
    block.back().erase();
  while (block.getNumArguments() > arguments)
    block.eraseArgument(block.getNumArguments() - 1);
  guards.resize(guardCount);
  exactness.clear();
  for (Value argument : block.getArguments())
    exactness[argument] = true;
  resetBuilder();
}

bool Generation::tryAdd(
    llvm::function_ref<FailureOr<Value>(Generation &)> form) {
  Block &block = function.front();
  Operation *last = block.empty() ? nullptr : &block.back();
  size_t arguments = block.getNumArguments(), guardCount = guards.size();
  std::vector<Value> before = pool;
  FailureOr<Value> value = form(*this);
  bool fits = succeeded(value) && *value;
  if (fits) {
    // Intermediate ops of a form count too.
    for (Operation &op : block)
      fits &= isAcceptable(op.getResult(0));
    fits &= isAcceptable(*value) && !llvm::is_contained(before, *value);
  }
  if (!fits) {
    pool = std::move(before);
    undo(last, arguments, guardCount);
    return false;
  }
  pool.push_back(*value);
  return true;
}

/// Removes the scalars that a body's result does not need.
static void removeDeadScalars(func::FuncOp function) {
  for (auto map : function.getOps<graph::MapOp>())
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(map.getBody().front())))
      if (op.use_empty() && !isa<graph::YieldOp>(op))
        op.erase();
}

OwningOpRef<ModuleOp> Generation::finish() {
  Block &block = function.front();
  removeDeadScalars(function);
  SmallVector<Value> outputs;
  for (Value value : llvm::reverse(pool)) {
    bool isSink = value.use_empty() && value.getDefiningOp();
    if (outputs.size() < 6 && (isSink || random.oneIn(12)))
      outputs.push_back(value);
  }
  if (outputs.empty())
    outputs.push_back(pool.back());
  opBuilder.create<func::ReturnOp>(function.getLoc(), outputs);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    dropUnusedInputs(&op);
    if (op.use_empty() && !isa<func::ReturnOp>(op))
      op.erase();
  }
  function.setType(opBuilder.getFunctionType(block.getArgumentTypes(),
                                             ValueRange(outputs).getTypes()));
  for (unsigned i = 0; i < block.getNumArguments(); ++i)
    function.setArgAttr(i, attributes::kName,
                        opBuilder.getStringAttr("x" + Twine(i)));
  return std::move(module);
}

std::string ambit::fuzz::generateModule(uint64_t seed,
                                        std::map<std::string, int> &forms) {
  DialectRegistry registry;
  registerPipelineDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  // Forms that do not fit say so; nobody needs to hear it.
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  Generation generation(context, seed);
  SmallVector<Form> all;
  for (ArrayRef<Form> some :
       {mapForms(), movementForms(), placementForms(), computeForms()})
    all.append(some.begin(), some.end());
  int64_t weights = 0;
  for (const Form &form : all)
    weights += form.weight;
  int64_t wanted = generation.random.between(1, 12);
  for (int64_t tries = 0; wanted > 0 && tries < 100; ++tries) {
    int64_t at = generation.random.below(weights);
    const Form *chosen = all.begin();
    for (; at >= int64_t(chosen->weight); ++chosen)
      at -= chosen->weight;
    if (!generation.tryAdd(chosen->make))
      continue;
    ++forms[chosen->name.str()];
    --wanted;
  }
  std::string text;
  llvm::raw_string_ostream(text) << *generation.finish();
  return text;
}
