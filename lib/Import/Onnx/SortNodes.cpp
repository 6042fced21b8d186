// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders nodes by their dependences. The ONNX standard asks for sorted nodes;
// real files do not always comply.

#include "OnnxNode.h"
#include "mlir/IR/Diagnostics.h"
#include <queue>

using namespace mlir;
using namespace ambit::onnx_import;

constexpr unsigned kMaxErrors = 10, kMaxNamedInCycle = 8;

namespace {

class Sorter {
public:
  Sorter(const OnnxModel &model, OnnxGraph &graph)
      : model(model), graph(graph), producer(graph.valueNames.size(), -1),
        isSource(graph.valueNames.size(), false) {}
  LogicalResult run();

private:
  void findSources();
  LogicalResult findProducers();
  LogicalResult checkUses();
  LogicalResult order();
  LogicalResult reportCycle(const std::vector<unsigned> &waiting);
  void dropDead();

  const OnnxModel &model;
  OnnxGraph &graph;
  /// The node that defines a value, or -1.
  std::vector<int> producer;
  /// Graph inputs and initializers.
  std::vector<bool> isSource;
};

} // namespace

void Sorter::findSources() {
  auto add = [&](const std::string &name) {
    auto it = graph.ids.find(name);
    if (it != graph.ids.end())
      isSource[it->second] = true;
  };
  for (const onnx::ValueInfoProto &input : model.graph().input())
    add(input.name());
  for (const onnx::TensorProto &tensor : model.graph().initializer())
    add(tensor.name());
  for (const auto &sparse : model.graph().sparse_initializer())
    add(sparse.values().name());
}

LogicalResult Sorter::findProducers() {
  unsigned errors = 0;
  for (auto [index, node] : llvm::enumerate(graph.nodes))
    for (ValueId id : node.outputs) {
      if (id == 0)
        continue;
      if ((producer[id] >= 0 || isSource[id]) && ++errors <= kMaxErrors) {
        InFlightDiagnostic error = emitError(model.locOf(node.name));
        error << "value '" << graph.valueNames[id] << "' is defined twice";
        if (producer[id] >= 0)
          error.attachNote(model.locOf(graph.nodes[producer[id]].name))
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
  for (const OnnxNode &node : graph.nodes)
    for (auto [index, id] : llvm::enumerate(node.inputs))
      if (!isDefined(id) && ++errors <= kMaxErrors)
        emitError(model.locOf(node.name))
            << node.opType << ": input " << index << " is '"
            << graph.valueNames[id] << "', which nothing defines";
  for (const onnx::ValueInfoProto &output : model.graph().output())
    if ((output.name().empty() ||
         !isDefined(graph.ids.lookup(output.name()))) &&
        ++errors <= kMaxErrors)
      emitError(model.loc())
          << "output '" << output.name() << "' is not defined by any node";
  return success(errors == 0);
}

LogicalResult Sorter::order() {
  std::vector<unsigned> waiting(graph.nodes.size(), 0);
  std::vector<SmallVector<unsigned, 2>> users(graph.nodes.size());
  // The earliest ready node comes first: sorted files keep their order.
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<unsigned>>
      ready;
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    for (ValueId id : node.inputs)
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
  if (sorted.size() != graph.nodes.size())
    return reportCycle(waiting);
  std::vector<OnnxNode> nodes;
  for (unsigned index : sorted)
    nodes.push_back(std::move(graph.nodes[index]));
  graph.nodes = std::move(nodes);
  return success();
}

LogicalResult Sorter::reportCycle(const std::vector<unsigned> &waiting) {
  // Every waiting node waits for another one; walking back ends in the cycle.
  unsigned current = 0;
  while (waiting[current] == 0)
    ++current;
  std::vector<int> position(graph.nodes.size(), -1);
  std::vector<unsigned> path;
  while (position[current] < 0) {
    position[current] = path.size();
    path.push_back(current);
    for (ValueId id : graph.nodes[current].inputs)
      if (id != 0 && producer[id] >= 0 && waiting[producer[id]] != 0) {
        current = producer[id];
        break;
      }
  }
  path.erase(path.begin(), path.begin() + position[current]);
  InFlightDiagnostic error = emitError(model.locOf(graph.nodes[current].name));
  error << "graph has a cycle: ";
  for (auto [count, index] : llvm::enumerate(llvm::reverse(path))) {
    if (count == kMaxNamedInCycle) {
      error << "... -> ";
      break;
    }
    error << "'" << graph.nodes[index].name << "' -> ";
  }
  error << "'" << graph.nodes[path.back()].name << "'";
  return error;
}

void Sorter::dropDead() {
  std::vector<bool> isLive(graph.valueNames.size(), false);
  for (const onnx::ValueInfoProto &output : model.graph().output())
    isLive[graph.ids.lookup(output.name())] = true;
  isLive[0] = false;
  std::vector<OnnxNode> kept;
  for (OnnxNode &node : llvm::reverse(graph.nodes)) {
    if (llvm::none_of(node.outputs, [&](ValueId id) { return isLive[id]; }))
      continue;
    for (ValueId id : node.inputs)
      if (id != 0)
        isLive[id] = true;
    // Converters need not make what nobody asks for.
    for (ValueId &id : node.outputs)
      if (!isLive[id])
        id = 0;
    kept.push_back(std::move(node));
  }
  std::reverse(kept.begin(), kept.end());
  graph.nodes = std::move(kept);
}

LogicalResult Sorter::run() {
  findSources();
  if (failed(findProducers()) || failed(checkUses()) || failed(order()))
    return failure();
  dropDead();
  return success();
}

LogicalResult ambit::onnx_import::sortNodes(const OnnxModel &model,
                                            OnnxGraph &graph) {
  return Sorter(model, graph).run();
}
