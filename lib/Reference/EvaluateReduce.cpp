// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of reductions and softmax.

#include "Evaluate.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

/// The index without the entries that `dims` names.
static SmallVector<int64_t> dropDims(ArrayRef<int64_t> index,
                                     ArrayRef<int64_t> dims) {
  SmallVector<int64_t> kept;
  for (auto [dim, i] : llvm::enumerate(index))
    if (!llvm::is_contained(dims, int64_t(dim)))
      kept.push_back(i);
  return kept;
}

LogicalResult reference::evaluate(graph::ReduceOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &input = *operands[0];
  SmallVector<int64_t> dims = dropDims(input.getDims(), op.getDims());
  Type elementType = input.getElementType();
  FailureOr<HostTensor *> result = addResult(op, elementType, dims, results);
  if (failed(result))
    return failure();
  withArithmeticType(elementType, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> sums((*result)->getNumElements(),
                        neutralElement<T>(op.getKind(), elementType));
    std::vector<T> values = load<T>(input);
    forEachIndex(input.getDims(), [&](ArrayRef<int64_t> index) {
      T &sum = sums[position(dropDims(index, op.getDims()), dims)];
      sum =
          combine(op.getKind(), sum, values[position(index, input.getDims())]);
    });
    for (auto [index, sum] : llvm::enumerate(sums))
      store(**result, index, sum);
  });
  return success();
}

LogicalResult reference::evaluate(graph::ArgReduceOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &input = *operands[0];
  int64_t dim = op.getDim(), extent = input.getDims()[dim];
  SmallVector<int64_t> dims = dropDims(input.getDims(), {dim});
  FailureOr<HostTensor *> result =
      addResult(op, IntegerType::get(op.getContext(), 64), dims, results);
  if (failed(result))
    return failure();
  if (extent == 0 && (*result)->getNumElements() != 0)
    return op.emitError() << "no element to choose from: dim " << dim
                          << " has size 0";
  int64_t inner = countOf(input.getDims().drop_front(dim + 1));
  withArithmeticType(input.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values = load<T>(input);
    for (int64_t k = 0, e = (*result)->getNumElements(); k < e; ++k) {
      int64_t start = k / inner * extent * inner + k % inner, best = 0;
      for (int64_t i = 1; i < extent; ++i) {
        T value = values[start + i * inner],
          record = values[start + best * inner];
        bool beats = op.getKind() == graph::ReduceKind::Max ? value > record
                                                            : value < record;
        if (beats || (op.getSelectLast() && value == record))
          best = i;
      }
      (*result)->setInt(k, best);
    }
  });
  return success();
}

LogicalResult reference::evaluate(graph::SoftmaxOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &input = *operands[0];
  FailureOr<HostTensor *> result =
      addResult(op, input.getElementType(), input.getDims(), results);
  if (failed(result))
    return failure();
  int64_t extent = input.getDims()[op.getDim()];
  int64_t inner = countOf(input.getDims().drop_front(op.getDim() + 1));
  int64_t rows = extent == 0 ? 0 : input.getNumElements() / extent;
  withArithmeticType(input.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      std::vector<T> values = load<T>(input);
      for (int64_t row = 0; row < rows; ++row) {
        int64_t start = row / inner * extent * inner + row % inner;
        T max = neutralElement<T>(graph::ReduceKind::Max, {}), sum = 0;
        for (int64_t i = 0; i < extent; ++i)
          max = combine(graph::ReduceKind::Max, max, values[start + i * inner]);
        for (int64_t i = 0; i < extent; ++i)
          sum += std::exp(values[start + i * inner] - max);
        for (int64_t i = 0; i < extent; ++i) {
          T shifted = values[start + i * inner] - max;
          store(**result, start + i * inner,
                op.getLog() ? shifted - std::log(sum)
                            : std::exp(shifted) / sum);
        }
      }
    }
  });
  return success();
}
