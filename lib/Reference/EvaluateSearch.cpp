// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of the ops that look for something in the data.

#include "Evaluate.h"
#include <numeric>

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

/// -1, 0 or 1 as element `a` comes before, equals or comes after `b`. NaN
/// equals NaN and comes after everything else.
static int compare(const HostTensor &tensor, int64_t a, int64_t b) {
  if (!isa<FloatType>(tensor.getElementType())) {
    int64_t x = tensor.getInt(a), y = tensor.getInt(b);
    Type type = tensor.getElementType();
    if (type.isUnsignedInteger() || type.isInteger(1))
      return uint64_t(x) < uint64_t(y) ? -1 : x != y;
    return x < y ? -1 : x != y;
  }
  double x = tensor.getFloat(a), y = tensor.getFloat(b);
  if (std::isnan(x) || std::isnan(y))
    return int(std::isnan(x)) - int(std::isnan(y));
  return x < y ? -1 : x != y;
}

namespace {
/// The rows of a matrix that differ.
struct UniqueRows {
  UniqueRows(const HostTensor &matrix, bool sorted);
  SmallVector<int64_t> first, inverse;
};
} // namespace

UniqueRows::UniqueRows(const HostTensor &matrix, bool sorted) {
  int64_t rows = matrix.getDims()[0], width = matrix.getDims()[1];
  auto compareRows = [&](int64_t a, int64_t b) {
    for (int64_t i = 0; i < width; ++i)
      if (int order = compare(matrix, a * width + i, b * width + i))
        return order;
    return 0;
  };
  for (int64_t row = 0; row < rows; ++row)
    if (llvm::none_of(
            first, [&](int64_t known) { return compareRows(known, row) == 0; }))
      first.push_back(row);
  if (sorted)
    llvm::sort(first,
               [&](int64_t a, int64_t b) { return compareRows(a, b) < 0; });
  for (int64_t row = 0; row < rows; ++row)
    inverse.push_back(llvm::find_if(first,
                                    [&](int64_t known) {
                                      return compareRows(known, row) == 0;
                                    }) -
                      first.begin());
}

/// Appends a result of rank 1.
static LogicalResult addNumbers(Operation *op, ArrayRef<int64_t> numbers,
                                Results &results) {
  FailureOr<HostTensor *> result =
      addResult(op, indexType(op), {int64_t(numbers.size())}, results);
  if (succeeded(result))
    llvm::copy(numbers, (*result)->data<int64_t>());
  return result;
}

LogicalResult reference::evaluate(graph::UniqueOp op, Operands operands,
                                  const Symbols &, Results &results) {
  return addNumbers(op, UniqueRows(*operands[0], op.getSorted()).first,
                    results);
}

LogicalResult reference::evaluate(graph::UniqueInverseOp op, Operands operands,
                                  const Symbols &, Results &results) {
  return addNumbers(op, UniqueRows(*operands[0], op.getSorted()).inverse,
                    results);
}

LogicalResult reference::evaluate(graph::HistogramOp op, Operands operands,
                                  const Symbols &symbols, Results &results) {
  FailureOr<SmallVector<int64_t>> bins =
      evaluateDims(op, op.getBins().getDims(), symbols);
  if (failed(bins))
    return failure();
  FailureOr<HostTensor *> result = addResult(op, indexType(op), *bins, results);
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < operands[0]->getNumElements(); ++i) {
    int64_t number = operands[0]->getInt(i);
    if (number >= 0 && number < bins->front())
      ++(*result)->data<int64_t>()[number];
  }
  return success();
}

LogicalResult reference::evaluate(graph::TopKOp op, Operands operands,
                                  const Symbols &symbols, Results &results) {
  const HostTensor &input = *operands[0];
  FailureOr<SmallVector<int64_t>> k =
      evaluateDims(op, op.getK().getDims(), symbols);
  if (failed(k))
    return failure();
  SmallVector<int64_t> dims(input.getDims());
  int64_t dim = op.getDim(), size = dims[dim];
  if (k->front() < 0 || k->front() > size)
    return op.emitError() << "k is " << k->front() << ", expected 0.." << size;
  dims[dim] = k->front();
  FailureOr<HostTensor *> result = addResult(op, indexType(op), dims, results);
  if (failed(result))
    return failure();
  SmallVector<int64_t> rows(dims);
  rows[dim] = 1;
  forEachIndex(rows, [&](ArrayRef<int64_t> row) {
    auto at = [&](int64_t i, ArrayRef<int64_t> extents) {
      SmallVector<int64_t> index(row);
      index[dim] = i;
      return position(index, extents);
    };
    std::vector<int64_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      int order =
          compare(input, at(a, input.getDims()), at(b, input.getDims()));
      return op.getSmallest() ? order < 0 : order > 0;
    });
    for (int64_t i = 0; i < k->front(); ++i)
      (*result)->data<int64_t>()[at(i, dims)] = order[i];
  });
  return success();
}

/// The corners of a box in ascending order: low y, low x, high y, high x.
static std::array<float, 4> readBox(const float *box, bool isCenter) {
  std::array<float, 4> corners;
  for (int d : {0, 1}) {
    float from = isCenter ? box[d] - box[d + 2] / 2 : box[d];
    float to = isCenter ? box[d] + box[d + 2] / 2 : box[d + 2];
    corners[d] = std::min(from, to);
    corners[d + 2] = std::max(from, to);
  }
  return corners;
}

static float areaOf(const std::array<float, 4> &box) {
  return (box[2] - box[0]) * (box[3] - box[1]);
}

static bool overlaps(const std::array<float, 4> &a,
                     const std::array<float, 4> &b, float threshold) {
  std::array<float, 4> shared = {std::max(a[0], b[0]), std::max(a[1], b[1]),
                                 std::min(a[2], b[2]), std::min(a[3], b[3])};
  if (!(shared[0] < shared[2] && shared[1] < shared[3]))
    return false;
  float both = areaOf(shared), whole = areaOf(a) + areaOf(b) - both;
  return whole > 0 && both / whole > threshold;
}

LogicalResult reference::evaluate(graph::NmsOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &scores = *operands[1];
  int64_t classes = scores.getDims()[1], boxes = scores.getDims()[2];
  int64_t most = operands[2]->getInt(0);
  float iou = operands[3]->getFloat(0), least = operands[4]->getFloat(0);
  SmallVector<std::array<int64_t, 3>> all;
  forEachIndex({scores.getDims()[0], classes}, [&](ArrayRef<int64_t> at) {
    int64_t first = position(at, {scores.getDims()[0], classes}) * boxes;
    std::vector<int64_t> order(boxes);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return compare(scores, first + a, first + b) > 0;
    });
    auto boxAt = [&](int64_t box) {
      const float *data = operands[0]->data<float>();
      return readBox(data + (at[0] * boxes + box) * 4, op.getCenter());
    };
    SmallVector<int64_t> kept;
    for (int64_t box : order)
      if (int64_t(kept.size()) < most && scores.getFloat(first + box) > least &&
          llvm::none_of(kept, [&](int64_t other) {
            return overlaps(boxAt(other), boxAt(box), iou);
          })) {
        kept.push_back(box);
        all.push_back({at[0], at[1], box});
      }
  });
  FailureOr<HostTensor *> result =
      addResult(op, indexType(op), {int64_t(all.size()), 3}, results);
  if (failed(result))
    return failure();
  for (auto [row, selected] : llvm::enumerate(all))
    llvm::copy(selected, (*result)->data<int64_t>() + 3 * row);
  return success();
}
