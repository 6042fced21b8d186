// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers kernel functions to loops: the signature, the loop over work units,
// and the choice of the lowering by the kernel's root.

#include "KernelLowering.h"
#include "KernelSignature.h"
#include "Tiles/SlidingWindow.h"
#include "ambit/Codegen/Passes.h"
#include "ambit/Cost/Cost.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Kernel/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ambit {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "ambit/Codegen/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// Emits the estimated ticks of the whole kernel, as `index`, from its sizes.
static Value emitTicks(KernelLowering &k) {
  Value sum = k.index(0);
  cost::Amount ticks = cost::getKernelTicks(k.source.front());
  for (const cost::Amount::Term &term : ticks.terms()) {
    Value product = k.index(term.weight);
    for (Expr extent : term.box)
      product = k.mul(product, k.dim(extent));
    sum = k.add(sum, product);
  }
  return sum;
}

static RootLowering getLowering(Operation *root) {
  if (!root)
    return getElementwiseLowering();
  return TypeSwitch<Operation *, RootLowering>(root)
      .Case<ContractOp>([](auto) { return getContractLowering(); })
      .Case<ConvOp>([](auto) { return getConvLowering(); })
      .Case<WindowOp>([](auto) { return getWindowLowering(); })
      .Case<ReduceOp>([](auto) { return getReduceLowering(); })
      .Case<ArgReduceOp>([](auto) { return getArgReduceLowering(); })
      .Case<SoftmaxOp>([](auto) { return getSoftmaxLowering(); })
      .Default([](Operation *) { return RootLowering{nullptr, nullptr}; });
}

/// The number of units, or none where the result has no elements: its other
/// dims may be as large as they like.
static Value countWork(KernelLowering &state, const RootLowering &lowering) {
  Value count = lowering.countUnits(state);
  SmallVector<Value> extents = state.dims(state.returned);
  if (extents.size() < 2)
    return count;
  return state.zeroIfAny(extents, count);
}

/// Creates NAME_units: sizes -> number of units, estimated work. It shares the
/// state of a lowering with a kernel whose buffers it never touches.
static void createUnits(func::FuncOp kernel, func::FuncOp target,
                        ArrayRef<Expr> sizes, const VectorTarget &vectors,
                        RootLowering lowering, Operation *root) {
  OpBuilder b(kernel);
  SmallVector<Type> types(sizes.size(), b.getIndexType());
  auto units = b.create<func::FuncOp>(
      kernel.getLoc(), (kernel.getName() + "_units").str(),
      b.getFunctionType(types, {b.getIndexType(), b.getIndexType()}));
  units.setPrivate();
  units.addEntryBlock();
  // Lower into a scratch function with the kernel's own signature, then move
  // the code over; buffers are not among what it uses.
  KernelLowering state(kernel, target, sizes, vectors);
  state.root = root;
  Value count = countWork(state, lowering);
  state.b.create<func::ReturnOp>(kernel.getLoc(),
                                 ValueRange{count, emitTicks(state)});
  Block &from = target.front(), &to = units.front();
  KernelSignature signature(target);
  for (unsigned i = 0; i < sizes.size(); ++i)
    from.getArgument(signature.size(i)).replaceAllUsesWith(to.getArgument(i));
  to.getOperations().splice(to.end(), from.getOperations());
}

/// What data a kernel may reject, or nothing. A kernel has one check.
static StringRef describeChecks(func::FuncOp kernel) {
  bool gathers = false, divides = false;
  for (Operation &op : kernel.front()) {
    DataCheck check = getKernelRule(&op).check;
    gathers |= check == DataCheck::Index;
    divides |= check == DataCheck::Division;
  }
  if (gathers && divides)
    return "index is out of range, or integer division by zero";
  if (gathers)
    return "index is out of range";
  return divides ? "integer division by zero" : "";
}

static LogicalResult lowerKernel(func::FuncOp kernel,
                                 const VectorTarget &vectors) {
  auto sizes = kernel->getAttrOfType<sym::ShapeAttr>(attributes::kSizes);
  if (!sizes || kernel.getNumResults() != 1)
    return kernel.emitError("kernel without 'ambit.sizes' or with other than "
                            "one result");
  Operation *root = nullptr;
  for (Operation &op : kernel.front().without_terminator())
    if (isRootOp(&op))
      root = &op;
  RootLowering lowering = getLowering(root);
  if (!lowering.emitUnit)
    return root->emitError()
           << "'" << root->getName() << "' has no lowering to loops";
  if (failed(checkNoPadding(root)))
    return failure();
  func::FuncOp target = createKernelTarget(kernel, sizes.getDims().size());
  if (StringRef text = describeChecks(kernel); !text.empty())
    target->setAttr(attributes::kCheck,
                    StringAttr::get(kernel.getContext(), text));
  createUnits(kernel, target, sizes.getDims(), vectors, lowering, root);
  KernelLowering state(kernel, target, sizes.getDims(), vectors);
  state.root = root;
  KernelSignature signature(target);
  state.loop(target.getArgument(signature.begin()),
             target.getArgument(signature.end()), 1,
             [&](Value unit) { lowering.emitUnit(state, unit); });
  state.b.create<func::ReturnOp>(kernel.getLoc());
  kernel.erase();
  return success();
}

namespace {
struct LowerKernelsPass
    : public ambit::impl::LowerKernelsPassBase<LowerKernelsPass> {
  using LowerKernelsPassBase::LowerKernelsPassBase;
  void runOnOperation() override {
    VectorTarget vectors{vectorBytes, registers};
    for (func::FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function->hasAttr(attributes::kKernel) &&
          failed(lowerKernel(function, vectors)))
        return signalPassFailure();
  }
};
} // namespace
