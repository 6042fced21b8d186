// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Reduce family, ArgMax and ArgMin, CumSum and CumProd.

#include "../../../Compose/Elements/Reduction.h"
#include "../../../Compose/Elements/Cumulative.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// ONNX says what 0 and 1 mean; of other numbers its runtimes make this or
/// that.
static std::optional<bool> readKeepDims(NodeContext &c) {
  int64_t keep = c.intAttr("keepdims", 1);
  if (keep == 0 || keep == 1)
    return keep == 1;
  c.error() << "attribute 'keepdims' is " << keep << ", expected 0 or 1";
  return std::nullopt;
}

static std::optional<ReduceSpec> readSpec(NodeContext &c) {
  ReduceSpec spec;
  std::optional<bool> keepDims = readKeepDims(c);
  if (!keepDims)
    return std::nullopt;
  spec.keepDims = *keepDims;
  bool emptyMeansNone = c.intAttr("noop_with_empty_axes", 0) != 0;
  std::optional<SmallVector<int64_t>> axes = c.axes("axes", 1);
  int64_t rank = rankOf(c.input(0));
  if (!axes || !c.normalizeAxes(*axes, rank))
    return std::nullopt;
  spec.dims = *axes;
  if (spec.dims.empty() && !emptyMeansNone)
    for (int64_t dim = 0; dim < rank; ++dim)
      spec.dims.push_back(dim);
  llvm::sort(spec.dims);
  return spec;
}

template <Reduction kind> static void convertReduce(NodeContext &c) {
  if (auto spec = readSpec(c))
    c.setOutput(0, reduction(c, c.input(0), kind, *spec));
}

template <graph::ReduceKind kind> static void convertArg(NodeContext &c) {
  int64_t axis = c.intAttr("axis", 0);
  std::optional<bool> keepDims = readKeepDims(c);
  bool isLast = c.intAttr("select_last_index", 0) != 0;
  if (keepDims && c.normalizeAxis(axis, rankOf(c.input(0))))
    c.setOutput(0, argExtreme(c, c.input(0), kind, axis, isLast, *keepDims));
}

/// The axis of a running sum; of one dim, whatever the input says at the call
/// is that dim.
static std::optional<int64_t> readSumAxis(NodeContext &c) {
  std::optional<SmallVector<Expr>> axis = c.knownInput(1, "axis");
  if (!axis)
    return std::nullopt;
  if (axis->size() != 1) {
    c.error() << "axis has " << axis->size() << " elements, expected 1";
    return std::nullopt;
  }
  Expr number = axis->front();
  if (rankOf(c.input(0)) != 1 || number.constant()) {
    std::optional<SmallVector<int64_t>> fixed = c.constantInput(1, "axis");
    return fixed ? std::optional<int64_t>(fixed->front()) : std::nullopt;
  }
  if (!c.require(Relation{Relation::Kind::GE, number, Expr(-1)},
                 "axis is outside of rank 1") ||
      !c.require(Relation{Relation::Kind::LE, number, Expr(0)},
                 "axis is outside of rank 1"))
    return std::nullopt;
  return 0;
}

template <bool isProduct> static void convertCumulative(NodeContext &c) {
  std::optional<int64_t> axis = readSumAxis(c);
  if (!axis)
    return;
  CumulativeSpec spec{*axis, isProduct, c.intAttr("exclusive", 0) != 0,
                      c.intAttr("reverse", 0) != 0};
  c.setOutput(0, cumulate(c, c.input(0), spec));
}

void ambit::onnx_import::addReductions(ConverterTable &table) {
  table.add("ReduceSum", convertReduce<Reduction::Sum>, 1, 2);
  table.add("ReduceProd", convertReduce<Reduction::Product>, 1, 2);
  table.add("ReduceMax", convertReduce<Reduction::Max>, 1, 2);
  table.add("ReduceMin", convertReduce<Reduction::Min>, 1, 2);
  table.add("ReduceMean", convertReduce<Reduction::Mean>, 1, 2);
  table.add("ReduceL1", convertReduce<Reduction::L1>, 1, 2);
  table.add("ReduceL2", convertReduce<Reduction::L2>, 1, 2);
  table.add("ReduceLogSum", convertReduce<Reduction::LogSum>, 1, 2);
  table.add("ReduceLogSumExp", convertReduce<Reduction::LogSumExp>, 1, 2);
  table.add("ReduceSumSquare", convertReduce<Reduction::SumSquare>, 1, 2);
  table.add("CumSum", convertCumulative</*isProduct=*/false>, 2)
      .since(11)
      .sizes({1});
  table.add("CumProd", convertCumulative</*isProduct=*/true>, 2)
      .since(26)
      .sizes({1});
  table.add("ArgMax", convertArg<graph::ReduceKind::Max>, 1);
  table.add("ArgMin", convertArg<graph::ReduceKind::Min>, 1);
}
