// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activation functions, softmax and its relatives.

#include "../Converters.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;
using Compare = Relation::Kind;

/// Sets output 0 to a function of a float input 0.
static void setFunction(NodeContext &c, NodeContext::Body body) {
  if (c.requireFloat(c.input(0), "input"))
    c.setOutput(0, c.map(c.input(0), body));
}

/// x where x > bound, else `other`.
static Value whereAbove(ScalarBuilder &s, Value x, double bound, Value other) {
  return s.select(s.compare(Compare::GT, x, s.constant(bound, x)), x, other);
}

static Value expMinusOne(ScalarBuilder &s, Value x) {
  return s.make<math::ExpM1Op>(x);
}

static void convertRelu(NodeContext &c) {
  c.setOutput(0, c.map(c.input(0), [](ScalarBuilder &s, ValueRange v) {
    return s.max(v[0], s.constant(0, v[0]));
  }));
}

static void convertSigmoid(NodeContext &c) {
  setFunction(c,
              [](ScalarBuilder &s, ValueRange v) { return s.sigmoid(v[0]); });
}

static void convertLeakyRelu(NodeContext &c) {
  double alpha = c.floatAttr("alpha", 0.01f);
  setFunction(c, [&](ScalarBuilder &s, ValueRange v) {
    Value isNegative = s.compare(Compare::LT, v[0], s.constant(0, v[0]));
    return s.select(isNegative, s.mul(v[0], s.constant(alpha, v[0])), v[0]);
  });
}

static void convertPRelu(NodeContext &c) {
  Value scaled = c.mul(c.input(0), c.input(1));
  c.setOutput(
      0, c.map({c.input(0), scaled}, [](ScalarBuilder &s, ValueRange v) {
        Value isNegative = s.compare(Compare::LT, v[0], s.constant(0, v[0]));
        return s.select(isNegative, v[1], v[0]);
      }));
}

static void convertElu(NodeContext &c) {
  double alpha = c.floatAttr("alpha", 1);
  setFunction(c, [&](ScalarBuilder &s, ValueRange v) {
    return whereAbove(s, v[0], 0,
                      s.mul(s.constant(alpha, v[0]), expMinusOne(s, v[0])));
  });
}

static void convertSelu(NodeContext &c) {
  double alpha = c.floatAttr("alpha", 1.67326319217681884765625f);
  double gamma = c.floatAttr("gamma", 1.05070102214813232421875f);
  setFunction(c, [&](ScalarBuilder &s, ValueRange v) {
    Value below = s.mul(s.constant(alpha, v[0]), expMinusOne(s, v[0]));
    return s.mul(s.constant(gamma, v[0]), whereAbove(s, v[0], 0, below));
  });
}

/// max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
static void convertCelu(NodeContext &c) {
  double alpha = c.floatAttr("alpha", 1);
  setFunction(c, [&](ScalarBuilder &s, ValueRange v) {
    Value scale = s.constant(alpha, v[0]), zero = s.constant(0, v[0]);
    Value below = s.mul(scale, expMinusOne(s, s.div(v[0], scale)));
    return s.add(s.max(v[0], zero), s.min(below, zero));
  });
}

static void convertThresholdedRelu(NodeContext &c) {
  double alpha = c.floatAttr("alpha", 1);
  setFunction(c, [&](ScalarBuilder &s, ValueRange v) {
    return whereAbove(s, v[0], alpha, s.constant(0, v[0]));
  });
}

static Value hardSigmoid(ScalarBuilder &s, Value x, double alpha, double beta) {
  Value line = s.add(s.mul(x, s.constant(alpha, x)), s.constant(beta, x));
  return s.max(s.min(line, s.constant(1, x)), s.constant(0, x));
}

static void convertHardSigmoid(NodeContext &c) {
  double alpha = c.floatAttr("alpha", 0.2f), beta = c.floatAttr("beta", 0.5);
  setFunction(c, [&](ScalarBuilder &s, ValueRange v) {
    return hardSigmoid(s, v[0], alpha, beta);
  });
}

static void convertHardSwish(NodeContext &c) {
  setFunction(c, [](ScalarBuilder &s, ValueRange v) {
    return s.mul(v[0], hardSigmoid(s, v[0], 1.0 / 6, 0.5));
  });
}

static void convertMish(NodeContext &c) {
  setFunction(c, [](ScalarBuilder &s, ValueRange v) {
    return s.mul(v[0], s.make<math::TanhOp>(s.softplus(v[0])));
  });
}

static void convertSwish(NodeContext &c) {
  double alpha = c.floatAttr("alpha", 1);
  setFunction(c, [&](ScalarBuilder &s, ValueRange v) {
    Value scaled = alpha == 1 ? v[0] : s.mul(v[0], s.constant(alpha, v[0]));
    return s.mul(v[0], s.sigmoid(scaled));
  });
}

static void convertGelu(NodeContext &c) {
  std::string approximate = c.stringAttr("approximate", "none");
  if (approximate != "none" && approximate != "tanh") {
    c.error() << "attribute 'approximate' is '" << approximate
              << "', expected 'none' or 'tanh'";
    return;
  }
  bool usesTanh = approximate == "tanh";
  setFunction(c, [&](ScalarBuilder &s, ValueRange v) {
    Value x = v[0], curve;
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
  });
}

