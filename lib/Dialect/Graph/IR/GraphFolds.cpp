// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds of `graph` ops: identities, and `dims` without symbols.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

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
  return getInput().getType() == getResult().getType() ? getInput() : Value();
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
    return getInput();
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
  return getInputs().size() == 1 ? getInputs().front() : Value();
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  return getDims().empty() ? getInput() : Value();
}
