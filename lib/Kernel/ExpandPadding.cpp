// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the padding of convolutions and windows into `graph.pad`, so that code
// generation reads only what lies inside of a tensor. Depthwise convolutions do
// so little with an element that a copy would not pay.

#include "ambit/Dialect/Graph/IR/ImageDims.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "ambit/Kernel/Depthwise.h"
#include "ambit/Kernel/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ambit {
#define GEN_PASS_DEF_EXPANDPADDINGPASS
#include "ambit/Kernel/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

bool ambit::isDepthwise(ConvOp op) {
  SmallVector<Expr> filter = sym::getDims(op.getFilter().getType());
  if (filter.size() != kFirstWindowDim + 2 ||
      !filter[kInputDim].isConstant(1) ||
      !filter[kOutputDim].isConstant(op.getGroups()))
    return false;
  int64_t taps = 1;
  for (Expr extent : windowOf(ArrayRef<Expr>(filter))) {
    std::optional<int64_t> size = extent.constant();
    // The bound on each keeps the product small.
    if (!size || *size < 1 || *size > kMostUnrolledTaps ||
        (taps *= *size) > kMostUnrolledTaps)
      return false;
  }
  return true;
}

static bool isAllZero(ArrayRef<Expr> amounts) {
  return llvm::all_of(amounts, [](Expr e) { return e.isConstant(0); });
}

/// A rank-0 constant: 0, or for maxima what is below every element. An error
/// for elements that are no numbers.
static FailureOr<Value> createFill(Operation *op, Type elementType,
                                   bool isLowest) {
  if (!isa<FloatType, IntegerType>(elementType))
    return op->emitError() << "elements of type " << elementType
                           << " cannot be padded, expected integers or floats";
  OpBuilder b(op);
  Attribute value = isLowest ? getExtreme(elementType, /*isLowest=*/true)
                             : getScalar(elementType, 0);
  auto type = RankedTensorType::get({}, elementType);
  return b.create<ConstantOp>(op->getLoc(), DenseElementsAttr::get(type, value))
      .getResult();
}

/// The spatial dims of [N, C, spatial...] padded; an error at `op` when a size
/// exceeds 64 bits.
static FailureOr<Value> createPad(Operation *op, Value input,
                                  ArrayRef<Expr> low, ArrayRef<Expr> high,
                                  bool isLowest) {
  if (isAllZero(low) && isAllZero(high))
    return input;
  SmallVector<Expr> dims = sym::getDims(input.getType());
  SmallVector<Expr> allLow(kFirstSpatialDim, Expr(0)),
      allHigh(kFirstSpatialDim, Expr(0));
  allLow.append(low.begin(), low.end());
  allHigh.append(high.begin(), high.end());
  for (auto [dim, before, after] : llvm::zip_equal(dims, allLow, allHigh)) {
    dim = dim + before + after;
    if (!dim.isValid())
      return op->emitError("size of the padded input exceeds 64 bits");
  }
  OpBuilder b(op);
  Type elementType = cast<RankedTensorType>(input.getType()).getElementType();
  FailureOr<Value> fill = createFill(op, elementType, isLowest);
  if (failed(fill))
    return failure();
  MLIRContext *context = b.getContext();
  return b
      .create<PadOp>(op->getLoc(), sym::getTensorType(dims, elementType), input,
                     *fill, sym::ShapeAttr::get(context, allLow),
                     sym::ShapeAttr::get(context, allHigh),
                     PadModeAttr::get(context, PadMode::Constant))
      .getResult();
}

static SmallVector<Expr> toExprs(ArrayRef<int64_t> values) {
  return SmallVector<Expr>(values.begin(), values.end());
}

static LogicalResult expand(ConvOp op) {
  if (isDepthwise(op))
    return success();
  FailureOr<Value> padded =
      createPad(op, op.getInput(), toExprs(op.getLow()), toExprs(op.getHigh()),
                /*isLowest=*/false);
  if (failed(padded))
    return failure();
  op.getInputMutable().assign(*padded);
  SmallVector<int64_t> zeros(op.getLow().size(), 0);
  op.setLow(zeros);
  op.setHigh(zeros);
  return success();
}

/// How much high padding makes every window of dim `i` lie inside.
static Expr highPadding(WindowOp op, size_t i) {
  if (!op.getCeil())
    return op.getHigh()[i];
  Expr extent = sym::getDims(op.getInput().getType())[i + kFirstSpatialDim];
  Expr count = sym::getDims(op.getResult().getType())[i + kFirstSpatialDim];
  Expr reach = Expr(op.getWindow()[i] - 1) * Expr(op.getDilations()[i]) + 1;
  Expr needed = (count - 1) * Expr(op.getStrides()[i]) + reach - extent -
                Expr(op.getLow()[i]);
  return Expr::max(Expr(0), needed);
}

/// Replaces an op without positions, whose window may not fit anywhere.
static LogicalResult replaceByNothing(WindowOp op, ArrayRef<Expr> dims) {
  FailureOr<Value> fill =
      createFill(op, op.getResult().getType().getElementType(),
                 /*isLowest=*/false);
  if (failed(fill))
    return failure();
  OpBuilder b(op);
  auto nothing =
      b.create<BroadcastOp>(op.getLoc(), op.getResult().getType(), *fill,
                            sym::ShapeAttr::get(b.getContext(), dims));
  op.getResult().replaceAllUsesWith(nothing.getResult());
  op.erase();
  return success();
}

static LogicalResult expand(WindowOp op) {
  SmallVector<Expr> dims = sym::getDims(op.getResult().getType());
  if (llvm::any_of(dims, [](Expr dim) { return dim.isConstant(0); }))
    return replaceByNothing(op, dims);
  SmallVector<Expr> high;
  for (size_t i = 0; i < op.getLow().size(); ++i)
    high.push_back(highPadding(op, i));
  FailureOr<Value> padded =
      createPad(op, op.getInput(), toExprs(op.getLow()), high,
                /*isLowest=*/op.getKind() == ReduceKind::Max);
  if (failed(padded))
    return failure();
  op.getInputMutable().assign(*padded);
  SmallVector<int64_t> zeros(op.getLow().size(), 0);
  op.setLow(zeros);
  op.setHigh(zeros);
  op.setCeil(false);
  return success();
}

namespace {
struct ExpandPaddingPass
    : public ambit::impl::ExpandPaddingPassBase<ExpandPaddingPass> {
  void runOnOperation() override {
    bool hasFailed = false;
    getOperation()->walk([&](Operation *op) {
      if (auto conv = dyn_cast<ConvOp>(op))
        hasFailed |= failed(expand(conv));
      else if (auto window = dyn_cast<WindowOp>(op))
        hasFailed |= failed(expand(window));
    });
    if (hasFailed)
      signalPassFailure();
  }
};
} // namespace
