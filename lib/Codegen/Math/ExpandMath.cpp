// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions on f32 as polynomials, for scalars and vectors alike, so that
// both give the same bits, and some on integers. MLIR has most of them; those
// that are wrong somewhere, or missing, are in files of their own.

#include "ExpandMath.h"
#include "FloatBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace ambit;

namespace {
struct ExpandMathPass
    : public PassWrapper<ExpandMathPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandMathPass)
  StringRef getName() const override { return "ExpandMath"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<LLVM::LLVMDialect, scf::SCFDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    MathPolynomialApproximationOptions options;
    options.enableAvx2 = false; // its rsqrt is less exact than 1/sqrt
    populateMathPolynomialApproximationPatterns(patterns, options);
    populateInverseTrigonometryPatterns(patterns);
    populateSineCosinePatterns(patterns);
    populateCubeRootPatterns(patterns);
    populateIntegerPowerPatterns(patterns);
    populateCeilDivisionPatterns(patterns);
    if (failed(
            applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> ambit::createExpandMathPass() {
  return std::make_unique<ExpandMathPass>();
}
