// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers variants: each becomes a C function that finds its buffers and calls
// its kernels in order.

#include "VariantLowering.h"
#include "ambit/Codegen/Passes.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace ambit {
#define GEN_PASS_DEF_LOWERVARIANTSPASS
#include "ambit/Codegen/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static constexpr llvm::StringLiteral kWeightSymbol = "ambit_weights";
/// Of the function of a variant: see `ambit_desc_variant`.
static constexpr unsigned kBodyArguments = 5;

void VariantLowering::createTarget() {
  b.setInsertionPoint(variant);
  SmallVector<Type> types(kBodyArguments, pointer);
  types.append(parameters.size(), b.getI64Type());
  target = b.create<func::FuncOp>(variant.getLoc(), variant.getName(),
                                  b.getFunctionType(types, {b.getI32Type()}));
  Block *entry = target.addEntryBlock();
  b.setInsertionPointToStart(entry);
  inputs = entry->getArgument(0);
  outputs = entry->getArgument(1);
  arena = entry->getArgument(2);
  symbols = entry->getArgument(3);
  exec = entry->getArgument(4);
  for (auto [number, symbol] : llvm::enumerate(parameters)) {
    sizes[symbol] = b.create<arith::IndexCastOp>(
        variant.getLoc(), b.getIndexType(),
        entry->getArgument(kBodyArguments + number));
    known.insert(symbol);
  }
}

void VariantLowering::numberSymbols() {
  int64_t number = 0;
  for (auto symbol :
       variant->getParentOfType<ModuleOp>().getOps<sym::SymbolOp>()) {
    numbers[symbol.getName().str()] = number++;
    if (!symbol.getUnbacked())
      known.insert(symbol.getName().str());
  }
}

/// Starts to emit expressions at the current place. Symbols that have no value
/// yet are loaded where the function begins.
void VariantLowering::makeExprs(Location loc) {
  exprs = std::make_unique<ExprEmitter>(b, loc, sizes, b.getIndexType());
  exprs->setLookup([this](StringRef name) {
    Value &size = sizes[name.str()];
    if (size)
      return size;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&target.front());
    Location loc = variant.getLoc();
    Value address =
        b.create<LLVM::GEPOp>(loc, pointer, b.getI64Type(), symbols,
                              LLVM::GEPArg(int32_t(numbers.at(name.str()))));
    Value value = b.create<LLVM::LoadOp>(loc, b.getI64Type(), address);
    return size = b.create<arith::IndexCastOp>(loc, b.getIndexType(), value);
  });
}

void VariantLowering::assignOutputs() {
  for (OpOperand &operand : variant.front().getTerminator()->getOpOperands())
    outputOf[getStorage(operand.get())] = operand.getOperandNumber();
}

Value VariantLowering::loadPointer(Value table, int64_t index) {
  Location loc = variant.getLoc();
  Value address = b.create<LLVM::GEPOp>(loc, pointer, pointer, table,
                                        LLVM::GEPArg(int32_t(index)));
  return b.create<LLVM::LoadOp>(loc, pointer, address);
}

Value VariantLowering::index(int64_t value) {
  return b.create<arith::ConstantIndexOp>(variant.getLoc(), value);
}

Value VariantLowering::advance(Value base, Value bytes) {
  Location loc = variant.getLoc();
  Value wide = b.create<arith::IndexCastOp>(loc, b.getI64Type(), bytes);
  return b.create<LLVM::GEPOp>(loc, pointer, b.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{wide});
}

Value VariantLowering::pointerOf(Value tensor) {
  if (Value known = pointers.lookup(tensor))
    return known;
  Location loc = variant.getLoc();
  Value result;
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    result = loadPointer(inputs, argument.getArgNumber());
  else if (outputOf.count(tensor))
    result = loadPointer(outputs, outputOf.lookup(tensor));
  else if (auto constant = tensor.getDefiningOp<ConstantOp>())
    result = advance(b.create<LLVM::AddressOfOp>(loc, pointer, kWeightSymbol),
                     index(weights.at(constant.getValue())));
  else
    result =
        advance(arena, exprs->emit(plan.offsets[plan.slots.lookup(tensor)]));
  return pointers[tensor] = result;
}

