// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the messages of a model once, before anything is made of them.

#include "Limits.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit::onnx_import;

/// The bytes of a name that a message shows.
constexpr size_t kShownBytes = 64;

std::string ambit::onnx_import::shorten(StringRef name) {
  if (name.size() <= kShownBytes)
    return name.str();
  return (name.take_front(kShownBytes) + "...").str();
}

namespace {
class LimitChecker {
public:
  explicit LimitChecker(const OnnxModel &model) : model(model) {}
  LogicalResult run();

private:
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
  using Names = google::protobuf::RepeatedPtrField<std::string>;

  void check(StringRef what, StringRef name);
  void check(StringRef what, const Names &names) {
    for (const std::string &name : names)
      check(what, name);
  }
  void check(const onnx::ValueInfoProto &value);
  void check(const Nodes &nodes, unsigned depth);
  void check(const onnx::GraphProto &graph, unsigned depth);
  void checkArguments();
  uint64_t countNodes(const Nodes &nodes, unsigned depth);
  uint64_t countCall(const onnx::FunctionProto &function, unsigned depth);

  const OnnxModel &model;
  llvm::StringMap<const onnx::FunctionProto *> functions;
  /// The nodes that a call becomes; 0 while they are being counted.
  llvm::DenseMap<const onnx::FunctionProto *, uint64_t> counts;
  LogicalResult result = success();
};
} // namespace

void LimitChecker::check(StringRef what, StringRef name) {
  if (name.size() <= kMaxNameBytes || failed(result))
    return;
  result = emitError(model.loc())
           << what << " '" << shorten(name) << "' has " << name.size()
           << " bytes, expected at most " << kMaxNameBytes;
}

void LimitChecker::check(const onnx::ValueInfoProto &value) {
  check("name", value.name());
  for (const auto &dim : value.type().tensor_type().shape().dim())
    check("dim", dim.dim_param());
}

/// Graphs below the depth that `flatten` refuses are not looked at.
void LimitChecker::check(const Nodes &nodes, unsigned depth) {
  for (const onnx::NodeProto &node : nodes) {
    check("name of a node", node.name());
    check("operator", node.op_type());
    check("domain", node.domain());
    check("name of a value", node.input());
    check("name of a value", node.output());
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      check("attribute", attribute.name());
      check("attribute", attribute.ref_attr_name());
      if (attribute.has_g() && depth < kMaxCallDepth)
        check(attribute.g(), depth + 1);
    }
  }
}

void LimitChecker::check(const onnx::GraphProto &graph, unsigned depth) {
  check("name of a graph", graph.name());
  for (const onnx::ValueInfoProto &value : graph.input())
    check(value);
  for (const onnx::ValueInfoProto &value : graph.output())
    check(value);
  for (const onnx::ValueInfoProto &value : graph.value_info())
    check(value);
  for (const onnx::TensorProto &tensor : graph.initializer())
    check("name of a tensor", tensor.name());
  check(graph.node(), depth);
}

uint64_t LimitChecker::countCall(const onnx::FunctionProto &function,
                                 unsigned depth) {
  auto [it, isNew] = counts.try_emplace(&function, 0);
  if (!isNew)
    return it->second;
  uint64_t count = countNodes(function.node(), depth + 1);
  return counts[&function] = std::max<uint64_t>(count, 1);
}

/// The nodes that calls among these become.
uint64_t LimitChecker::countNodes(const Nodes &nodes, unsigned depth) {
  uint64_t count = 0;
  if (depth > kMaxCallDepth)
    return count;
  for (const onnx::NodeProto &node : nodes) {
    auto callee = functions.find(functionKey(node));
    if (callee != functions.end()) {
      count = llvm::SaturatingAdd(count, countCall(*callee->second, depth));
      continue;
    }
    // Depth 0 is the main graph, whose own nodes are there already.
    count += depth > 0;
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        count = llvm::SaturatingAdd(
            count, countNodes(attribute.g().node(), depth + (depth > 0)));
  }
  return count;
}

/// What callers hand in and get back.
void LimitChecker::checkArguments() {
  llvm::StringSet<> weights;
  for (const onnx::TensorProto &tensor : model.graph().initializer())
    weights.insert(tensor.name());
  size_t inputs = llvm::count_if(model.graph().input(), [&](const auto &input) {
    return !weights.contains(input.name());
  });
  auto refuse = [&](size_t count, StringRef what) {
    if (count <= kMaxArguments)
      return;
    emitError(model.loc()) << "model has " << count << " " << what
                           << ", expected at most " << kMaxArguments;
    result = failure();
  };
  refuse(inputs, "inputs");
  refuse(model.graph().output_size(), "outputs");
}

LogicalResult LimitChecker::run() {
  check(model.graph(), 0);
  checkArguments();
  for (const onnx::FunctionProto &function : model.proto().functions()) {
    check("name of a function", function.name());
    check("name of a function", function.domain());
    check("name of a parameter", function.input());
    check("name of a parameter", function.output());
    check(function.node(), 0);
    functions[functionKey(function)] = &function;
  }
  if (failed(result) || functions.empty())
    return result;
  uint64_t count = countNodes(model.graph().node(), 0);
  if (count <= kMaxInlinedNodes)
    return success();
  InFlightDiagnostic error = emitError(model.loc());
  error << "calls of functions become ";
  if (count == UINT64_MAX)
    error << "more than 10^19";
  else
    error << count;
  return error << " nodes, expected at most " << kMaxInlinedNodes;
}

LogicalResult ambit::onnx_import::checkLimits(const OnnxModel &model) {
  return LimitChecker(model).run();
}
