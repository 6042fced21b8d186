// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a converter of one ONNX node works with: the node's inputs and
// attributes, and a builder whose methods pass failures on as null values, so
// that converters read like formulas.

#ifndef AMBIT_LIB_IMPORT_ONNX_NODECONTEXT_H
#define AMBIT_LIB_IMPORT_ONNX_NODECONTEXT_H

#include "Nodes/OnnxNode.h"
#include "ScalarBuilder.h"
#include "ambit/Shape/FollowValues.h"
#include "ambit/Shape/GraphBuilder.h"

namespace ambit::onnx_import {

using mlir::ArrayRef;
using mlir::SmallVector;
using mlir::SmallVectorImpl;
using mlir::StringRef;
using mlir::Value;
using mlir::ValueRange;

/// Whether it is f16 or bf16.
inline bool isNarrowFloat(mlir::Type type) {
  return mlir::isa<mlir::FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
}

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
  /// A symbol that the model does not have yet: `stem`, or with a number.
  virtual std::string newSymbol(StringRef stem) = 0;
  /// The guards so far, and dropping those that were recorded after.
  virtual size_t countGuards() = 0;
  virtual void dropGuards(size_t first) = 0;
};

/// One node while it is converted. A builder method that gets a null value, or
/// fails, returns null; the error has been emitted at the node by then.
class NodeContext {
public:
  NodeContext(const OnnxNode &node, ArrayRef<Value> inputs,
              ArrayRef<std::string> valueNames, GraphBuilder &builder,
              OnnxModel &model, GraphConverter &graphs)
      : node(node), graph(builder), model(model), graphs(graphs),
        inputs(inputs.begin(), inputs.end()), valueNames(valueNames),
        outputs(node.outputs.size()) {}

  const OnnxNode &node;
  GraphBuilder &graph;
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
  const onnx::TensorProto *tensorAttr(StringRef name);
  /// An attribute that is a graph; an error when it is missing.
  const OnnxSubgraph *graphAttr(StringRef name);

  //===-- Errors and conditions -------------------------------------------===//

  /// Emits an error at the node and fails its conversion.
  mlir::InFlightDiagnostic error() {
    failed = true;
    return graph.emitError();
  }
  bool hasFailed() const { return failed; }
  /// Fails after an error that was emitted elsewhere; the result is null.
  Value fail() {
    failed = true;
    return {};
  }
  /// Requires a condition: proves it, makes it a guard, or fails with `what`.
  bool require(const Condition &condition, const llvm::Twine &what);
  bool requireEqual(Expr lhs, Expr rhs, const llvm::Twine &what);
  bool requireDivisible(Expr expr, Expr divisor, const llvm::Twine &what);
  /// Brings an axis from -rank..rank-1 to 0..rank-1.
  bool normalizeAxis(int64_t &axis, int64_t rank);
  bool normalizeAxes(SmallVectorImpl<int64_t> &axes, int64_t rank);
  bool requireFloat(Value value, StringRef what);
  /// A new size that only a run knows, named after the node's first output
  /// and ending in `suffix`, at most `most`; the op that sets it is built next.
  /// Null text on failure.
  std::string newCount(Expr most, StringRef suffix = "_count");
  /// Whether the inputs alone give the value: no data that is computed, and no
  /// number of a loop's trip.
  bool isKnownAtEntry(Expr expr);
  /// A name for dim `dim` of an output, computed at entry from what is known
  /// there: see ShapeContext::define.
  Expr define(size_t output, size_t dim, Expr value);
  Prover &prover() { return graph.getContext().getProver(); }
  Expr simplify(Expr expr) { return graph.getContext().simplify(expr); }

  //===-- Values known at compile time ------------------------------------===//