/// Makes room on the stack for the operands of any one launch.
void VariantLowering::reserveBlock() {
  int64_t words = 0;
  variant.walk([&](Operation *op) {
    LibraryCall call = getLibraryCall(op);
    if (auto launch = dyn_cast<LaunchOp>(op))
      words = std::max(words, KernelLauncher::countWords(
                                  launcher.kernelOf(launch.getKernel())));
    else if (!call.name.empty())
      words = std::max(words, countWords(op, call));
  });
  Location loc = variant.getLoc();
  Value count = b.create<LLVM::ConstantOp>(loc, b.getI64Type(),
                                           b.getI64IntegerAttr(words));
  block = b.create<LLVM::AllocaOp>(loc, pointer, b.getI64Type(), count);
}

Value VariantLowering::checkIndex(LaunchOp launch, func::FuncOp kernel) {
  auto text = kernel->getAttrOfType<StringAttr>(attributes::kCheck);
  if (!text)
    return index(0);
  checks.push_back(b.getStringAttr(dispatch::describeOrigin(launch.getLoc()) +
                                   ": " + text.getValue()));
  return index(checks.size() - 1);
}

LogicalResult VariantLowering::checkSymbols(Operation *op,
                                            ArrayRef<Expr> sizes) {
  for (Expr size : sizes) {
    std::set<std::string> used;
    size.collectSymbols(used);
    for (const std::string &symbol : used)
      if (!known.count(symbol))
        return op->emitError() << "size '" << size.str() << "' needs '"
                               << symbol << "', which no op has set before";
  }
  return success();
}

/// Leaves the body with a report unless the condition holds.
void VariantLowering::requireInBody(Value holds, const Twine &text,
                                    Value found) {
  Location loc = variant.getLoc();
  checks.push_back(b.getStringAttr(text));
  mayLeave = true;
  Block *failed = target.addBlock(), *next = target.addBlock();
  b.create<cf::CondBranchOp>(loc, holds, next, failed);
  b.setInsertionPointToStart(failed);
  auto store = [&](Value value, int32_t word) {
    Value address = b.create<LLVM::GEPOp>(loc, pointer, b.getI64Type(), exec,
                                          LLVM::GEPArg(word));
    b.create<LLVM::StoreOp>(loc, value, address);
  };
  // A kernel before this may have reported something: the first one counts.
  Value before = b.create<LLVM::LoadOp>(loc, b.getI64Type(), exec);
  Value none = b.create<arith::ConstantIntOp>(loc, 0, 64);
  Value isFirst =
      b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, before, none);
  Block *report = target.addBlock(), *leave = target.addBlock();
  b.create<cf::CondBranchOp>(loc, isFirst, report, leave);
  b.setInsertionPointToStart(report);
  store(b.create<arith::ConstantIntOp>(loc, int64_t(checks.size()) - 1, 64), 0);
  store(found, 1);
  b.create<cf::BranchOp>(loc, leave);
  b.setInsertionPointToStart(leave);
  Value status = b.create<arith::ConstantIntOp>(loc, kDataError, 32);
  b.create<func::ReturnOp>(loc, status);
  b.setInsertionPointToStart(next);
}

