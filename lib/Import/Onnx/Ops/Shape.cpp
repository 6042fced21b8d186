// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that read or change shapes and leave the elements in their order.

#include "../Converters.h"
#include "../ExactDivision.h"

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
    c.error() << "number of elements overflows 64 bits";
    return;
  }
  c.setOutput(0, c.dims({count}, c.graph.getBuilder().getI64Type(),
                        /*isScalar=*/true));
}

/// The dim that makes the shape hold as many elements as the input.
static std::optional<Expr> inferDim(NodeContext &c, ArrayRef<Expr> from,
                                    ArrayRef<Expr> others) {
  Quotient quotient = cancelFactors(from, others);
  if (!quotient.numerator.isValid() || !quotient.denominator.isValid()) {
    c.error() << "number of elements overflows 64 bits";
    return std::nullopt;
  }
  if (quotient.denominator.isConstant(1))
    return quotient.numerator;
  if (!c.require(Relation{Relation::Kind::GE, quotient.denominator, Expr(1)},
                 "cannot infer dim -1 beside dims of size 0") ||
      !c.requireDivisible(quotient.numerator, quotient.denominator,
                          "dim -1 is no whole number"))
    return std::nullopt;
  return c.simplify(Expr::floorDiv(quotient.numerator, quotient.denominator));
}

static void convertReshape(NodeContext &c) {
  std::optional<SmallVector<Expr>> wanted = c.knownInput(1, "shape");
  if (!wanted)
    return;
  bool zeroCopies = c.intAttr("allowzero", 0) == 0;
  SmallVector<Expr> from = dimsOf(c.input(0)), shape, others;
  std::optional<size_t> inferred;
  for (auto [index, dim] : llvm::enumerate(*wanted)) {
    if (dim.isConstant(-1)) {
      if (inferred) {
        c.error() << "shape has two dims of -1";
        return;
      }
      inferred = index;
      shape.push_back(dim);
      continue;
    }
    if (dim.isConstant(0) && zeroCopies) {
      if (index >= from.size()) {
        c.error() << "shape has 0 for dim " << index
                  << ", which the input of rank " << from.size()
                  << " does not have";
        return;
      }
      dim = from[index];
    } else if (dim.constant() && *dim.constant() < 0) {
      c.error() << "shape has " << *dim.constant() << " for dim " << index;
      return;
    }
    shape.push_back(dim);
    others.push_back(dim);
  }
  if (inferred) {
    std::optional<Expr> dim = inferDim(c, from, others);
    if (!dim)
      return;
    shape[*inferred] = *dim;
  }
  c.setOutput(0, c.reshape(c.input(0), shape));
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
      c.error() << "dim " << index << " is '" << dim.str()
                << "', which may or may not be 1; the rank would change";
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
  table.add("Shape", convertShape, 1);
  table.add("Size", convertSize, 1);
  table.add("Reshape", convertReshape, 2);
  table.add("Flatten", convertFlatten, 1);
  table.add("Squeeze", convertSqueeze, 1, 2);
  table.add("Unsqueeze", convertUnsqueeze, 1, 2);
  table.add("Expand", convertExpand, 2);
}
