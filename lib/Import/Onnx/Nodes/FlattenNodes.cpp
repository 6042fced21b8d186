// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inlines model-local functions. Names are local to a function, so every call
// opens a scope that maps names to the numbers of values; parameters map to the
// values of the caller. Graphs among the attributes open a scope too, which
// sees the names around it.

#include "Limits.h"
#include "OnnxNode.h"
#include "mlir/IR/Diagnostics.h"
#include <google/protobuf/unknown_field_set.h>

using namespace mlir;
using namespace ambit::onnx_import;

/// Fields that are younger than the protobuf classes.
constexpr int kNodeOverload = 8, kFunctionOverload = 13, kFunctionDefaults = 11;

static std::string youngString(const google::protobuf::Message &message,
                               int number) {
  const auto &fields = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i)
    if (fields.field(i).number() == number &&
        fields.field(i).type() ==
            google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      return fields.field(i).length_delimited();
  return "";
}

static std::string functionKey(StringRef domain, StringRef name,
                               StringRef overload) {
  if (isDefaultDomain(domain))
    domain = "";
  return (domain + ":" + name + ":" + overload).str();
}

std::string
ambit::onnx_import::functionKey(const onnx::FunctionProto &function) {
  return ::functionKey(function.domain(), function.name(),
                       youngString(function, kFunctionOverload));
}

std::string ambit::onnx_import::functionKey(const onnx::NodeProto &node) {
  return ::functionKey(node.domain(), node.op_type(),
                       youngString(node, kNodeOverload));
}

namespace {

/// Where a list of nodes stands: the main graph, one call of a function, or a
/// graph among the attributes.
struct Scope {
  llvm::StringMap<ValueId> &ids;
  std::vector<OnnxNode> &nodes;
  std::string prefix;
  int64_t opset = 0;
  unsigned depth = 0;
  /// The caller's attributes, which inner nodes may refer to.
  const std::map<std::string, const onnx::AttributeProto *> *attributes =
      nullptr;
  /// For a graph among the attributes: the scope around it, and itself.
  Scope *around = nullptr;
  OnnxSubgraph *graph = nullptr;
};

class Flattener {
public:
  Flattener(const OnnxModel &model, OnnxGraph &graph)
      : model(model), graph(graph) {}
  LogicalResult run();

private:
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
  LogicalResult addNodes(const Nodes &nodes, Scope &scope);
  OnnxNode makeNode(const onnx::NodeProto &proto, int index, Scope &scope);
  LogicalResult addGraphs(const onnx::NodeProto &proto, OnnxNode &node,
                          Scope &scope);
  LogicalResult addGraph(const onnx::AttributeProto &attribute, OnnxNode &node,
                         Scope &scope);
  LogicalResult addCall(const onnx::FunctionProto &function, OnnxNode call,
                        const Scope &caller);
  LogicalResult bindParameters(const onnx::FunctionProto &function,
                               const OnnxNode &call, Scope &scope);
  void addDefaults(const onnx::FunctionProto &function, OnnxNode &call);
  FailureOr<int64_t> functionOpset(const onnx::FunctionProto &function,
                                   const OnnxNode &call, int64_t callerOpset);
  /// Refuses names that calls within calls have made too long.
  LogicalResult checkNames(const OnnxNode &node);
  ValueId newValue(StringRef name) {
    nameBytes += name.size();
    graph.valueNames.push_back(name.str());
    return graph.valueNames.size() - 1;
  }
  ValueId idOf(StringRef name, Scope &scope) {
    if (name.empty())
      return 0;
    if (scope.around && !scope.ids.count(name)) {
      ValueId id = idOf(name, *scope.around);
      if (!llvm::is_contained(scope.graph->captures, id))
        scope.graph->captures.push_back(id);
      return id;
    }
    auto [it, isNew] = scope.ids.try_emplace(name, 0);
    if (isNew)
      it->second = newValue(scope.prefix + name.str());
    return it->second;
  }

  const OnnxModel &model;
  OnnxGraph &graph;
  llvm::StringMap<const onnx::FunctionProto *> functions;
  SmallVector<const onnx::FunctionProto *> callStack;
  size_t nameBytes = 0;
};

} // namespace

