// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activation functions, softmax and its relatives.

#include "../../../Compose/Elements/Activation.h"
#include "../../../Compose/Elements/Softmax.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

using Kind = Activation::Kind;

static void setActivation(NodeContext &c, Kind kind, double alpha = 1,
                          double beta = 0) {
  c.setOutput(0, activate(c, c.input(0), {kind, alpha, beta}));
}

/// A function without attributes.
template <Kind kind> static void convertPlain(NodeContext &c) {
  setActivation(c, kind);
}

static void convertLeakyRelu(NodeContext &c) {
  setActivation(c, Kind::LeakyRelu, c.floatAttr("alpha", 0.01f));
}

/// Before opset 7, slopes of rank 1 are one a channel.
static void convertPRelu(NodeContext &c) {
  Value x = c.input(0), slope = c.input(1);
  if (c.opset() < 7 && rankOf(slope) == 1 && rankOf(x) > 1 &&
      !dimsOf(slope)[0].isConstant(1))
    slope = c.alongDim(slope, 1, rankOf(x));
  c.setOutput(0, parametricRelu(c, x, slope));
}

static void convertElu(NodeContext &c) {
  setActivation(c, Kind::Elu, c.floatAttr("alpha", 1));
}

static void convertSelu(NodeContext &c) {
  setActivation(c, Kind::Selu, c.floatAttr("alpha", 1.67326319217681884765625f),
                c.floatAttr("gamma", 1.05070102214813232421875f));
}

static void convertCelu(NodeContext &c) {
  setActivation(c, Kind::Celu, c.floatAttr("alpha", 1));
}

static void convertThresholdedRelu(NodeContext &c) {
  setActivation(c, Kind::ThresholdedRelu, c.floatAttr("alpha", 1));
}

static void convertHardSigmoid(NodeContext &c) {
  setActivation(c, Kind::HardSigmoid, c.floatAttr("alpha", 0.2f),
                c.floatAttr("beta", 0.5));
}

static void convertSwish(NodeContext &c) {
  setActivation(c, Kind::Swish, c.floatAttr("alpha", 1));
}

static void convertGelu(NodeContext &c) {
  std::string approximate = c.stringAttr("approximate", "none");
  if (approximate != "none" && approximate != "tanh") {
    c.error() << "attribute 'approximate' is '" << approximate
              << "', expected 'none' or 'tanh'";
    return;
  }
  setActivation(c, approximate == "tanh" ? Kind::TanhGelu : Kind::Gelu);
}

static void convertShrink(NodeContext &c) {
  c.setOutput(0, shrink(c, c.input(0), c.floatAttr("bias", 0),
                        c.floatAttr("lambd", 0.5)));
}

/// Bounds are attributes before opset 11 and inputs after.
static void convertClip(NodeContext &c) {
  Type type = elementTypeOf(c.input(0));
  auto bound = [&](size_t index, StringRef name) -> Value {
    if (c.input(index))
      return c.input(index);
    return c.hasAttr(name) ? c.scalar(c.floatAttr(name, 0), type) : Value();
  };
  Value low = bound(1, "min"), high = bound(2, "max");
  c.setOutput(0, clip(c, c.input(0), low, high));
}

/// Calls `along(value, axis)` on the input, flattened to two dims at `axis`
/// before opset 13, where the function ran over all dims from `axis` on.
static void convertAlongAxis(NodeContext &c,
                             llvm::function_ref<Value(Value, int64_t)> along) {
  Value x = c.input(0);
  SmallVector<Expr> shape = dimsOf(x);
  int64_t rank = shape.size();
  bool flattens = c.opset() < 13;
  int64_t axis = c.intAttr("axis", flattens ? 1 : -1);
  if (!c.requireFloat(x, "input"))
    return;
  if (flattens && axis == rank)
    shape.push_back(1);
  else if (!c.normalizeAxis(axis, rank))
    return;
  if (!flattens || axis == rank - 1) {
    c.setOutput(0, along(x, axis));
    return;
  }
  Expr outer = sym::getNumElements(ArrayRef(shape).take_front(axis));
  Expr inner = sym::getNumElements(ArrayRef(shape).drop_front(axis));
  Value flat = c.reshape(x, {outer, inner});
  if (flat)
    c.setOutput(0, c.reshape(along(flat, 1), dimsOf(x)));
}

template <bool isLog> static void convertSoftmax(NodeContext &c) {
  convertAlongAxis(
      c, [&](Value x, int64_t axis) { return softmax(c, x, axis, isLog); });
}

static void convertHardmax(NodeContext &c) {
  convertAlongAxis(c,
                   [&](Value x, int64_t axis) { return hardmax(c, x, axis); });
}

void ambit::onnx_import::addActivations(ConverterTable &table) {
  table.add("Relu", convertPlain<Kind::Relu>, 1);
  table.add("Sigmoid", convertPlain<Kind::Sigmoid>, 1);
  table.add("LeakyRelu", convertLeakyRelu, 1);
  table.add("PRelu", convertPRelu, 2);
  table.add("Elu", convertElu, 1);
  table.add("Selu", convertSelu, 1);
  table.add("Celu", convertCelu, 1).since(12);
  table.add("ThresholdedRelu", convertThresholdedRelu, 1).since(10);
  table.add("HardSigmoid", convertHardSigmoid, 1);
  table.add("HardSwish", convertPlain<Kind::HardSwish>, 1).since(14);
  table.add("Mish", convertPlain<Kind::Mish>, 1).since(18);
  table.add("Swish", convertSwish, 1).since(24);
  table.add("Gelu", convertGelu, 1).since(20);
  table.add("Softplus", convertPlain<Kind::Softplus>, 1);
  table.add("Softsign", convertPlain<Kind::Softsign>, 1);
  table.add("Shrink", convertShrink, 1).since(9);
  table.add("Clip", convertClip, 1, 3);
  table.add("Softmax", convertSoftmax</*isLog=*/false>, 1);
  table.add("LogSoftmax", convertSoftmax</*isLog=*/true>, 1);
  table.add("Hardmax", convertHardmax, 1);
}
