// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantization and products of quantized tensors.

#include "../../Compose/Products/Quantize.h"
#include "../../EightBitFloat.h"
#include "../TensorData.h"
#include "Layers/WindowAttrs.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// The float type in which an attribute says to compute, or `otherwise`; null
/// after an error.
static Type computeType(NodeContext &c, StringRef attribute, Type otherwise) {
  int64_t wanted = c.intAttr(attribute, 0);
  if (wanted == 0 || c.hasFailed())
    return c.hasFailed() ? Type() : otherwise;
  Type type = getElementType(wanted, c.graph.getLoc());
  if (type && !isa<FloatType>(type)) {
    c.error() << "attribute '" << attribute << "' is " << type
              << ", expected a float type";
    return {};
  }
  return type;
}

/// Where scales and zero points belong; nothing after an error.
static std::optional<QuantizeGrid> readGrid(NodeContext &c) {
  QuantizeGrid grid{c.intAttr("axis", 1), c.intAttr("block_size", 0)};
  int64_t rank = rankOf(c.input(0));
  Value scale = c.input(1);
  bool isPerAxis = rankOf(scale) == 1 && !dimsOf(scale)[0].isConstant(1);
  if (grid.blockSize < 0) {
    c.error() << "attribute 'block_size' is " << grid.blockSize
              << ", expected 0 or more";
    return std::nullopt;
  }
  if (!c.requireFloat(scale, "scale") ||
      ((isPerAxis || grid.blockSize) && !c.normalizeAxis(grid.axis, rank)))
    return std::nullopt;
  return grid;
}

static void convertQuantizeLinear(NodeContext &c) {
  Value x = c.input(0);
  std::optional<QuantizeGrid> grid = readGrid(c);
  if (!grid)
    return;
  bool isInteger = elementTypeOf(x).isInteger(32);
  if (!isInteger && !c.requireFloat(x, "input"))
    return;
  Type type = c.byteType();
  if (c.input(2))
    type = elementTypeOf(c.input(2));
  else if (int64_t wanted = c.intAttr("output_dtype", 0))
    type = getElementType(wanted, c.graph.getLoc());
  if (!type)
    return;
  if (!isStorageType(type) && !requireQuantized(c, type))
    return;
  if (Type wide = computeType(c, "precision", elementTypeOf(c.input(1))))
    c.setOutput(0, quantize(c, x, c.input(1), c.input(2), *grid, wide, type,
                            c.intAttr("saturate", 1) != 0));
}

static void convertDequantizeLinear(NodeContext &c) {
  Value x = c.input(0);
  std::optional<QuantizeGrid> grid = readGrid(c);
  if (!grid)
    return;
  Type type = elementTypeOf(x);
  if (!isa<IntegerType>(type) && !isEightBitFloat(type)) {
    c.error() << "input has element type " << type
              << ", expected an integer type or a float of 8 bits";
    return;
  }
  if (c.input(2) && elementTypeOf(c.input(2)) != type) {
    c.error() << "zero point has element type " << elementTypeOf(c.input(2))
              << ", expected " << type;
    return;
  }
  if (Type wide = computeType(c, "output_dtype", elementTypeOf(c.input(1))))
    c.setOutput(0, dequantize(c, {x, c.input(1), c.input(2)}, *grid, wide));
}

static void convertDynamicQuantizeLinear(NodeContext &c) {
  Quantized result = quantizeDynamically(c, c.input(0));
  c.setOutput(0, result.value);
  c.setOutput(1, result.scale);
  c.setOutput(2, result.zero);
}

/// A value, a scale and a zero point from input `first` on.
static Quantized readQuantized(NodeContext &c, size_t first) {
  return {c.input(first), c.input(first + 1), c.input(first + 2)};
}

static void convertMatMulInteger(NodeContext &c) {
  c.setOutput(0, integerMatmul(c, {c.input(0), {}, c.input(2)},
                               {c.input(1), {}, c.input(3)}));
}

/// Inputs: a, scale, zero, b, scale, zero, y scale, y zero.
static void convertQLinearMatMul(NodeContext &c) {
  c.setOutput(0, quantizedMatmul(c, readQuantized(c, 0), readQuantized(c, 3),
                                 {{}, c.input(6), c.input(7)}));
}

static void convertConvInteger(NodeContext &c) {
  if (auto spec = readConv(c, c.input(0), c.input(1)))
    c.setOutput(0, integerConv(c, {c.input(0), {}, c.input(2)},
                               {c.input(1), {}, c.input(3)}, *spec));
}

/// Inputs: x, scale, zero, w, scale, zero, y scale, y zero, bias.
static void convertQLinearConv(NodeContext &c) {
  if (auto spec = readConv(c, c.input(0), c.input(3)))
    c.setOutput(0,
                quantizedConv(c, readQuantized(c, 0), readQuantized(c, 3),
                              c.input(8), {{}, c.input(6), c.input(7)}, *spec));
}

void ambit::onnx_import::addQuantization(ConverterTable &table) {
  table.add("QuantizeLinear", convertQuantizeLinear, 2, 3)
      .since(10)
      .storedTypes();
  table.add("DequantizeLinear", convertDequantizeLinear, 2, 3)
      .since(10)
      .storedTypes();
  table.add("DynamicQuantizeLinear", convertDynamicQuantizeLinear, 1).since(11);
  table.add("MatMulInteger", convertMatMulInteger, 2, 4).since(10);
  table.add("QLinearMatMul", convertQLinearMatMul, 8).since(10);
  table.add("ConvInteger", convertConvInteger, 2, 4).since(10);
  table.add("QLinearConv", convertQLinearConv, 8, 9).since(10);
}
