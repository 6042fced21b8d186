// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the functions that kernels become, and reads their signature back.

#include "KernelSignature.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ambit;

/// On a lowered kernel: the number of its sizes.

KernelSignature::KernelSignature(func::FuncOp lowered)
    : sizes(lowered->getAttrOfType<IntegerAttr>(attributes::kLoweredSizes)
                .getInt()) {
  inputs = lowered.getNumArguments() - KernelSignature(0, sizes).count();
}

/// The buffer of a tensor: flat, what is no more than a byte as bytes, integers
/// signless.
static Type bufferType(Type type) {
  Type element = cast<RankedTensorType>(type).getElementType();
  auto integer = dyn_cast<IntegerType>(element);
  if (element.getIntOrFloatBitWidth() <= 8)
    element = IntegerType::get(type.getContext(), 8);
  else if (integer)
    element = IntegerType::get(type.getContext(), integer.getWidth());
  return MemRefType::get({ShapedType::kDynamic}, element);
}

func::FuncOp ambit::createKernelTarget(func::FuncOp kernel, unsigned sizes) {
  OpBuilder b(kernel);
  KernelSignature signature(kernel.getNumArguments(), sizes);
  SmallVector<Type> types(signature.count(), b.getIndexType());
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    types[signature.input(index)] = bufferType(type);
  types[signature.result()] = bufferType(kernel.getResultTypes().front());
  types[signature.failures()] =
      MemRefType::get({ShapedType::kDynamic}, b.getI64Type());
  auto target = b.create<func::FuncOp>(kernel.getLoc(), kernel.getName(),
                                       b.getFunctionType(types, {}));
  target.setPrivate();
  target->setAttr(attributes::kLoweredSizes, b.getI64IntegerAttr(sizes));
  target.addEntryBlock();
  return target;
}
