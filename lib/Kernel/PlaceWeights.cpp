// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives every constant that is in memory its place in the weight section, once
// for all variants, so that each of them can be lowered without the others.
//
// Bodies are visited from the last one on: that is the generic variant, which
// has what all share. So its code does not depend on which others there are.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Kernel/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace ambit {
#define GEN_PASS_DEF_PLACEWEIGHTSPASS
#include "ambit/Kernel/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;

/// What vectors and cache lines like best.
static constexpr int64_t kAlignment = 64;

namespace {
struct PlaceWeightsPass : ambit::impl::PlaceWeightsPassBase<PlaceWeightsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::SetVector<Attribute> weights;
    auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
    for (func::FuncOp body : llvm::reverse(functions))
      if (body->hasAttr(attributes::kVariant))
        body.walk([&](graph::ConstantOp constant) {
          weights.insert(constant.getValue());
        });
    SmallVector<int64_t> offsets;
    int64_t next = 0;
    for (Attribute weight : weights) {
      offsets.push_back(next);
      Type type = cast<ElementsAttr>(weight).getShapedType();
      next += llvm::alignTo(*graph::getByteSize(type).constant(), kAlignment);
    }
    Builder b(module.getContext());
    module->setAttr(attributes::kWeights,
                    b.getArrayAttr(weights.getArrayRef()));
    module->setAttr(attributes::kWeightOffsets,
                    b.getDenseI64ArrayAttr(offsets));
  }
};
} // namespace
