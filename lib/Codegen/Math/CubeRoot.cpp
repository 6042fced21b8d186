// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cbrt on f32. MLIR's is NaN at infinity (LLVM 19).

#include "FloatBuilder.h"

using namespace mlir;
using namespace ambit;

/// The cube root of a number that is not negative, in f64: a third of the bits
/// is right to 5 bits (FreeBSD's cbrt), and each of two steps of Halley's
/// method triples that.
static Value cubeRoot(FloatBuilder f, Value x) {
  Type i64 = f.shaped(f.b.getI64Type());
  Value bits = f.b.create<arith::BitcastOp>(f.loc, i64, x);
  bits = f.make<arith::DivUIOp>({bits, f.integer(3)});
  bits = f.make<arith::AddIOp>({bits, f.integer(int64_t(715094163) << 32)});
  Value root = f.b.create<arith::BitcastOp>(f.loc, f.type, bits);
  for (int step = 0; step < 2; ++step) {
    Value cube = f.mul(f.mul(root, root), root);
    Value above = f.add(cube, f.add(x, x));
    Value below = f.add(f.add(cube, cube), x);
    root = f.mul(root, f.div(above, below));
  }
  return root;
}

namespace {
struct ExpandCbrt : OpRewritePattern<math::CbrtOp> {
  ExpandCbrt(MLIRContext *context)
      : OpRewritePattern(context, kExpandBenefit) {}
  LogicalResult matchAndRewrite(math::CbrtOp op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return rewriter.notifyMatchFailure(op, "not f32");
    FloatBuilder narrow{rewriter, op.getLoc(), op.getType()};
    FloatBuilder wide = narrow.as(rewriter.getF64Type());
    Value magnitude = narrow.abs(op.getOperand());
    Value root = cubeRoot(wide, rewriter.create<arith::ExtFOp>(
                                    op.getLoc(), wide.type, magnitude));
    root = rewriter.create<arith::TruncFOp>(op.getLoc(), op.getType(), root);
    Value infinity = narrow.number(std::numeric_limits<double>::infinity());
    root = narrow.select(narrow.equal(magnitude, infinity), infinity, root);
    rewriter.replaceOp(op, narrow.copySign(root, op.getOperand()));
    return success();
  }
};
} // namespace

void ambit::populateCubeRootPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandCbrt>(patterns.getContext());
}
