// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape inference over a function, and guards as module ops.

#include "ambit/Shape/InferShapes.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/InferTypes.h"
#include "ambit/Shape/FollowValues.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ambit;

/// Replaces an op whose small result is known by `graph.dims`.
static void replaceByDims(Operation *op, graph::ShapeContext &context) {
  if (isa<graph::DimsOp, graph::ConstantOp>(op))
    return;
  std::optional<SmallVector<Expr>> elements = followOp(op, context);
  if (!elements)
    return;
  OpBuilder builder(op);
  auto dims = builder.create<graph::DimsOp>(
      op->getLoc(), op->getResult(0).getType(),
      sym::ShapeAttr::get(op->getContext(), *elements));
  op->getResult(0).replaceAllUsesWith(dims.getResult());
  op->erase();
}

static LogicalResult inferBlock(Block &block, graph::ShapeContext &context);

/// The type of a value and what it has grown by at the start of a trip.
static FailureOr<Type> growType(graph::LoopOp loop, Type first,
                                ArrayRef<Expr> growth) {
  Expr trip = Expr::symbol(loop.getIteration());
  SmallVector<Expr> dims = sym::getDims(first);
  for (auto [dim, step] : llvm::zip_equal(dims, growth))
    dim = dim + step * trip;
  if (RankedTensorType type = sym::getTensorType(
          dims, cast<RankedTensorType>(first).getElementType()))
    return Type(type);
  return loop.emitError("a size that grows overflows 64 bits");
}

/// Infers the body of a loop, whose arguments have the operands' types, or grow
/// from there.
static LogicalResult inferBody(graph::LoopOp loop,
                               graph::ShapeContext &context) {
  size_t carried = loop.getInits().size();
  // The operands begin with the carried and the captured values.
  for (auto [index, argument] : llvm::enumerate(
           loop.getBody().getArguments().take_front(loop->getNumOperands()))) {
    Type type = loop->getOperand(index).getType();
    if (index < carried) {
      FailureOr<Type> grown = growType(loop, type, loop.getGrowth(index));
      if (failed(grown))
        return failure();
      type = *grown;
    }
    argument.setType(type);
  }
  context.enterLoop(loop.getIteration(), loop.getTripCount());
  LogicalResult result = inferBlock(loop.getBody().front(), context);
  context.leaveLoop(loop.getIteration());
  return result;
}

/// Replaces a loop that runs no trip. Its body's rules may rely on what trips
/// make sure of, so they are not asked.
static void replaceByNothing(graph::LoopOp loop) {
  OpBuilder builder(loop);
  for (auto [result, init] :
       llvm::zip_equal(loop.getCarriedResults(), loop.getInits()))
    result.replaceAllUsesWith(init);
  for (Value result : loop.getStackedResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    auto scalar = RankedTensorType::get({}, type.getElementType());
    auto zero = builder.create<graph::ConstantOp>(
        loop.getLoc(), cast<ElementsAttr>(builder.getZeroAttr(scalar)));
    auto nothing = builder.create<graph::BroadcastOp>(
        loop.getLoc(), type, zero,
        sym::ShapeAttr::get(builder.getContext(), sym::getDims(type)));
    result.replaceAllUsesWith(nothing.getResult());
  }
  loop.erase();
}

static LogicalResult inferBlock(Block &block, graph::ShapeContext &context) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto loop = dyn_cast<graph::LoopOp>(op);
        loop && loop.getTripCount().isConstant(0)) {
      replaceByNothing(loop);
      continue;
    }
    if (!isa<graph::ShapeRuleOpInterface>(op))
      continue;
    if (auto loop = dyn_cast<graph::LoopOp>(op))
      if (failed(inferBody(loop, context)))
        return failure();
    SmallVector<RankedTensorType> types;
    if (failed(graph::inferTypes(&op, context, types)))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op.getResults(), types))
      result.setType(type);
    replaceByDims(&op, context);
  }
  return success();
}

LogicalResult ambit::inferShapes(func::FuncOp function,
                                 graph::ShapeContext &context) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("shape inference needs a body of one block");
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && failed(graph::checkTensorSize(
                      [&, number = number] {
                        return function.emitError()
                               << "input " << number << ": ";
                      },
                      tensor)))
      return failure();
  if (failed(inferBlock(function.front(), context)))
    return failure();
  Operation *terminator = function.front().getTerminator();
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     terminator->getOperandTypes()));
  return success();
}

graph::ShapeContext::GuardSink ambit::makeGuardSink(ModuleOp module) {
  llvm::StringSet<> seen;
  Operation *last = nullptr;
  for (Operation &op : module.getBody()->getOperations()) {
    if (auto guard = dyn_cast<sym::GuardOp>(op))
      seen.insert(guard.getCondition());
    if (isa<sym::GuardOp, sym::SymbolOp>(op))
      last = &op;
  }
  return [module, seen = std::move(seen), last](const Condition &condition,
                                                Location loc) mutable {
    std::string text = condition.str();
    if (!seen.insert(text).second)
      return;
    OpBuilder builder(module.getContext());
    if (last)
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(module.getBody());
    last = builder.create<sym::GuardOp>(loc, text);
  };
}
