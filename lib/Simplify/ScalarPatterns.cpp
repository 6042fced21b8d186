// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns on the scalars inside of maps.

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ambit;

static Value makeConstant(PatternRewriter &rewriter, Location loc, Type type,
                          double value) {
  return rewriter.create<arith::ConstantOp>(loc,
                                            rewriter.getFloatAttr(type, value));
}

namespace {
/// pow(x, c) for small c ==> products, roots and reciprocals
struct ExpandPower : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    APFloat exponent(0.0f);
    if (!matchPattern(op.getRhs(), m_ConstantFloat(&exponent)))
      return rewriter.notifyMatchFailure(op, "exponent is no constant");
    Value x = op.getLhs();
    Location loc = op.getLoc();
    Type type = op.getType();
    auto square = [&] { return rewriter.create<arith::MulFOp>(loc, x, x); };
    if (exponent.isExactlyValue(0.0)) {
      rewriter.replaceOp(op, makeConstant(rewriter, loc, type, 1.0));
    } else if (exponent.isExactlyValue(1.0)) {
      rewriter.replaceOp(op, x);
    } else if (exponent.isExactlyValue(2.0)) {
      rewriter.replaceOp(op, square());
    } else if (exponent.isExactlyValue(3.0)) {
      rewriter.replaceOpWithNewOp<arith::MulFOp>(op, square(), x);
    } else if (exponent.isExactlyValue(-1.0)) {
      Value one = makeConstant(rewriter, loc, type, 1.0);
      rewriter.replaceOpWithNewOp<arith::DivFOp>(op, one, x);
    } else if (exponent.isExactlyValue(0.5)) {
      rewriter.replaceOp(op, expandRoot(op, rewriter));
    } else {
      return rewriter.notifyMatchFailure(op, "exponent has no cheaper form");
    }
    return success();
  }

private:
  /// pow(x, 0.5), which unlike sqrt takes -0 to +0 and -inf to +inf.
  static Value expandRoot(math::PowFOp op, PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Type type = op.getType();
    Value zero = makeConstant(rewriter, loc, type, 0.0);
    Value infinity = rewriter.create<arith::ConstantOp>(
        loc,
        rewriter.getFloatAttr(
            type, APFloat::getInf(cast<FloatType>(type).getFloatSemantics())));
    Value lowest = rewriter.create<arith::NegFOp>(loc, infinity);
    Value isLowest = rewriter.create<arith::CmpFOp>(
        loc, arith::CmpFPredicate::OEQ, op.getLhs(), lowest);
    Value positive = rewriter.create<arith::AddFOp>(loc, op.getLhs(), zero);
    Value root = rewriter.create<math::SqrtOp>(loc, positive);
    return rewriter.create<arith::SelectOp>(loc, isLowest, infinity, root);
  }
};

/// x / c ==> x * (1 / c) where 1 / c is exact: c is a power of two
struct MultiplyByReciprocal : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    APFloat divisor(0.0f), inverse(0.0f);
    if (!matchPattern(op.getRhs(), m_ConstantFloat(&divisor)))
      return rewriter.notifyMatchFailure(op, "divisor is no constant");
    if (!divisor.getExactInverse(&inverse))
      return rewriter.notifyMatchFailure(op, "reciprocal is not exact");
    Value factor = rewriter.create<arith::ConstantOp>(
        op.getLoc(), rewriter.getFloatAttr(op.getType(), inverse));
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(), factor);
    return success();
  }
};

/// ext(x) to a wider float, then truncation back ==> x
struct RemoveFloatRoundTrip : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto extended = op.getIn().getDefiningOp<arith::ExtFOp>();
    if (!extended || extended.getIn().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "no extension from this type");
    rewriter.replaceOp(op, extended.getIn());
    return success();
  }
};
} // namespace

void ambit::populateScalarPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandPower, MultiplyByReciprocal, RemoveFloatRoundTrip>(
      context);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (isa<arith::ArithDialect, math::MathDialect>(op.getDialect()))
      op.getCanonicalizationPatterns(patterns, context);
}
