// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the nodes backwards from the operands that are sizes, through the
// bodies of control flow too. What only reads shapes ends the walk: what it
// gives does not depend on data.

#include "SizeInputs.h"
#include "../Converters.h"
#include "llvm/ADT/STLExtras.h"

using namespace ambit;
using namespace ambit::onnx_import;

namespace {
/// What becomes of a value.
struct Use {
  bool isSize = false;
  /// Some use is neither a bound of a slice nor mere movement.
  bool isOther = false;

  void add(const Use &use) {
    isSize |= use.isSize;
    isOther |= use.isOther;
  }
};

class SizeFinder {
public:
  SizeFinder(const ConverterTable &table, size_t values)
      : table(table), uses(values) {}
  void visit(const std::vector<OnnxNode> &nodes) {
    for (const OnnxNode &node : llvm::reverse(nodes))
      visit(node);
  }
  Use &useOf(ValueId id) { return uses[id]; }

private:
  void visit(const OnnxNode &node);
  void visitIf(const OnnxNode &node);
  void visitLoop(const OnnxNode &node);

  const ConverterTable &table;
  /// By value; those of all graphs have ids of their own.
  std::vector<Use> uses;
};
} // namespace

/// What a branch ends with is what the node gives.
void SizeFinder::visitIf(const OnnxNode &node) {
  for (const auto &[name, branch] : node.graphs) {
    for (auto [inner, outer] : llvm::zip(branch->outputs, node.outputs))
      uses[inner].add(uses[outer]);
    visit(branch->nodes);
  }
}

/// What trips compute is data; a value that no trip changes is in the body and
/// after the loop what it was before.
void SizeFinder::visitLoop(const OnnxNode &node) {
  for (const auto &[name, body] : node.graphs) {
    for (ValueId id : body->outputs)
      uses[id].isOther = true;
    visit(body->nodes);
    for (size_t i = 2; i < node.inputs.size() && i < body->inputs.size(); ++i) {
      Use &use = uses[node.inputs[i]];
      if (i - 1 >= body->outputs.size() || !isInvariant(*body, i - 2)) {
        use.isOther = true;
        continue;
      }
      use.add(uses[body->inputs[i]]);
      if (i - 2 < node.outputs.size())
        use.add(uses[node.outputs[i - 2]]);
    }
  }
}

/// Adds to each operand's use what the node makes of it.
void SizeFinder::visit(const OnnxNode &node) {
  const ConverterTable::Entry *entry = table.lookup(node);
  if (!entry)
    return;
  bool isLoop = node.opType == "Loop";
  if (isLoop)
    visitLoop(node);
  else if (node.opType == "If")
    visitIf(node);
  else
    for (const auto &[name, body] : node.graphs)
      visit(body->nodes);
  Use result;
  for (ValueId output : node.outputs)
    result.add(uses[output]);
  for (auto [index, input] : llvm::enumerate(node.inputs)) {
    Use &use = uses[input];
    if (entry->has(entry->sizeOperands, index)) {
      use.isSize = true;
      use.isOther |= !entry->has(entry->boundOperands, index);
    } else if (entry->has(entry->movedOperands, index)) {
      use.add(result);
    } else if (!entry->isOnShapes && !isLoop) {
      use.isSize |= result.isSize;
      use.isOther = true;
    }
  }
}

llvm::StringMap<SizeInput>
ambit::onnx_import::findSizeInputs(const OnnxModel &model,
                                   const OnnxGraph &graph,
                                   const ConverterTable &table) {
  SizeFinder finder(table, graph.valueNames.size());
  for (const onnx::ValueInfoProto &output : model.graph().output())
    finder.useOf(graph.ids.lookup(output.name())).isOther = true;
  finder.visit(graph.nodes);
  llvm::StringMap<SizeInput> inputs;
  for (const onnx::ValueInfoProto &input : model.graph().input()) {
    ValueId id = graph.ids.lookup(input.name());
    if (id != 0 && finder.useOf(id).isSize)
      inputs[input.name()].onlyBoundSlices = !finder.useOf(id).isOther;
  }
  return inputs;
}