OnnxNode Flattener::makeNode(const onnx::NodeProto &proto, int index,
                             Scope &scope) {
  OnnxNode node;
  node.name = scope.prefix + (proto.name().empty() ? "#" + std::to_string(index)
                                                   : proto.name());
  nameBytes += node.name.size();
  node.opType = proto.op_type();
  node.domain = proto.domain();
  node.opset = scope.opset;
  for (const std::string &input : proto.input())
    node.inputs.push_back(idOf(input, scope));
  for (const std::string &output : proto.output())
    node.outputs.push_back(idOf(output, scope));
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    if (attribute.ref_attr_name().empty()) {
      node.attributes[attribute.name()] = &attribute;
      continue;
    }
    // A reference to an attribute that the call leaves out means: left out.
    if (!scope.attributes)
      continue;
    auto it = scope.attributes->find(attribute.ref_attr_name());
    if (it != scope.attributes->end())
      node.attributes[attribute.name()] = it->second;
  }
  return node;
}

LogicalResult Flattener::checkNames(const OnnxNode &node) {
  if (node.name.size() > kMaxNameBytes)
    return emitError(model.loc())
           << "name of node '" << shorten(node.name) << "' has "
           << node.name.size() << " bytes with those of the calls around it, "
           << "expected at most " << kMaxNameBytes;
  if (nameBytes > kMaxAllNameBytes)
    return emitError(model.loc())
           << "names of nodes and values have more than " << kMaxAllNameBytes
           << " bytes after functions were inlined";
  return success();
}

LogicalResult Flattener::addNodes(const Nodes &nodes, Scope &scope) {
  for (auto [index, proto] : llvm::enumerate(nodes)) {
    OnnxNode node = makeNode(proto, index, scope);
    if (failed(checkNames(node)))
      return failure();
    auto it = functions.find(ambit::onnx_import::functionKey(proto));
    if (it != functions.end()) {
      if (failed(addCall(*it->second, std::move(node), scope)))
        return failure();
      continue;
    }
    if (failed(addGraphs(proto, node, scope)))
      return failure();
    scope.nodes.push_back(std::move(node));
  }
  return success();
}

LogicalResult Flattener::addGraphs(const onnx::NodeProto &proto, OnnxNode &node,
                                   Scope &scope) {
  for (const onnx::AttributeProto &given : proto.attribute()) {
    auto it = node.attributes.find(given.name());
    if (it == node.attributes.end() ||
        it->second->type() != onnx::AttributeProto::GRAPH)
      continue;
    // Its names are those of the caller.
    if (!given.ref_attr_name().empty())
      return emitError(model.locOf(node.name))
             << "attribute '" << given.name()
             << "' is a graph that the call of a function hands on, which is "
                "not supported";
    if (failed(addGraph(*it->second, node, scope)))
      return failure();
  }
  return success();
}

LogicalResult Flattener::addGraph(const onnx::AttributeProto &attribute,
                                  OnnxNode &node, Scope &scope) {
  if (scope.depth == kMaxCallDepth)
    return emitError(model.locOf(node.name))
           << "graphs are nested deeper than " << kMaxCallDepth;
  auto inner = std::make_shared<OnnxSubgraph>();
  const onnx::GraphProto &proto = attribute.g();
  inner->proto = &proto;
  llvm::StringMap<ValueId> ids;
  Scope within{ids,         inner->nodes,    node.name + "/",
               scope.opset, scope.depth + 1, scope.attributes,
               &scope,      inner.get()};
  // What the graph defines anywhere hides the names around it.
  auto define = [&](StringRef name) {
    if (!name.empty() && !ids.count(name))
      ids[name] = newValue(within.prefix + name.str());
  };
  for (const onnx::ValueInfoProto &input : proto.input())
    define(input.name());
  for (const onnx::TensorProto &tensor : proto.initializer())
    define(tensor.name());
  for (const onnx::NodeProto &definition : proto.node())
    for (const std::string &output : definition.output())
      define(output);
  for (const onnx::ValueInfoProto &input : proto.input())
    inner->inputs.push_back(idOf(input.name(), within));
  for (const onnx::TensorProto &tensor : proto.initializer())
    if (ValueId id = idOf(tensor.name(), within))
      inner->initializers.push_back({id, &tensor});
  if (failed(addNodes(proto.node(), within)))
    return failure();
  for (const onnx::ValueInfoProto &output : proto.output())
    inner->outputs.push_back(idOf(output.name(), within));
  node.graphs[attribute.name()] = std::move(inner);
  return success();
}

