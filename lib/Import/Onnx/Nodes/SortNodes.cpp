// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders nodes by their dependences. The ONNX standard asks for sorted nodes;
// real files do not always comply.

#include "OnnxNode.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include <queue>

using namespace mlir;
using namespace ambit::onnx_import;

constexpr unsigned kMaxErrors = 10, kMaxNamedInCycle = 8;

namespace {

/// Sorts the nodes of one graph.
class Sorter {
public:
  Sorter(const OnnxModel &model, const std::vector<std::string> &valueNames,
         std::vector<OnnxNode> &nodes, Location loc)
      : model(model), valueNames(valueNames), nodes(nodes), loc(loc),
        producer(valueNames.size(), -1), isSource(valueNames.size(), false) {}
  /// A value that is there before all nodes.
  void addSource(ValueId id) { isSource[id] = true; }
  /// A value that is wanted; 0 for a name that no node mentions.
  void addOutput(ValueId id, StringRef name) { outputs.push_back({id, name}); }
  LogicalResult run();

private:
  LogicalResult sortGraphs();
  LogicalResult findProducers();
  LogicalResult checkUses();
  LogicalResult order();
  LogicalResult reportCycle(const std::vector<unsigned> &waiting);
  void dropDead();

  const OnnxModel &model;
  const std::vector<std::string> &valueNames;
  std::vector<OnnxNode> &nodes;
  Location loc;
  std::vector<std::pair<ValueId, StringRef>> outputs;
  /// The node that defines a value, or -1.
  std::vector<int> producer;
  /// Graph inputs, initializers, and what comes from graphs around.
  std::vector<bool> isSource;
};

} // namespace

/// Keeps the captures that sorted nodes and outputs use.
static void pruneCaptures(OnnxSubgraph &graph) {
  llvm::DenseSet<ValueId> used(graph.outputs.begin(), graph.outputs.end());
  for (const OnnxNode &node : graph.nodes) {
    used.insert(node.inputs.begin(), node.inputs.end());
    used.insert(node.captures.begin(), node.captures.end());
  }
  llvm::erase_if(graph.captures,
                 [&](ValueId id) { return !used.contains(id); });
}

LogicalResult Sorter::sortGraphs() {
  for (OnnxNode &node : nodes)
    for (auto &[name, graph] : node.graphs) {
      Sorter inner(model, valueNames, graph->nodes, model.locOf(node.name));
      for (ValueId id : graph->inputs)
        inner.addSource(id);
      for (auto [id, tensor] : graph->initializers)
        inner.addSource(id);
      for (ValueId id : graph->captures)
        inner.addSource(id);
      for (auto [id, output] :
           llvm::zip_equal(graph->outputs, graph->proto->output()))
        inner.addOutput(id, output.name());
      if (failed(inner.run()))
        return failure();
      pruneCaptures(*graph);
      for (ValueId id : graph->captures)
        if (!llvm::is_contained(node.captures, id))
          node.captures.push_back(id);
    }
  return success();
}

LogicalResult Sorter::findProducers() {
  unsigned errors = 0;
  for (auto [index, node] : llvm::enumerate(nodes))
    for (ValueId id : node.outputs) {
      if (id == 0)
        continue;
      if ((producer[id] >= 0 || isSource[id]) && ++errors <= kMaxErrors) {
        InFlightDiagnostic error = emitError(model.locOf(node.name));
        error << "value '" << valueNames[id] << "' is defined twice";
        if (producer[id] >= 0)
          error.attachNote(model.locOf(nodes[producer[id]].name))
              << "first defined here";
      }
      producer[id] = index;
    }
  return success(errors == 0);
}

LogicalResult Sorter::checkUses() {
  unsigned errors = 0;
  auto isDefined = [&](ValueId id) {
    return id == 0 || producer[id] >= 0 || isSource[id];
  };
  for (const OnnxNode &node : nodes) {
    for (auto [index, id] : llvm::enumerate(node.inputs))
      if (!isDefined(id) && ++errors <= kMaxErrors)
        emitError(model.locOf(node.name))
            << node.opType << ": input " << index << " is '" << valueNames[id]
            << "', which nothing defines";
    for (ValueId id : node.captures)
      if (!isDefined(id) && ++errors <= kMaxErrors)
        emitError(model.locOf(node.name))
            << node.opType << ": a graph of it uses '" << valueNames[id]
            << "', which nothing defines";
  }
  for (auto [id, name] : outputs)
    if ((id == 0 || !isDefined(id)) && ++errors <= kMaxErrors)
      emitError(loc) << "output '" << name << "' is not defined by any node";
  return success(errors == 0);
}

