// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer powers by squaring: a loop over the exponent's bits, as long as any
// lane has one left. Products wrap around. To a negative power, 1 and -1 are
// what they are to its lowest bit, and the rest is 1 / x^n, truncated: 0. (0 to
// a negative power is an error that the code around the op reports.)

#include "FloatBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ambit;

namespace {
struct ExpandIntegerPower : OpRewritePattern<math::IPowIOp> {
  ExpandIntegerPower(MLIRContext *context)
      : OpRewritePattern(context, kExpandBenefit) {}

  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    auto vector = dyn_cast<VectorType>(op.getType());
    if (vector && vector.getRank() != 1)
      return rewriter.notifyMatchFailure(op, "no lanes");
    Value x = op.getLhs(), exponent = op.getRhs();
    Location loc = op.getLoc();
    Value zero = splat(rewriter, op, 0), one = splat(rewriter, op, 1);
    auto compare = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
      return rewriter.create<arith::CmpIOp>(loc, predicate, lhs, rhs);
    };
    Value isNegative = compare(arith::CmpIPredicate::slt, exponent, zero);
    Value lowest = rewriter.create<arith::AndIOp>(loc, exponent, one);
    exponent =
        rewriter.create<arith::SelectOp>(loc, isNegative, lowest, exponent);
    Value power = raise(rewriter, op, x, exponent);
    // x is neither 1 nor -1: x + 1 is more than 2, read without a sign.
    Value next = rewriter.create<arith::AddIOp>(loc, x, one);
    Value vanishes = rewriter.create<arith::AndIOp>(
        loc, isNegative,
        rewriter.create<arith::OrIOp>(
            loc,
            compare(arith::CmpIPredicate::ugt, next, splat(rewriter, op, 2)),
            compare(arith::CmpIPredicate::eq, x, zero)));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, vanishes, zero, power);
    return success();
  }

private:
  static Value splat(OpBuilder &b, math::IPowIOp op, int64_t value) {
    TypedAttr attr =
        b.getIntegerAttr(getElementTypeOrSelf(op.getType()), value);
    if (auto vector = dyn_cast<VectorType>(op.getType()))
      attr = DenseElementsAttr::get(vector, ArrayRef<Attribute>(attr));
    return b.create<arith::ConstantOp>(op.getLoc(), attr);
  }

  /// x to an exponent that is read without a sign.
  static Value raise(OpBuilder &b, math::IPowIOp op, Value x, Value exponent) {
    Location loc = op.getLoc();
    Type type = op.getType();
    Value zero = splat(b, op, 0), one = splat(b, op, 1);
    auto isSet = [&](OpBuilder &b, Value bits) -> Value {
      return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, bits, zero);
    };
    auto loop = b.create<scf::WhileOp>(
        loc, TypeRange{type, type, type}, ValueRange{one, x, exponent},
        [&](OpBuilder &b, Location, ValueRange state) {
          Value goesOn = isSet(b, state[2]);
          if (isa<VectorType>(type))
            goesOn = b.create<vector::ReductionOp>(
                loc, vector::CombiningKind::OR, goesOn);
          b.create<scf::ConditionOp>(loc, goesOn, state);
        },
        [&](OpBuilder &b, Location, ValueRange state) {
          Value power = state[0], base = state[1], bits = state[2];
          Value bit = b.create<arith::AndIOp>(loc, bits, one);
          Value product = b.create<arith::MulIOp>(loc, power, base);
          power = b.create<arith::SelectOp>(loc, isSet(b, bit), product, power);
          base = b.create<arith::MulIOp>(loc, base, base);
          bits = b.create<arith::ShRUIOp>(loc, bits, one);
          b.create<scf::YieldOp>(loc, ValueRange{power, base, bits});
        });
    return loop.getResult(0);
  }
};
} // namespace

void ambit::populateIntegerPowerPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandIntegerPower>(patterns.getContext());
}
