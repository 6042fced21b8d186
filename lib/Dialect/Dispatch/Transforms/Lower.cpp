// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass `dispatch-lower`.

#include "Internals.h"
#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

namespace ambit::dispatch {
#define GEN_PASS_DEF_LOWERPASS
#include "ambit/Dialect/Dispatch/Transforms/Passes.h.inc"
} // namespace ambit::dispatch

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;
using namespace ambit::dispatch::lowering;

/// Declares the bodies that are compiled elsewhere: i32 (five pointers).
static LogicalResult declareBodies(OpBuilder &builder, ModuleOp module,
                                   ModelOp model) {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(),
                                          SmallVector<Type>(5, pointer));
  for (VariantOp variant : model.getAll<VariantOp>()) {
    Operation *known = module.lookupSymbol(variant.getBody());
    if (!known) {
      auto body = builder.create<LLVM::LLVMFuncOp>(variant.getLoc(),
                                                   variant.getBody(), type);
      body.setVisibility_(LLVM::Visibility::Hidden);
      continue;
    }
    auto function = dyn_cast<LLVM::LLVMFuncOp>(known);
    if (!function || function.getFunctionType() != type)
      return variant.emitError() << "body '" << variant.getBody()
                                 << "' is not an llvm.func of type " << type;
  }
  return success();
}

namespace {

struct LowerPass : ambit::dispatch::impl::LowerPassBase<LowerPass> {
  using LowerPassBase::LowerPassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<ModelOp> found = getModel(module);
    if (failed(found))
      return signalPassFailure();
    ModelOp model = *found;
    FailureOr<ModelTables> tables = readModel(module, model);
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    if (failed(tables) || failed(declareBodies(builder, module, model)))
      return signalPassFailure();
    FunctionNames names =
        emitFunctions(builder, model.getLoc(), *tables, maxCells);
    emitTables(builder, model.getLoc(), *tables, names);
    model.erase();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<sym::SymbolOp, sym::GuardOp>(op))
        op.erase();
    if (failed(lowerArithmetic(module, names)))
      signalPassFailure();
  }
};

} // namespace
