// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds of `graph` ops: identities, and `dims` without symbols.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// What takes the place of `result`, unless dims that are equal are written
/// differently.
static OpFoldResult getIfSameType(Value value, Value result) {
  return value.getType() == result.getType() ? value : Value();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

OpFoldResult DimsOp::fold(FoldAdaptor) {
  Type elementType = getResult().getType().getElementType();
  Builder builder(getContext());
  SmallVector<Attribute> values;
  for (Expr value : getValues().getDims()) {
    std::optional<int64_t> number = value.constant();
    if (!number)
      return {};
    if (isa<FloatType>(elementType))
      values.push_back(builder.getFloatAttr(elementType, double(*number)));
    else
      values.push_back(IntegerAttr::get(
          elementType,
          APInt(elementType.getIntOrFloatBitWidth(), *number, true)));
  }
  return DenseElementsAttr::get(getResult().getType(), values);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return getIfSameType(getInput(), getResult());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getInput().getType() == getResult().getType())
    return getInput();
  // Only the last of a chain of reshapes counts.
  if (auto producer = getInput().getDefiningOp<ReshapeOp>()) {
    getInputMutable().assign(producer.getInput());
    return getResult();
  }
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  bool isIdentity = true;
  for (auto [index, source] : llvm::enumerate(getPermutation()))
    isIdentity &= int64_t(index) == source;
  if (isIdentity)
    return getIfSameType(getInput(), getResult());
  auto producer = getInput().getDefiningOp<TransposeOp>();
  if (!producer)
    return {};
  SmallVector<int64_t> composed;
  for (int64_t source : getPermutation())
    composed.push_back(producer.getPermutation()[source]);
  setPermutation(composed);
  getInputMutable().assign(producer.getInput());
  return getResult();
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  auto isForward = [](int64_t stride) { return stride == 1; };
  auto isZero = [](Expr offset) { return offset.isConstant(0); };
  if (getInput().getType() == getResult().getType() &&
      llvm::all_of(getStrides(), isForward) &&
      llvm::all_of(getOffsets().getDims(), isZero))
    return getInput();
  return {};
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() != 1)
    return {};
  return getIfSameType(getInputs().front(), getResult());
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  if (!getDims().empty())
    return {};
  return getIfSameType(getInput(), getResult());
}