FailureOr<int64_t> Flattener::functionOpset(const onnx::FunctionProto &function,
                                            const OnnxNode &call,
                                            int64_t callerOpset) {
  int64_t opset = callerOpset;
  for (const onnx::OperatorSetIdProto &import : function.opset_import())
    if (isDefaultDomain(import.domain()))
      opset = import.version();
  // Without any import, the first node that needs one is refused.
  if (opset == 0 || (opset >= kMinOpset && opset <= kMaxOpset))
    return opset;
  return emitError(model.locOf(call.name))
         << "function '" << function.name() << "' imports opset " << opset
         << ", expected " << kMinOpset << " to " << kMaxOpset;
}

LogicalResult Flattener::bindParameters(const onnx::FunctionProto &function,
                                        const OnnxNode &call, Scope &scope) {
  if (int(call.inputs.size()) > function.input_size() ||
      int(call.outputs.size()) > function.output_size())
    return emitError(model.locOf(call.name))
           << "call of function '" << function.name() << "' has "
           << call.inputs.size() << " inputs and " << call.outputs.size()
           << " outputs, expected at most " << function.input_size() << " and "
           << function.output_size();
  for (auto [index, name] : llvm::enumerate(function.input()))
    scope.ids[name] = index < call.inputs.size() ? call.inputs[index] : 0;
  for (auto [index, id] : llvm::enumerate(call.outputs)) {
    StringRef name = function.output(index);
    if (id == 0)
      continue;
    auto [it, isNew] = scope.ids.try_emplace(name, id);
    if (isNew)
      continue;
    // The parameter is handed on, or given twice.
    OnnxNode copy;
    copy.name = call.name;
    copy.opType = "Identity";
    copy.opset = kMaxOpset;
    copy.inputs = {it->second};
    copy.outputs = {id};
    scope.nodes.push_back(std::move(copy));
  }
  return success();
}

void Flattener::addDefaults(const onnx::FunctionProto &function,
                            OnnxNode &call) {
  const auto &fields = function.GetReflection()->GetUnknownFields(function);
  for (int i = 0; i < fields.field_count(); ++i) {
    const google::protobuf::UnknownField &field = fields.field(i);
    onnx::AttributeProto attribute;
    if (field.number() != kFunctionDefaults ||
        field.type() != google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED ||
        !attribute.ParseFromString(field.length_delimited()))
      continue;
    std::string name = attribute.name();
    graph.ownedAttributes.push_back(std::move(attribute));
    call.attributes.try_emplace(name, &graph.ownedAttributes.back());
  }
}

LogicalResult Flattener::addCall(const onnx::FunctionProto &function,
                                 OnnxNode call, const Scope &caller) {
  if (llvm::is_contained(callStack, &function))
    return emitError(model.locOf(call.name))
           << "function '" << function.name() << "' calls itself";
  if (caller.depth == kMaxCallDepth)
    return emitError(model.locOf(call.name))
           << "functions are nested deeper than " << kMaxCallDepth << " calls";
  FailureOr<int64_t> opset = functionOpset(function, call, caller.opset);
  if (failed(opset))
    return failure();
  llvm::StringMap<ValueId> ids;
  Scope scope{ids,    caller.nodes,     call.name + "/",
              *opset, caller.depth + 1, &call.attributes};
  if (failed(bindParameters(function, call, scope)))
    return failure();
  addDefaults(function, call);
  callStack.push_back(&function);
  LogicalResult result = addNodes(function.node(), scope);
  callStack.pop_back();
  return result;
}

LogicalResult Flattener::run() {
  for (const onnx::FunctionProto &function : model.proto().functions())
    functions[ambit::onnx_import::functionKey(function)] = &function;
  Scope scope{graph.ids, graph.nodes, "", model.opset()};
  // Ids of inputs and outputs exist even when no node mentions them.
  for (const onnx::ValueInfoProto &input : model.graph().input())
    idOf(input.name(), scope);
  if (failed(addNodes(model.graph().node(), scope)))
    return failure();
  for (const onnx::ValueInfoProto &output : model.graph().output())
    idOf(output.name(), scope);
  return success();
}

LogicalResult ambit::onnx_import::flatten(const OnnxModel &model,
                                          OnnxGraph &graph) {
  if (failed(checkLimits(model)))
    return failure();
  return Flattener(model, graph).run();
}
