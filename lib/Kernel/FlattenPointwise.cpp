// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointwise convolution treats all positions of an image alike. Seen as one
// long row they fill whole vectors, however narrow the image is. The reshape
// back moves below the elementwise ops that follow, so that they still are
// applied where the convolution's sums are in registers.

#include "ambit/Dialect/Graph/IR/ImageDims.h"
#include "ambit/Kernel/Depthwise.h"
#include "ambit/Kernel/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ambit {
#define GEN_PASS_DEF_FLATTENPOINTWISEPASS
#include "ambit/Kernel/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static Value createReshape(OpBuilder &b, Location loc, Value input,
                           ArrayRef<Expr> dims) {
  Type elementType = cast<RankedTensorType>(input.getType()).getElementType();
  RankedTensorType type = sym::getTensorType(dims, elementType);
  if (type == input.getType())
    return input;
  return b.create<ReshapeOp>(loc, type, input,
                             sym::ShapeAttr::get(b.getContext(), dims));
}

/// [N, C, spatial...] as [N, C, product of spatial].
static SmallVector<Expr> flatten(ArrayRef<Expr> dims) {
  SmallVector<Expr> flat(planesOf(dims));
  flat.push_back(sym::getNumElements(spatialOf(dims)));
  return flat;
}

namespace {
struct FlattenConv : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override;
};

/// Drops a last spatial dim of one element, which would leave all lanes of a
/// vector but one idle.
template <typename OpT> struct DropLastDim : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override;
};

struct SinkReshape : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

static bool isAll(ArrayRef<int64_t> values, int64_t wanted) {
  return llvm::all_of(values, [=](int64_t value) { return value == wanted; });
}

LogicalResult FlattenConv::matchAndRewrite(ConvOp op,
                                           PatternRewriter &rewriter) const {
  SmallVector<Expr> filter = sym::getDims(op.getFilter().getType());
  if (filter.size() < 4)
    return rewriter.notifyMatchFailure(op, "one spatial dim is flat already");
  for (Expr extent : windowOf(ArrayRef<Expr>(filter)))
    if (!extent.isConstant(1))
      return rewriter.notifyMatchFailure(op, "window is more than one element");
  if (!isAll(op.getStrides(), 1) || !isAll(op.getLow(), 0) ||
      !isAll(op.getHigh(), 0))
    return rewriter.notifyMatchFailure(op, "positions are skipped or added");
  SmallVector<Expr> input = flatten(sym::getDims(op.getInput().getType()));
  SmallVector<Expr> result = sym::getDims(op.getResult().getType());
  SmallVector<Expr> flatResult(planesOf(ArrayRef<Expr>(result)));
  flatResult.push_back(input.back());
  if (!input.back().isValid())
    return rewriter.notifyMatchFailure(op, "number of positions overflows");
  Location loc = op.getLoc();
  Value flatInput = createReshape(rewriter, loc, op.getInput(), input);
  Value flatFilter =
      createReshape(rewriter, loc, op.getFilter(), flatten(filter));
  Type elementType = op.getResult().getType().getElementType();
  Value flat = rewriter.create<ConvOp>(
      loc, sym::getTensorType(flatResult, elementType), flatInput, flatFilter,
      ArrayRef<int64_t>{1}, ArrayRef<int64_t>{1}, ArrayRef<int64_t>{0},
      ArrayRef<int64_t>{0}, op.getGroups(), op.getWide());
  rewriter.replaceOp(op, createReshape(rewriter, loc, flat, result));
  return success();
}

static Value createWithoutLastDim(PatternRewriter &rewriter, ConvOp op,
                                  Type type, Value input) {
  SmallVector<Expr> filter = sym::getDims(op.getFilter().getType());
  filter.pop_back();
  Value flatFilter =
      createReshape(rewriter, op.getLoc(), op.getFilter(), filter);
  return rewriter.create<ConvOp>(
      op.getLoc(), type, input, flatFilter, op.getStrides().drop_back(),
      op.getDilations().drop_back(), op.getLow().drop_back(),
      op.getHigh().drop_back(), op.getGroups(), op.getWide());
}

static Value createWithoutLastDim(PatternRewriter &rewriter, WindowOp op,
                                  Type type, Value input) {
  return rewriter.create<WindowOp>(
      op.getLoc(), type, input, op.getKind(), op.getWindow().drop_back(),
      op.getStrides().drop_back(), op.getDilations().drop_back(),
      op.getLow().drop_back(), op.getHigh().drop_back(), op.getCeil());
}

/// A filter may be empty in the last dim, and then is not one without it. What
/// has kept its padding is lowered as an image of rows and columns.
static bool isOneInLastDim(ConvOp op) {
  if (isDepthwise(op) && !(isAll(op.getLow(), 0) && isAll(op.getHigh(), 0)))
    return false;
  return sym::getDims(op.getFilter().getType()).back().isConstant(1);
}
static bool isOneInLastDim(WindowOp op) { return op.getWindow().back() == 1; }

