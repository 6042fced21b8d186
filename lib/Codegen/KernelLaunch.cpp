// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the task and the launch function of kernels.

#include "KernelLaunch.h"
#include "../Runtime/descriptor.h"
#include "KernelSignature.h"
#include "ambit/Cost/Cost.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ambit;

// Members of struct ambit_exec of lib/Runtime/descriptor.h, by their words.
enum ExecWord { FailedCheck = 0, ParallelFor = 2 };
static_assert(offsetof(ambit_exec, failed_check) == 8 * FailedCheck &&
                  offsetof(ambit_exec, parallel_for) == 8 * ParallelFor,
              "the runtime has another layout");
// Words of the block before the buffers.
enum BlockWord { Exec = 0, Check = 1, FirstBuffer = 2 };

namespace {
/// Builds code on words in memory.
class WordBuilder {
public:
  WordBuilder(OpBuilder &b, Location loc)
      : b(b), loc(loc), i64(b.getI64Type()),
        pointer(LLVM::LLVMPointerType::get(b.getContext())) {}

  Value load(Value base, int64_t word, Type type) {
    return b.create<LLVM::LoadOp>(loc, type, address(base, word));
  }
  Value loadIndex(Value base, int64_t word) {
    return b.create<arith::IndexCastOp>(loc, b.getIndexType(),
                                        load(base, word, i64));
  }
  void store(Value value, Value base, int64_t word) {
    if (value.getType().isIndex())
      value = b.create<arith::IndexCastOp>(loc, i64, value);
    b.create<LLVM::StoreOp>(loc, value, address(base, word));
  }
  Value number(int64_t value) {
    return b.create<arith::ConstantIntOp>(loc, value, 64);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, int64_t rhs) {
    return b.create<arith::CmpIOp>(loc, predicate, lhs, number(rhs));
  }

  OpBuilder &b;
  Location loc;
  Type i64, pointer;

private:
  Value address(Value base, int64_t word) {
    return b.create<LLVM::GEPOp>(loc, pointer, i64, base,
                                 LLVM::GEPArg(int32_t(word)));
  }
};
} // namespace

Value ambit::makeBuffer(OpBuilder &b, Location loc, Value address,
                        Type memrefType) {
  Type i64 = b.getI64Type(), pointer = address.getType();
  auto row = LLVM::LLVMArrayType::get(i64, 1);
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {pointer, pointer, i64, row, row});
  Value descriptor = b.create<LLVM::UndefOp>(loc, type);
  auto set = [&](Value value, ArrayRef<int64_t> position) {
    descriptor =
        b.create<LLVM::InsertValueOp>(loc, descriptor, value, position);
  };
  auto number = [&](int64_t value) -> Value {
    return b.create<LLVM::ConstantOp>(loc, i64, b.getI64IntegerAttr(value));
  };
  set(address, {0});
  set(address, {1});
  set(number(0), {2});
  set(number(INT64_MAX), {3, 0});
  set(number(1), {4, 0});
  return b.create<UnrealizedConversionCastOp>(loc, memrefType, descriptor)
      .getResult(0);
}

int64_t KernelLauncher::countWords(func::FuncOp kernel) {
  KernelSignature signature(kernel);
  return FirstBuffer + signature.countBuffers() + signature.countSizes();
}

/// What the functions of one kernel say to LLVM: that they are compiled
/// together (lib/Emit/Units.cpp), and more.
static void setPassthrough(func::FuncOp function, StringRef kernel,
                           SmallVector<Attribute> more = {}) {
  Builder b(function.getContext());
  more.push_back(b.getStrArrayAttr({"ambit-unit", kernel}));
  function->setAttr("passthrough", b.getArrayAttr(more));
}

