// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of phases that more than a compilation runs.

#include "PhasePasses.h"
#include "ambit/Kernel/Passes.h"
#include "ambit/Simplify/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ambit;

/// Folding runs between the patterns, since each feeds the other.
void ambit::buildSimplify(OpPassManager &manager) {
  manager.addPass(createFoldConstantsPass());
  manager.addPass(createSimplifyPass());
  manager.addPass(createFoldConstantsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void ambit::buildKernels(OpPassManager &manager) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createExpandPaddingPass());
  functions.addPass(createFlattenPointwisePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createSplitWideOpsPass());
  manager.addPass(createFormKernelsPass());
  manager.addPass(createPlaceWeightsPass());
}
