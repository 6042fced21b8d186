// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns on ops that only move elements.

#include "Patterns.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ambit;

static sym::ShapeAttr shapeAttr(MLIRContext *context, ArrayRef<Expr> dims) {
  return sym::ShapeAttr::get(context, dims);
}

static bool areAll(ArrayRef<Expr> exprs, int64_t value) {
  return llvm::all_of(exprs, [=](Expr e) { return e.isConstant(value); });
}

namespace {
/// broadcast(broadcast(x)) ==> broadcast(x)
struct MergeBroadcasts : OpRewritePattern<graph::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getInput().getDefiningOp<graph::BroadcastOp>();
    if (!producer)
      return rewriter.notifyMatchFailure(op, "input is no broadcast");
    rewriter.modifyOpInPlace(
        op, [&] { op.getInputMutable().assign(producer.getInput()); });
    return success();
  }
};

/// broadcast(reshape(x)) where the reshape only puts 1s in front ==>
/// broadcast(x)
struct DropLeadingUnitDims : OpRewritePattern<graph::BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getInput().getDefiningOp<graph::ReshapeOp>();
    if (!producer)
      return rewriter.notifyMatchFailure(op, "input is no reshape");
    SmallVector<Expr> from = sym::getDims(producer.getInput().getType());
    ArrayRef<Expr> to = producer.getShape().getDims();
    if (from.size() > to.size() || to.take_back(from.size()) != ArrayRef(from))
      return rewriter.notifyMatchFailure(op, "the reshape regroups elements");
    rewriter.modifyOpInPlace(
        op, [&] { op.getInputMutable().assign(producer.getInput()); });
    return success();
  }
};

/// transpose(x) that keeps the order of all dims but those of size 1 ==>
/// reshape(x)
struct TransposeToReshape : OpRewritePattern<graph::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Expr> from = sym::getDims(op.getInput().getType());
    int64_t last = -1;
    for (int64_t source : op.getPermutation()) {
      if (from[source].isConstant(1))
        continue;
      if (source < last)
        return rewriter.notifyMatchFailure(op, "moves elements");
      last = source;
    }
    Type type = op.getResult().getType();
    rewriter.replaceOpWithNewOp<graph::ReshapeOp>(
        op, type, op.getInput(),
        shapeAttr(op.getContext(), sym::getDims(type)));
    return success();
  }
};

/// slice(slice(x)) ==> slice(x)
struct MergeSlices : OpRewritePattern<graph::SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getInput().getDefiningOp<graph::SliceOp>();
    if (!producer)
      return rewriter.notifyMatchFailure(op, "input is no slice");
    SmallVector<Expr> offsets;
    SmallVector<int64_t> strides;
    for (auto [inner, innerStride, outer, outerStride] :
         llvm::zip_equal(producer.getOffsets().getDims(), producer.getStrides(),
                         op.getOffsets().getDims(), op.getStrides())) {
      offsets.push_back(inner + outer * Expr(innerStride));
      int64_t stride;
      if (llvm::MulOverflow(innerStride, outerStride, stride) ||
          !offsets.back().isValid())
        return rewriter.notifyMatchFailure(op, "offset or stride overflows");
      strides.push_back(stride);
    }
    rewriter.replaceOpWithNewOp<graph::SliceOp>(
        op, op.getResult().getType(), producer.getInput(),
        shapeAttr(op.getContext(), offsets), op.getSizes(), strides);
    return success();
  }
};

/// concat(x, empty, concat(y, z)) ==> concat(x, y, z), along one dim. A concat
/// with other uses stays one input: each level of concat(t, t) would double the
/// number of inputs.
struct FlattenConcat : OpRewritePattern<graph::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs;
    for (Value input : op.getInputs()) {
      auto producer = input.getDefiningOp<graph::ConcatOp>();
      if (producer && producer.getDim() == op.getDim() && input.hasOneUse())
        llvm::append_range(inputs, producer.getInputs());
      else if (!sym::getDims(input.getType())[op.getDim()].isConstant(0))
        inputs.push_back(input);
    }
    if (inputs.empty() || inputs == SmallVector<Value>(op.getInputs()))
      return rewriter.notifyMatchFailure(op, "nothing to flatten or drop");
    rewriter.modifyOpInPlace(op, [&] { op.getInputsMutable().assign(inputs); });
    return success();
  }
};

/// pad(x) by nothing ==> x
struct RemoveEmptyPad : OpRewritePattern<graph::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::PadOp op,
                                PatternRewriter &rewriter) const override {
    if (!areAll(op.getLow().getDims(), 0) || !areAll(op.getHigh().getDims(), 0))
      return rewriter.notifyMatchFailure(op, "adds elements");
    if (op.getInput().getType() != op.getResult().getType())
      return rewriter.notifyMatchFailure(op, "dims are written differently");
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

/// resize(x) to its own size ==> x
struct RemoveIdentityResize : OpRewritePattern<graph::ResizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::ResizeOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getInput().getType() != op.getResult().getType())
      return rewriter.notifyMatchFailure(op, "changes the size");
    if (op.getScales() &&
        llvm::any_of(*op.getScales(), [](float s) { return s != 1.0f; }))
      return rewriter.notifyMatchFailure(op, "has scales other than 1");
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

/// gather(x, constant index) ==> reshape(slice(x))
struct GatherToSlice : OpRewritePattern<graph::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::GatherOp op,
                                PatternRewriter &rewriter) const override {
    DenseElementsAttr indices;
    if (!matchPattern(op.getIndices(), m_Constant(&indices)) ||
        indices.getNumElements() != 1)
      return rewriter.notifyMatchFailure(op, "not one constant index");
    APInt number = *indices.value_begin<APInt>();
    int64_t index = indices.getElementType().isUnsignedInteger()
                        ? int64_t(number.getLimitedValue(INT64_MAX))
                        : number.getSExtValue();
    SmallVector<Expr> dims = sym::getDims(op.getData().getType());
    int64_t axis = op.getAxis();
    std::optional<int64_t> extent = dims[axis].constant();
    // The shape rule grants one element; for more the extent must be known.
    bool isInside = extent ? index >= -*extent && index < *extent
                           : index == 0 || index == -1;
    if (!isInside)
      return rewriter.notifyMatchFailure(op, "index may lie outside");
    SmallVector<Expr> offsets(dims.size(), Expr(0));
    offsets[axis] = index < 0 ? dims[axis] + Expr(index) : Expr(index);
    dims[axis] = 1;
    SmallVector<int64_t> strides(dims.size(), 1);
    MLIRContext *context = op.getContext();
    Type result = op.getResult().getType();
    auto slice = rewriter.create<graph::SliceOp>(
        op.getLoc(),
        sym::getTensorType(dims, op.getResult().getType().getElementType()),
        op.getData(), shapeAttr(context, offsets), shapeAttr(context, dims),
        strides);
    rewriter.replaceOpWithNewOp<graph::ReshapeOp>(
        op, result, slice.getResult(),
        shapeAttr(context, sym::getDims(result)));
    return success();
  }
};
} // namespace

void ambit::populateMovementPatterns(RewritePatternSet &patterns) {
  patterns.add<MergeBroadcasts, DropLeadingUnitDims, TransposeToReshape,
               MergeSlices, FlattenConcat, RemoveEmptyPad, RemoveIdentityResize,
               GatherToSlice>(patterns.getContext());
}
