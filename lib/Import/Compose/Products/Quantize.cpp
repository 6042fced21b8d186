// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products are exact in i32; padding is with the zero point, which is 0 after
// it was subtracted.

#include "Quantize.h"
#include "../../EightBitFloat.h"
#include "MatMul.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// A scale or zero point of one element, or of one for each index of `axis`, in
/// a shape that broadcasts to `rank` dims. Null passes through.
static Value parameter(ValueBuilder &b, Value value, int64_t axis,
                       int64_t rank) {
  if (!value || rankOf(value) == 0)
    return value;
  if (rankOf(value) > 1) {
    b.error() << "scale or zero point has rank " << rankOf(value)
              << ", expected 0 or 1";
    return {};
  }
  if (dimsOf(value)[0].isConstant(1))
    return b.reshape(value, {});
  return b.alongDim(value, axis, rank);
}

/// A parameter of blocks, repeated for the elements of `x`.
static Value blockParameter(ValueBuilder &b, Value value, Value x,
                            const QuantizeGrid &grid) {
  if (!value || !x)
    return value;
  SmallVector<Expr> dims = dimsOf(x), own = dimsOf(value);
  int64_t axis = grid.axis;
  if (own.size() != dims.size()) {
    b.error() << "scale or zero point of blocks has rank " << own.size()
              << ", expected " << dims.size();
    return {};
  }
  for (auto [dim, size] : llvm::enumerate(dims)) {
    Expr expected = int64_t(dim) == axis
                        ? b.simplify(Expr::ceilDiv(size, grid.blockSize))
                        : size;
    if (!b.requireEqual(own[dim], expected,
                        "dim " + Twine(dim) + " of the blocks' parameters"))
      return {};
  }
  Value block = b.map(b.iota({dims[axis]}, 0, b.indexType()),
                      [&](ScalarBuilder &s, ValueRange v) {
                        return s.div(v[0], s.integer(grid.blockSize, v[0]));
                      });
  return b.create<GatherOp>(value, block, axis);
}

static Value parameter(ValueBuilder &b, Value value, Value x,
                       const QuantizeGrid &grid) {
  return grid.blockSize ? blockParameter(b, value, x, grid)
                        : parameter(b, value, grid.axis, rankOf(x));
}

static Type i32(ValueBuilder &b) { return b.graph.getBuilder().getI32Type(); }

/// round(x / scale) + zero, brought into the range of `type`. Ties go to even.
static Value toSteps(ValueBuilder &b, Value x, Value scale, Value zero,
                     Type type) {
  if (!x || !scale)
    return {};
  Type wide = elementTypeOf(x);
  SmallVector<Value> inputs = {x, scale};
  if (zero)
    inputs.push_back(b.cast(zero, wide));
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = type.isUnsignedInteger();
  double low = isUnsigned ? 0 : -std::ldexp(1, width - 1);
  double high = std::ldexp(1, isUnsigned ? width : width - 1) - 1;
  Value rounded = b.map(inputs, [&](ScalarBuilder &s, ValueRange v) {
    Value steps = s.make<math::RoundEvenOp>(s.div(v[0], v[1]));
    if (v.size() == 3)
      steps = s.add(steps, v[2]);
    Value capped = s.min(steps, s.constant(high, steps));
    return s.max(capped, s.constant(low, steps));
  });
  return b.cast(rounded, type);
}

/// x - zero as i32, or for floats as f32.
static Value centered(ValueBuilder &b, Value x, Value zero) {
  if (x && isEightBitFloat(elementTypeOf(x))) {
    Value decoded = decodeEightBits(b, x);
    return zero ? b.sub(decoded, decodeEightBits(b, zero)) : decoded;
  }
  Value wide = b.cast(x, i32(b));
  return zero ? b.sub(wide, b.cast(zero, i32(b))) : wide;
}

Value compose::quantize(ValueBuilder &b, Value x, Value scale, Value zero,
                        const QuantizeGrid &grid, Type wide, Type type,
                        bool saturates) {
  scale = b.cast(parameter(b, scale, x, grid), wide);
  x = b.cast(x, wide);
  if (!x || !scale)
    return {};
  if (isEightBitFloat(type))
    return encodeEightBits(
        b, b.cast(b.div(x, scale), b.graph.getBuilder().getF32Type()), type,
        saturates);
  return toSteps(b, x, scale, parameter(b, zero, x, grid), type);
}

Value compose::dequantize(ValueBuilder &b, const Quantized &x,
                          const QuantizeGrid &grid, Type wide) {
  Value scale = b.cast(parameter(b, x.scale, x.value, grid), wide);
  Value steps = centered(b, x.value, parameter(b, x.zero, x.value, grid));
  return b.mul(b.cast(steps, wide), scale);
}