/// Stores the value of an unbacked symbol and checks what relies on it.
LogicalResult VariantLowering::setSymbol(SizeSourceOpInterface op,
                                         Value count) {
  Location loc = variant.getLoc();
  std::string name = op.getSymbol().str();
  if (level >= domain.unbacked().size() || domain.unbacked()[level] != name)
    return op->emitError() << "sets '" << name << "', expected "
                           << (level < domain.unbacked().size()
                                   ? "'" + domain.unbacked()[level] + "'"
                                   : std::string("no more symbols"))
                           << " in the order of the module's unbacked symbols";
  if (op->getParentOfType<LoopOp>())
    return op->emitError() << "sets '" << name << "' inside of a loop";
  ++level;
  Value address =
      b.create<LLVM::GEPOp>(loc, pointer, b.getI64Type(), symbols,
                            LLVM::GEPArg(int32_t(numbers.at(name))));
  b.create<LLVM::StoreOp>(loc, count, address);
  sizes[name] = b.create<arith::IndexCastOp>(loc, b.getIndexType(), count);
  exprs->define(name, sizes[name]);
  known.insert(name);
  SymbolRange range = domain.range(name);
  Expr value = Expr::symbol(name);
  std::string place =
      dispatch::describeOrigin(op->getLoc()) + ": '" + name + "'";
  if (range.min > 0)
    requireInBody(exprs->emit(Relation{Relation::Kind::GE, value, range.min}),
                  place + " is less than " + Twine(range.min), count);
  if (range.max < Interval::kMax)
    requireInBody(exprs->emit(Relation{Relation::Kind::LE, value, range.max}),
                  place + " is more than " + Twine(range.max), count);
  if (range.divisor > 1)
    requireInBody(exprs->emit(Condition::divisible(value, range.divisor)),
                  place + " is no multiple of " + Twine(range.divisor), count);
  for (auto guard :
       variant->getParentOfType<ModuleOp>().getOps<sym::GuardOp>()) {
    Condition condition = sym::getCondition(guard);
    if (domain.level(condition) == level)
      requireInBody(exprs->emit(condition),
                    dispatch::describeOrigin(guard.getLoc()) + ": rule '" +
                        guard.getCondition() + "' fails for '" + name + "'",
                    count);
  }
  return success();
}

/// Calls a function of the library on the block.
Value VariantLowering::callLibrary(StringRef function, Type result) {
  auto module = variant->getParentOfType<ModuleOp>();
  auto type = LLVM::LLVMFunctionType::get(result, {pointer});
  auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(function);
  if (!known) {
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    known = atEnd.create<LLVM::LLVMFuncOp>(variant.getLoc(), function, type);
    known.setVisibility_(LLVM::Visibility::Hidden);
  }
  auto call =
      b.create<LLVM::CallOp>(variant.getLoc(), known, ValueRange{block});
  return call.getNumResults() ? call.getResult() : Value();
}

LogicalResult VariantLowering::lowerLibraryOp(Operation *op,
                                              const LibraryCall &call) {
  if (failed(checkSymbols(op, call.sizes)))
    return failure();
  Location loc = variant.getLoc();
  int32_t next = 0;
  auto store = [&](Value value, int32_t word) {
    if (value.getType().isIndex())
      value = b.create<arith::IndexCastOp>(loc, b.getI64Type(), value);
    Value address = b.create<LLVM::GEPOp>(loc, pointer, b.getI64Type(), block,
                                          LLVM::GEPArg(word));
    b.create<LLVM::StoreOp>(loc, value, address);
  };
  auto number = [&](int64_t value) -> Value {
    return b.create<arith::ConstantIntOp>(loc, value, 64);
  };
  store(number(0), Found);
  if (auto slot = plan.scratch.find(op); slot != plan.scratch.end())
    store(advance(arena, exprs->emit(plan.offsets[slot->second])), Scratch);
  store(pointerOf(op->getResult(0)), Result);
  next = FirstOperand;
  for (Value operand : op->getOperands())
    store(pointerOf(getStorage(operand)), next++);
  if (!call.check.empty()) {
    checks.push_back(b.getStringAttr(dispatch::describeOrigin(op->getLoc()) +
                                     ": " + call.check));
    store(exec, next++);
    store(number(int64_t(checks.size()) - 1), next++);
  }
  for (int64_t constant : call.constants)
    store(number(constant), next++);
  for (Expr size : call.sizes)
    store(exprs->emit(size), next++);
  if (auto source = dyn_cast<SizeSourceOpInterface>(op)) {
    Value count = callLibrary("ambit_" + call.name + "_find", b.getI64Type());
    if (failed(setSymbol(source, count)))
      return failure();
    store(count, Found);
  }
  callLibrary("ambit_" + call.name + "_write",
              LLVM::LLVMVoidType::get(b.getContext()));
  return success();
}