LogicalResult Sorter::order() {
  std::vector<unsigned> waiting(nodes.size(), 0);
  std::vector<SmallVector<unsigned, 2>> users(nodes.size());
  // The earliest ready node comes first: sorted files keep their order.
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<unsigned>>
      ready;
  for (auto [index, node] : llvm::enumerate(nodes)) {
    for (ValueId id : llvm::concat<const ValueId>(node.inputs, node.captures))
      if (id != 0 && producer[id] >= 0) {
        users[producer[id]].push_back(index);
        ++waiting[index];
      }
    if (waiting[index] == 0)
      ready.push(index);
  }
  std::vector<unsigned> sorted;
  while (!ready.empty()) {
    unsigned index = ready.top();
    ready.pop();
    sorted.push_back(index);
    for (unsigned user : users[index])
      if (--waiting[user] == 0)
        ready.push(user);
  }
  if (sorted.size() != nodes.size())
    return reportCycle(waiting);
  std::vector<OnnxNode> ordered;
  for (unsigned index : sorted)
    ordered.push_back(std::move(nodes[index]));
  nodes = std::move(ordered);
  return success();
}

LogicalResult Sorter::reportCycle(const std::vector<unsigned> &waiting) {
  // Every waiting node waits for another one; walking back ends in the cycle.
  unsigned current = 0;
  while (waiting[current] == 0)
    ++current;
  std::vector<int> position(nodes.size(), -1);
  std::vector<unsigned> path;
  while (position[current] < 0) {
    position[current] = path.size();
    path.push_back(current);
    for (ValueId id : llvm::concat<const ValueId>(nodes[current].inputs,
                                                  nodes[current].captures))
      if (id != 0 && producer[id] >= 0 && waiting[producer[id]] != 0) {
        current = producer[id];
        break;
      }
  }
  path.erase(path.begin(), path.begin() + position[current]);
  InFlightDiagnostic error = emitError(model.locOf(nodes[current].name));
  error << "graph has a cycle: ";
  for (auto [count, index] : llvm::enumerate(llvm::reverse(path))) {
    if (count == kMaxNamedInCycle) {
      error << "... -> ";
      break;
    }
    error << "'" << nodes[index].name << "' -> ";
  }
  error << "'" << nodes[path.back()].name << "'";
  return error;
}

void Sorter::dropDead() {
  std::vector<bool> isLive(valueNames.size(), false);
  for (auto [id, name] : outputs)
    isLive[id] = true;
  isLive[0] = false;
  std::vector<OnnxNode> kept;
  for (OnnxNode &node : llvm::reverse(nodes)) {
    if (llvm::none_of(node.outputs, [&](ValueId id) { return isLive[id]; }))
      continue;
    for (ValueId id : llvm::concat<ValueId>(node.inputs, node.captures))
      if (id != 0)
        isLive[id] = true;
    // Converters need not make what nobody asks for.
    for (ValueId &id : node.outputs)
      if (!isLive[id])
        id = 0;
    kept.push_back(std::move(node));
  }
  std::reverse(kept.begin(), kept.end());
  nodes = std::move(kept);
}

LogicalResult Sorter::run() {
  if (failed(sortGraphs()) || failed(findProducers()) || failed(checkUses()) ||
      failed(order()))
    return failure();
  dropDead();
  return success();
}

LogicalResult ambit::onnx_import::sortNodes(const OnnxModel &model,
                                            OnnxGraph &graph) {
  Sorter sorter(model, graph.valueNames, graph.nodes, model.loc());
  auto add = [&](const std::string &name) {
    auto it = graph.ids.find(name);
    if (it != graph.ids.end())
      sorter.addSource(it->second);
  };
  for (const onnx::ValueInfoProto &input : model.graph().input())
    add(input.name());
  for (const onnx::TensorProto &tensor : model.graph().initializer())
    add(tensor.name());
  for (const onnx::ValueInfoProto &output : model.graph().output())
    sorter.addOutput(graph.ids.lookup(output.name()), output.name());
  return sorter.run();
}
