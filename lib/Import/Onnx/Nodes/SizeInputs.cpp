// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the nodes backwards from the operands that are sizes. Shape and Size
// end the walk: what they give does not depend on data.

#include "SizeInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ambit;
using namespace ambit::onnx_import;

namespace {
/// What becomes of a value.
struct Use {
  bool isSize = false;
  /// Some use is neither a bound of a slice nor mere movement.
  bool isOther = false;
};

/// A set of operand positions.
using Positions = uint32_t;
} // namespace

static Positions sizeOperands(llvm::StringRef op) {
  return llvm::StringSwitch<Positions>(op)
      .Cases("Reshape", "Expand", "Tile", "TopK", "OneHot", "Split", 1u << 1)
      .Case("ConstantOfShape", 1u << 0)
      .Case("Slice", 1u << 1 | 1u << 2)
      .Case("Pad", 1u << 1)
      .Case("Range", 1u << 0 | 1u << 1 | 1u << 2)
      .Case("Resize", 1u << 3)
      .Case("Loop", 1u << 0 | 1u << 1)
      .Default(0);
}

/// Operands whose elements come out as they went in.
static Positions movedOperands(llvm::StringRef op) {
  return llvm::StringSwitch<Positions>(op)
      .Cases("Identity", "Unsqueeze", "Squeeze", "Reshape", "Gather", "Slice",
             "Split", "Flatten", 1u << 0)
      .Case("Concat", ~0u)
      .Default(0);
}

static bool has(Positions positions, size_t operand) {
  return operand < 32 && (positions >> operand & 1);
}

static bool readsShapeOnly(llvm::StringRef op) {
  return op == "Shape" || op == "Size";
}

/// Adds to each operand's use what the node makes of it.
static void visit(const OnnxNode &node, std::vector<Use> &uses) {
  Use result;
  for (ValueId output : node.outputs) {
    result.isSize |= uses[output].isSize;
    result.isOther |= uses[output].isOther;
  }
  for (auto [index, input] : llvm::enumerate(node.inputs)) {
    Use &use = uses[input];
    if (has(sizeOperands(node.opType), index)) {
      use.isSize = true;
      use.isOther |= node.opType != "Slice";
    } else if (has(movedOperands(node.opType), index)) {
      use.isSize |= result.isSize;
      use.isOther |= result.isOther;
    } else if (!readsShapeOnly(node.opType)) {
      use.isSize |= result.isSize;
      use.isOther = true;
    }
  }
}

llvm::StringMap<SizeInput>
ambit::onnx_import::findSizeInputs(const OnnxModel &model,
                                   const OnnxGraph &graph) {
  std::vector<Use> uses(graph.valueNames.size());
  for (const onnx::ValueInfoProto &output : model.graph().output())
    uses[graph.ids.lookup(output.name())].isOther = true;
  for (const OnnxNode &node : llvm::reverse(graph.nodes))
    visit(node, uses);
  llvm::StringMap<SizeInput> inputs;
  for (const onnx::ValueInfoProto &input : model.graph().input()) {
    ValueId id = graph.ids.lookup(input.name());
    if (id != 0 && uses[id].isSize)
      inputs[input.name()].onlyBoundSlices = !uses[id].isOther;
  }
  return inputs;
}
