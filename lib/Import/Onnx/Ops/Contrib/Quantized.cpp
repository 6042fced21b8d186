// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators of the domain com.microsoft on quantized tensors: real arithmetic
// between a dequantization and a quantization, and products with quantized
// weights.

#include "../../../Compose/Products/PackedWeights.h"
#include "../../../Compose/Products/Quantize.h"
#include "../Layers/PoolAttrs.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// A quantized tensor from input `first` on, as real numbers.
static Value readReal(NodeContext &c, size_t first) {
  Value x = c.input(first), scale = c.input(first + 1);
  Value zero = c.input(first + 2);
  if (!x || !scale || !requireQuantized(c, elementTypeOf(x)))
    return c.fail();
  return dequantize(c, {x, scale, zero}, {}, elementTypeOf(scale));
}

/// Quantizes the result to the scale at input `first` and the zero point behind
/// it, in the type of the zero point or else of input `like`.
static void setQuantized(NodeContext &c, Value result, size_t first,
                         size_t like) {
  Value scale = c.input(first), zero = c.input(first + 1);
  if (!result || !scale)
    return;
  Type type = elementTypeOf(zero ? zero : c.input(like));
  c.setOutput(0,
              quantize(c, result, scale, zero, {}, elementTypeOf(scale), type));
}

template <Value (ValueBuilder::*fn)(Value, Value)>
static void convertBinary(NodeContext &c) {
  Value lhs = readReal(c, 0), rhs = readReal(c, 3);
  if (lhs && rhs)
    setQuantized(c, (c.*fn)(lhs, rhs), 6, 0);
}

static void convertSigmoid(NodeContext &c) {
  if (Value x = readReal(c, 0))
    setQuantized(c,
                 c.map(x, [](ScalarBuilder &s,
                             ValueRange v) { return s.sigmoid(v[0]); }),
                 3, 0);
}

static void convertLeakyRelu(NodeContext &c) {
  double alpha = c.floatAttr("alpha", 0.01);
  if (Value x = readReal(c, 0))
    setQuantized(
        c,
        c.map(x,
              [&](ScalarBuilder &s, ValueRange v) {
                Value zero = s.constant(0, v[0]);
                Value isBelow = s.compare(Relation::Kind::LT, v[0], zero);
                return s.select(isBelow, s.mul(v[0], s.constant(alpha, v[0])),
                                v[0]);
              }),
        3, 0);
}

static void convertGlobalAveragePool(NodeContext &c) {
  Value x = readReal(c, 0);
  bool isLast = c.intAttr("channels_last", 0) != 0;
  if (!x || rankOf(x) < 3) {
    if (x)
      c.error() << "input has rank " << rankOf(x) << ", expected at least 3";
    return;
  }
  int64_t rank = rankOf(x);
  SmallVector<int64_t> spatial =
      dimsFrom(isLast ? 1 : 2, isLast ? rank - 1 : rank);
  setQuantized(c, c.mean(x, spatial, /*keepDims=*/true), 3, 0);
}

/// Sums and their means are those of real numbers.
static void convertQuantizedPool(NodeContext &c) {
  Value x = readReal(c, 0);
  if (!x)
    return;
  int64_t rank = rankOf(x);
  bool isLast = c.intAttr("channels_last", 0) != 0 && rank >= 3;
  SmallVector<int64_t> inward = dimsFrom(0, rank), outward = inward;
  if (isLast) {
    std::rotate(inward.begin() + 1, inward.end() - 1, inward.end());
    std::rotate(outward.begin() + 1, outward.begin() + 2, outward.end());
    x = c.transpose(x, inward);
  }
  std::optional<PoolSpec> pool = readPool(c, rank);
  if (!x || !pool)
    return;
  Value mean = averagePool(c, x, *pool, c.intAttr("count_include_pad", 0) != 0);
  setQuantized(c, isLast ? c.transpose(mean, outward) : mean, 3, 0);
}

