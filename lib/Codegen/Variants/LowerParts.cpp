// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts long bodies into functions. The time that LLVM's register allocation
// takes grows with the square of the calls in a block, so a block of many
// launches becomes a row of calls of parts, each with a few of the launches. A
// part finds buffers and sizes by itself, in the tables that every body gets;
// what exists only inside of a loop is handed to it.

#include "VariantLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// The launches of one part.
constexpr size_t kStepsPerPart = 64;

LogicalResult VariantLowering::lowerInParts(ArrayRef<Operation *> steps) {
  if (steps.size() <= kStepsPerPart) {
    for (Operation *step : steps)
      if (failed(lowerStep(step)))
        return failure();
    return success();
  }
  for (; !steps.empty();
       steps = steps.drop_front(std::min(kStepsPerPart, steps.size())))
    if (failed(lowerPart(steps.take_front(kStepsPerPart))))
      return failure();
  return success();
}

/// The tensors that ops read or write and whose addresses are known around.
static llvm::SetVector<Value>
findKnown(ArrayRef<Operation *> ops,
          const llvm::DenseMap<Value, Value> &pointers) {
  llvm::SetVector<Value> known;
  auto note = [&](Value tensor) {
    if (pointers.contains(tensor))
      known.insert(tensor);
  };
  for (Operation *op : ops)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        note(getStorage(operand));
      llvm::for_each(inner->getResults(), note);
    });
  return known;
}

/// Creates the function of a part and makes it the current one. `operands` are
/// what it is called with.
void VariantLowering::enterPart(ArrayRef<Operation *> steps,
                                const BodyFunction &outer,
                                SmallVectorImpl<Value> &operands) {
  operands.assign({outer.inputs, outer.outputs, outer.arena, outer.symbols,
                   outer.exec, outer.block});
  llvm::SetVector<Value> tensors = findKnown(steps, outer.pointers);
  for (Value tensor : tensors)
    operands.push_back(outer.pointers.lookup(tensor));
  SmallVector<std::string> numbers(parameters);
  for (auto loop = steps.front()->getParentOfType<LoopOp>(); loop;
       loop = loop->getParentOfType<LoopOp>())
    numbers.push_back(loop.getIteration().str());
  for (const std::string &number : numbers)
    operands.push_back(outer.sizes.at(number));
  b.setInsertionPoint(outer.target);
  target = b.create<func::FuncOp>(
      variant.getLoc(), (variant.getName() + "_part_" + Twine(parts++)).str(),
      b.getFunctionType(ValueRange(operands).getTypes(), {b.getI32Type()}));
  target.setPrivate();
  target->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
  Block *entry = target.addEntryBlock();
  b.setInsertionPointToStart(entry);
  unsigned next = 0;
  for (Value *value : {&inputs, &outputs, &arena, &symbols, &exec, &block})
    *value = entry->getArgument(next++);
  for (Value tensor : tensors)
    pointers[tensor] = entry->getArgument(next++);
  for (const std::string &number : numbers)
    sizes[number] = entry->getArgument(next++);
  makeExprs(variant.getLoc());
}

LogicalResult VariantLowering::lowerPart(ArrayRef<Operation *> steps) {
  Location loc = variant.getLoc();
  BodyFunction &current = *this;
  BodyFunction outer = std::move(current);
  OpBuilder::InsertPoint place = b.saveInsertionPoint();
  current = BodyFunction();
  SmallVector<Value> operands;
  enterPart(steps, outer, operands);
  for (Operation *step : steps)
    if (failed(lowerStep(step)))
      return failure();
  b.create<func::ReturnOp>(
      loc, ValueRange(b.create<arith::ConstantIntOp>(loc, kOk, 32)));
  func::FuncOp part = target;
  outer.mayLeave |= mayLeave;
  bool asksStatus = mayLeave;
  current = std::move(outer);
  b.restoreInsertionPoint(place);
  Value status = b.create<func::CallOp>(loc, part, operands).getResult(0);
  if (!asksStatus)
    return success();
  // The part has said why.
  Value ok = b.create<arith::ConstantIntOp>(loc, kOk, 32);
  Value isOk =
      b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, status, ok);
  Block *leave = target.addBlock(), *next = target.addBlock();
  b.create<cf::CondBranchOp>(loc, isOk, next, leave);
  b.setInsertionPointToStart(leave);
  b.create<func::ReturnOp>(loc, status);
  b.setInsertionPointToStart(next);
  return success();
}