LogicalResult VariantLowering::lowerLaunch(LaunchOp launch) {
  func::FuncOp kernel = launcher.kernelOf(launch.getKernel());
  if (!launcher.isLowered(kernel))
    return launch.emitError("kernel '")
           << launch.getKernel() << "' is not lowered, expected bodies of it "
           << "and of its units, as lower-kernels makes them";
  if (failed(checkSymbols(launch, launch.getDims().getDims())))
    return failure();
  SmallVector<Value> buffers, extents;
  for (Value input : launch.getInputs())
    buffers.push_back(pointerOf(getStorage(input)));
  buffers.push_back(pointerOf(getStorage(launch.getResult())));
  for (Expr size : launch.getDims().getDims())
    extents.push_back(exprs->emit(size));
  launcher.launch(b, kernel, block, exec, checkIndex(launch, kernel), buffers,
                  extents);
  return success();
}

LogicalResult VariantLowering::lowerStep(Operation *op) {
  if (auto launch = dyn_cast<LaunchOp>(op))
    return lowerLaunch(launch);
  if (auto loop = dyn_cast<LoopOp>(op))
    return lowerLoop(loop);
  return lowerLibraryOp(op, getLibraryCall(op));
}

LogicalResult VariantLowering::lowerBlock(Block &ops) {
  SmallVector<Operation *> steps;
  for (Operation &op : ops)
    if (isa<LaunchOp, LoopOp>(op) || !getLibraryCall(&op).name.empty())
      steps.push_back(&op);
  return lowerInParts(steps);
}

Value VariantLowering::hasNoFailure() {
  Location loc = variant.getLoc();
  Value failed = b.create<LLVM::LoadOp>(loc, b.getI64Type(), exec);
  Value none = b.create<arith::ConstantIntOp>(loc, 0, 64);
  return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, failed, none);
}

void VariantLowering::lowerReturn(Location loc) {
  auto status = [&](int32_t value) -> Value {
    return b.create<arith::ConstantIntOp>(loc, value, 32);
  };
  if (checks.empty()) {
    b.create<func::ReturnOp>(loc, status(kOk));
    return;
  }
  Value result = b.create<arith::SelectOp>(loc, hasNoFailure(), status(kOk),
                                           status(kDataError));
  b.create<func::ReturnOp>(loc, result);
}

/// The places come from the pass graph-place-weights.
LogicalResult VariantLowering::checkWeights() {
  auto visit = [&](ConstantOp constant) {
    if (weights.contains(constant.getValue()))
      return WalkResult::advance();
    constant.emitError() << "constant has no place, expected it among the "
                            "module's '"
                         << attributes::kWeights << "'";
    return WalkResult::interrupt();
  };
  return failure(variant.walk(visit).wasInterrupted());
}

LogicalResult VariantLowering::run() {
  if (failed(checkWeights()))
    return failure();
  createTarget();
  numberSymbols();
  makeExprs(variant.getLoc());
  assignOutputs();
  llvm::DenseSet<Value> external;
  for (auto &entry : outputOf)
    external.insert(entry.first);
  FailureOr<MemoryPlan> planned = planMemory(variant, external, domain);
  if (failed(planned))
    return failure();
  plan = std::move(*planned);
  reserveBlock();
  if (failed(lowerBlock(variant.front())))
    return failure();
  if (level < domain.unbacked().size())
    return variant.emitError()
           << "no op sets the symbol '" << domain.unbacked()[level] << "'";
  lowerReturn(variant.getLoc());
  target->setAttr(attributes::kWorkspace,
                  sym::ShapeAttr::get(b.getContext(), {plan.size}));
  for (NamedAttribute attribute : variant->getDiscardableAttrs())
    if (!target->hasAttr(attribute.getName()))
      target->setDiscardableAttr(attribute.getName(), attribute.getValue());
  variant.erase();
  return success();
}

