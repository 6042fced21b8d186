// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that read or change shapes and leave the elements in their order.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

static void convertShape(NodeContext &c) {
  SmallVector<Expr> dims = dimsOf(c.input(0));
  int64_t rank = dims.size();
  auto clamp = [&](int64_t position) {
    if (position < 0)
      position = position < -rank ? 0 : position + rank;
    return std::min(position, rank);
  };
  int64_t start = clamp(c.intAttr("start", 0));
  int64_t end = std::max(clamp(c.intAttr("end", rank)), start);
  c.setOutput(0, c.dims(ArrayRef(dims).slice(start, end - start),
                        c.graph.getBuilder().getI64Type()));
}

static void convertSize(NodeContext &c) {
  Expr count = sym::getNumElements(dimsOf(c.input(0)));
  if (!count.isValid()) {
    c.error() << "number of elements " << count.problem();
    return;
  }
  c.setOutput(0, c.dims({count}, c.graph.getBuilder().getI64Type(),
                        /*isScalar=*/true));
}

static void convertFlatten(NodeContext &c) {
  SmallVector<Expr> dims = dimsOf(c.input(0));
  int64_t axis = c.intAttr("axis", 1), rank = dims.size();
  if (axis != rank && !c.normalizeAxis(axis, rank))
    return;
  c.setOutput(
      0, c.reshape(c.input(0),
                   {sym::getNumElements(ArrayRef(dims).take_front(axis)),
                    sym::getNumElements(ArrayRef(dims).drop_front(axis))}));
}

/// The dims that are 1 in every shape; an error when one may or may not be.
static bool findUnitDims(NodeContext &c, ArrayRef<Expr> dims,
                         SmallVectorImpl<int64_t> &axes) {
  for (auto [index, dim] : llvm::enumerate(dims)) {
    switch (c.prover().prove(Relation{Relation::Kind::EQ, dim, Expr(1)})) {
    case Truth::Yes:
      axes.push_back(index);
      break;
    case Truth::No:
      break;
    case Truth::Unknown:
      InFlightDiagnostic problem = c.error();
      problem << "dim " << index << " is '" << dim.str()
              << "', which may or may not be 1; the rank would change";
      NodeContext::suggestValues(problem, dim);
      return false;
    }
  }
  return true;
}

static void convertSqueeze(NodeContext &c) {
  SmallVector<Expr> dims = dimsOf(c.input(0)), kept;
  std::optional<SmallVector<int64_t>> axes = c.axes("axes", 1);
  if (!axes)
    return;
  bool isGiven = c.hasAttr("axes") || c.input(1);
  if (isGiven ? !c.normalizeAxes(*axes, dims.size())
              : !findUnitDims(c, dims, *axes))
    return;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (!llvm::is_contained(*axes, int64_t(index)))
      kept.push_back(dim);
    else if (!c.requireEqual(dim, 1,
                             "squeezed dim " + Twine(index) + " is not 1"))
      return;
  }
  // Equal under the guards just recorded, which a reshape cannot see.
  SmallVector<Expr> ones = dims;
  for (int64_t axis : *axes)
    ones[axis] = 1;
  Value exact = c.input(0);
  if (ones != dims)
    exact = c.create<SliceOp>(
        exact, c.graph.shapeAttr(SmallVector<Expr>(dims.size(), Expr(0))),
        c.graph.shapeAttr(ones), SmallVector<int64_t>(dims.size(), 1));
  c.setOutput(0, c.reshape(exact, kept));
}

static void convertUnsqueeze(NodeContext &c) {
  std::optional<SmallVector<int64_t>> axes = c.axes("axes", 1);
  if (!axes)
    return;
  constexpr size_t kMaxAxes = 64;
  if (axes->size() > kMaxAxes) {
    c.error() << "has " << axes->size() << " axes, expected at most "
              << kMaxAxes;
    return;
  }
  if (c.normalizeAxes(*axes, rankOf(c.input(0)) + axes->size()))
    c.setOutput(0, c.unsqueeze(c.input(0), *axes));
}

static void convertExpand(NodeContext &c) {
  std::optional<SmallVector<Expr>> wanted = c.knownInput(1, "shape");
  if (!wanted)
    return;
  FailureOr<SmallVector<Expr>> shape =
      c.broadcastShapes({dimsOf(c.input(0)), *wanted});
  c.setOutput(0, succeeded(shape) ? c.broadcast(c.input(0), *shape) : Value());
}

void ambit::onnx_import::addShapes(ConverterTable &table) {
  table.add("Shape", convertShape, 1).readsShapes();
  table.add("Size", convertSize, 1).readsShapes();
  table.add("Flatten", convertFlatten, 1).moves({0});
  table.add("Squeeze", convertSqueeze, 1, 2).moves({0});
  table.add("Unsqueeze", convertUnsqueeze, 1, 2).moves({0});
  table.add("Expand", convertExpand, 2).since(8).sizes({1}).storedTypes();
}
