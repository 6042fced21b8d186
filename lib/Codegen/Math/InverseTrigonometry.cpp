// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asin, acos and atan2 on f32. MLIR's asin and acos are off in the second digit
// near 1, and its atan2 is NaN at the origin and at infinity (LLVM 19).

#include "FloatBuilder.h"

using namespace mlir;
using namespace ambit;

/// asin on [0, 1] as the result's magnitude. Up to 1/2: z + z^3 p(z^2) with the
/// minimax polynomial of Cephes' asinf; above: pi/2 - 2 asin(sqrt((1 - z)/2)).
/// Outside of the domain the square root gives NaN.
static Value arcsine(FloatBuilder f, Value magnitude) {
  Value half = f.number(0.5);
  Value isLarge = f.greater(magnitude, half);
  Value square = f.select(isLarge, f.mul(half, f.sub(f.number(1), magnitude)),
                          f.mul(magnitude, magnitude));
  Value root = f.make<math::SqrtOp>(square);
  Value z = f.select(isLarge, root, magnitude);
  Value p =
      f.polynomial(square, {4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2,
                            7.4953002686e-2, 1.6666752422e-1});
  Value small = f.fma(f.mul(p, square), z, z);
  Value large = f.sub(f.number(M_PI_2), f.add(small, small));
  return f.select(isLarge, large, small);
}

/// The angle of (x, y): the arc tangent of the smaller over the larger
/// magnitude, reflected into its octant.
static Value arctangent(FloatBuilder f, Value y, Value x) {
  Value magnitudeX = f.abs(x), magnitudeY = f.abs(y);
  Value larger = f.make<arith::MaximumFOp>({magnitudeX, magnitudeY});
  Value smaller = f.make<arith::MinimumFOp>({magnitudeX, magnitudeY});
  Value zero = f.number(0), one = f.number(1);
  // Neither 0/0 nor inf/inf may be divided.
  Value ratio = f.select(f.equal(smaller, larger), one, f.div(smaller, larger));
  ratio = f.select(f.equal(larger, zero), zero, ratio);
  Value angle = f.make<math::AtanOp>(ratio);
  angle = f.select(f.greater(magnitudeY, magnitudeX),
                   f.sub(f.number(M_PI_2), angle), angle);
  // The sign of a zero counts.
  Value isLeft = f.greater(zero, f.copySign(one, x));
  angle = f.select(isLeft, f.sub(f.number(M_PI), angle), angle);
  return f.copySign(angle, y);
}

namespace {
struct ExpandAsin : OpRewritePattern<math::AsinOp> {
  ExpandAsin(MLIRContext *context)
      : OpRewritePattern(context, kExpandBenefit) {}
  LogicalResult matchAndRewrite(math::AsinOp op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return rewriter.notifyMatchFailure(op, "not f32");
    FloatBuilder f{rewriter, op.getLoc(), op.getType()};
    Value angle = arcsine(f, f.abs(op.getOperand()));
    rewriter.replaceOp(op, f.copySign(angle, op.getOperand()));
    return success();
  }
};

struct ExpandAcos : OpRewritePattern<math::AcosOp> {
  ExpandAcos(MLIRContext *context)
      : OpRewritePattern(context, kExpandBenefit) {}
  LogicalResult matchAndRewrite(math::AcosOp op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return rewriter.notifyMatchFailure(op, "not f32");
    FloatBuilder f{rewriter, op.getLoc(), op.getType()};
    Value angle = arcsine(f, f.abs(op.getOperand()));
    angle = f.copySign(angle, op.getOperand());
    rewriter.replaceOp(op, f.sub(f.number(M_PI_2), angle));
    return success();
  }
};

struct ExpandAtan2 : OpRewritePattern<math::Atan2Op> {
  ExpandAtan2(MLIRContext *context)
      : OpRewritePattern(context, kExpandBenefit) {}
  LogicalResult matchAndRewrite(math::Atan2Op op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return rewriter.notifyMatchFailure(op, "not f32");
    FloatBuilder f{rewriter, op.getLoc(), op.getType()};
    rewriter.replaceOp(op, arctangent(f, op.getLhs(), op.getRhs()));
    return success();
  }
};
} // namespace

void ambit::populateInverseTrigonometryPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandAsin, ExpandAcos, ExpandAtan2>(patterns.getContext());
}
