// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that look for something in the data, and whose results have sizes
// that only a run knows.

#include "../Converters.h"

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

void ambit::onnx_import::addSearches(ConverterTable &table) {
  table.add("NonZero", convertNonZero, 1);
}
