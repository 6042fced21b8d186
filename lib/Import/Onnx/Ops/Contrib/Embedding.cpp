// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EmbedLayerNormalization: the embeddings of words, places and segments, added
// and normalized.

#include "../../../Compose/Elements/SkipNorm.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// The rows of a table [rows, hidden] at ids [batch, sequence].
static Value lookUp(NodeContext &c, Value table, Value ids) {
  return c.create<graph::GatherOp>(table, ids, 0);
}

/// Without position ids, place i of a sequence has row i.
static Value placeRows(NodeContext &c, Value table, Value ids,
                       ArrayRef<Expr> shape) {
  if (ids)
    return lookUp(c, table, ids);
  if (!c.require(Relation{Relation::Kind::LE, shape[1], dimsOf(table)[0]},
                 "sequence is longer than the table of positions"))
    return {};
  return c.unsqueeze(c.sliceDim(table, 0, 0, shape[1]), 0);
}

/// For each sequence how many of its elements the mask keeps; 0 without one.
static Value countKept(NodeContext &c, Value mask, Expr batch) {
  Type type = c.graph.getBuilder().getI32Type();
  if (!mask)
    return c.broadcast(c.scalar(0, type), {batch});
  Value isKept = c.map(
      mask,
      [](ScalarBuilder &s, ValueRange v) {
        return s.compare(Relation::Kind::EQ, v[0], s.integer(1, v[0]));
      },
      c.boolType());
  return c.reduce(c.cast(isKept, type), 1, graph::ReduceKind::Sum,
                  /*keepDims=*/false);
}

/// Inputs: ids, [segments], the tables of words, places and [segments], scale,
/// shift, [mask, position ids]. Outputs: the result, the counts of the mask,
/// the sum.
static void convertEmbedding(NodeContext &c) {
  Value ids = c.input(0), words = c.input(2), places = c.input(3);
  Value segments = c.input(1), segmentTable = c.input(4), mask = c.input(7);
  if (!words || !places || !c.input(5) || !c.input(6)) {
    c.error() << "a table, the scale or the shift is missing";
    return;
  }
  SmallVector<Expr> shape = dimsOf(ids);
  if (shape.size() != 2 || rankOf(words) != 2 || rankOf(places) != 2 ||
      (mask && rankOf(mask) != 2)) {
    c.error() << "ids, mask and tables are expected to have rank 2";
    return;
  }
  SkipNormInputs inputs;
  inputs.x = lookUp(c, words, ids);
  inputs.skip = placeRows(c, places, c.input(8), shape);
  if (segments && segmentTable) {
    inputs.bias = lookUp(c, segmentTable, segments);
    if (!inputs.bias)
      return;
  }
  inputs.scale = c.input(5);
  inputs.shift = c.input(6);
  if (!inputs.x || !inputs.skip)
    return;
  SkipNormResults results = skipNorm(c, inputs, c.floatAttr("epsilon", 1e-12f),
                                     /*isByRoot=*/false);
  c.setOutput(0, results.result);
  if (c.wantsOutput(1))
    c.setOutput(1, countKept(c, mask, shape[0]));
  c.setOutput(2, results.sum);
}

void ambit::onnx_import::addEmbeddings(ConverterTable &table) {
  table.add("com.microsoft.EmbedLayerNormalization", convertEmbedding, 1, 9);
}
