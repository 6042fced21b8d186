// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gathers, and ReverseSequence.

#include "../../Compose/Movement/Gather.h"
#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static void convertGather(NodeContext &c) {
  int64_t axis = c.intAttr("axis", 0);
  if (c.normalizeAxis(axis, rankOf(c.input(0))))
    c.setOutput(0, c.create<graph::GatherOp>(c.input(0), c.input(1), axis));
}

static void convertGatherElements(NodeContext &c) {
  int64_t axis = c.intAttr("axis", 0);
  if (c.normalizeAxis(axis, rankOf(c.input(0))))
    c.setOutput(0, gatherElements(c, c.input(0), c.input(1), axis));
}

static void convertGatherND(NodeContext &c) {
  c.setOutput(0,
              gatherND(c, c.input(0), c.input(1), c.intAttr("batch_dims", 0)));
}

static void convertReverseSequence(NodeContext &c) {
  c.setOutput(0, reverseSequences(c, c.input(0), c.input(1),
                                  c.intAttr("time_axis", 0),
                                  c.intAttr("batch_axis", 1)));
}

void ambit::onnx_import::addGathers(ConverterTable &table) {
  table.add("Gather", convertGather, 2).moves({0});
  table.add("GatherElements", convertGatherElements, 2).since(11);
  table.add("ReverseSequence", convertReverseSequence, 2).since(10);
  table.add("GatherND", convertGatherND, 2).since(11);
}
