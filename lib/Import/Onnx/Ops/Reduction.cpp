// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Reduce family, ArgMax and ArgMin.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

namespace {
/// Which dims are reduced and whether they stay as 1.
struct ReduceAttrs {
  SmallVector<int64_t> dims;
  bool keepDims = true;
};
} // namespace

/// ONNX says what 0 and 1 mean; of other numbers its runtimes make this or
/// that.
static std::optional<bool> readKeepDims(NodeContext &c) {
  int64_t keep = c.intAttr("keepdims", 1);
  if (keep == 0 || keep == 1)
    return keep == 1;
  c.error() << "attribute 'keepdims' is " << keep << ", expected 0 or 1";
  return std::nullopt;
}

static std::optional<ReduceAttrs> readAttrs(NodeContext &c) {
  ReduceAttrs attrs;
  std::optional<bool> keepDims = readKeepDims(c);
  if (!keepDims)
    return std::nullopt;
  attrs.keepDims = *keepDims;
  bool emptyMeansNone = c.intAttr("noop_with_empty_axes", 0) != 0;
  std::optional<SmallVector<int64_t>> axes = c.axes("axes", 1);
  int64_t rank = rankOf(c.input(0));
  if (!axes || !c.normalizeAxes(*axes, rank))
    return std::nullopt;
  attrs.dims = *axes;
  if (attrs.dims.empty() && !emptyMeansNone)
    for (int64_t dim = 0; dim < rank; ++dim)
      attrs.dims.push_back(dim);
  llvm::sort(attrs.dims);
  return attrs;
}

/// The input as real numbers: an integer's roots and logarithms are those of
/// the number, and truncate.
static Value realInput(NodeContext &c) {
  Value x = c.input(0);
  if (isa<FloatType>(elementTypeOf(x)))
    return x;
  if (!elementTypeOf(x).isInteger(1))
    return c.cast(x, c.graph.getBuilder().getF64Type());
  c.error() << "input has element type " << elementTypeOf(x)
            << ", expected numbers";
  return {};
}

/// Sets output 0 to a result of `realInput`.
static void setReal(NodeContext &c, Value result) {
  if (result && !isa<FloatType>(elementTypeOf(c.input(0))))
    result = c.cast(result, elementTypeOf(c.input(0)));
  c.setOutput(0, result);
}

/// `after` the reduction of `before(x)`; null after an error.
static Value makeReduction(NodeContext &c, Value x, ReduceKind kind,
                           NodeContext::Body before = {},
                           NodeContext::Body after = {}) {
  std::optional<ReduceAttrs> attrs = readAttrs(c);
  if (!attrs || !x)
    return {};
  if (before)
    x = c.map(x, before);
  x = c.reduce(x, attrs->dims, kind, attrs->keepDims);
  if (x && after)
    x = c.map(x, after);
  return x;
}

static Value square(ScalarBuilder &s, ValueRange v) {
  return s.mul(v[0], v[0]);
}
static Value absolute(ScalarBuilder &s, ValueRange v) { return s.abs(v[0]); }
static Value squareRoot(ScalarBuilder &s, ValueRange v) {
  return s.make<math::SqrtOp>(v[0]);
}
static Value logarithm(ScalarBuilder &s, ValueRange v) {
  return s.make<math::LogOp>(v[0]);
}

static void convertReduceSum(NodeContext &c) {
  c.setOutput(0, makeReduction(c, c.input(0), ReduceKind::Sum));
}
static void convertReduceProd(NodeContext &c) {
  c.setOutput(0, makeReduction(c, c.input(0), ReduceKind::Product));
}
static void convertReduceSumSquare(NodeContext &c) {
  c.setOutput(0, makeReduction(c, c.input(0), ReduceKind::Sum, square));
}
static void convertReduceL1(NodeContext &c) {
  c.setOutput(0, makeReduction(c, c.input(0), ReduceKind::Sum, absolute));
}
static void convertReduceL2(NodeContext &c) {
  setReal(c,
          makeReduction(c, realInput(c), ReduceKind::Sum, square, squareRoot));
}
static void convertReduceLogSum(NodeContext &c) {
  setReal(c, makeReduction(c, realInput(c), ReduceKind::Sum, {}, logarithm));
}