/// Creates a private function of pointers and i64 without a result. It is not
/// inlined: a body has hundreds of launches, whose branches would make LLVM's
/// work on it grow faster than their number.
static func::FuncOp createFunction(func::FuncOp kernel, StringRef suffix,
                                   ArrayRef<Type> types) {
  OpBuilder b(kernel->getContext());
  b.setInsertionPointAfter(kernel);
  auto function =
      b.create<func::FuncOp>(kernel.getLoc(), (kernel.getName() + suffix).str(),
                             b.getFunctionType(types, {}));
  function.setPrivate();
  setPassthrough(function, kernel.getName(), {b.getStringAttr("noinline")});
  function.addEntryBlock();
  return function;
}

/// NAME_task: unpacks the block and calls the kernel.
static func::FuncOp createTask(func::FuncOp kernel) {
  Type i64 = IntegerType::get(kernel.getContext(), 64);
  Type pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  func::FuncOp task = createFunction(kernel, "_task", {pointer, i64, i64});
  OpBuilder b = OpBuilder::atBlockEnd(&task.front());
  WordBuilder words(b, kernel.getLoc());
  KernelSignature signature(kernel);
  Value block = task.getArgument(0);
  SmallVector<Value> operands(signature.count());
  auto bufferAt = [&](int64_t word, unsigned place) {
    operands[place] = makeBuffer(b, words.loc, words.load(block, word, pointer),
                                 kernel.getArgumentTypes()[place]);
  };
  // The block holds buffers and sizes in the order of the signature.
  int64_t next = FirstBuffer;
  for (unsigned place = 0; place < signature.countBuffers(); ++place)
    bufferAt(next++, place);
  for (unsigned i = 0; i < signature.countSizes(); ++i)
    operands[signature.size(i)] = words.loadIndex(block, next++);
  operands[signature.begin()] = b.create<arith::IndexCastOp>(
      words.loc, b.getIndexType(), task.getArgument(1));
  operands[signature.end()] = b.create<arith::IndexCastOp>(
      words.loc, b.getIndexType(), task.getArgument(2));
  // struct ambit_exec begins with the record of failures.
  bufferAt(Exec, signature.failures());
  operands[signature.check()] = words.loadIndex(block, Check);
  b.create<func::CallOp>(words.loc, kernel, operands);
  b.create<func::ReturnOp>(words.loc);
  return task;
}

/// Runs all units on the threads of the run. When data was refused, whichever
/// thread found it first has reported it; running all again in order reports
/// the same as a run on one thread.
static void emitParallel(WordBuilder &words, func::FuncOp task, Value block,
                         Value exec, Value units, Value grain, bool hasCheck) {
  OpBuilder &b = words.b;
  Location loc = words.loc;
  Value before;
  if (hasCheck)
    before = words.load(exec, FailedCheck, words.i64);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()),
      {words.pointer, words.i64, words.i64, words.pointer, words.pointer});
  Value reference =
      b.create<func::ConstantOp>(loc, task.getFunctionType(), task.getName());
  Value address =
      b.create<UnrealizedConversionCastOp>(loc, words.pointer, reference)
          .getResult(0);
  Value parallelFor = words.load(exec, ParallelFor, words.pointer);
  b.create<LLVM::CallOp>(
      loc, type, ValueRange{parallelFor, exec, units, grain, address, block});
  if (!hasCheck)
    return;
  Value after = words.load(exec, FailedCheck, words.i64);
  Value isNew = b.create<arith::AndIOp>(
      loc, words.compare(arith::CmpIPredicate::slt, before, 0),
      words.compare(arith::CmpIPredicate::sge, after, 0));
  auto again = b.create<scf::IfOp>(loc, isNew);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(again.thenBlock());
  words.store(words.number(-1), exec, FailedCheck);
  b.create<func::CallOp>(loc, task, ValueRange{block, words.number(0), units});
}

