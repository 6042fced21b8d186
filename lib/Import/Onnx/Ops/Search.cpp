// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that look for something in the data, and whose results have sizes
// that only a run knows.

#include "../Converters.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

/// NonZero of a value that is known when the model is compiled; null when it is
/// not.
static Value foldNonZero(NodeContext &c, Value input) {
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
  auto type =
      RankedTensorType::get({int64_t(shape.size()), int64_t(found.size())},
                            c.graph.getBuilder().getI64Type());
  return c.graph.constant(DenseElementsAttr::get(type, ArrayRef(rows)));
}

static Value findNonZero(NodeContext &c, Value input) {
  if (Value known = foldNonZero(c, input))
    return known;
  std::string count = c.newCount(sym::getNumElements(dimsOf(input)));
  if (count.empty())
    return {};
  return c.create<NonZeroOp>(input, count);
}

static void convertNonZero(NodeContext &c) {
  c.setOutput(0, findNonZero(c, c.input(0)));
}

/// The slices of the input along `axis`, or its elements, at the positions
/// where the condition is true. It may be shorter than the input.
static void convertCompress(NodeContext &c) {
  Value data = c.input(0), condition = c.input(1);
  if (rankOf(condition) != 1) {
    c.error() << "condition has rank " << rankOf(condition) << ", expected 1";
    return;
  }
  int64_t axis = c.intAttr("axis", 0);
  if (!c.hasAttr("axis"))
    data = c.reshape(data, {sym::getNumElements(dimsOf(data))});
  else if (!c.normalizeAxis(axis, rankOf(data)))
    return;
  Value found = findNonZero(c, condition);
  if (!data || !found)
    return;
  found = c.reshape(found, {dimsOf(found)[1]});
  c.setOutput(0, c.create<GatherOp>(data, found, axis));
}

/// k is an attribute at first, later an input of one element.
static std::optional<Expr> readK(NodeContext &c) {
  if (c.opset() < 10) {
    if (!c.hasAttr("k"))
      c.error() << "attribute 'k' is missing";
    return Expr(c.intAttr("k", 0));
  }
  if (!c.input(1)) {
    c.error() << "input 1 is missing";
    return std::nullopt;
  }
  std::optional<SmallVector<Expr>> k = c.knownInput(1, "k");
  if (!k)
    return std::nullopt;
  if (k->size() != 1) {
    c.error() << "k has " << k->size() << " elements, expected one";
    return std::nullopt;
  }
  return k->front();
}

static void convertTopK(NodeContext &c) {
  Value data = c.input(0);
  int64_t axis = c.intAttr("axis", -1);
  std::optional<Expr> k = readK(c);
  if (!k || c.hasFailed() || !c.normalizeAxis(axis, rankOf(data)))
    return;
  bool smallest = c.intAttr("largest", 1) == 0;
  Value at = c.create<TopKOp>(data, c.graph.shapeAttr({*k}), axis, smallest);
  if (!at)
    return;
  if (c.wantsOutput(0))
    c.setOutput(0, gatherElements(c, data, at, axis));
  c.setOutput(1, at);
}

static void convertUnique(NodeContext &c) {
  Value data = c.input(0);
  bool sorted = c.intAttr("sorted", 1) != 0;
  int64_t axis = c.intAttr("axis", 0);
  SmallVector<Expr> dims = dimsOf(data);
  // A matrix whose rows are what is compared.
  Value rows = data;
  if (!c.hasAttr("axis")) {
    rows = c.reshape(data, {sym::getNumElements(dims), Expr(1)});
    data = c.reshape(data, {sym::getNumElements(dims)});
  } else {
    if (!c.normalizeAxis(axis, dims.size()))
      return;
    SmallVector<int64_t> permutation = {axis};
    SmallVector<Expr> others;
    for (int64_t dim = 0, rank = dims.size(); dim < rank; ++dim)
      if (dim != axis) {
        permutation.push_back(dim);
        others.push_back(dims[dim]);
      }
    rows = c.reshape(c.transpose(data, permutation),
                     {dims[axis], sym::getNumElements(others)});
  }
  if (!rows || !data)
    return;
  std::string count = c.newCount(dimsOf(rows)[0]);
  if (count.empty())
    return;
  Value first = c.create<UniqueOp>(rows, sorted, count);
  c.setOutput(0, c.create<GatherOp>(data, first, axis));
  c.setOutput(1, first);
  if (!first || !(c.wantsOutput(2) || c.wantsOutput(3)))
    return;
  Value inverse = c.create<UniqueInverseOp>(rows, sorted);
  c.setOutput(2, inverse);
  if (c.wantsOutput(3))
    c.setOutput(
        3, c.create<HistogramOp>(inverse, c.graph.shapeAttr(dimsOf(first))));
}

/// An input of one element as a scalar; the default when it is left out.
static Value scalarInput(NodeContext &c, size_t index, double otherwise,
                         Type type) {
  Value value = c.input(index);
  return value ? c.cast(c.reshape(value, {}), type) : c.scalar(otherwise, type);
}

static void convertNonMaxSuppression(NodeContext &c) {
  Value boxes = c.input(0), scores = c.input(1);
  if (rankOf(scores) != 3) {
    c.error() << "scores have rank " << rankOf(scores) << ", expected 3";
    return;
  }
  OpBuilder &b = c.graph.getBuilder();
  Value most = scalarInput(c, 2, 0, b.getI64Type());
  Value iou = scalarInput(c, 3, 0, b.getF32Type());
  Value least = scalarInput(c, 4, -INFINITY, b.getF32Type());
  if (!most || !iou || !least)
    return;
  SmallVector<Expr> dims = dimsOf(scores);
  Expr perClass = dims[2];
  if (std::optional<SmallVector<Expr>> known = getKnownElements(most))
    perClass = Expr::min(perClass, Expr::max(known->front(), 0));
  std::string count = c.newCount(c.simplify(dims[0] * dims[1] * perClass));
  if (count.empty())
    return;
  bool isCenter = c.intAttr("center_point_box", 0) != 0;
  c.setOutput(
      0, c.create<NmsOp>(boxes, scores, most, iou, least, isCenter, count));
}

void ambit::onnx_import::addSearches(ConverterTable &table) {
  table.add("Compress", convertCompress, 2).since(9);
  table.add("NonMaxSuppression", convertNonMaxSuppression, 2, 5).since(10);
  table.add("NonZero", convertNonZero, 1).since(9);
  table.add("TopK", convertTopK, 1, 2).sizes({1});
  table.add("Unique", convertUnique, 1).since(11);
}
