// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences as casts of their elements to a tuple.

#include "Sequences.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace ambit;

Value onnx_import::makeSequence(OpBuilder &builder, Location loc,
                                ValueRange elements) {
  Type type = builder.getTupleType(elements.getTypes());
  return builder.create<UnrealizedConversionCastOp>(loc, type, elements)
      .getResult(0);
}

Value onnx_import::makeEmptyOptional(OpBuilder &builder, Location loc) {
  Type type = builder.getNoneType();
  return builder.create<UnrealizedConversionCastOp>(loc, type, ValueRange())
      .getResult(0);
}

bool onnx_import::isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

bool onnx_import::isSequence(Value value) {
  return isa<TupleType>(value.getType());
}

bool onnx_import::isEmptyOptional(Value value) {
  return isa<NoneType>(value.getType());
}

ValueRange onnx_import::sequenceElements(Value sequence) {
  return sequence.getDefiningOp()->getOperands();
}

Value onnx_import::rebuild(OpBuilder &builder, Location loc, Value like,
                           ValueRange elements) {
  return isSequence(like) ? makeSequence(builder, loc, elements)
                          : makeEmptyOptional(builder, loc);
}

std::string onnx_import::kindText(Value value) {
  if (isEmptyOptional(value))
    return "an empty optional";
  if (!isSequence(value))
    return "a tensor";
  size_t count = sequenceElements(value).size();
  return "a sequence of " + std::to_string(count) +
         (count == 1 ? " tensor" : " tensors");
}

void onnx_import::eraseSequences(func::FuncOp function) {
  function.walk([](UnrealizedConversionCastOp op) { op.erase(); });
}
