// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of loops: the body's ops, trip by trip.

#include "Evaluate.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

/// Copies the elements of one trip into row `row` of a stacked result.
static LogicalResult stack(graph::LoopOp op, unsigned number,
                           const HostTensor &element, int64_t row,
                           HostTensor &result) {
  if (element.getDims() != result.getDims().drop_front())
    return op.emitError() << "element " << row << " of stacked result "
                          << number << " has another shape than declared";
  llvm::copy(element.getBytes(),
             result.getBytes().begin() + row * element.getBytes().size());
  return success();
}

LogicalResult reference::evaluate(graph::LoopOp op, Operands operands,
                                  const Symbols &symbols, Results &results) {
  FailureOr<SmallVector<int64_t>> trips =
      evaluateDims(op, op.getTrips().getDims(), symbols);
  if (failed(trips))
    return failure();
  size_t carried = op.getInits().size(), captured = op.getCaptures().size();
  std::vector<HostTensor> values;
  for (const HostTensor *operand : operands.take_front(carried + captured))
    values.push_back(*operand);
  Results stacked;
  for (Value result : op.getStackedResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    FailureOr<SmallVector<int64_t>> dims =
        evaluateDims(op, sym::getDims(type), symbols);
    if (failed(dims) ||
        failed(addResult(op, type.getElementType(), *dims, stacked)))
      return failure();
  }
  bool goesOn = !op.getEntry() || operands.back()->getInt(0) != 0;
  Symbols inner = symbols;
  for (int64_t i = 0; i < trips->front() && goesOn; ++i) {
    inner[op.getIteration().str()] = i;
    Results next;
    if (failed(evaluateBlock(op.getBody().front(), values, inner, next)))
      return failure();
    for (unsigned k = 0; k < stacked.size(); ++k)
      if (failed(stack(op, k, next[carried + k], i, stacked[k])))
        return failure();
    if (op.getNext().getCondition())
      goesOn = next.back().getInt(0) != 0;
    std::move(next.begin(), next.begin() + carried, values.begin());
  }
  results.assign(values.begin(), values.begin() + carried);
  llvm::append_range(results, stacked);
  return success();
}
