// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise arithmetic of two or more tensors, with multidirectional
// broadcasting.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

using BinaryFn = Value (ScalarBuilder::*)(Value, Value);

/// True when all inputs have the element type of the first.
static bool haveOneType(NodeContext &c) {
  Type type = elementTypeOf(c.input(0));
  for (auto [index, value] : llvm::enumerate(c.allInputs()))
    if (!value || elementTypeOf(value) != type) {
      if (!value)
        c.error() << "input " << index << " is missing";
      else
        c.error() << "input " << index << " has element type "
                  << elementTypeOf(value) << ", expected " << type;
      return false;
    }
  return true;
}

template <BinaryFn fn> static void convertBinary(NodeContext &c) {
  if (!haveOneType(c))
    return;
  c.setOutput(0, c.map({c.input(0), c.secondOperand()},
                       [](ScalarBuilder &s, ValueRange v) {
                         return (s.*fn)(v[0], v[1]);
                       }));
}

/// The operator between all inputs, from the left.
static Value combine(NodeContext &c, BinaryFn fn) {
  if (!haveOneType(c))
    return {};
  return c.map(c.allInputs(), [&](ScalarBuilder &s, ValueRange v) {
    Value result = v[0];
    for (Value next : v.drop_front())
      result = (s.*fn)(result, next);
    return result;
  });
}

template <BinaryFn fn> static void convertVariadic(NodeContext &c) {
  c.setOutput(0, combine(c, fn));
}

static void convertMean(NodeContext &c) {
  Value sum = combine(c, &ScalarBuilder::add);
  if (!sum)
    return;
  Value count = c.scalar(double(c.numInputs()), elementTypeOf(c.input(0)));
  c.setOutput(0, c.div(sum, count));
}

/// With `fmod` the sign of the dividend, else of the divisor.
static void convertMod(NodeContext &c) {
  bool isFmod = c.intAttr("fmod", 0) != 0;
  if (!haveOneType(c))
    return;
  if (!isFmod && isa<FloatType>(elementTypeOf(c.input(0)))) {
    c.error() << "float inputs need fmod = 1";
    return;
  }
  bool isUnsigned = elementTypeOf(c.input(0)).isUnsignedInteger();
  c.setOutput(0, c.map({c.input(0), c.input(1)},
                       [&](ScalarBuilder &s, ValueRange v) -> Value {
                         Value rest = s.remainder(v[0], v[1]);
                         if (isFmod || isUnsigned)
                           return rest;
                         Value zero = s.integer(0, rest);
                         Value isInexact =
                             s.compare(Relation::Kind::NE, rest, zero);
                         Value signs = s.make<arith::XOrIOp>(rest, v[1]);
                         Value differ =
                             s.compare(Relation::Kind::LT, signs, zero);
                         Value wraps = s.make<arith::AndIOp>(isInexact, differ);
                         return s.select(wraps, s.add(rest, v[1]), rest);
                       }));
}

/// x * x for the constant exponent 2: exact, and what models mean.
static bool isConstantTwo(NodeContext &c, Value exponent) {
  std::optional<SmallVector<double>> values = c.constantFloats(exponent);
  return values && values->size() == 1 && values->front() == 2.0;
}

static void convertPow(NodeContext &c) {
  Value base = c.input(0), exponent = c.secondOperand();
  if (!exponent)
    return;
  Type type = elementTypeOf(base);
  if (isConstantTwo(c, exponent) && rankOf(exponent) <= rankOf(base)) {
    c.setOutput(0, c.mul(base, base));
    return;
  }
  if (isa<FloatType>(type)) {
    exponent = c.cast(exponent, type);
    c.setOutput(0, c.map({base, exponent}, [](ScalarBuilder &s, ValueRange v) {
      return s.make<math::PowFOp>(v[0], v[1]);
    }));
    return;
  }
  if (elementTypeOf(exponent) == type && !type.isUnsignedInteger()) {
    c.setOutput(0, c.map({base, exponent}, [](ScalarBuilder &s, ValueRange v) {
      return s.make<math::IPowIOp>(v[0], v[1]);
    }));
    return;
  }
  // Mixed types go through f64, as in the reference implementation of ONNX.
  Type wide = c.graph.getBuilder().getF64Type();
  Value power = c.map({c.cast(base, wide), c.cast(exponent, wide)},
                      [](ScalarBuilder &s, ValueRange v) {
                        return s.make<math::PowFOp>(v[0], v[1]);
                      });
  c.setOutput(0, c.cast(power, type));
}

void ambit::onnx_import::addArithmetic(ConverterTable &table) {
  table.add("Add", convertBinary<&ScalarBuilder::add>, 2);
  table.add("Sub", convertBinary<&ScalarBuilder::sub>, 2);
  table.add("Mul", convertBinary<&ScalarBuilder::mul>, 2);
  table.add("Div", convertBinary<&ScalarBuilder::div>, 2);
  table.add("Mod", convertMod, 2).since(10);
  table.add("Pow", convertPow, 2);
  table.add("Min", convertVariadic<&ScalarBuilder::min>, 1, kAnyNumber);
  table.add("Max", convertVariadic<&ScalarBuilder::max>, 1, kAnyNumber);
  table.add("Sum", convertVariadic<&ScalarBuilder::add>, 1, kAnyNumber);
  table.add("Mean", convertMean, 1, kAnyNumber);
}
