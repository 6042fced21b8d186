// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activation functions as scalar arithmetic.

#include "Activation.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using Compare = Relation::Kind;
using Kind = Activation::Kind;

/// x where x > bound, else `other`.
static Value whereAbove(ScalarBuilder &s, Value x, double bound, Value other) {
  return s.select(s.compare(Compare::GT, x, s.constant(bound, x)), x, other);
}

static Value expMinusOne(ScalarBuilder &s, Value x) {
  return s.make<math::ExpM1Op>(x);
}

static Value line(ScalarBuilder &s, Value x, double slope, double offset) {
  return s.add(s.mul(x, s.constant(slope, x)), s.constant(offset, x));
}

static Value hardSigmoid(ScalarBuilder &s, Value x, double alpha, double beta) {
  Value sloped = line(s, x, alpha, beta);
  return s.max(s.min(sloped, s.constant(1, x)), s.constant(0, x));
}

static Value leakyRelu(ScalarBuilder &s, Value x, double alpha) {
  Value isNegative = s.compare(Compare::LT, x, s.constant(0, x));
  return s.select(isNegative, s.mul(x, s.constant(alpha, x)), x);
}

static Value selu(ScalarBuilder &s, Value x, double alpha, double gamma) {
  Value below = s.mul(s.constant(alpha, x), expMinusOne(s, x));
  return s.mul(s.constant(gamma, x), whereAbove(s, x, 0, below));
}

static Value celu(ScalarBuilder &s, Value x, double alpha) {
  Value scale = s.constant(alpha, x), zero = s.constant(0, x);
  Value below = s.mul(scale, expMinusOne(s, s.div(x, scale)));
  return s.add(s.max(x, zero), s.min(below, zero));
}

static Value scaledTanh(ScalarBuilder &s, Value x, double alpha, double beta) {
  Value curve = s.make<math::TanhOp>(s.mul(x, s.constant(beta, x)));
  return s.mul(curve, s.constant(alpha, x));
}

static Value swish(ScalarBuilder &s, Value x, double alpha) {
  Value scaled = alpha == 1 ? x : s.mul(x, s.constant(alpha, x));
  return s.mul(x, s.sigmoid(scaled));
}

static Value gelu(ScalarBuilder &s, Value x, bool usesTanh) {
  Value curve;
  if (usesTanh) {
    Value cube = s.mul(s.mul(x, x), x);
    Value inner = s.add(x, s.mul(s.constant(0.044715, x), cube));
    curve = s.make<math::TanhOp>(
        s.mul(s.constant(std::sqrt(2.0 / M_PI), x), inner));
  } else {
    curve = s.make<math::ErfOp>(s.mul(x, s.constant(M_SQRT1_2, x)));
  }
  Value half = s.mul(s.constant(0.5, x), x);
  return s.mul(half, s.add(s.constant(1, x), curve));
}

Value compose::activate(ScalarBuilder &s, Value x, const Activation &f) {
  switch (f.kind) {
  case Kind::Relu:
    return s.max(x, s.constant(0, x));
  case Kind::Tanh:
    return s.make<math::TanhOp>(x);
  case Kind::Sigmoid:
    return s.sigmoid(x);
  case Kind::Affine:
    return line(s, x, f.alpha, f.beta);
  case Kind::LeakyRelu:
    return leakyRelu(s, x, f.alpha);
  case Kind::ThresholdedRelu:
    return whereAbove(s, x, f.alpha, s.constant(0, x));
  case Kind::ScaledTanh:
    return scaledTanh(s, x, f.alpha, f.beta);
  case Kind::HardSigmoid:
    return hardSigmoid(s, x, f.alpha, f.beta);
  case Kind::Elu:
    return whereAbove(s, x, 0,
                      s.mul(s.constant(f.alpha, x), expMinusOne(s, x)));
  case Kind::Selu:
    return selu(s, x, f.alpha, f.beta);
  case Kind::Celu:
    return celu(s, x, f.alpha);
  case Kind::Softsign:
    return s.div(x, s.add(s.constant(1, x), s.abs(x)));
  case Kind::Softplus:
    return s.softplus(x);
  case Kind::HardSwish:
    return s.mul(x, hardSigmoid(s, x, 1.0 / 6, 0.5));
  case Kind::Mish:
    return s.mul(x, s.make<math::TanhOp>(s.softplus(x)));
  case Kind::Swish:
    return swish(s, x, f.alpha);
  case Kind::Gelu:
  case Kind::TanhGelu:
    return gelu(s, x, f.kind == Kind::TanhGelu);
  }
  llvm_unreachable("all kinds are listed");
}

Value compose::activate(ValueBuilder &b, Value x, const Activation &f) {
  if (!x || (f.kind != Kind::Relu && !b.requireFloat(x, "input")))
    return b.fail();
  return b.map(
      x, [&](ScalarBuilder &s, ValueRange v) { return activate(s, v[0], f); });
}

Value compose::parametricRelu(ValueBuilder &b, Value x, Value slope) {
  return b.map({x, b.mul(x, slope)}, [](ScalarBuilder &s, ValueRange v) {
    Value isNegative = s.compare(Compare::LT, v[0], s.constant(0, v[0]));
    return s.select(isNegative, v[1], v[0]);
  });
}

Value compose::shrink(ValueBuilder &b, Value x, double bias, double lambda) {
  return b.map(x, [&](ScalarBuilder &s, ValueRange v) {
    Value x = v[0], shift = s.constant(bias, x);
    Value isLow = s.compare(Compare::LT, x, s.constant(-lambda, x));
    Value isHigh = s.compare(Compare::GT, x, s.constant(lambda, x));
    Value rest = s.select(isHigh, s.sub(x, shift), s.constant(0, x));
    return s.select(isLow, s.add(x, shift), rest);
  });
}

Value compose::clip(ValueBuilder &b, Value x, Value low, Value high) {
  Type type = elementTypeOf(x);
  SmallVector<Value> inputs = {x};
  for (Value value : {low, high})
    if (value) {
      if (elementTypeOf(value) != type || rankOf(value) > 1) {
        b.error() << "bound has type " << value.getType()
                  << ", expected a scalar of " << type;
        return {};
      }
      inputs.push_back(value);
    }
  return b.map(inputs, [&](ScalarBuilder &s, ValueRange v) {
    Value result = v[0];
    if (low)
      result = s.max(result, v[1]);
    return high ? s.min(result, v.back()) : result;
  });
}