namespace {
struct LowerVariantsPass
    : public ambit::impl::LowerVariantsPassBase<LowerVariantsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpBuilder b(module.getBodyRegion());
    b.setInsertionPointToEnd(module.getBody());
    auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
    auto global = b.create<LLVM::GlobalOp>(
        module.getLoc(), bytes, /*isConstant=*/true, LLVM::Linkage::External,
        kWeightSymbol, Attribute(), /*alignment=*/64);
    global.setVisibility_(LLVM::Visibility::Hidden);
    KernelLauncher launcher(module);
    WeightTable weights = readWeights(module);
    std::vector<dispatch::Family> families = dispatch::getFamilies(module);
    for (func::FuncOp function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function->hasAttr(attributes::kVariant) &&
          !function.isDeclaration()) {
        auto family = llvm::find_if(families, [&](const auto &family) {
          return family.name == function.getName();
        });
        bool ok =
            family == families.end()
                ? succeeded(lowerVariant(function, launcher, weights))
                : succeeded(lowerFamily(function, *family, launcher, weights));
        if (!ok)
          return signalPassFailure();
      }
  }

  static LogicalResult lowerVariant(func::FuncOp function,
                                    KernelLauncher &launcher,
                                    const WeightTable &weights) {
    auto module = function->getParentOfType<ModuleOp>();
    std::string name = function.getName().str();
    VariantLowering lowering(function, launcher, weights);
    if (failed(lowering.run()))
      return failure();
    for (auto model : module.getOps<dispatch::ModelOp>())
      for (auto variant : model.getAll<dispatch::VariantOp>())
        if (variant.getBody() == name)
          describeBody(variant, getWorkspace(module, name),
                       lowering.getChecks());
    return success();
  }

  /// The function of the family, and one for each member that calls it.
  static LogicalResult lowerFamily(func::FuncOp function,
                                   const dispatch::Family &family,
                                   KernelLauncher &launcher,
                                   const WeightTable &weights) {
    auto module = function->getParentOfType<ModuleOp>();
    VariantLowering lowering(function, family, launcher, weights);
    if (failed(lowering.run()))
      return failure();
    auto shared = module.lookupSymbol<func::FuncOp>(family.name);
    OpBuilder b(module.getContext());
    b.setInsertionPointAfter(shared);
    shared.setPrivate();
    // What is compiled once stays so.
    shared->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
    Expr workspace = getWorkspace(module, family.name);
    for (dispatch::VariantOp member : family.members) {
      std::map<std::string, Expr> tops = family.getTops(member);
      describeBody(member, workspace.substitute(tops), lowering.getChecks());
      emitMember(b, shared, family, member);
    }
    return success();
  }

  static void emitMember(OpBuilder &b, func::FuncOp shared,
                         const dispatch::Family &family,
                         dispatch::VariantOp member) {
    Location loc = shared.getLoc();
    OpBuilder::InsertionGuard guard(b);
    ArrayRef<Type> types = shared.getArgumentTypes().take_front(kBodyArguments);
    auto function = b.create<func::FuncOp>(
        loc, member.getBody(), b.getFunctionType(types, {b.getI32Type()}));
    Block *entry = function.addEntryBlock();
    b.setInsertionPointToStart(entry);
    SmallVector<Value> operands(entry->getArguments());
    std::map<std::string, Expr> tops = family.getTops(member);
    for (const auto &[symbol, top] : family.tops)
      operands.push_back(
          b.create<arith::ConstantIntOp>(loc, *tops.at(top).constant(), 64));
    b.create<func::ReturnOp>(
        loc, b.create<func::CallOp>(loc, shared, operands).getResults());
  }

  static Expr getWorkspace(ModuleOp module, StringRef body) {
    return module.lookupSymbol<func::FuncOp>(body)
        ->getAttrOfType<sym::ShapeAttr>(attributes::kWorkspace)
        .getDims()
        .front();
  }

  static WeightTable readWeights(ModuleOp module) {
    WeightTable weights;
    auto values = module->getAttrOfType<ArrayAttr>(attributes::kWeights);
    auto offsets =
        module->getAttrOfType<DenseI64ArrayAttr>(attributes::kWeightOffsets);
    if (values && offsets)
      for (auto [value, offset] : llvm::zip(values, offsets.asArrayRef()))
        weights[value] = offset;
    return weights;
  }

  /// Writes what became of its body into the plan.
  static void describeBody(dispatch::VariantOp variant, Expr workspace,
                           ArrayRef<Attribute> checks) {
    MLIRContext *context = variant.getContext();
    variant.setWorkspaceAttr(sym::ShapeAttr::get(context, {workspace}));
    variant.setChecksAttr(ArrayAttr::get(context, checks));
  }
};
} // namespace