template <typename OpT>
LogicalResult
DropLastDim<OpT>::matchAndRewrite(OpT op, PatternRewriter &rewriter) const {
  SmallVector<Expr> input = sym::getDims(op.getInput().getType());
  SmallVector<Expr> dims = sym::getDims(op.getResult().getType());
  if (input.size() < 4)
    return rewriter.notifyMatchFailure(op, "it is the only spatial dim");
  if (!input.back().isConstant(1) || !dims.back().isConstant(1) ||
      op.getLow().back() != 0 || op.getHigh().back() != 0 ||
      !isOneInLastDim(op))
    return rewriter.notifyMatchFailure(op, "last dim is not one element");
  input.pop_back();
  Type elementType = op.getResult().getType().getElementType();
  Value reshaped = createReshape(rewriter, op.getLoc(), op.getInput(), input);
  Value result = createWithoutLastDim(
      rewriter, op,
      sym::getTensorType(ArrayRef<Expr>(dims).drop_back(), elementType),
      reshaped);
  rewriter.replaceOp(op, createReshape(rewriter, op.getLoc(), result, dims));
  return success();
}

/// The reshape behind an operand if it splits the last of three dims and what
/// it reads is computed by a kernel that the map could join.
static ReshapeOp getSplit(Value operand) {
  auto reshape = operand.getDefiningOp<ReshapeOp>();
  if (!reshape || !isa_and_nonnull<ConvOp, ContractOp, MapOp>(
                      reshape.getInput().getDefiningOp()))
    return {};
  SmallVector<Expr> from = sym::getDims(reshape.getInput().getType());
  SmallVector<Expr> to = sym::getDims(reshape.getResult().getType());
  if (from.size() != 3 || to.size() < 4 || flatten(to) != from)
    return {};
  return reshape;
}

/// The dims of a broadcast's input aligned with those of its result.
static SmallVector<Expr> alignedDims(BroadcastOp op) {
  SmallVector<Expr> from = sym::getDims(op.getInput().getType());
  SmallVector<Expr> aligned(op.getResult().getType().getRank() - from.size(),
                            Expr(1));
  aligned.append(from);
  return aligned;
}

/// Whether the values can be had under the flat shape without a copy.
static bool canFlatten(Value operand) {
  Operation *producer = operand.getDefiningOp();
  if (isa_and_nonnull<IotaOp, DimsOp>(producer))
    return false;
  auto broadcast = dyn_cast_or_null<BroadcastOp>(producer);
  if (!broadcast)
    return true;
  SmallVector<Expr> aligned = alignedDims(broadcast);
  return llvm::all_of(spatialOf(ArrayRef<Expr>(aligned)),
                      [](Expr extent) { return extent.isConstant(1); });
}

static Value flattenOperand(OpBuilder &b, Value operand, ArrayRef<Expr> flat) {
  auto broadcast = operand.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return createReshape(b, operand.getLoc(), operand, flat);
  Value input = broadcast.getInput();
  if (cast<RankedTensorType>(input.getType()).getRank() > 0)
    input = createReshape(b, operand.getLoc(), input,
                          flatten(alignedDims(broadcast)));
  Type elementType = broadcast.getResult().getType().getElementType();
  return b.create<BroadcastOp>(broadcast.getLoc(),
                               sym::getTensorType(flat, elementType), input,
                               sym::ShapeAttr::get(b.getContext(), flat));
}

LogicalResult SinkReshape::matchAndRewrite(MapOp op,
                                           PatternRewriter &rewriter) const {
  ReshapeOp split;
  for (Value operand : op.getInputs())
    if ((split = getSplit(operand)))
      break;
  if (!split)
    return rewriter.notifyMatchFailure(op, "no operand is a split dim");
  SmallVector<Expr> flat = sym::getDims(split.getInput().getType());
  if (!llvm::all_of(op.getInputs(), canFlatten))
    return rewriter.notifyMatchFailure(op, "an operand varies by position");
  SmallVector<Value> operands;
  for (Value operand : op.getInputs())
    operands.push_back(flattenOperand(rewriter, operand, flat));
  Type elementType = op.getResult().getType().getElementType();
  auto map = rewriter.create<MapOp>(
      op.getLoc(), sym::getTensorType(flat, elementType), operands);
  rewriter.inlineRegionBefore(op.getBody(), map.getBody(), map.getBody().end());
  SmallVector<Expr> dims = sym::getDims(op.getResult().getType());
  rewriter.replaceOpWithNewOp<ReshapeOp>(
      op, op.getResult().getType(), map.getResult(),
      sym::ShapeAttr::get(rewriter.getContext(), dims));
  return success();
}

namespace {
struct FlattenPointwisePass
    : public ambit::impl::FlattenPointwisePassBase<FlattenPointwisePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FlattenConv, DropLastDim<ConvOp>, DropLastDim<WindowOp>,
                 SinkReshape>(&getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(),
                                            std::move(patterns)))) {
      getOperation()->emitError("flattening of convolutions does not end");
      signalPassFailure();
    }
  }
};
} // namespace
