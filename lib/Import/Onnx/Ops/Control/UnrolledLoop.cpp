// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies that are converted once for each trip, because they work on sequences:
// SequenceMap, and a Loop that carries one.

#include "LoopBody.h"
#include "Sequences.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

namespace {
/// A Loop whose trips are converted one after another.
struct UnrolledLoop {
  UnrolledLoop(NodeContext &c, const OnnxSubgraph &body)
      : c(c), body(body),
        carried(c.allInputs().drop_front(std::min<size_t>(2, c.numInputs()))),
        rows(body.outputs.size() - 1 - carried.size()) {}
  bool runTrip(int64_t trip);
  void setOutputs();

  NodeContext &c;
  const OnnxSubgraph &body;
  SmallVector<Value> carried;
  /// What each scan output has stacked so far.
  SmallVector<SmallVector<Value>> rows;
  bool isDone = false;
};
} // namespace

bool UnrolledLoop::runTrip(int64_t trip) {
  SmallVector<Value> inputs = {
      c.dims({Expr(trip)}, c.indexType(), /*isScalar=*/true),
      c.scalar(1, c.boolType())};
  inputs.append(carried);
  SmallVector<Value> outputs;
  if (!c.graphs.convert(body, inputs, outputs)) {
    c.fail();
    return false;
  }
  auto more = isTensor(outputs[0]) ? getKnownElements(outputs[0])
                                   : std::optional<SmallVector<Expr>>();
  if (!more || more->size() != 1 || !more->front().constant()) {
    c.error() << "carries a sequence, and data may end the loop, so that the "
                 "length of the sequence is not known";
    return false;
  }
  isDone = more->front().isConstant(0);
  carried.assign(outputs.begin() + 1, outputs.begin() + 1 + carried.size());
  for (auto [row, value] : llvm::zip_equal(
           rows, ArrayRef(outputs).drop_front(1 + carried.size()))) {
    if (!isTensor(value)) {
      c.error() << "a scan output of the body is " << kindText(value)
                << ", expected a tensor";
      return false;
    }
    row.push_back(c.unsqueeze(value, {0}));
  }
  return !c.hasFailed();
}

void UnrolledLoop::setOutputs() {
  for (size_t i = 0; i < c.node.outputs.size(); ++i)
    if (i < carried.size())
      c.setOutput(i, carried[i]);
    else if (c.wantsOutput(i))
      c.setOutput(i, c.concat(rows[i - carried.size()], 0));
}

void ambit::onnx_import::unrollLoop(NodeContext &c, const OnnxSubgraph &body,
                                    Expr trips, bool isConditional) {
  std::optional<int64_t> count = trips.constant();
  if (isConditional || !count) {
    c.error() << "carries a sequence, whose length must be known: the number "
                 "of trips is "
              << (isConditional ? "decided by data" : "'" + trips.str() + "'")
              << ", expected a constant";
    return;
  }
  UnrolledLoop loop(c, body);
  for (int64_t trip = 0; trip < *count && !loop.isDone; ++trip) {
    if (trip == kMaxSequenceLength) {
      c.error() << "carries a sequence and runs more than "
                << kMaxSequenceLength << " trips";
      return;
    }
    if (!loop.runTrip(trip))
      return;
  }
  loop.setOutputs();
}

static void convertSequenceMap(NodeContext &c) {
  const OnnxSubgraph *body = c.graphAttr("body");
  if (!body)
    return;
  if (body->inputs.size() != c.numInputs() ||
      body->outputs.size() < c.node.outputs.size()) {
    c.error() << "body has " << body->inputs.size() << " inputs and "
              << body->outputs.size() << " outputs, expected " << c.numInputs()
              << " and at least " << c.node.outputs.size();
    return;
  }
  if (!isSequence(c.input(0))) {
    c.error() << "input 0 is " << kindText(c.input(0))
              << ", expected a sequence";
    return;
  }
  size_t length = sequenceElements(c.input(0)).size();
  SmallVector<SmallVector<Value>> results(c.node.outputs.size());
  for (size_t i = 0; i < length; ++i) {
    SmallVector<Value> inputs, outputs;
    for (auto [number, input] : llvm::enumerate(c.allInputs())) {
      bool isMapped = input && isSequence(input);
      if (!input || (isMapped && sequenceElements(input).size() != length)) {
        c.error() << "input " << number << " is "
                  << (input ? kindText(input) : "missing")
                  << ", expected a tensor or " << kindText(c.input(0));
        return;
      }
      inputs.push_back(isMapped ? sequenceElements(input)[i] : input);
    }
    if (!c.graphs.convert(*body, inputs, outputs)) {
      c.fail();
      return;
    }
    for (auto [result, output] : llvm::zip(results, outputs))
      result.push_back(output);
  }
  for (auto [index, result] : llvm::enumerate(results))
    c.setOutput(index,
                makeSequence(c.graph.getBuilder(), c.graph.getLoc(), result));
}

void ambit::onnx_import::addSequenceMap(ConverterTable &table) {
  table.add("SequenceMap", convertSequenceMap, 1, kAnyNumber)
      .since(17)
      .allSequences()
      .storedTypes();
}
