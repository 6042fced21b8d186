// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantization and products of quantized tensors. Products are exact in i32;
// padding is with the zero point, which is 0 after it was subtracted.

#include "../Converters.h"
#include "../TensorData.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

/// A scale or zero point of one element, or of one for each index of `axis`, in
/// a shape that broadcasts to `rank` dims. Null passes through.
static Value parameter(NodeContext &c, Value value, int64_t axis,
                       int64_t rank) {
  if (!value || rankOf(value) == 0)
    return value;
  if (rankOf(value) > 1) {
    c.error() << "scale or zero point has rank " << rankOf(value)
              << ", expected 0 or 1";
    return {};
  }
  if (dimsOf(value)[0].isConstant(1))
    return c.reshape(value, {});
  return c.alongDim(value, axis, rank);
}

static Type i32(NodeContext &c) { return c.graph.getBuilder().getI32Type(); }

/// round(x / scale) + zero, brought into the range of `type`. Ties go to even.
static Value quantize(NodeContext &c, Value x, Value scale, Value zero,
                      Type type) {
  if (!x || !scale)
    return {};
  Type wide = elementTypeOf(x);
  SmallVector<Value> inputs = {x, scale};
  if (zero)
    inputs.push_back(c.cast(zero, wide));
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = type.isUnsignedInteger();
  double low = isUnsigned ? 0 : -std::ldexp(1, width - 1);
  double high = std::ldexp(1, isUnsigned ? width : width - 1) - 1;
  Value rounded = c.map(inputs, [&](ScalarBuilder &s, ValueRange v) {
    Value steps = s.make<math::RoundEvenOp>(s.div(v[0], v[1]));
    if (v.size() == 3)
      steps = s.add(steps, v[2]);
    Value capped = s.min(steps, s.constant(high, steps));
    return s.max(capped, s.constant(low, steps));
  });
  return c.cast(rounded, type);
}

/// x - zero as i32.
static Value centered(NodeContext &c, Value x, Value zero) {
  Value wide = c.cast(x, i32(c));
  return zero ? c.sub(wide, c.cast(zero, i32(c))) : wide;
}

static bool isNarrowInteger(NodeContext &c, Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (integer && (integer.getWidth() == 8 || integer.getWidth() == 16))
    return true;
  c.error() << "quantized element type is " << type
            << ", expected an integer of 8 or 16 bits";
  return false;
}

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

static void convertQuantizeLinear(NodeContext &c) {
  Value x = c.input(0);
  int64_t axis = c.intAttr("axis", 1), rank = rankOf(x);
  bool isPerAxis =
      rankOf(c.input(1)) == 1 && !dimsOf(c.input(1))[0].isConstant(1);
  if (c.intAttr("block_size", 0) != 0) {
    c.error() << "attribute 'block_size' is not supported";
    return;
  }
  if (!c.requireFloat(x, "input") || !c.requireFloat(c.input(1), "scale") ||
      (isPerAxis && !c.normalizeAxis(axis, rank)))
    return;
  Type type = c.graph.getBuilder().getIntegerType(8, /*isSigned=*/false);
  if (c.input(2))
    type = elementTypeOf(c.input(2));
  else if (int64_t wanted = c.intAttr("output_dtype", 0))
    type = getElementType(wanted, c.graph.getLoc());
  if (!type || !isNarrowInteger(c, type))
    return;
  Type wide = computeType(c, "precision", elementTypeOf(c.input(1)));
  if (!wide)
    return;
  Value scale = c.cast(parameter(c, c.input(1), axis, rank), wide);
  Value zero = parameter(c, c.input(2), axis, rank);
  c.setOutput(0, quantize(c, c.cast(x, wide), scale, zero, type));
}

static void convertDequantizeLinear(NodeContext &c) {
  Value x = c.input(0);
  int64_t axis = c.intAttr("axis", 1), rank = rankOf(x);
  bool isPerAxis =
      rankOf(c.input(1)) == 1 && !dimsOf(c.input(1))[0].isConstant(1);
  if (c.intAttr("block_size", 0) != 0) {
    c.error() << "attribute 'block_size' is not supported";
    return;
  }
  if ((isPerAxis && !c.normalizeAxis(axis, rank)) ||
      !c.requireFloat(c.input(1), "scale"))
    return;
  if (!isa<IntegerType>(elementTypeOf(x))) {
    c.error() << "input has element type " << elementTypeOf(x)
              << ", expected an integer type";
    return;
  }
  Type wide = computeType(c, "output_dtype", elementTypeOf(c.input(1)));
  if (!wide)
    return;
  Value scale = c.cast(parameter(c, c.input(1), axis, rank), wide);
  Value steps = centered(c, x, parameter(c, c.input(2), axis, rank));
  c.setOutput(0, c.mul(c.cast(steps, wide), scale));
}

