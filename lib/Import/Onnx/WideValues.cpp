// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses where 16-bit floats are rounded, and keeps their f32 forms.

#include "WideValues.h"
#include "../EightBitFloat.h"
#include "NodeContext.h"
#include "ambit/Shape/FollowValues.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

Precision ambit::onnx_import::getPrecision(StringRef opType) {
  return llvm::StringSwitch<Precision>(opType)
      // Arithmetic and functions of elements.
      .Cases("Add", "Sub", "Mul", "Div", "Pow", "Sum", "Mean", Precision::Wide)
      .Cases("Abs", "Neg", "Reciprocal", "Sqrt", "Exp", "Log", "Erf",
             Precision::Wide)
      .Cases("Sin", "Cos", "Tan", "Asin", "Acos", "Atan", Precision::Wide)
      .Cases("Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", Precision::Wide)
      .Cases("Min", "Max", "Clip", "Relu", "LeakyRelu", "PRelu",
             "ThresholdedRelu", Precision::Wide)
      .Cases("Elu", "Selu", "Celu", "Gelu", "Mish", "Swish", "Shrink",
             Precision::Wide)
      .Cases("Sigmoid", "HardSigmoid", "HardSwish", "Softplus", "Softsign",
             Precision::Wide)
      .Cases("QuantizeLinear", "DequantizeLinear", Precision::Wide)
      // What combines many elements.
      .Cases("Softmax", "LogSoftmax", "Attention", Precision::Wide)
      .Cases("ReduceSum", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceMean",
             Precision::Wide)
      .Cases("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
             "ReduceSumSquare", Precision::Wide)
      .Cases("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool",
             Precision::Wide)
      .Cases("AveragePool", "LpPool", Precision::Wide)
      .Cases("BatchNormalization", "LayerNormalization", "RMSNormalization",
             "InstanceNormalization", "GroupNormalization",
             "SimplifiedLayerNormalization", Precision::Wide)
      .Cases("LRN", "LpNormalization", "MeanVarianceNormalization",
             Precision::Wide)
      .Cases("LSTM", "GRU", "RNN", "LinearAttention", "CausalConvWithState",
             Precision::Wide)
      .Cases("MatMul", "Gemm", "Conv", "ConvTranspose", "Einsum",
             "com.microsoft.FusedMatMul", Precision::Product)
      .Cases("Scatter", "ScatterElements", "ScatterND", "DFT", "STFT", "Col2Im",
             "RoiAlign", "Det", "DeformConv", Precision::Wide)
      .Cases("CumSum", "CumProd", "RotaryEmbedding", "AffineGrid", "GridSample",
             Precision::Wide)
      // Of ONNX Runtime.
      .Cases("com.microsoft.Gelu", "com.microsoft.FastGelu",
             "com.microsoft.BiasGelu", "com.microsoft.QuickGelu",
             "com.microsoft.RotaryEmbedding", "com.microsoft.MatMulNBits",
             "com.microsoft.MultiHeadAttention", Precision::Wide)
      .Cases("com.microsoft.GroupQueryAttention", "com.microsoft.GroupNorm",
             Precision::Wide)
      // Movement.
      .Cases("Identity", "Dropout", "Where", "Expand", Precision::Moved)
      .Cases("Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose",
             Precision::Moved)
      .Cases("Slice", "Split", "Concat", "CenterCropPad", "ReverseSequence",
             Precision::Moved)
      .Default(Precision::Stored);
}

static Precision precisionOf(const OnnxNode &node) {
  return getPrecision(fullName(node));
}

/// Whether an operator that computes in f32 takes an input as it is stored: a
/// factor of a product.
static bool isFactor(const OnnxNode &node, size_t index) {
  return precisionOf(node) == Precision::Product &&
         (index < 2 || node.opType == "Einsum");
}

WideValues::WideValues(const OnnxModel &model, const OnnxGraph &graph)
    : isRounded(graph.valueNames.size()), wide(graph.valueNames.size()) {
  for (const onnx::ValueInfoProto &output : model.graph().output())
    isRounded[graph.ids.lookup(output.name())] = true;
  markRounded(graph.nodes);
}

