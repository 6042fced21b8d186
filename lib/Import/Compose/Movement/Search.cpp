// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches: the op that finds, then gathers.

#include "Search.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// The result for a value that is known when the model is compiled; null when
/// it is not.
static Value foldNonZero(ValueBuilder &b, Value input) {
  std::optional<SmallVector<Expr>> elements = getKnownElements(input);
  if (!elements)
    return {};
  auto shape = cast<RankedTensorType>(input.getType()).getShape();
  SmallVector<SmallVector<int64_t>> found;
  for (auto [position, element] : llvm::enumerate(*elements)) {
    if (!element.constant())
      return {};
    if (*element.constant() == 0)
      continue;
    SmallVector<int64_t> index(shape.size());
    int64_t rest = position;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      index[dim] = rest % shape[dim];
    found.push_back(index);
  }
  SmallVector<int64_t> rows;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    for (const SmallVector<int64_t> &index : found)
      rows.push_back(index[dim]);
  auto type = RankedTensorType::get(
      {int64_t(shape.size()), int64_t(found.size())}, b.indexType());
  return b.graph.constant(DenseElementsAttr::get(type, ArrayRef(rows)));
}

Value compose::nonZero(ValueBuilder &b, Value input) {
  if (Value known = foldNonZero(b, input))
    return known;
  std::string count = b.newCount(sym::getNumElements(dimsOf(input)));
  if (count.empty())
    return {};
  return b.create<NonZeroOp>(input, count);
}

Value compose::flatten(ValueBuilder &b, Value x) {
  return x ? b.reshape(x, {sym::getNumElements(dimsOf(x))}) : b.fail();
}

Value compose::compress(ValueBuilder &b, Value x, Value condition,
                        int64_t axis) {
  if (rankOf(condition) != 1) {
    b.error() << "condition has rank " << rankOf(condition) << ", expected 1";
    return {};
  }
  Value found = nonZero(b, condition);
  if (!x || !found)
    return {};
  found = b.reshape(found, {dimsOf(found)[1]});
  return b.create<GatherOp>(x, found, axis);
}

/// A matrix whose rows are the slices along an axis.
static Value asRows(ValueBuilder &b, Value data, int64_t axis) {
  SmallVector<Expr> dims = dimsOf(data);
  SmallVector<int64_t> permutation = {axis};
  SmallVector<Expr> others;
  for (int64_t dim = 0, rank = dims.size(); dim < rank; ++dim)
    if (dim != axis) {
      permutation.push_back(dim);
      others.push_back(dims[dim]);
    }
  return b.reshape(b.transpose(data, permutation),
                   {dims[axis], sym::getNumElements(others)});
}

UniqueResults compose::unique(ValueBuilder &b, Value x,
                              const UniqueSpec &spec) {
  int64_t axis = spec.axis.value_or(0);
  Value rows;
  if (spec.axis) {
    rows = asRows(b, x, axis);
  } else {
    rows = b.reshape(x, {sym::getNumElements(dimsOf(x)), Expr(1)});
    x = flatten(b, x);
  }
  if (!rows || !x)
    return {};
  std::string count = b.newCount(dimsOf(rows)[0]);
  if (count.empty())
    return {};
  UniqueResults results;
  results.first = b.create<UniqueOp>(rows, spec.isSorted, count);
  results.values = b.create<GatherOp>(x, results.first, axis);
  if (!results.first || !(spec.wantsInverse || spec.wantsCounts))
    return results;
  results.inverse = b.create<UniqueInverseOp>(rows, spec.isSorted);
  if (spec.wantsCounts)
    results.counts = b.create<HistogramOp>(
        results.inverse, b.graph.shapeAttr(dimsOf(results.first)));
  return results;
}

Value compose::suppressNonMaxima(ValueBuilder &b, Value boxes, Value scores,
                                 Value most, Value iou, Value least,
                                 bool isCenter) {
  if (rankOf(scores) != 3) {
    b.error() << "scores have rank " << rankOf(scores) << ", expected 3";
    return {};
  }
  if (!most || !iou || !least)
    return b.fail();
  SmallVector<Expr> dims = dimsOf(scores);
  Expr perClass = dims[2];
  if (std::optional<SmallVector<Expr>> known = getKnownElements(most))
    perClass = Expr::min(perClass, Expr::max(known->front(), 0));
  std::string count = b.newCount(b.simplify(dims[0] * dims[1] * perClass));
  if (count.empty())
    return {};
  return b.create<NmsOp>(boxes, scores, most, iou, least, isCenter, count);
}