/// NAME_launch: estimates the work and chooses.
static func::FuncOp createLaunch(func::FuncOp kernel, func::FuncOp units,
                                 func::FuncOp task) {
  Type pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  func::FuncOp launch = createFunction(kernel, "_launch", {pointer});
  OpBuilder b = OpBuilder::atBlockEnd(&launch.front());
  Location loc = kernel.getLoc();
  WordBuilder words(b, loc);
  KernelSignature signature(kernel);
  Value block = launch.getArgument(0);
  Value exec = words.load(block, Exec, pointer);
  SmallVector<Value> sizes;
  int64_t firstSize = FirstBuffer + signature.countBuffers();
  for (unsigned i = 0; i < signature.countSizes(); ++i)
    sizes.push_back(words.loadIndex(block, firstSize + i));
  auto counts = b.create<func::CallOp>(loc, units, sizes);
  auto toInt = [&](Value value) -> Value {
    return b.create<arith::IndexCastOp>(loc, words.i64, value);
  };
  Value count = toInt(counts.getResult(0)), work = toInt(counts.getResult(1));
  Value threads = words.load(exec, ParallelFor, words.i64);
  auto both = [&](Value lhs, Value rhs) -> Value {
    return b.create<arith::AndIOp>(loc, lhs, rhs);
  };
  Value pays = both(words.compare(arith::CmpIPredicate::ne, threads, 0),
                    both(words.compare(arith::CmpIPredicate::sgt, count, 1),
                         words.compare(arith::CmpIPredicate::sge, work,
                                       cost::kParallelTicks)));
  auto choice = b.create<scf::IfOp>(loc, pays, /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.thenBlock());
  Value pieces =
      b.create<arith::DivUIOp>(loc, work, words.number(cost::kPieceTicks));
  Value grain = b.create<arith::MaxUIOp>(
      loc, b.create<arith::DivUIOp>(loc, count, pieces), words.number(1));
  emitParallel(words, task, block, exec, count, grain,
               kernel->hasAttr(attributes::kCheck));
  b.setInsertionPointToStart(choice.elseBlock());
  b.create<func::CallOp>(loc, task, ValueRange{block, words.number(0), count});
  b.setInsertionPointToEnd(&launch.front());
  b.create<func::ReturnOp>(loc);
  return launch;
}

/// The number of units, when it and the work are constants that leave nothing
/// to choose.
static std::optional<int64_t> unitsWithoutChoice(func::FuncOp units) {
  Operation *end = units.front().getTerminator();
  std::optional<int64_t> count = getConstantIntValue(end->getOperand(0));
  std::optional<int64_t> work = getConstantIntValue(end->getOperand(1));
  if (count && (*count <= 1 || (work && *work < cost::kParallelTicks)))
    return count;
  return std::nullopt;
}

bool KernelLauncher::isLowered(func::FuncOp kernel) const {
  if (known.contains(kernel))
    return true;
  func::FuncOp units = kernelOf((kernel.getName() + "_units").str());
  return !kernel.isExternal() && units && !units.isExternal();
}

KernelLauncher::Functions &KernelLauncher::functionsOf(func::FuncOp kernel) {
  auto [it, isNew] = known.try_emplace(kernel);
  if (!isNew)
    return it->second;
  func::FuncOp units = kernelOf((kernel.getName() + "_units").str());
  Functions &functions = it->second;
  setPassthrough(kernel, kernel.getName());
  setPassthrough(units, kernel.getName());
  functions.task = createTask(kernel);
  if (std::optional<int64_t> count = unitsWithoutChoice(units)) {
    functions.units = *count;
    symbols.erase(units);
  } else {
    functions.launch = createLaunch(kernel, units, functions.task);
  }
  return functions;
}

void KernelLauncher::launch(OpBuilder &b, func::FuncOp kernel, Value block,
                            Value exec, Value check, ValueRange buffers,
                            ValueRange sizes) {
  Location loc = kernel.getLoc();
  WordBuilder words(b, loc);
  words.store(exec, block, Exec);
  words.store(check, block, Check);
  int64_t next = FirstBuffer;
  for (Value buffer : buffers)
    words.store(buffer, block, next++);
  for (Value size : sizes)
    words.store(size, block, next++);
  Functions &functions = functionsOf(kernel);
  if (functions.launch)
    b.create<func::CallOp>(loc, functions.launch, block);
  else
    b.create<func::CallOp>(
        loc, functions.task,
        ValueRange{block, words.number(0), words.number(functions.units)});
}
