// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions on f32 as polynomials, for scalars and vectors alike, so that
// both give the same bits. MLIR has most of them; its asin and acos are off in
// the second digit near 1 (LLVM 19), so those two are here.

#include "ExpandMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

/// Builds float arithmetic on one type, scalar or vector.
struct FloatBuilder {
  OpBuilder &b;
  Location loc;
  Type type;

  Value number(double value) {
    TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, ArrayRef<Attribute>(attr));
    return b.create<arith::ConstantOp>(loc, attr);
  }
  Value add(Value x, Value y) { return b.create<arith::AddFOp>(loc, x, y); }
  Value sub(Value x, Value y) { return b.create<arith::SubFOp>(loc, x, y); }
  Value mul(Value x, Value y) { return b.create<arith::MulFOp>(loc, x, y); }
  Value fma(Value x, Value y, Value z) {
    return b.create<math::FmaOp>(loc, x, y, z);
  }
  Value greater(Value x, Value y) {
    return b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::OGT, x, y);
  }
  Value select(Value c, Value x, Value y) {
    return b.create<arith::SelectOp>(loc, c, x, y);
  }
};

/// asin on [0, 1] as the result's magnitude. Up to 1/2: z + z^3 p(z^2) with the
/// minimax polynomial of Cephes' asinf; above: pi/2 - 2 asin(sqrt((1 - z)/2)).
/// Outside of the domain the square root gives NaN.
Value arcsine(FloatBuilder f, Value magnitude) {
  Value half = f.number(0.5);
  Value isLarge = f.greater(magnitude, half);
  Value square =
      f.select(isLarge, f.mul(half, f.sub(f.number(1), magnitude)),
               f.mul(magnitude, magnitude));
  Value root = f.b.create<math::SqrtOp>(f.loc, square);
  Value z = f.select(isLarge, root, magnitude);
  Value p = f.number(4.2163199048e-2);
  for (double coefficient : {2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2,
                             1.6666752422e-1})
    p = f.fma(p, square, f.number(coefficient));
  Value small = f.fma(f.mul(p, square), z, z);
  Value large = f.sub(f.number(M_PI_2), f.add(small, small));
  return f.select(isLarge, large, small);
}

struct ExpandAsin : OpRewritePattern<math::AsinOp> {
  ExpandAsin(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/8) {}
  LogicalResult matchAndRewrite(math::AsinOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    FloatBuilder f{rewriter, op.getLoc(), op.getType()};
    Value magnitude = rewriter.create<math::AbsFOp>(op.getLoc(), op.getOperand());
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, arcsine(f, magnitude),
                                                  op.getOperand());
    return success();
  }
};

struct ExpandAcos : OpRewritePattern<math::AcosOp> {
  ExpandAcos(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/8) {}
  LogicalResult matchAndRewrite(math::AcosOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    FloatBuilder f{rewriter, op.getLoc(), op.getType()};
    Value magnitude = rewriter.create<math::AbsFOp>(op.getLoc(), op.getOperand());
    Value signedAngle = rewriter.create<math::CopySignOp>(
        op.getLoc(), arcsine(f, magnitude), op.getOperand());
    rewriter.replaceOp(op, f.sub(f.number(M_PI_2), signedAngle));
    return success();
  }
};

struct ExpandMathPass
    : public PassWrapper<ExpandMathPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandMathPass)
  StringRef getName() const override { return "ExpandMath"; }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    MathPolynomialApproximationOptions options;
    options.enableAvx2 = false; // its rsqrt is less exact than 1/sqrt
    populateMathPolynomialApproximationPatterns(patterns, options);
    patterns.add<ExpandAsin, ExpandAcos>(&getContext());
    if (failed(
            applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> ambit::createExpandMathPass() {
  return std::make_unique<ExpandMathPass>();
}