/// From the last node backwards, so that a node that moves elements knows what
/// becomes of them.
void WideValues::markRounded(const std::vector<OnnxNode> &nodes) {
  for (const OnnxNode &node : llvm::reverse(nodes)) {
    for (ValueId id : node.captures)
      isRounded[id] = true;
    for (const auto &[name, subgraph] : node.graphs) {
      for (ValueId id : subgraph->outputs)
        isRounded[id] = true;
      markRounded(subgraph->nodes);
    }
    Precision precision = precisionOf(node);
    // 0 stands for an output that nobody asked for.
    auto isRoundedOutput = [&](ValueId id) { return id != 0 && isRounded[id]; };
    bool takesWide = precision == Precision::Wide ||
                     precision == Precision::Product ||
                     (precision == Precision::Moved &&
                      llvm::none_of(node.outputs, isRoundedOutput));
    for (auto [index, id] : llvm::enumerate(node.inputs))
      if (!takesWide || isFactor(node, index))
        isRounded[id] = true;
  }
}

/// The narrow type of a node's floats, if that is the only one they have. A
/// mixture is for the converter to take or to refuse.
static Type narrowTypeOf(ArrayRef<Value> storedInputs) {
  Type found;
  for (Value input : storedInputs) {
    if (!input || !isa<FloatType>(elementTypeOf(input)) ||
        compose::isEightBitFloat(elementTypeOf(input)))
      continue;
    Type type = elementTypeOf(input);
    if (!isNarrowFloat(type) || (found && type != found))
      return {};
    found = type;
  }
  return found;
}

/// The f32 form of a value. Constants that take part in decisions at compile
/// time, being small or all the same, stay constants.
static FailureOr<Value> widen(GraphBuilder &builder, Value value) {
  Type f32 = builder.getBuilder().getF32Type();
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  if (!dense ||
      (!dense.isSplat() && dense.getNumElements() > kMaxFollowedElements))
    return builder.cast(value, f32);
  return builder.constant(dense.mapValues(f32, [](const APFloat &narrow) {
    APFloat number = narrow;
    bool losesInfo;
    number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number.bitcastToAPInt();
  }));
}

/// The sum of a product has a type of its own, so that a bias of another one
/// would not be noticed.
static bool checkBias(const OnnxNode &node, GraphBuilder &builder,
                      ArrayRef<Value> inputs) {
  if (precisionOf(node) != Precision::Product)
    return true;
  Type type = elementTypeOf(inputs.front());
  for (auto [index, input] : llvm::enumerate(inputs))
    if (input && !isFactor(node, index) && elementTypeOf(input) != type) {
      builder.emitError() << "input " << index << " has element type "
                          << elementTypeOf(input) << ", expected " << type;
      return false;
    }
  return true;
}

bool WideValues::widenInputs(const OnnxNode &node, GraphBuilder &builder,
                             MutableArrayRef<Value> inputs) {
  if (!checkBias(node, builder, inputs))
    return false;
  Precision precision = precisionOf(node);
  if (precision == Precision::Stored || !narrowTypeOf(inputs))
    return true;
  auto isWide = [&](ValueId id) { return bool(wide[id]); };
  if (precision == Precision::Moved && llvm::none_of(node.inputs, isWide))
    return true;
  for (auto [index, id, input] : llvm::enumerate(node.inputs, inputs)) {
    if (!input || !isNarrowFloat(elementTypeOf(input)) || isFactor(node, index))
      continue;
    if (wide[id]) {
      input = wide[id];
      continue;
    }
    FailureOr<Value> widened = widen(builder, input);
    if (failed(widened))
      return false;
    input = *widened;
  }
  return true;
}

Value WideValues::roundOutput(const OnnxNode &node, size_t index,
                              ArrayRef<Value> storedInputs,
                              GraphBuilder &builder, Value output) {
  ValueId id = node.outputs[index];
  wide[id] = {};
  Precision precision = precisionOf(node);
  Type narrow = narrowTypeOf(storedInputs);
  // Further outputs of what computes are statistics, in a type of their own,
  // but for the states that some leave.
  bool hasStates = llvm::is_contained(
      {"Attention", "LSTM", "GRU", "RNN", "LinearAttention",
       "CausalConvWithState", "MultiHeadAttention", "GroupQueryAttention"},
      StringRef(node.opType));
  bool isStatistic = precision != Precision::Moved && index > 0 && !hasStates;
  if (precision == Precision::Stored || !narrow ||
      !elementTypeOf(output).isF32() || isStatistic)
    return output;
  if (!isRounded[id])
    wide[id] = output;
  FailureOr<Value> rounded = builder.cast(output, narrow);
  return succeeded(rounded) ? *rounded : Value();
}