static void convertSoftplus(NodeContext &c) {
  setFunction(c,
              [](ScalarBuilder &s, ValueRange v) { return s.softplus(v[0]); });
}

static void convertSoftsign(NodeContext &c) {
  setFunction(c, [](ScalarBuilder &s, ValueRange v) {
    return s.div(v[0], s.add(s.constant(1, v[0]), s.abs(v[0])));
  });
}

static void convertShrink(NodeContext &c) {
  double bias = c.floatAttr("bias", 0), lambd = c.floatAttr("lambd", 0.5);
  c.setOutput(0, c.map(c.input(0), [&](ScalarBuilder &s, ValueRange v) {
    Value x = v[0], shift = s.constant(bias, x);
    Value isLow = s.compare(Compare::LT, x, s.constant(-lambd, x));
    Value isHigh = s.compare(Compare::GT, x, s.constant(lambd, x));
    Value rest = s.select(isHigh, s.sub(x, shift), s.constant(0, x));
    return s.select(isLow, s.add(x, shift), rest);
  }));
}

/// Bounds are attributes before opset 11 and inputs after.
static void convertClip(NodeContext &c) {
  Value x = c.input(0);
  Type type = elementTypeOf(x);
  auto bound = [&](size_t index, StringRef name) -> Value {
    if (c.input(index))
      return c.input(index);
    return c.hasAttr(name) ? c.scalar(c.floatAttr(name, 0), type) : Value();
  };
  Value low = bound(1, "min"), high = bound(2, "max");
  SmallVector<Value> inputs = {x};
  for (Value value : {low, high})
    if (value) {
      if (elementTypeOf(value) != type || rankOf(value) > 1) {
        c.error() << "bound has type " << value.getType()
                  << ", expected a scalar of " << type;
        return;
      }
      inputs.push_back(value);
    }
  c.setOutput(0, c.map(inputs, [&](ScalarBuilder &s, ValueRange v) {
    Value result = v[0];
    if (low)
      result = s.max(result, v[1]);
    return high ? s.min(result, v.back()) : result;
  }));
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

static void convertSoftmax(NodeContext &c) {
  convertAlongAxis(c, [&](Value x, int64_t axis) {
    return c.create<SoftmaxOp>(x, axis, /*log=*/false);
  });
}

static void convertLogSoftmax(NodeContext &c) {
  convertAlongAxis(c, [&](Value x, int64_t axis) {
    return c.create<SoftmaxOp>(x, axis, /*log=*/true);
  });
}

/// One element more along the axis where there may be none: something to choose
/// in a row that has nothing to show for it.
static Value padMaybeEmpty(NodeContext &c, Value x, int64_t axis) {
  SmallVector<Expr> dims = dimsOf(x);
  if (c.prover().isAtLeast(dims[axis], 1))
    return x;
  SmallVector<Expr> low(dims.size(), Expr(0)), high = low;
  high[axis] = 1;
  double lowest = -std::numeric_limits<double>::infinity();
  return c.pad(x, c.scalar(lowest, elementTypeOf(x)), low, high);
}

/// 1 at the first largest element along the axis, else 0.
static void convertHardmax(NodeContext &c) {
  convertAlongAxis(c, [&](Value x, int64_t axis) -> Value {
    Value best = c.create<ArgReduceOp>(padMaybeEmpty(c, x, axis), axis,
                                       ReduceKind::Max, false);
    best = c.unsqueeze(best, axis);
    if (!best)
      return {};
    Value index = c.iota(dimsOf(x), axis, elementTypeOf(best));
    Value isBest = c.map(
        {index, best},
        [](ScalarBuilder &s, ValueRange v) {
          return s.compare(Compare::EQ, v[0], v[1]);
        },
        c.graph.getBuilder().getI1Type());
    return c.cast(isBest, elementTypeOf(x));
  });
}

void ambit::onnx_import::addActivations(ConverterTable &table) {
  table.add("Relu", convertRelu, 1);
  table.add("Sigmoid", convertSigmoid, 1);
  table.add("LeakyRelu", convertLeakyRelu, 1);
  table.add("PRelu", convertPRelu, 2);
  table.add("Elu", convertElu, 1);
  table.add("Selu", convertSelu, 1);
  table.add("Celu", convertCelu, 1).since(12);
  table.add("ThresholdedRelu", convertThresholdedRelu, 1).since(10);
  table.add("HardSigmoid", convertHardSigmoid, 1);
  table.add("HardSwish", convertHardSwish, 1).since(14);
  table.add("Mish", convertMish, 1).since(18);
  table.add("Swish", convertSwish, 1).since(24);
  table.add("Gelu", convertGelu, 1).since(20);
  table.add("Softplus", convertSoftplus, 1);
  table.add("Softsign", convertSoftsign, 1);
  table.add("Shrink", convertShrink, 1).since(9);
  table.add("Clip", convertClip, 1, 3);
  table.add("Softmax", convertSoftmax, 1);
  table.add("LogSoftmax", convertLogSoftmax, 1);
  table.add("Hardmax", convertHardmax, 1);
}