  /// The elements of an input as expressions; an error that names the input
  /// when the values depend on data.
  std::optional<SmallVector<Expr>> knownInput(size_t index, StringRef what);
  /// The name that the model has for an input.
  StringRef inputName(size_t index) const {
    return valueNames[node.inputs[index]];
  }
  /// As above, and without symbols.
  std::optional<SmallVector<int64_t>> constantInput(size_t index,
                                                    StringRef what);
  /// The elements of an input that is a constant, as doubles.
  std::optional<SmallVector<double>> constantFloats(Value value);
  /// Axes from the attribute or, when it is absent, from an input.
  std::optional<SmallVector<int64_t>> axes(StringRef attribute, size_t index);

  //===-- Building --------------------------------------------------------===//

  using Body = llvm::function_ref<Value(ScalarBuilder &, ValueRange)>;
  /// Elementwise over the broadcast inputs; the result has the element type of
  /// the first input unless one is given.
  Value map(ValueRange values, Body body, mlir::Type elementType = {});
  /// Arithmetic of two tensors, whose element types must agree.
  Value add(Value x, Value y) { return binary(x, y, &ScalarBuilder::add); }
  Value sub(Value x, Value y) { return binary(x, y, &ScalarBuilder::sub); }
  Value mul(Value x, Value y) { return binary(x, y, &ScalarBuilder::mul); }
  Value div(Value x, Value y) { return binary(x, y, &ScalarBuilder::div); }

  Value cast(Value value, mlir::Type elementType);
  mlir::FailureOr<SmallVector<Expr>>
  broadcastShapes(ArrayRef<SmallVector<Expr>> shapes);
  Value broadcast(Value value, ArrayRef<Expr> shape);
  Value reshape(Value value, ArrayRef<Expr> shape);
  Value transpose(Value value, ArrayRef<int64_t> permutation);
  Value reduce(Value value, ArrayRef<int64_t> dims,
               ambit::graph::ReduceKind kind, bool keepDims);
  /// Sum over `dims` divided by their number of elements.
  Value mean(Value value, ArrayRef<int64_t> dims, bool keepDims);
  /// Sums of narrow floats are f32.
  Value contract(Value lhs, Value rhs);
  Value concat(ArrayRef<Value> values, int64_t dim);
  /// All of the other dims, and [offset, offset + size) of one.
  Value sliceDim(Value value, int64_t dim, Expr offset, Expr size);
  Value pad(Value value, Value fill, ArrayRef<Expr> low, ArrayRef<Expr> high,
            ambit::graph::PadMode mode = ambit::graph::PadMode::Constant);
  Value iota(ArrayRef<Expr> shape, int64_t dim, mlir::Type elementType);
  Value scalar(double value, mlir::Type elementType) {
    return graph.scalar(value, elementType);
  }
  Value dims(ArrayRef<Expr> values, mlir::Type elementType,
             bool isScalar = false);
  /// Inserts dims of size 1 at these positions of the result.
  Value unsqueeze(Value value, ArrayRef<int64_t> positions);
  /// A tensor of rank 1 along dim `dim` of `rank` dims: [C] to [1, C, 1, 1].
  Value alongDim(Value value, int64_t dim, int64_t rank);

  /// Any other op of the dialect; arguments as in its builder.
  template <typename OpT, typename... Args> Value create(Args &&...args) {
    if ((isNull(args) || ...))
      return fail();
    return take(graph.create<OpT>(std::forward<Args>(args)...));
  }

private:
  Value binary(Value x, Value y, Value (ScalarBuilder::*fn)(Value, Value));
  template <typename T> static bool isNull(const T &arg) {
    if constexpr (std::is_same_v<T, Value>)
      return !arg;
    return false;
  }
  Value take(mlir::FailureOr<Value> value) {
    return mlir::succeeded(value) ? *value : fail();
  }
  const onnx::AttributeProto *
  attribute(StringRef name, onnx::AttributeProto::AttributeType type);

  SmallVector<Value> inputs;
  ArrayRef<std::string> valueNames;
  SmallVector<Value> outputs;
  bool failed = false;
};

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_NODECONTEXT_H
