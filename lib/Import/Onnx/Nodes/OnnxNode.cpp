// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about nodes that need no converter.

#include "OnnxNode.h"

using namespace ambit::onnx_import;

std::string ambit::onnx_import::fullName(const OnnxNode &node) {
  if (isDefaultDomain(node.domain))
    return node.opType.str();
  return (node.domain + "." + node.opType).str();
}

/// Follows Identity nodes back.
static ValueId originOf(const OnnxSubgraph &graph, ValueId id) {
  for (const OnnxNode &node : llvm::reverse(graph.nodes))
    if (node.opType == "Identity" && isDefaultDomain(node.domain) &&
        node.outputs.size() == 1 && node.outputs[0] == id)
      id = node.inputs[0];
  return id;
}

bool ambit::onnx_import::isInvariant(const OnnxSubgraph &body,
                                     unsigned number) {
  return originOf(body, body.outputs[number + 1]) == body.inputs[number + 2];
}
