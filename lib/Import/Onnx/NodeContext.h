// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a converter of one ONNX node works with: the node's inputs and
// attributes, and a builder of values.

#ifndef AMBIT_LIB_IMPORT_ONNX_NODECONTEXT_H
#define AMBIT_LIB_IMPORT_ONNX_NODECONTEXT_H

#include "../ValueBuilder.h"
#include "Nodes/OnnxNode.h"

namespace ambit::onnx_import {

using compose::isNarrowFloat;
using compose::ScalarBuilder;
using compose::ValueBuilder;
using mlir::ArrayRef;
using mlir::SmallVector;
using mlir::SmallVectorImpl;
using mlir::StringRef;
using mlir::Value;
using mlir::ValueRange;

/// Converts the graphs among a node's attributes.
class GraphConverter {
public:
  virtual ~GraphConverter() = default;
  /// The value of an id; null when it could not be made.
  virtual Value valueOf(ValueId id) = 0;
  /// Lets an id stand for another value from now on.
  virtual void bind(ValueId id, Value value) = 0;
  /// Converts the nodes at the builder's insertion point, `inputs` being the
  /// values of the graph's inputs. Appends a value for each output; false after
  /// an error.
  virtual bool convert(const OnnxSubgraph &graph, ArrayRef<Value> inputs,
                       SmallVectorImpl<Value> &outputs) = 0;
  /// The guards so far, and dropping those that were recorded after.
  virtual size_t countGuards() = 0;
  virtual void dropGuards(size_t first) = 0;
};

/// One node while it is converted. Errors are emitted at the node.
class NodeContext : public ValueBuilder {
public:
  NodeContext(const OnnxNode &node, ArrayRef<Value> inputs,
              ArrayRef<std::string> valueNames, GraphBuilder &builder,
              compose::SymbolNames &symbols, OnnxModel &model,
              GraphConverter &graphs);

  const OnnxNode &node;
  OnnxModel &model;
  GraphConverter &graphs;

  //===-- Inputs and outputs ----------------------------------------------===//

  int64_t opset() const { return node.opset; }
  size_t numInputs() const { return inputs.size(); }
  /// The input, or null when it was left out.
  Value input(size_t index) const {
    return index < inputs.size() ? inputs[index] : Value();
  }
  ArrayRef<Value> allInputs() const { return inputs; }
  /// The name that the model has for an input.
  StringRef inputName(size_t index) const {
    return valueNames[node.inputs[index]];
  }
  /// The name that the model has for an output.
  StringRef outputName(size_t index) const {
    return valueNames[node.outputs[index]];
  }
  bool wantsOutput(size_t index) const {
    return index < node.outputs.size() && node.outputs[index] != 0;
  }
  void setOutput(size_t index, Value value) {
    if (index < outputs.size())
      outputs[index] = value;
  }
  Value output(size_t index) const { return outputs[index]; }

  //===-- Attributes: a wrong type is an error ----------------------------===//

  bool hasAttr(StringRef name) const {
    return node.attributes.count(name.str()) != 0;
  }
  int64_t intAttr(StringRef name, int64_t otherwise);
  double floatAttr(StringRef name, double otherwise);
  std::string stringAttr(StringRef name, StringRef otherwise);
  SmallVector<int64_t> intsAttr(StringRef name,
                                ArrayRef<int64_t> otherwise = {});
  SmallVector<double> floatsAttr(StringRef name);
  SmallVector<std::string> stringsAttr(StringRef name);
  const onnx::TensorProto *tensorAttr(StringRef name);
  /// An attribute that is a graph; an error when it is missing.
  const OnnxSubgraph *graphAttr(StringRef name);
  /// An attribute that is the name of one of several choices; an error that
  /// lists them when it is none.
  template <typename T>
  std::optional<T> choiceAttr(StringRef name, StringRef otherwise,
                              ArrayRef<std::pair<StringRef, T>> choices);

  //===-- Values known at compile time ------------------------------------===//

  /// The elements of an input as expressions; an error that names the input
  /// when the values depend on data.
  std::optional<SmallVector<Expr>> knownInput(size_t index, StringRef what);
  /// As above, and without symbols.
  std::optional<SmallVector<int64_t>> constantInput(size_t index,
                                                    StringRef what);
  /// Notes the inputs of the model that decide a value, where these could be
  /// fixed by an option.
  static void suggestValues(mlir::InFlightDiagnostic &problem, Value value);
  /// The same for expressions in elements of the model's inputs.
  static void suggestValues(mlir::InFlightDiagnostic &problem,
                            ArrayRef<Expr> exprs);
  /// Input 1 in a shape that broadcasts to input 0. Before opset 7, attributes
  /// `broadcast` and `axis` say which dims are its; null after an error.
  Value secondOperand();
  /// Axes from the attribute or, when it is absent, from an input.
  std::optional<SmallVector<int64_t>> axes(StringRef attribute, size_t index);

private:
  const onnx::AttributeProto *
  attribute(StringRef name, onnx::AttributeProto::AttributeType type);

  SmallVector<Value> inputs;
  ArrayRef<std::string> valueNames;
  SmallVector<Value> outputs;
};

template <typename T>
std::optional<T>
NodeContext::choiceAttr(StringRef name, StringRef otherwise,
                        ArrayRef<std::pair<StringRef, T>> choices) {
  std::string text = stringAttr(name, otherwise);
  for (const auto &[choice, value] : choices)
    if (choice == text)
      return value;
  mlir::InFlightDiagnostic diagnostic = error();
  diagnostic << "attribute '" << name << "' is '" << text
             << "', supported are ";
  llvm::interleave(
      choices, [&](const auto &choice) { diagnostic << choice.first; },
      [&] { diagnostic << ", "; });
  return std::nullopt;
}

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_NODECONTEXT_H
