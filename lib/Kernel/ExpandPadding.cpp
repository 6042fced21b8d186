// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the padding of convolutions and windows into `graph.pad`, so that code
// generation reads only what lies inside of a tensor.

#include "ambit/Kernel/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ambit {
#define GEN_PASS_DEF_EXPANDPADDINGPASS
#include "ambit/Kernel/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

#define DEBUG_TYPE "graph-expand-padding"

static bool isAllZero(ArrayRef<Expr> amounts) {
  return llvm::all_of(amounts, [](Expr e) { return e.isConstant(0); });
}

/// A rank-0 constant: 0, or for maxima what is below every element.
static Value createFill(OpBuilder &b, Location loc, Type elementType,
                        bool isLowest) {
  Attribute value;
  if (auto type = dyn_cast<FloatType>(elementType)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    value = b.getFloatAttr(type, isLowest ? APFloat::getInf(semantics, true)
                                          : APFloat::getZero(semantics));
  } else {
    auto integer = cast<IntegerType>(elementType);
    bool isSigned = !integer.isUnsigned() && integer.getWidth() > 1;
    APInt number(integer.getWidth(), 0);
    if (isLowest && isSigned)
      number = APInt::getSignedMinValue(integer.getWidth());
    value = IntegerAttr::get(integer, number);
  }
  auto type = RankedTensorType::get({}, elementType);
  return b.create<ConstantOp>(loc, DenseElementsAttr::get(type, value));
}

/// Pads the spatial dims of [N, C, spatial...].
static Value createPad(OpBuilder &b, Location loc, Value input,
                       ArrayRef<Expr> low, ArrayRef<Expr> high, bool isLowest) {
  SmallVector<Expr> dims = sym::getDims(input.getType());
  SmallVector<Expr> allLow(2, Expr(0)), allHigh(2, Expr(0));
  allLow.append(low.begin(), low.end());
  allHigh.append(high.begin(), high.end());
  for (auto [dim, before, after] : llvm::zip_equal(dims, allLow, allHigh))
    dim = dim + before + after;
  Type elementType = cast<RankedTensorType>(input.getType()).getElementType();
  Value fill = createFill(b, loc, elementType, isLowest);
  MLIRContext *context = b.getContext();
  return b.create<PadOp>(loc, sym::getTensorType(dims, elementType), input,
                         fill, sym::ShapeAttr::get(context, allLow),
                         sym::ShapeAttr::get(context, allHigh),
                         PadModeAttr::get(context, PadMode::Constant));
}

static SmallVector<Expr> toExprs(ArrayRef<int64_t> values) {
  return SmallVector<Expr>(values.begin(), values.end());
}

static void expand(ConvOp op) {
  SmallVector<Expr> low = toExprs(op.getLow()), high = toExprs(op.getHigh());
  if (isAllZero(low) && isAllZero(high))
    return;
  OpBuilder b(op);
  op.getInputMutable().assign(
      createPad(b, op.getLoc(), op.getInput(), low, high, false));
  SmallVector<int64_t> zeros(low.size(), 0);
  op.setLow(zeros);
  op.setHigh(zeros);
}

/// How much high padding makes every window of dim `i` lie inside.
static Expr highPadding(WindowOp op, size_t i) {
  if (!op.getCeil())
    return op.getHigh()[i];
  Expr extent = sym::getDims(op.getInput().getType())[i + 2];
  Expr count = sym::getDims(op.getResult().getType())[i + 2];
  Expr reach = Expr(op.getWindow()[i] - 1) * Expr(op.getDilations()[i]) + 1;
  Expr needed = (count - 1) * Expr(op.getStrides()[i]) + reach - extent -
                Expr(op.getLow()[i]);
  return Expr::max(Expr(0), needed);
}

static LogicalResult expand(WindowOp op) {
  SmallVector<Expr> low = toExprs(op.getLow()), high;
  for (size_t i = 0; i < low.size(); ++i)
    high.push_back(highPadding(op, i));
  if (llvm::any_of(high, [](Expr e) { return !e.isValid(); }))
    return op.emitError("padding overflows 64 bits");
  if (!isAllZero(low) || !isAllZero(high)) {
    OpBuilder b(op);
    bool isMax = op.getKind() == ReduceKind::Max;
    op.getInputMutable().assign(
        createPad(b, op.getLoc(), op.getInput(), low, high, isMax));
  }
  SmallVector<int64_t> zeros(low.size(), 0);
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
        expand(conv);
      else if (auto window = dyn_cast<WindowOp>(op))
        hasFailed |= failed(expand(window));
    });
    if (hasFailed)
      signalPassFailure();
  }
};
} // namespace
