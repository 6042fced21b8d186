// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emission of the model's functions over symbols: guards, output dims,
// workspace sizes and domains. The choice of a variant has a file of its own.

#include "FunctionEmitter.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;
using namespace ambit::dispatch::lowering;

FunctionEmitter::FunctionEmitter(OpBuilder &builder, Location loc,
                                 const ModelTables &tables)
    : builder(builder), loc(loc), tables(tables),
      pointer(LLVM::LLVMPointerType::get(builder.getContext())),
      i32(builder.getI32Type()), i64(builder.getI64Type()) {
  for (auto [index, symbol] : llvm::enumerate(tables.symbols))
    positions[symbol.name] = index;
}

/// LLVM's work on one block of stores grows with its square.
constexpr size_t kDimsPerPart = 256;

LLVM::LLVMFuncOp FunctionEmitter::begin(StringRef name, Type result,
                                        ArrayRef<Type> arguments) {
  auto type = LLVM::LLVMFunctionType::get(result, arguments);
  auto function = builder.create<LLVM::LLVMFuncOp>(loc, name, type,
                                                   LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  functions.push_back(function);
  return function;
}

void FunctionEmitter::end(LLVM::LLVMFuncOp function, Value result) {
  builder.create<LLVM::ReturnOp>(loc, result);
  builder.setInsertionPointAfter(function);
}

Value FunctionEmitter::symbolAddress(size_t index) {
  return builder.create<LLVM::GEPOp>(loc, pointer, i64, symbols,
                                     ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

Value FunctionEmitter::loadSymbol(StringRef name) {
  return builder.create<LLVM::LoadOp>(loc, i64,
                                      symbolAddress(positions.at(name)));
}

ExprEmitter FunctionEmitter::makeExprs() {
  ExprEmitter exprs(builder, loc, {}, i64);
  exprs.setLookup([this](StringRef name) { return loadSymbol(name); });
  return exprs;
}

Value FunctionEmitter::constant(Type type, int64_t value) {
  return builder.create<LLVM::ConstantOp>(loc,
                                          builder.getIntegerAttr(type, value));
}

Value FunctionEmitter::emitAll(ExprEmitter &exprs,
                               ArrayRef<Condition> conditions) {
  Value all;
  for (const Condition &condition : conditions) {
    Value holds = exprs.emit(condition);
    all = all ? builder.create<arith::AndIOp>(loc, all, holds) : holds;
  }
  return all ? all : constant(builder.getI1Type(), 1);
}

std::string FunctionEmitter::emitGuardsFailed() {
  LLVM::LLVMFuncOp function =
      begin("ambit_model_guards_failed", i32, {pointer});
  readSymbolsFrom(function.getArgument(0));
  ExprEmitter exprs = makeExprs();
  SmallVector<Value> holds;
  for (const Guard &guard : tables.guards)
    holds.push_back(exprs.emit(guard.condition));
  // Without branches: guards hold in practice, and all of them are looked at.
  Value failed = constant(i32, -1);
  for (size_t index = holds.size(); index-- > 0;)
    failed = builder.create<LLVM::SelectOp>(loc, holds[index], failed,
                                            constant(i32, int64_t(index)));
  end(function, failed);
  return function.getName().str();
}

std::string FunctionEmitter::emitGuardHolds() {
  LLVM::LLVMFuncOp function =
      begin("ambit_model_guard_holds", i32, {i32, pointer});
  Block *entry = builder.getInsertionBlock();
  readSymbolsFrom(function.getArgument(1));
  Block *exit = builder.createBlock(&function.getBody());
  exit->addArgument(i32, loc);
  SmallVector<int32_t> cases;
  SmallVector<Block *> blocks;
  for (auto [index, guard] : llvm::enumerate(tables.guards)) {
    cases.push_back(int32_t(index));
    blocks.push_back(builder.createBlock(exit));
    ExprEmitter exprs = makeExprs();
    Value holds =
        builder.create<LLVM::ZExtOp>(loc, i32, exprs.emit(guard.condition));
    builder.create<LLVM::BrOp>(loc, holds, exit);
  }
  builder.setInsertionPointToEnd(entry);
  Value zero = constant(i32, 0);
  // Translation to LLVM IR does not survive a switch without cases.
  if (cases.empty())
    builder.create<LLVM::BrOp>(loc, zero, exit);
  else
    builder.create<LLVM::SwitchOp>(loc, function.getArgument(0), exit,
                                   ValueRange(zero), cases, blocks,
                                   SmallVector<ValueRange>(cases.size()));
  builder.setInsertionPointToEnd(exit);
  end(function, exit->getArgument(0));
  return function.getName().str();
}

std::string FunctionEmitter::emitDefineSymbols() {
  if (llvm::none_of(tables.symbols, [](const ModelTables::Symbol &symbol) {
        return symbol.definition.has_value();
      }))
    return "";
  LLVM::LLVMFuncOp function =
      begin("ambit_model_define_symbols", i32, {pointer});
  readSymbolsFrom(function.getArgument(0));
  Value failed = constant(i32, -1), none = failed;
  for (auto [index, symbol] : llvm::enumerate(tables.symbols)) {
    if (!symbol.definition)
      continue;
    ExprEmitter exprs = makeExprs();
    auto [value, wrong] = exprs.emitChecked(*symbol.definition);
    Value isFirst = builder.create<arith::AndIOp>(
        loc, wrong,
        builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, failed,
                                      none));
    failed = builder.create<LLVM::SelectOp>(
        loc, isFirst, constant(i32, int64_t(index)), failed);
    builder.create<LLVM::StoreOp>(loc, value, symbolAddress(index));
  }
  end(function, failed);
  return function.getName().str();
}

/// How many tensors make a part: as many as have few dims together, one at
/// least.
static size_t countForPart(ArrayRef<ModelTables::Tensor> tensors) {
  size_t count = 0, dims = 0;
  while (count < tensors.size() &&
         (count == 0 || dims + tensors[count].dims.size() <= kDimsPerPart))
    dims += tensors[count++].dims.size();
  return count;
}

std::string FunctionEmitter::emitInParts(StringRef name,
                                         ArrayRef<ModelTables::Tensor> tensors,
                                         EmitPart emitPart) {
  int32_t position = 0;
  auto emitOne = [&](const Twine &partName,
                     ArrayRef<ModelTables::Tensor> some) {
    LLVM::LLVMFuncOp function = begin(partName.str(), i32, {pointer, pointer});
    readSymbolsFrom(function.getArgument(0));
    end(function, emitPart(function.getArgument(1), some, position));
    for (const ModelTables::Tensor &tensor : some)
      position += int32_t(tensor.dims.size());
    return function;
  };
  if (countForPart(tensors) == tensors.size())
    return emitOne(name, tensors).getName().str();
  SmallVector<LLVM::LLVMFuncOp> parts;
  for (size_t count; !tensors.empty(); tensors = tensors.drop_front(count)) {
    count = countForPart(tensors);
    parts.push_back(
        emitOne(name + "_" + Twine(parts.size()), tensors.take_front(count)));
    parts.back().setPassthroughAttr(builder.getStrArrayAttr({"noinline"}));
  }
  LLVM::LLVMFuncOp whole = begin(name, i32, {pointer, pointer});
  Value flags = constant(i32, 0);
  for (LLVM::LLVMFuncOp part : parts)
    flags = builder.create<LLVM::OrOp>(
        loc, flags,
        builder.create<LLVM::CallOp>(loc, part, whole.getArguments())
            .getResult());
  end(whole, flags);
  return whole.getName().str();
}

void FunctionEmitter::storeDim(Value value, Value dims, int32_t position) {
  Value address = builder.create<LLVM::GEPOp>(loc, pointer, i64, dims,
                                              ArrayRef<LLVM::GEPArg>{position});
  builder.create<LLVM::StoreOp>(loc, value, address);
}

std::string FunctionEmitter::emitInputDims() {
  auto emitPart = [&](Value dims, ArrayRef<ModelTables::Tensor> inputs,
                      int32_t position) {
    ExprEmitter exprs = makeExprs();
    for (const ModelTables::Tensor &input : inputs)
      for (const ModelTables::Dim &dim : input.dims) {
        auto [value, wrong] = exprs.emitChecked(dim.expr);
        storeDim(builder.create<LLVM::SelectOp>(loc, wrong, constant(i64, -1),
                                                value),
                 dims, position++);
      }
    return constant(i32, 0);
  };
  return emitInParts("ambit_model_input_dims", tables.inputs, emitPart);
}

std::string FunctionEmitter::emitOutputDims() {
  return emitOutputs("ambit_model_output_dims", &ModelTables::Dim::expr);
}

std::string FunctionEmitter::emitOutputBounds() {
  return emitOutputs("ambit_model_output_bounds", &ModelTables::Dim::bound);
}

/// Whether the product of dims overflows. An empty dim does not hide the
/// overflow of the others: strides count.
Value FunctionEmitter::emitOverflow(ExprEmitter &exprs, ArrayRef<Expr> dims) {
  Value running = constant(i64, 1), any = constant(builder.getI1Type(), 0);
  for (Expr dim : dims) {
    Value extent = builder.create<arith::MaxSIOp>(
        loc, exprs.emitChecked(dim).first, constant(i64, 1));
    auto wide = builder.create<arith::MulSIExtendedOp>(loc, running, extent);
    running = wide.getLow();
    Value sign =
        builder.create<arith::ShRSIOp>(loc, running, constant(i64, 63));
    Value wrong = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                                wide.getHigh(), sign);
    any = builder.create<arith::OrIOp>(loc, any, wrong);
  }
  return any;
}

std::string FunctionEmitter::emitOutputs(StringRef name,
                                         Expr ModelTables::Dim::*part) {
  auto emitPart = [&](Value dims, ArrayRef<ModelTables::Tensor> outputs,
                      int32_t position) {
    ExprEmitter exprs = makeExprs();
    Value anyWrong = constant(builder.getI1Type(), 0);
    auto note = [&](Value wrong) {
      anyWrong = builder.create<arith::OrIOp>(loc, anyWrong, wrong);
    };
    std::vector<SmallVector<Expr>> shapes;
    for (const ModelTables::Tensor &output : outputs) {
      SmallVector<Expr> shape;
      for (const ModelTables::Dim &dim : output.dims) {
        auto [value, wrong] = exprs.emitChecked(dim.*part);
        note(wrong);
        storeDim(value, dims, position++);
        shape.push_back(dim.*part);
      }
      if (!llvm::is_contained(shapes, shape))
        shapes.push_back(std::move(shape));
    }
    for (const SmallVector<Expr> &shape : shapes)
      note(emitOverflow(exprs, shape));
    return builder.create<LLVM::SExtOp>(loc, i32, anyWrong).getResult();
  };
  return emitInParts(name, tables.outputs, emitPart);
}

std::string
FunctionEmitter::emitWorkspace(const ModelTables::Variant &variant) {
  LLVM::LLVMFuncOp function =
      begin("ambit_model_workspace_" + variant.name, i64, {pointer});
  readSymbolsFrom(function.getArgument(0));
  ExprEmitter exprs = makeExprs();
  auto [bytes, wrong] = exprs.emitChecked(variant.workspace);
  Value isNegative = builder.create<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, bytes, constant(i64, 0));
  Value refused = builder.create<arith::OrIOp>(loc, wrong, isNegative);
  end(function,
      builder.create<LLVM::SelectOp>(loc, refused, constant(i64, -1), bytes));
  return function.getName().str();
}

