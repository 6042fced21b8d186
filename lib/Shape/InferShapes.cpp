// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape inference over a function, and guards as module ops.

#include "ambit/Shape/InferShapes.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Shape/FollowValues.h"

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

LogicalResult ambit::inferShapes(func::FuncOp function,
                                 graph::ShapeContext &context) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("shape inference needs a body of one block");
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    auto rule = dyn_cast<graph::ShapeRuleOpInterface>(op);
    if (!rule)
      continue;
    SmallVector<RankedTensorType> types;
    if (failed(rule.inferTypes(context, types)))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op.getResults(), types))
      result.setType(type);
    replaceByDims(&op, context);
  }
  Operation *terminator = function.front().getTerminator();
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     terminator->getOperandTypes()));
  return success();
}

graph::ShapeContext::GuardSink ambit::makeGuardSink(ModuleOp module) {
  return [module](const Condition &condition, Location loc) mutable {
    std::string text = condition.str();
    Operation *last = nullptr;
    for (Operation &other : module.getBody()->getOperations()) {
      if (auto guard = dyn_cast<sym::GuardOp>(other)) {
        if (guard.getCondition() == text)
          return;
        last = &other;
      } else if (isa<sym::SymbolOp>(other)) {
        last = &other;
      }
    }
    OpBuilder builder(module.getContext());
    if (last)
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(module.getBody());
    builder.create<sym::GuardOp>(loc, text);
  };
}
