// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of the ops that look for something in the data.

#include "Evaluate.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

static Type indexType(Operation *op) {
  return IntegerType::get(op->getContext(), 64);
}

LogicalResult reference::evaluate(graph::NonZeroOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &input = *operands[0];
  bool isFloat = isa<FloatType>(input.getElementType());
  SmallVector<SmallVector<int64_t>> found;
  forEachIndex(input.getDims(), [&](ArrayRef<int64_t> index) {
    int64_t at = position(index, input.getDims());
    if (isFloat ? input.getFloat(at) != 0 : input.getInt(at) != 0)
      found.emplace_back(index);
  });
  int64_t count = found.size();
  FailureOr<HostTensor *> result =
      addResult(op, indexType(op), {input.getRank(), count}, results);
  if (failed(result))
    return failure();
  for (auto [column, index] : llvm::enumerate(found))
    for (auto [row, i] : llvm::enumerate(index))
      (*result)->data<int64_t>()[row * count + column] = i;
  return success();
}
