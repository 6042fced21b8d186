// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access to a node's attributes and inputs.

#include "NodeContext.h"
#include "InputValues.h"
#include "ambit/Shape/FollowSizes.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;
using onnx::AttributeProto;

/// What the model calls the first output that is asked for.
static StringRef firstOutput(const OnnxNode &node,
                             ArrayRef<std::string> valueNames) {
  auto output = llvm::find_if(node.outputs, [](ValueId id) { return id != 0; });
  return valueNames[output == node.outputs.end() ? 0 : *output];
}

NodeContext::NodeContext(const OnnxNode &node, ArrayRef<Value> inputs,
                         ArrayRef<std::string> valueNames,
                         GraphBuilder &builder, compose::SymbolNames &symbols,
                         OnnxModel &model, GraphConverter &graphs)
    : ValueBuilder(builder, symbols, firstOutput(node, valueNames)), node(node),
      model(model), graphs(graphs), inputs(inputs.begin(), inputs.end()),
      valueNames(valueNames), outputs(node.outputs.size()) {}

//===-- Attributes --------------------------------------------------------===//

const AttributeProto *
NodeContext::attribute(StringRef name, AttributeProto::AttributeType type) {
  auto it = node.attributes.find(name.str());
  if (it == node.attributes.end())
    return nullptr;
  if (it->second->type() == type)
    return it->second;
  error() << "attribute '" << name << "' has type "
          << AttributeProto::AttributeType_Name(it->second->type())
          << ", expected " << AttributeProto::AttributeType_Name(type);
  return nullptr;
}

int64_t NodeContext::intAttr(StringRef name, int64_t otherwise) {
  const AttributeProto *found = attribute(name, AttributeProto::INT);
  return found ? found->i() : otherwise;
}

double NodeContext::floatAttr(StringRef name, double otherwise) {
  const AttributeProto *found = attribute(name, AttributeProto::FLOAT);
  return found ? double(found->f()) : otherwise;
}

std::string NodeContext::stringAttr(StringRef name, StringRef otherwise) {
  const AttributeProto *found = attribute(name, AttributeProto::STRING);
  return found ? found->s() : otherwise.str();
}

SmallVector<int64_t> NodeContext::intsAttr(StringRef name,
                                           ArrayRef<int64_t> otherwise) {
  const AttributeProto *found = attribute(name, AttributeProto::INTS);
  if (!found)
    return SmallVector<int64_t>(otherwise);
  return SmallVector<int64_t>(found->ints().begin(), found->ints().end());
}

SmallVector<double> NodeContext::floatsAttr(StringRef name) {
  const AttributeProto *found = attribute(name, AttributeProto::FLOATS);
  if (!found)
    return {};
  return SmallVector<double>(found->floats().begin(), found->floats().end());
}

SmallVector<std::string> NodeContext::stringsAttr(StringRef name) {
  const AttributeProto *found = attribute(name, AttributeProto::STRINGS);
  if (!found)
    return {};
  return SmallVector<std::string>(found->strings().begin(),
                                  found->strings().end());
}

const onnx::TensorProto *NodeContext::tensorAttr(StringRef name) {
  const AttributeProto *found = attribute(name, AttributeProto::TENSOR);
  return found ? &found->t() : nullptr;
}

const OnnxSubgraph *NodeContext::graphAttr(StringRef name) {
  auto it = node.graphs.find(name.str());
  if (it != node.graphs.end())
    return it->second.get();
  if (!attribute(name, AttributeProto::GRAPH) && !hasFailed())
    error() << "attribute '" << name << "' is missing";
  return nullptr;
}

//===-- Known values ------------------------------------------------------===//

std::optional<SmallVector<Expr>> NodeContext::knownInput(size_t index,
                                                         StringRef what) {
  SizeObstacle obstacle;
  std::optional<SmallVector<Expr>> elements =
      followSizes(inputs[index], graph.getContext(), obstacle);
  if (elements)
    return elements;
  InFlightDiagnostic problem = error();
  problem << what << " (input " << index << ", '"
          << valueNames[node.inputs[index]] << "') ";
  if (obstacle.isData)
    problem << "depends on data; it must be known from the shapes of the "
               "model's inputs";
  else
    problem << "is computed from sizes in a way that is no expression of "
               "them; expected integer arithmetic, or floats that are exact";
  if (obstacle.isData)
    suggestValues(problem, inputs[index]);
  if (!obstacle.isData && obstacle.op)
    problem.attachNote(obstacle.op->getLoc()) << "cannot be followed here";
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> NodeContext::constantInput(size_t index,
                                                               StringRef what) {
  std::optional<SmallVector<Expr>> elements = knownInput(index, what);
  if (!elements)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (Expr element : *elements) {
    std::optional<int64_t> value = element.constant();
    if (!value) {
      InFlightDiagnostic problem = error();
      problem << what << " (input " << index << ") is '" << element.str()
              << "', expected a constant";
      suggestValues(problem, inputs[index]);
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

static void suggestValue(InFlightDiagnostic &problem, StringRef name,
                         StringRef form) {
  problem.attachNote() << "input '" << name
                       << "' of the model decides it; where that is the same "
                          "at every call, fix it with --value "
                       << name << form;
}

void NodeContext::suggestValues(InFlightDiagnostic &problem, Value value) {
  for (const FixableInput &input : findFixableInputs(value))
    suggestValue(problem, input.name, input.isScalar ? "=.." : "=[..]");
}

void NodeContext::suggestValues(InFlightDiagnostic &problem,
                                ArrayRef<Expr> exprs) {
  std::set<std::string> symbols, inputs;
  for (Expr expr : exprs)
    expr.collectSymbols(symbols);
  for (const std::string &symbol : symbols)
    if (isElementName(symbol))
      inputs.insert(StringRef(symbol).rsplit('[').first.str());
  for (const std::string &input : inputs)
    suggestValue(problem, input, "=[..]");
}

std::optional<SmallVector<int64_t>> NodeContext::axes(StringRef attribute,
                                                      size_t index) {
  if (hasAttr(attribute) || !input(index))
    return intsAttr(attribute);
  return constantInput(index, attribute);
}

Value NodeContext::secondOperand() {
  Value value = input(1);
  if (opset() >= 7)
    return value;
  int64_t rank = rankOf(input(0)), own = rankOf(value);
  if (intAttr("broadcast", 0) == 0) {
    if (own == rank)
      return value;
    error() << "inputs have ranks " << rank << " and " << own
            << ", which before opset 7 needs attribute 'broadcast'";
    return {};
  }
  int64_t axis = intAttr("axis", rank - own);
  if (axis < 0)
    axis += rank;
  if (axis < 0 || axis + own > rank) {
    error() << "input of rank " << own << " does not fit at axis "
            << intAttr("axis", rank - own) << " of rank " << rank;
    return {};
  }
  SmallVector<Expr> dims = dimsOf(value);
  dims.resize(rank - axis, Expr(1));
  return broadcast(reshape(value, dims), dimsOf(input(0)));
}
