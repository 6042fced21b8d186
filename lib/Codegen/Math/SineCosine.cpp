// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin and cos on f32. MLIR's reduce the argument in f32, which is wrong for
// large ones and -inf for some (LLVM 19). Here x - k pi/2 is formed in f64,
// where it is exact enough for every |x| up to 2^45; what is larger goes to
// libm, lane by lane, so that no lane's bits depend on its neighbours.

#include "FloatBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ambit;

static constexpr double kLargest = 0x1p45;

/// sin or cos where |x| is not too large; NaN and infinity give NaN.
static Value reduced(FloatBuilder f, Value x, bool isCosine) {
  FloatBuilder wide = f.as(f.b.getF64Type());
  Value x64 = f.b.create<arith::ExtFOp>(f.loc, wide.type, x);
  Value k = wide.make<math::RoundEvenOp>(wide.mul(x64, wide.number(M_2_PI)));
  // pi/2 in two parts.
  Value r64 = wide.fma(k, wide.number(-0x1.921fb54442d18p+0), x64);
  r64 = wide.fma(k, wide.number(-0x1.1a62633145c07p-54), r64);
  Value r = f.b.create<arith::TruncFOp>(f.loc, f.type, r64);
  Value square = f.mul(r, r);
  // The minimax polynomials of Cephes' sinf and cosf.
  Value sine = f.polynomial(
      square, {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1});
  sine = f.fma(f.mul(sine, square), r, r);
  Value cosine =
      f.polynomial(square, {2.443315711809948e-5, -1.388731625493765e-3,
                            4.166664568298827e-2, -0.5, 1});
  // k mod 4 by arithmetic, so that no lane is converted out of range.
  Value quarter = wide.mul(k, wide.number(0.25));
  Value turns = wide.make<math::FloorOp>(quarter);
  Value phase = wide.sub(quarter, turns); // 0, 1/4, 1/2, 3/4
  if (isCosine) {
    phase = wide.add(phase, wide.number(0.25));
    phase = wide.sub(phase, wide.make<math::FloorOp>(phase));
  }
  auto isPhase = [&](double at) { return wide.equal(phase, wide.number(at)); };
  Value swaps = f.make<arith::OrIOp>({isPhase(0.25), isPhase(0.75)});
  Value negates = f.make<arith::OrIOp>({isPhase(0.5), isPhase(0.75)});
  Value result = f.select(swaps, cosine, sine);
  return f.select(negates, f.make<arith::NegFOp>(result), result);
}

/// libm's answer for one lane.
static Value callLibm(FloatBuilder f, Value x, bool isCosine) {
  if (isCosine)
    return f.b.create<LLVM::CosOp>(f.loc, x.getType(), x);
  return f.b.create<LLVM::SinOp>(f.loc, x.getType(), x);
}

/// The lanes of `fast` with those that are large replaced.
static Value replaceLarge(FloatBuilder f, Value x, Value fast, Value isLarge,
                          bool isCosine) {
  auto vector = dyn_cast<VectorType>(f.type);
  if (!vector)
    return callLibm(f, x, isCosine);
  Value slow = fast;
  for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
    Value element = f.b.create<vector::ExtractOp>(f.loc, x, lane);
    slow = f.b.create<vector::InsertOp>(f.loc, callLibm(f, element, isCosine),
                                        slow, lane);
  }
  return f.select(isLarge, slow, fast);
}

static LogicalResult expand(Operation *op, bool isCosine,
                            PatternRewriter &rewriter) {
  Value x = op->getOperand(0);
  auto vector = dyn_cast<VectorType>(x.getType());
  if (!isF32(op) || (vector && vector.getRank() != 1))
    return rewriter.notifyMatchFailure(op, "no f32, or no lanes");
  Location loc = op->getLoc();
  FloatBuilder f{rewriter, loc, x.getType()};
  Value fast = reduced(f, x, isCosine);
  Value isLarge = f.greater(f.abs(x), f.number(kLargest));
  Value any = isLarge;
  if (vector)
    any = rewriter.create<vector::ReductionOp>(loc, vector::CombiningKind::OR,
                                               isLarge);
  auto branch = rewriter.create<scf::IfOp>(loc, x.getType(), any,
                                           /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    rewriter.create<scf::YieldOp>(loc,
                                  replaceLarge(f, x, fast, isLarge, isCosine));
    rewriter.setInsertionPointToStart(branch.elseBlock());
    rewriter.create<scf::YieldOp>(loc, fast);
  }
  rewriter.replaceOp(op, branch.getResult(0));
  return success();
}

namespace {
struct ExpandSin : OpRewritePattern<math::SinOp> {
  ExpandSin(MLIRContext *context) : OpRewritePattern(context, kExpandBenefit) {}
  LogicalResult matchAndRewrite(math::SinOp op,
                                PatternRewriter &rewriter) const override {
    return expand(op, /*isCosine=*/false, rewriter);
  }
};

struct ExpandCos : OpRewritePattern<math::CosOp> {
  ExpandCos(MLIRContext *context) : OpRewritePattern(context, kExpandBenefit) {}
  LogicalResult matchAndRewrite(math::CosOp op,
                                PatternRewriter &rewriter) const override {
    return expand(op, /*isCosine=*/true, rewriter);
  }
};
} // namespace

void ambit::populateSineCosinePatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandSin, ExpandCos>(patterns.getContext());
}
