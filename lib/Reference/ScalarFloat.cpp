// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar ops from floats to floats.

#include "Scalar.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace mlir;
using namespace ambit::reference;

double ambit::reference::roundTo(Type type, double value) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return float(value);
  APFloat number(value);
  bool losesInfo;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

static double add(double a, double b) { return a + b; }
static double subtract(double a, double b) { return a - b; }
static double multiply(double a, double b) { return a * b; }
static double divide(double a, double b) { return a / b; }
static double negate(double a) { return -a; }
static double rsqrt(double a) { return 1.0 / std::sqrt(a); }
/// NaN wins; -0 is less than +0.
static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
}
static double minimum(double a, double b) { return -maximum(-a, -b); }
using Unary = double (*)(double);
using Binary = double (*)(double, double);

static Unary getUnary(StringRef name) {
  static const llvm::StringMap<Unary> table = {
      {"arith.negf", negate},
      {"math.absf", std::fabs},
      {"math.acos", std::acos},
      {"math.acosh", std::acosh},
      {"math.asin", std::asin},
      {"math.asinh", std::asinh},
      {"math.atan", std::atan},
      {"math.atanh", std::atanh},
      {"math.cbrt", std::cbrt},
      {"math.ceil", std::ceil},
      {"math.cos", std::cos},
      {"math.cosh", std::cosh},
      {"math.erf", std::erf},
      {"math.exp", std::exp},
      {"math.exp2", std::exp2},
      {"math.expm1", std::expm1},
      {"math.floor", std::floor},
      {"math.log", std::log},
      {"math.log10", std::log10},
      {"math.log1p", std::log1p},
      {"math.log2", std::log2},
      {"math.round", std::round},
      {"math.roundeven", std::nearbyint},
      {"math.rsqrt", rsqrt},
      {"math.sin", std::sin},
      {"math.sinh", std::sinh},
      {"math.sqrt", std::sqrt},
      {"math.tan", std::tan},
      {"math.tanh", std::tanh},
      {"math.trunc", std::trunc}};
  return table.lookup(name);
}

static Binary getBinary(StringRef name) {
  static const llvm::StringMap<Binary> table = {
      {"arith.addf", add},
      {"arith.subf", subtract},
      {"arith.mulf", multiply},
      {"arith.divf", divide},
      {"arith.remf", std::fmod},
      {"arith.maximumf", maximum},
      {"arith.minimumf", minimum},
      {"arith.maxnumf", std::fmax},
      {"arith.minnumf", std::fmin},
      {"math.atan2", std::atan2},
      {"math.copysign", std::copysign},
      {"math.powf", std::pow}};
  return table.lookup(name);
}

ScalarFn ambit::reference::getFloatFn(Operation *op) {
  Type type = op->getResult(0).getType();
  if (!isa<FloatType>(type))
    return {};
  StringRef name = op->getName().getStringRef();
  if (Unary unary = getUnary(name))
    return [=](ArrayRef<Cell> in) {
      return Cell{roundTo(type, unary(in[0].number)), 0};
    };
  if (Binary binary = getBinary(name))
    return [=](ArrayRef<Cell> in) {
      return Cell{roundTo(type, binary(in[0].number, in[1].number)), 0};
    };
  if (isa<math::FmaOp>(op) && type.isF32())
    // Rounding the double sum to float would round twice.
    return [](ArrayRef<Cell> in) {
      return Cell{std::fma(float(in[0].number), float(in[1].number),
                           float(in[2].number)),
                  0};
    };
  if (isa<math::FmaOp>(op))
    return [=](ArrayRef<Cell> in) {
      return Cell{
          roundTo(type, std::fma(in[0].number, in[1].number, in[2].number)), 0};
    };
  if (isa<math::FPowIOp>(op)) {
    unsigned width = widthOf(op->getOperand(1).getType());
    return [=](ArrayRef<Cell> in) {
      double power =
          std::pow(in[0].number, double(signedValue(in[1].bits, width)));
      return Cell{roundTo(type, power), 0};
    };
  }
  return {};
}