/// Bools reduce as bytes, whose order is that of false and true.
template <ReduceKind kind> static void convertReduceExtreme(NodeContext &c) {
  Type type = elementTypeOf(c.input(0));
  if (!type.isInteger(1))
    return c.setOutput(0, makeReduction(c, c.input(0), kind));
  std::optional<ReduceAttrs> attrs = readAttrs(c);
  if (!attrs)
    return;
  Type byte = c.graph.getBuilder().getIntegerType(8, /*isSigned=*/false);
  Value x =
      c.reduce(c.cast(c.input(0), byte), attrs->dims, kind, attrs->keepDims);
  c.setOutput(0, c.cast(x, type));
}

static void convertReduceMean(NodeContext &c) {
  if (std::optional<ReduceAttrs> attrs = readAttrs(c))
    c.setOutput(0, c.mean(c.input(0), attrs->dims, attrs->keepDims));
}

/// log(sum(exp(x - m))) + m for the maximum m, or 0 where that is infinite.
static void convertReduceLogSumExp(NodeContext &c) {
  std::optional<ReduceAttrs> attrs = readAttrs(c);
  Value x = realInput(c);
  if (!attrs || !x)
    return;
  Value shift = c.reduce(x, attrs->dims, ReduceKind::Max, true);
  shift = c.map(shift, [](ScalarBuilder &s, ValueRange v) {
    Value isInfinite =
        s.compare(Relation::Kind::EQ, s.abs(v[0]), s.largest(v[0]));
    return s.select(isInfinite, s.constant(0, v[0]), v[0]);
  });
  Value powers = c.map({x, shift}, [](ScalarBuilder &s, ValueRange v) {
    return s.make<math::ExpOp>(s.sub(v[0], v[1]));
  });
  Value sum = c.reduce(powers, attrs->dims, ReduceKind::Sum, true);
  Value result = c.map({sum, shift}, [](ScalarBuilder &s, ValueRange v) {
    return s.add(s.make<math::LogOp>(v[0]), v[1]);
  });
  if (result && !attrs->keepDims) {
    SmallVector<Expr> shape;
    for (auto [dim, extent] : llvm::enumerate(dimsOf(x)))
      if (!llvm::is_contained(attrs->dims, int64_t(dim)))
        shape.push_back(extent);
    result = c.reshape(result, shape);
  }
  setReal(c, result);
}

template <ReduceKind kind> static void convertArg(NodeContext &c) {
  int64_t axis = c.intAttr("axis", 0);
  std::optional<bool> keepDims = readKeepDims(c);
  bool selectLast = c.intAttr("select_last_index", 0) != 0;
  if (!keepDims || !c.normalizeAxis(axis, rankOf(c.input(0))))
    return;
  Value index = c.create<ArgReduceOp>(c.input(0), axis, kind, selectLast);
  c.setOutput(0, *keepDims ? c.unsqueeze(index, axis) : index);
}

void ambit::onnx_import::addReductions(ConverterTable &table) {
  table.add("ReduceSum", convertReduceSum, 1, 2);
  table.add("ReduceProd", convertReduceProd, 1, 2);
  table.add("ReduceMax", convertReduceExtreme<ReduceKind::Max>, 1, 2);
  table.add("ReduceMin", convertReduceExtreme<ReduceKind::Min>, 1, 2);
  table.add("ReduceMean", convertReduceMean, 1, 2);
  table.add("ReduceL1", convertReduceL1, 1, 2);
  table.add("ReduceL2", convertReduceL2, 1, 2);
  table.add("ReduceLogSum", convertReduceLogSum, 1, 2);
  table.add("ReduceLogSumExp", convertReduceLogSumExp, 1, 2);
  table.add("ReduceSumSquare", convertReduceSumSquare, 1, 2);
  table.add("ArgMax", convertArg<ReduceKind::Max>, 1);
  table.add("ArgMin", convertArg<ReduceKind::Min>, 1);
}
