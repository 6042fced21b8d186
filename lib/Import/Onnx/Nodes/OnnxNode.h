// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nodes of a model as one flat, sorted list: functions inlined, value names
// resolved to numbers. The bodies of control flow are such lists of their own.

#ifndef AMBIT_LIB_IMPORT_ONNX_ONNXNODE_H
#define AMBIT_LIB_IMPORT_ONNX_ONNXNODE_H

#include "../OnnxModel.h"
#include "llvm/ADT/StringMap.h"
#include <deque>

namespace ambit::onnx_import {

/// A value of the model; 0 stands for an input or output that was left out.
using ValueId = unsigned;

struct OnnxSubgraph;

/// One application of an operator.
struct OnnxNode {
  /// The node's name, or "#12" for the 12th node of its list; inside of an
  /// inlined function or a body "caller/name".
  std::string name;
  llvm::StringRef opType, domain;
  /// The version of the default domain that this node means.
  int64_t opset = 0;
  llvm::SmallVector<ValueId, 4> inputs, outputs;
  /// Attributes by name; references to a function's attributes are resolved.
  std::map<std::string, const onnx::AttributeProto *> attributes;
  /// The attributes that are graphs.
  std::map<std::string, std::shared_ptr<OnnxSubgraph>> graphs;
  /// The values from outside that those use.
  llvm::SmallVector<ValueId, 0> captures;
};

/// "com.microsoft.Gelu", or the bare name in the default domain: what tables
/// and messages call the operator of a node.
std::string fullName(const OnnxNode &node);

/// A graph that is an attribute. Its values have ids of their own, other than
/// those of all other graphs; names that it does not define are those of the
/// graphs around it.
struct OnnxSubgraph {
  const onnx::GraphProto *proto = nullptr;
  std::vector<OnnxNode> nodes;
  llvm::SmallVector<ValueId> inputs, outputs;
  llvm::SmallVector<std::pair<ValueId, const onnx::TensorProto *>> initializers;
  /// The values from outside that its nodes and outputs use, each once.
  llvm::SmallVector<ValueId> captures;
};

/// Whether the body of a Loop hands carried value `number` on as it came:
/// through Identity nodes at most.
bool isInvariant(const OnnxSubgraph &body, unsigned number);

/// A graph whose nodes are flat.
struct OnnxGraph {
  /// Nodes in an order in which every value is defined before it is used, and
  /// without those that no output depends on.
  std::vector<OnnxNode> nodes;
  /// Names of values by id, for messages.
  std::vector<std::string> valueNames = {""};
  /// Ids of the values that the main graph names.
  llvm::StringMap<ValueId> ids;
  /// Attributes that exist in no message: defaults of functions.
  std::deque<onnx::AttributeProto> ownedAttributes;
};

/// Inlines functions and resolves names. Emits an error for recursion, for
/// functions of an unknown opset and for graphs handed to functions; calls of
/// unknown functions stay.
mlir::LogicalResult flatten(const OnnxModel &model, OnnxGraph &graph);

/// Sorts the nodes of all graphs, and drops those that no output depends on.
/// Emits errors for cycles, values defined twice, and values never defined.
mlir::LogicalResult sortNodes(const OnnxModel &model, OnnxGraph &graph);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_ONNXNODE_H