/// Inputs: scale and zero point of the result, then each tensor with its own.
static void convertConcat(NodeContext &c) {
  SmallVector<Value> parts;
  if (c.numInputs() % 3 != 2) {
    c.error() << "has " << c.numInputs()
              << " inputs, expected 2 and 3 for each tensor";
    return;
  }
  for (size_t first = 2; first < c.numInputs(); first += 3)
    parts.push_back(readReal(c, first));
  if (c.hasFailed())
    return;
  int64_t axis = c.intAttr("axis", 0);
  if (c.normalizeAxis(axis, rankOf(parts.front())))
    setQuantized(c, c.concat(parts, axis), 0, 2);
}

/// sums * scale * scale + bias, for sums of integers.
static Value scaleSums(NodeContext &c, Value sums, Value left, Value right,
                       Value bias) {
  if (!sums || !left || !right)
    return {};
  Value scales = c.mul(left, right);
  Value result =
      scales ? c.mul(c.cast(sums, elementTypeOf(left)), scales) : Value();
  return bias && result ? c.add(result, bias) : result;
}

/// Inputs: a, b, their scales, their zero points, bias.
static void convertMatMulIntegerToFloat(NodeContext &c) {
  Value sums = integerMatmul(c, {c.input(0), {}, c.input(4)},
                             {c.input(1), {}, c.input(5)});
  c.setOutput(0, scaleSums(c, sums, c.input(2), c.input(3), c.input(6)));
}

/// Inputs: a, b, scale and zero point of b, bias.
static void convertDynamicQuantizeMatMul(NodeContext &c) {
  Quantized a = quantizeDynamically(c, c.input(0));
  if (!a.value)
    return;
  Value sums =
      integerMatmul(c, {a.value, {}, a.zero}, {c.input(1), {}, c.input(3)});
  c.setOutput(0, scaleSums(c, sums, a.scale, c.input(2), c.input(4)));
}

/// Inputs: x, weights, scales, zero points, order of groups, bias.
static void convertMatMulNBits(NodeContext &c) {
  PackedWeights weights{c.input(1),
                        c.input(2),
                        c.input(3),
                        c.intAttr("N", 0),
                        c.intAttr("K", 0),
                        c.intAttr("bits", 4),
                        c.intAttr("block_size", 0)};
  bool isWidth = weights.bits == 2 || weights.bits == 4 || weights.bits == 8;
  if (!isWidth || weights.rows < 1 || weights.columns < 1 ||
      weights.block < 8 || weights.block % 8 != 0) {
    c.error() << "attributes bits, N, K and block_size are " << weights.bits
              << ", " << weights.rows << ", " << weights.columns << " and "
              << weights.block
              << ", expected 2, 4 or 8, positive sizes and a multiple of 8";
    return;
  }
  if (c.input(4)) {
    c.error() << "input 'g_idx' is not supported";
    return;
  }
  Value product = multiplyPacked(c, c.input(0), weights);
  if (product && c.input(5))
    product = c.add(product, c.input(5));
  c.setOutput(0, product);
}

void ambit::onnx_import::addQuantizedContrib(ConverterTable &table) {
  auto add = [&](StringRef name, ConvertFn convert, unsigned required,
                 unsigned atMost) {
    table.add(("com.microsoft." + name).str(), convert, required, atMost);
  };
  add("QLinearAdd", convertBinary<&ValueBuilder::add>, 7, 8);
  add("QLinearMul", convertBinary<&ValueBuilder::mul>, 7, 8);
  add("QLinearSigmoid", convertSigmoid, 4, 5);
  add("QLinearLeakyRelu", convertLeakyRelu, 4, 5);
  add("QLinearGlobalAveragePool", convertGlobalAveragePool, 5, 5);
  add("QLinearAveragePool", convertQuantizedPool, 4, 5);
  add("QLinearConcat", convertConcat, 5, kAnyNumber);
  add("MatMulIntegerToFloat", convertMatMulIntegerToFloat, 4, 7);
  add("DynamicQuantizeMatMul", convertDynamicQuantizeMatMul, 3, 5);
  add("MatMulNBits", convertMatMulNBits, 3, 6);
}
