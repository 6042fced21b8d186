// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small questions about tensors that several phases ask.

#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"

using namespace mlir;
using namespace ambit;

Value graph::getStorage(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return value;
}

Expr graph::getByteSize(Type tensor) {
  Type element = cast<RankedTensorType>(tensor).getElementType();
  int64_t bytes = std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
  return sym::getNumElements(sym::getDims(tensor)) * Expr(bytes);
}

Type graph::getBodyType(Type elementType) {
  auto integer = dyn_cast<IntegerType>(elementType);
  if (integer && !integer.isSignless())
    return IntegerType::get(integer.getContext(), integer.getWidth());
  return elementType;
}

LogicalResult graph::checkAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitError() << "dim " << axis << " is outside of rank " << rank;
}

TypedAttr graph::getScalar(Type elementType, double value) {
  if (isa<FloatType>(elementType))
    return FloatAttr::get(elementType, value);
  return IntegerAttr::get(elementType,
                          APInt(elementType.getIntOrFloatBitWidth(),
                                uint64_t(int64_t(value)),
                                /*isSigned=*/true));
}

TypedAttr graph::getExtreme(Type elementType, bool isLowest) {
  if (auto type = dyn_cast<FloatType>(elementType))
    return FloatAttr::get(type,
                          APFloat::getInf(type.getFloatSemantics(), isLowest));
  unsigned width = elementType.getIntOrFloatBitWidth();
  bool isUnsigned = elementType.isUnsignedInteger() || width == 1;
  if (isLowest)
    return IntegerAttr::get(elementType, isUnsigned
                                             ? APInt::getMinValue(width)
                                             : APInt::getSignedMinValue(width));
  return IntegerAttr::get(elementType, isUnsigned
                                           ? APInt::getMaxValue(width)
                                           : APInt::getSignedMaxValue(width));
}

TypedAttr graph::getNeutral(ReduceKind kind, Type elementType) {
  switch (kind) {
  case ReduceKind::Sum:
    return getScalar(elementType, 0);
  case ReduceKind::Product:
    return getScalar(elementType, 1);
  case ReduceKind::Max:
    return getExtreme(elementType, /*isLowest=*/true);
  case ReduceKind::Min:
    return getExtreme(elementType, /*isLowest=*/false);
  }
  llvm_unreachable("every kind is listed");
}
