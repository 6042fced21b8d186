// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers kernel functions to loops: the signature, the loop over work units,
// and the choice of the lowering by the kernel's root.

#include "KernelLowering.h"
#include "Tiles/SlidingWindow.h"
#include "WorkEstimate.h"
#include "ambit/Codegen/Passes.h"
#include "ambit/Kernel/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ambit {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "ambit/Codegen/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

#define DEBUG_TYPE "lower-kernels"

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

/// The buffer of a tensor: flat, bool as bytes, integers signless.
static Type bufferType(Type type) {
  Type element = cast<RankedTensorType>(type).getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element =
        IntegerType::get(type.getContext(), std::max(8u, integer.getWidth()));
  return MemRefType::get({ShapedType::kDynamic}, element);
}

/// Creates the function that a kernel becomes, without a body.
static func::FuncOp createTarget(func::FuncOp kernel, size_t sizes) {
  OpBuilder b(kernel);
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(bufferType(type));
  types.push_back(bufferType(kernel.getResultTypes().front()));
  types.append(sizes + 2, b.getIndexType());
  types.push_back(MemRefType::get({ShapedType::kDynamic}, b.getI64Type()));
  types.push_back(b.getIndexType());
  auto target = b.create<func::FuncOp>(kernel.getLoc(), kernel.getName(),
                                       b.getFunctionType(types, {}));
  target.setPrivate();
  target->setAttr("ambit.lowered_kernel", b.getUnitAttr());
  target.addEntryBlock();
  return target;
}

/// The number of units, or none where the result has no elements: its other
/// dims may be as large as they like.
static Value countWork(KernelLowering &state, const RootLowering &lowering) {
  Value count = lowering.countUnits(state);
  SmallVector<Value> extents = state.dims(state.returned);
  if (extents.size() < 2)
    return count;
  return zeroIfAny(state, extents, count);
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
                                 ValueRange{count, emitWork(state)});
  Block &from = target.front(), &to = units.front();
  unsigned firstSize = kernel.getNumArguments() + 1;
  for (unsigned i = 0; i < sizes.size(); ++i)
    from.getArgument(firstSize + i).replaceAllUsesWith(to.getArgument(i));
  to.getOperations().splice(to.end(), from.getOperations());
}

/// What data a kernel may reject, or nothing. A kernel has one check.
static StringRef describeChecks(func::FuncOp kernel) {
  bool gathers = !kernel.front().getOps<GatherOp>().empty();
  bool divides = false;
  for (MapOp map : kernel.front().getOps<MapOp>())
    divides |= llvm::any_of(map.getBody().front(), mayDivideByZero);
  if (gathers && divides)
    return "index is out of range, or integer division by zero";
  if (gathers)
    return "index is out of range";
  return divides ? "integer division by zero" : "";
}

static LogicalResult lowerKernel(func::FuncOp kernel,
                                 const VectorTarget &vectors) {
  auto sizes = kernel->getAttrOfType<sym::ShapeAttr>("ambit.sizes");
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
  func::FuncOp target = createTarget(kernel, sizes.getDims().size());
  if (StringRef text = describeChecks(kernel); !text.empty())
    target->setAttr("ambit.check", StringAttr::get(kernel.getContext(), text));
  createUnits(kernel, target, sizes.getDims(), vectors, lowering, root);
  KernelLowering state(kernel, target, sizes.getDims(), vectors);
  state.root = root;
  unsigned low = kernel.getNumArguments() + 1 + sizes.getDims().size();
  state.loop(target.getArgument(low), target.getArgument(low + 1), 1,
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
      if (function->hasAttr("ambit.kernel") &&
          failed(lowerKernel(function, vectors)))
        return signalPassFailure();
  }
};
} // namespace
