// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise functions of one tensor, and conversions of element types.

#include "../../EightBitFloat.h"
#include "../Converters.h"
#include "../TensorData.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

/// An op of the `math` dialect on floats.
template <typename OpT> static void convertFloat(NodeContext &c) {
  if (c.requireFloat(c.input(0), "input"))
    c.setOutput(0, c.map(c.input(0), [](ScalarBuilder &s, ValueRange v) {
      return s.make<OpT>(v[0]);
    }));
}

/// A scalar function on any type.
template <Value (*fn)(ScalarBuilder &, Value)>
static void convertScalar(NodeContext &c) {
  c.setOutput(0, c.map(c.input(0), [](ScalarBuilder &s, ValueRange v) {
    return fn(s, v[0]);
  }));
}

static Value absolute(ScalarBuilder &s, Value x) { return s.abs(x); }
static Value negate(ScalarBuilder &s, Value x) { return s.neg(x); }

static Value reciprocal(ScalarBuilder &s, Value x) {
  return s.div(s.constant(1, x), x);
}

/// -1, 0 or 1; NaN and zeros stay what they are.
static Value sign(ScalarBuilder &s, Value x) {
  Value zero = s.constant(0, x);
  Value isPositive = s.compare(Relation::Kind::GT, x, zero);
  Value isNegative = s.compare(Relation::Kind::LT, x, zero);
  Value rest = s.select(isNegative, s.constant(-1, x), x);
  return s.select(isPositive, s.constant(1, x), rest);
}

static void convertIsNaN(NodeContext &c) {
  if (!c.requireFloat(c.input(0), "input"))
    return;
  c.setOutput(0, c.map(
                     c.input(0),
                     [](ScalarBuilder &s, ValueRange v) {
                       return s.compare(Relation::Kind::NE, v[0], v[0]);
                     },
                     c.graph.getBuilder().getI1Type()));
}

static void convertIsInf(NodeContext &c) {
  bool positive = c.intAttr("detect_positive", 1) != 0;
  bool negative = c.intAttr("detect_negative", 1) != 0;
  if (!c.requireFloat(c.input(0), "input"))
    return;
  c.setOutput(0, c.map(
                     c.input(0),
                     [&](ScalarBuilder &s, ValueRange v) -> Value {
                       Value isAbove =
                           s.compare(Relation::Kind::EQ, v[0], s.largest(v[0]));
                       Value isBelow = s.compare(Relation::Kind::EQ, v[0],
                                                 s.smallest(v[0]));
                       if (positive && negative)
                         return s.make<arith::OrIOp>(isAbove, isBelow);
                       if (positive || negative)
                         return positive ? isAbove : isBelow;
                       return s.integer(0, isAbove);
                     },
                     c.graph.getBuilder().getI1Type()));
}

/// Input 0 in another type; attribute `saturate` is for floats of 8 bits.
static Value convertTo(NodeContext &c, Type type) {
  Value x = c.input(0);
  Type from = elementTypeOf(x);
  bool saturates = c.intAttr("saturate", 1) != 0;
  bool isShort = isa<FloatType>(from) && from.getIntOrFloatBitWidth() <= 32;
  if (saturates || !compose::isEightBitFloat(type) || from == type || !isShort)
    return c.cast(x, type);
  return compose::encodeEightBits(
      c, c.cast(x, c.graph.getBuilder().getF32Type()), type,
      /*saturates=*/false);
}

static void convertCast(NodeContext &c) {
  Type type = getElementType(c.intAttr("to", 0), c.graph.getLoc());
  c.setOutput(0, type ? convertTo(c, type) : Value());
}

/// The bits of an element as one of another type of the same width.
static void convertBitCast(NodeContext &c) {
  Type from = elementTypeOf(c.input(0));
  Type to = getElementType(c.intAttr("to", 0), c.graph.getLoc());
  if (!to)
    return;
  // A bool is stored as a byte of 0 or 1.
  if (from.isInteger(1) && to.isInteger(8)) {
    c.setOutput(0, c.cast(c.input(0), to));
    return;
  }
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth()) {
    c.error() << "element types " << from << " and " << to
              << " differ in width";
    return;
  }
  unsigned width = to.getIntOrFloatBitWidth();
  c.setOutput(0, c.map(
                     c.input(0),
                     [&](ScalarBuilder &s, ValueRange v) -> Value {
                       Type scalar = to;
                       if (isa<IntegerType>(to))
                         scalar = IntegerType::get(to.getContext(), width);
                       if (v[0].getType() == scalar)
                         return v[0];
                       return s.make<arith::BitcastOp>(scalar, v[0]);
                     },
                     to));
}

