// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that look for something in the data.

#include "../../Compose/Movement/Search.h"
#include "../../Compose/Movement/Gather.h"
#include "../Converters.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static void convertNonZero(NodeContext &c) {
  c.setOutput(0, nonZero(c, c.input(0)));
}

static void convertCompress(NodeContext &c) {
  Value data = c.input(0);
  int64_t axis = c.intAttr("axis", 0);
  if (!c.hasAttr("axis"))
    data = flatten(c, data);
  else if (!c.normalizeAxis(axis, rankOf(data)))
    return;
  c.setOutput(0, compress(c, data, c.input(1), axis));
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
  Value at =
      c.create<graph::TopKOp>(data, c.graph.shapeAttr({*k}), axis, smallest);
  if (!at)
    return;
  if (c.wantsOutput(0))
    c.setOutput(0, gatherElements(c, data, at, axis));
  c.setOutput(1, at);
}

static void convertUnique(NodeContext &c) {
  UniqueSpec spec;
  spec.isSorted = c.intAttr("sorted", 1) != 0;
  spec.wantsInverse = c.wantsOutput(2);
  spec.wantsCounts = c.wantsOutput(3);
  if (c.hasAttr("axis")) {
    int64_t axis = c.intAttr("axis", 0);
    if (!c.normalizeAxis(axis, rankOf(c.input(0))))
      return;
    spec.axis = axis;
  }
  UniqueResults results = unique(c, c.input(0), spec);
  c.setOutput(0, results.values);
  c.setOutput(1, results.first);
  c.setOutput(2, results.inverse);
  c.setOutput(3, results.counts);
}

/// An input of one element as a scalar; the default when it is left out.
static Value scalarInput(NodeContext &c, size_t index, double otherwise,
                         Type type) {
  Value value = c.input(index);
  return value ? c.cast(c.reshape(value, {}), type) : c.scalar(otherwise, type);
}

static void convertNonMaxSuppression(NodeContext &c) {
  OpBuilder &b = c.graph.getBuilder();
  Value most = scalarInput(c, 2, 0, b.getI64Type());
  Value iou = scalarInput(c, 3, 0, b.getF32Type());
  Value least = scalarInput(c, 4, -INFINITY, b.getF32Type());
  bool isCenter = c.intAttr("center_point_box", 0) != 0;
  c.setOutput(0, suppressNonMaxima(c, c.input(0), c.input(1), most, iou, least,
                                   isCenter));
}

void ambit::onnx_import::addSearches(ConverterTable &table) {
  table.add("Compress", convertCompress, 2).since(9);
  table.add("NonMaxSuppression", convertNonMaxSuppression, 2, 5).since(10);
  table.add("NonZero", convertNonZero, 1).since(9);
  table.add("TopK", convertTopK, 1, 2).sizes({1});
  table.add("Unique", convertUnique, 1).since(11);
}
