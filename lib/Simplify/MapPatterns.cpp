// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns on the operands and the form of graph.map.

#include "Patterns.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;

/// The one value of all elements of a tensor, seen through ops that only
/// repeat or regroup them.
static Attribute getScalarConstant(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (dense && dense.isSplat())
        return dense.getSplatValue<Attribute>();
      return {};
    }
    if (!isa<graph::BroadcastOp, graph::ReshapeOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return {};
}

/// The attribute as a scalar inside of a body, where integers are signless.
static TypedAttr getBodyAttr(Attribute attr, Type bodyType) {
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return IntegerAttr::get(bodyType, integer.getValue());
  return dyn_cast<FloatAttr>(attr);
}

/// Removes operand `index` of a map; its body argument has no uses.
static void eraseInput(graph::MapOp op, unsigned index,
                       PatternRewriter &rewriter) {
  rewriter.modifyOpInPlace(op, [&] {
    op.getBody().front().eraseArgument(index);
    op.getInputsMutable().erase(index);
  });
}

namespace {
/// map(x, broadcast(c)) { f(x, c) } ==> map(x) { f(x, constant) }
struct InlineScalarConstant : OpRewritePattern<graph::MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::MapOp op,
                                PatternRewriter &rewriter) const override {
    // The last input stays: it gives the shape.
    if (op.getInputs().size() < 2)
      return rewriter.notifyMatchFailure(op, "only one input");
    for (auto [index, input] : llvm::enumerate(op.getInputs())) {
      Attribute scalar = getScalarConstant(input);
      if (!scalar)
        continue;
      Block &body = op.getBody().front();
      BlockArgument argument = body.getArgument(index);
      TypedAttr value = getBodyAttr(scalar, argument.getType());
      if (!value)
        continue;
      rewriter.setInsertionPointToStart(&body);
      Value constant = rewriter.create<arith::ConstantOp>(op.getLoc(), value);
      rewriter.replaceAllUsesWith(argument, constant);
      eraseInput(op, index, rewriter);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no input is a scalar constant");
  }
};

/// map(x, x) { f(a, b) } ==> map(x) { f(a, a) }
struct MergeEqualInputs : OpRewritePattern<graph::MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::MapOp op,
                                PatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    DenseMap<Value, unsigned> first;
    for (auto [index, input] : llvm::enumerate(op.getInputs())) {
      auto [found, isNew] = first.insert({input, unsigned(index)});
      if (isNew)
        continue;
      rewriter.replaceAllUsesWith(body.getArgument(index),
                                  body.getArgument(found->second));
      eraseInput(op, index, rewriter);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "all inputs differ");
  }
};

/// map(x, y) { f(x) } ==> map(x) { f(x) }
struct DropUnusedInput : OpRewritePattern<graph::MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::MapOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getInputs().size() < 2)
      return rewriter.notifyMatchFailure(op, "only one input");
    for (BlockArgument argument : op.getBody().front().getArguments()) {
      // The verifier allows types whose equality is guarded elsewhere; then the
      // inputs that stay must still show the result's shape.
      Value other = op.getInputs()[argument.getArgNumber() == 0 ? 1 : 0];
      if (!argument.use_empty() || sym::getDims(other.getType()) !=
                                       sym::getDims(op.getResult().getType()))
        continue;
      eraseInput(op, argument.getArgNumber(), rewriter);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "all inputs are used");
  }
};

/// map(x) { x } ==> x
struct RemoveIdentityMap : OpRewritePattern<graph::MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::MapOp op,
                                PatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    auto yield = cast<graph::YieldOp>(body.getTerminator());
    auto argument = dyn_cast<BlockArgument>(yield.getValue());
    if (!argument)
      return rewriter.notifyMatchFailure(op, "yields a computed scalar");
    Value input = op.getInputs()[argument.getArgNumber()];
    // Signed and unsigned tensors share a body type.
    if (input.getType() != op.getResult().getType())
      return rewriter.notifyMatchFailure(op, "changes the type");
    rewriter.replaceOp(op, input);
    return success();
  }
};
} // namespace

void ambit::populateMapPatterns(RewritePatternSet &patterns) {
  patterns.add<InlineScalarConstant, MergeEqualInputs, DropUnusedInput,
               RemoveIdentityMap>(patterns.getContext());
}
