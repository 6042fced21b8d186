// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass graph-simplify: runs the patterns and merges equal ops.

#include "Patterns.h"
#include "ambit/Simplify/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ambit {
#define GEN_PASS_DEF_SIMPLIFYPASS
#include "ambit/Simplify/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;

namespace {
struct Simplify : ambit::impl::SimplifyPassBase<Simplify> {
  void runOnOperation() override {
    // Merging first gives patterns that ask for a single use what they want.
    mergeEqualOps();
    RewritePatternSet patterns(&getContext());
    populateMapPatterns(patterns);
    populateMovementPatterns(patterns);
    populateConvPatterns(patterns);
    populateScalarPatterns(patterns);
    GreedyRewriteConfig config;
    config.maxIterations = 100;
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns),
                                            config))) {
      getOperation().emitError("simplification does not come to an end");
      return signalPassFailure();
    }
    mergeEqualOps();
  }

  void mergeEqualOps() {
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }
};
} // namespace