Quantized compose::quantizeDynamically(ValueBuilder &b, Value x) {
  if (!b.requireFloat(x, "input"))
    return {};
  SmallVector<int64_t> all = dimsFrom(0, rankOf(x));
  Value low = b.reduce(x, all, ReduceKind::Min, false);
  Value high = b.reduce(x, all, ReduceKind::Max, false);
  Value scale = b.map({low, high}, [](ScalarBuilder &s, ValueRange v) {
    Value zero = s.constant(0, v[0]);
    Value span = s.sub(s.max(v[1], zero), s.min(v[0], zero));
    return s.div(span, s.constant(255, span));
  });
  Value origin = b.map(low, [](ScalarBuilder &s, ValueRange v) {
    return s.neg(s.min(v[0], s.constant(0, v[0])));
  });
  Value zero = toSteps(b, origin, scale, {}, b.byteType());
  return {toSteps(b, x, scale, zero, b.byteType()), scale, zero};
}

bool compose::requireQuantized(ValueBuilder &b, Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (integer && (integer.getWidth() == 8 || integer.getWidth() == 16))
    return true;
  b.error() << "quantized element type is " << type
            << ", expected an integer of 8 or 16 bits";
  return false;
}

/// The product of matrices in i32.
static Value integerProduct(ValueBuilder &b, Value lhs, Value lhsZero,
                            Value rhs, Value rhsZero) {
  int64_t rankA = rankOf(lhs), rankB = rankOf(rhs);
  Value left = centered(b, lhs, parameter(b, lhsZero, rankA - 2, rankA));
  Value right = centered(b, rhs, parameter(b, rhsZero, rankB - 1, rankB));
  return multiplyMatrices(b, left, right);
}

Value compose::integerMatmul(ValueBuilder &b, const Quantized &lhs,
                             const Quantized &rhs) {
  return multiplyAsMatrices(
      b, lhs.value, rhs.value, [&](Value left, Value right) {
        return integerProduct(b, left, lhs.zero, right, rhs.zero);
      });
}

/// The quantized product of matrices.
static Value scaledProduct(ValueBuilder &b, Value left, Value right,
                           const Quantized &lhs, const Quantized &rhs,
                           const Quantized &to) {
  int64_t rankA = rankOf(left), rankB = rankOf(right);
  Value sums = integerProduct(b, left, lhs.zero, right, rhs.zero);
  Value scales = b.mul(parameter(b, lhs.scale, rankA - 2, rankA),
                       parameter(b, rhs.scale, rankB - 1, rankB));
  if (!sums || !scales)
    return {};
  Value product = b.mul(b.cast(sums, elementTypeOf(scales)), scales);
  Value scale = parameter(b, to.scale, rankA - 2, rankA);
  Value zero = parameter(b, to.zero, rankA - 2, rankA);
  return toSteps(b, product, scale, zero, elementTypeOf(to.zero));
}

Value compose::quantizedMatmul(ValueBuilder &b, const Quantized &lhs,
                               const Quantized &rhs, const Quantized &to) {
  if (!requireQuantized(b, elementTypeOf(to.zero)))
    return {};
  return multiplyAsMatrices(
      b, lhs.value, rhs.value, [&](Value left, Value right) {
        return scaledProduct(b, left, right, lhs, rhs, to);
      });
}

Value compose::integerConv(ValueBuilder &b, const Quantized &x,
                           const Quantized &filter, const ConvSpec &spec) {
  int64_t rank = rankOf(x.value);
  Value input = centered(b, x.value, parameter(b, x.zero, 1, rank));
  Value weights = centered(b, filter.value, parameter(b, filter.zero, 0, rank));
  return conv(b, input, weights, {}, spec);
}

Value compose::quantizedConv(ValueBuilder &b, const Quantized &x,
                             const Quantized &filter, Value bias,
                             const Quantized &to, const ConvSpec &spec) {
  int64_t rank = rankOf(x.value);
  if (!requireQuantized(b, elementTypeOf(to.zero)))
    return {};
  Value sums = addBias(b, integerConv(b, x, filter, spec), bias);
  Value scales = b.mul(parameter(b, x.scale, 1, rank),
                       parameter(b, filter.scale, 1, rank));
  if (!sums || !scales)
    return {};
  Value product = b.mul(b.cast(sums, elementTypeOf(scales)), scales);
  Value zero = parameter(b, to.zero, 1, rank);
  Value scale = parameter(b, to.scale, 1, rank);
  return toSteps(b, product, scale, zero, elementTypeOf(to.zero));
}
