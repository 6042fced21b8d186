// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of map: the scalar interpreter, element by element.

#include "Evaluate.h"
#include "Scalar.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

LogicalResult reference::evaluate(graph::MapOp op, Operands operands,
                                  const Symbols &, Results &results) {
  ArrayRef<int64_t> dims = operands[0]->getDims();
  for (auto [index, input] : llvm::enumerate(operands))
    if (input->getDims() != dims)
      return op.emitError()
             << "inputs 0 and " << index << " have different shapes";
  Type elementType = op.getResult().getType().getElementType();
  FailureOr<ScalarFunction> body = ScalarFunction::read(op.getBody().front());
  if (failed(body))
    return failure();
  FailureOr<HostTensor *> result = addResult(op, elementType, dims, results);
  if (failed(result))
    return failure();
  bool isFloat = isa<FloatType>(elementType);
  SmallVector<Cell> arguments(operands.size());
  for (int64_t i = 0, e = (*result)->getNumElements(); i < e; ++i) {
    for (auto [argument, input] : llvm::zip_equal(arguments, operands))
      if (isa<FloatType>(input->getElementType()))
        argument.number = input->getFloat(i);
      else
        argument.bits =
            truncate(input->getInt(i), widthOf(input->getElementType()));
    std::optional<Cell> value = body->run(arguments);
    if (!value)
      return body->getFailedOp()->emitError()
             << "'" << body->getFailedOp()->getName()
             << "' divides by zero at element " << i;
    if (isFloat)
      (*result)->setFloat(i, value->number);
    else
      (*result)->setInt(i, int64_t(value->bits));
  }
  return success();
}