/// Scale and zero point from the extremes of the data, both widened to 0.
static void convertDynamicQuantizeLinear(NodeContext &c) {
  Value x = c.input(0);
  if (!c.requireFloat(x, "input"))
    return;
  SmallVector<int64_t> all;
  for (int64_t dim = 0; dim < rankOf(x); ++dim)
    all.push_back(dim);
  Value low = c.reduce(x, all, ReduceKind::Min, false);
  Value high = c.reduce(x, all, ReduceKind::Max, false);
  Value scale = c.map({low, high}, [](ScalarBuilder &s, ValueRange v) {
    Value zero = s.constant(0, v[0]);
    Value span = s.sub(s.max(v[1], zero), s.min(v[0], zero));
    return s.div(span, s.constant(255, span));
  });
  Value origin = c.map(low, [](ScalarBuilder &s, ValueRange v) {
    return s.neg(s.min(v[0], s.constant(0, v[0])));
  });
  Type byte = c.graph.getBuilder().getIntegerType(8, /*isSigned=*/false);
  Value zero = quantize(c, origin, scale, {}, byte);
  c.setOutput(0, quantize(c, x, scale, zero, byte));
  c.setOutput(1, scale);
  c.setOutput(2, zero);
}

/// The product in i32 of matrices whose zero points were subtracted.
static Value integerProduct(NodeContext &c, Value a, Value aZero, Value b,
                            Value bZero) {
  Value left = centered(c, a, parameter(c, aZero, rankOf(a) - 2, rankOf(a)));
  Value right = centered(c, b, parameter(c, bZero, rankOf(b) - 1, rankOf(b)));
  return multiplyMatrices(c, left, right);
}

static void convertMatMulInteger(NodeContext &c) {
  c.setOutput(
      0, multiplyAsMatrices(c, c.input(0), c.input(1), [&](Value a, Value b) {
        return integerProduct(c, a, c.input(2), b, c.input(3));
      }));
}

/// The quantized product of matrices, with the node's scales and zero points.
static Value scaledProduct(NodeContext &c, Value a, Value b) {
  int64_t rankA = rankOf(a), rankB = rankOf(b);
  Value sums = integerProduct(c, a, c.input(2), b, c.input(5));
  Value scales = c.mul(parameter(c, c.input(1), rankA - 2, rankA),
                       parameter(c, c.input(4), rankB - 1, rankB));
  if (!sums || !scales)
    return {};
  Value product = c.mul(c.cast(sums, elementTypeOf(scales)), scales);
  Value scale = parameter(c, c.input(6), rankA - 2, rankA);
  Value zero = parameter(c, c.input(7), rankA - 2, rankA);
  return quantize(c, product, scale, zero, elementTypeOf(c.input(7)));
}

/// Inputs: a, scale, zero, b, scale, zero, y scale, y zero.
static void convertQLinearMatMul(NodeContext &c) {
  if (!isNarrowInteger(c, elementTypeOf(c.input(7))))
    return;
  auto multiply = [&](Value a, Value b) { return scaledProduct(c, a, b); };
  c.setOutput(0, multiplyAsMatrices(c, c.input(0), c.input(3), multiply));
}

/// The convolution in i32, zero points subtracted.
static Value integerConv(NodeContext &c, Value x, Value xZero, Value filter,
                         Value filterZero) {
  int64_t rank = rankOf(x);
  Value input = centered(c, x, parameter(c, xZero, 1, rank));
  Value weights = centered(c, filter, parameter(c, filterZero, 0, rank));
  return convolve(c, input, weights);
}

static void convertConvInteger(NodeContext &c) {
  c.setOutput(0,
              integerConv(c, c.input(0), c.input(2), c.input(1), c.input(3)));
}

/// Inputs: x, scale, zero, w, scale, zero, y scale, y zero, bias.
static void convertQLinearConv(NodeContext &c) {
  int64_t rank = rankOf(c.input(0));
  Type type = elementTypeOf(c.input(7));
  if (!isNarrowInteger(c, type))
    return;
  Value sums = integerConv(c, c.input(0), c.input(2), c.input(3), c.input(5));
  if (sums && c.input(8))
    sums = c.add(sums, c.alongDim(c.input(8), 1, rank));
  Value scales = c.mul(parameter(c, c.input(1), 1, rank),
                       parameter(c, c.input(4), 1, rank));
  if (!sums || !scales)
    return;
  Value product = c.mul(c.cast(sums, elementTypeOf(scales)), scales);
  c.setOutput(0, quantize(c, product, parameter(c, c.input(6), 1, rank),
                          parameter(c, c.input(7), 1, rank), type));
}

void ambit::onnx_import::addQuantization(ConverterTable &table) {
  table.add("QuantizeLinear", convertQuantizeLinear, 2, 3).since(10);
  table.add("DequantizeLinear", convertDequantizeLinear, 2, 3).since(10);
  table.add("DynamicQuantizeLinear", convertDynamicQuantizeLinear, 1).since(11);
  table.add("MatMulInteger", convertMatMulInteger, 2, 4).since(10);
  table.add("QLinearMatMul", convertQLinearMatMul, 8).since(10);
  table.add("ConvInteger", convertConvInteger, 2, 4).since(10);
  table.add("QLinearConv", convertQLinearConv, 8, 9).since(10);
}