static void convertCastLike(NodeContext &c) {
  c.setOutput(0, convertTo(c, elementTypeOf(c.input(1))));
}

static void convertIdentity(NodeContext &c) { c.setOutput(0, c.input(0)); }

/// Whether nothing is ever dropped: at inference, or at a rate of 0.
static bool dropsNothing(NodeContext &c) {
  if (c.opset() < 7)
    return c.intAttr("is_test", 0) != 0;
  if (!c.input(2))
    return true;
  std::optional<SmallVector<Expr>> isOn = getKnownElements(c.input(2));
  if (isOn && isOn->size() == 1 && isOn->front().isConstant(0))
    return true;
  std::optional<SmallVector<double>> rate;
  if (c.input(1))
    rate = c.constantFloats(c.input(1));
  return rate && rate->size() == 1 && rate->front() == 0;
}

/// The data pass through, and the mask is all true.
static void convertDropout(NodeContext &c) {
  if (!dropsNothing(c)) {
    InFlightDiagnostic problem = c.error();
    problem << "training mode is not supported";
    if (c.opset() >= 7 && c.input(2))
      NodeContext::suggestValues(problem, c.input(2));
    return;
  }
  c.setOutput(0, c.input(0));
  if (c.wantsOutput(1))
    c.setOutput(1, c.broadcast(c.scalar(1, c.graph.getBuilder().getI1Type()),
                               dimsOf(c.input(0))));
}

void ambit::onnx_import::addUnaryMath(ConverterTable &table) {
  table.add("Ceil", convertFloat<math::CeilOp>, 1);
  table.add("Floor", convertFloat<math::FloorOp>, 1);
  table.add("Round", convertFloat<math::RoundEvenOp>, 1).since(11);
  table.add("Sqrt", convertFloat<math::SqrtOp>, 1);
  table.add("Exp", convertFloat<math::ExpOp>, 1);
  table.add("Log", convertFloat<math::LogOp>, 1);
  table.add("Erf", convertFloat<math::ErfOp>, 1).since(9);
  table.add("Tanh", convertFloat<math::TanhOp>, 1);
  table.add("Sin", convertFloat<math::SinOp>, 1);
  table.add("Cos", convertFloat<math::CosOp>, 1);
  table.add("Tan", convertFloat<math::TanOp>, 1);
  table.add("Asin", convertFloat<math::AsinOp>, 1);
  table.add("Acos", convertFloat<math::AcosOp>, 1);
  table.add("Atan", convertFloat<math::AtanOp>, 1);
  table.add("Sinh", convertFloat<math::SinhOp>, 1).since(9);
  table.add("Cosh", convertFloat<math::CoshOp>, 1).since(9);
  table.add("Asinh", convertFloat<math::AsinhOp>, 1).since(9);
  table.add("Acosh", convertFloat<math::AcoshOp>, 1).since(9);
  table.add("Atanh", convertFloat<math::AtanhOp>, 1).since(9);
  table.add("Abs", convertScalar<absolute>, 1);
  table.add("Neg", convertScalar<negate>, 1);
  table.add("Reciprocal", convertScalar<reciprocal>, 1);
  table.add("Sign", convertScalar<sign>, 1).since(9);
  table.add("IsNaN", convertIsNaN, 1).since(9);
  table.add("IsInf", convertIsInf, 1).since(10);
  table.add("Cast", convertCast, 1).readSince(6).storedTypes();
  table.add("BitCast", convertBitCast, 1).since(26).storedTypes();
  table.add("CastLike", convertCastLike, 2).since(15).storedTypes();
  table.add("Identity", convertIdentity, 1).moves({0}).sequences({0});
  table.add("Dropout", convertDropout, 1, 3);
}