std::string FunctionEmitter::emitAdmits(const ModelTables::Variant &variant) {
  LLVM::LLVMFuncOp function =
      begin("ambit_model_admits_" + variant.name, i32, {pointer});
  readSymbolsFrom(function.getArgument(0));
  ExprEmitter exprs = makeExprs();
  Value all = emitAll(exprs, variant.conditions);
  end(function, builder.create<LLVM::ZExtOp>(loc, i32, all));
  return function.getName().str();
}

FunctionNames FunctionEmitter::emitFunctions(size_t maxCells) {
  FunctionNames names;
  names.guardsFailed = emitGuardsFailed();
  names.select = emitSelect(maxCells);
  names.inputDims = emitInputDims();
  names.outputDims = emitOutputDims();
  names.guardHolds = emitGuardHolds();
  if (tables.dependsOnData)
    names.outputBounds = emitOutputBounds();
  names.defineSymbols = emitDefineSymbols();
  for (const ModelTables::Variant &variant : tables.variants) {
    names.workspace.push_back(emitWorkspace(variant));
    names.admits.push_back(emitAdmits(variant));
  }
  names.all = std::move(functions);
  return names;
}

FunctionNames lowering::emitFunctions(OpBuilder &builder, Location loc,
                                      const ModelTables &tables,
                                      size_t maxCells) {
  return FunctionEmitter(builder, loc, tables).emitFunctions(maxCells);
}

LogicalResult lowering::lowerArithmetic(ModuleOp module,
                                        const FunctionNames &names) {
  MLIRContext *context = module.getContext();
  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addIllegalDialect<arith::ArithDialect>();
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  return applyPartialConversion(names.all, target, std::move(patterns));
}
