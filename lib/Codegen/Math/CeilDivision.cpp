// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ceildivsi from the quotient and whether it was cut. MLIR's expansion (LLVM
// 19) negates the dividend, which is wrong for the least one.

#include "FloatBuilder.h"

using namespace mlir;
using namespace ambit;

namespace {
struct ExpandCeilDivision : OpRewritePattern<arith::CeilDivSIOp> {
  ExpandCeilDivision(MLIRContext *context)
      : OpRewritePattern(context, kExpandBenefit) {}

  LogicalResult matchAndRewrite(arith::CeilDivSIOp op,
                                PatternRewriter &rewriter) const override {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    Location loc = op.getLoc();
    auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) {
      return rewriter.create<arith::CmpIOp>(loc, predicate, x, y);
    };
    Value zero = rewriter.create<arith::ConstantOp>(
        loc, rewriter.getZeroAttr(op.getType()));
    Value quotient = rewriter.create<arith::DivSIOp>(loc, lhs, rhs);
    Value product = rewriter.create<arith::MulIOp>(loc, quotient, rhs);
    Value isCut = compare(arith::CmpIPredicate::ne, product, lhs);
    // Where the signs are equal, cutting went down.
    Value isBelow = compare(arith::CmpIPredicate::eq,
                            compare(arith::CmpIPredicate::slt, lhs, zero),
                            compare(arith::CmpIPredicate::slt, rhs, zero));
    Value goesUp = rewriter.create<arith::AndIOp>(loc, isCut, isBelow);
    Value up = rewriter.create<arith::ExtUIOp>(loc, op.getType(), goesUp);
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, quotient, up);
    return success();
  }
};
} // namespace

void ambit::populateCeilDivisionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandCeilDivision>(patterns.getContext());
}
