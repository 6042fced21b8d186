// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: arithmetic on floats that are scalars or vectors, and the patterns
// that expand math functions with it.

#ifndef AMBIT_LIB_CODEGEN_MATH_FLOATBUILDER_H
#define AMBIT_LIB_CODEGEN_MATH_FLOATBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace ambit {

/// Better than any pattern that MLIR has for the same op.
constexpr unsigned kExpandBenefit = 8;

/// Builds float arithmetic on one type, scalar or vector.
struct FloatBuilder {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;

  using Value = mlir::Value;
  using P = mlir::arith::CmpFPredicate;

  /// The same shape with another element type.
  mlir::Type shaped(mlir::Type element) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      return mlir::VectorType::get(vector.getShape(), element);
    return element;
  }
  FloatBuilder as(mlir::Type element) { return {b, loc, shaped(element)}; }

  Value number(double value) {
    return splat(b.getFloatAttr(mlir::getElementTypeOrSelf(type), value));
  }
  Value integer(int64_t value) { return splat(b.getI64IntegerAttr(value)); }
  Value splat(mlir::TypedAttr attr) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      attr = mlir::DenseElementsAttr::get(
          mlir::VectorType::get(vector.getShape(), attr.getType()),
          llvm::ArrayRef<mlir::Attribute>(attr));
    return b.create<mlir::arith::ConstantOp>(loc, attr);
  }
  template <typename Op> Value make(mlir::ValueRange operands) {
    return b.create<Op>(loc, operands);
  }
  Value add(Value x, Value y) { return make<mlir::arith::AddFOp>({x, y}); }
  Value sub(Value x, Value y) { return make<mlir::arith::SubFOp>({x, y}); }
  Value mul(Value x, Value y) { return make<mlir::arith::MulFOp>({x, y}); }
  Value div(Value x, Value y) { return make<mlir::arith::DivFOp>({x, y}); }
  Value fma(Value x, Value y, Value z) {
    return make<mlir::math::FmaOp>({x, y, z});
  }
  Value abs(Value x) { return make<mlir::math::AbsFOp>(x); }
  Value copySign(Value x, Value sign) {
    return make<mlir::math::CopySignOp>({x, sign});
  }
  Value select(Value c, Value x, Value y) {
    return make<mlir::arith::SelectOp>({c, x, y});
  }
  Value compare(P predicate, Value x, Value y) {
    return b.create<mlir::arith::CmpFOp>(loc, predicate, x, y);
  }
  Value greater(Value x, Value y) { return compare(P::OGT, x, y); }
  Value equal(Value x, Value y) { return compare(P::OEQ, x, y); }
  /// p(x) by fused multiply-adds, highest coefficient first.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients) {
    Value p = number(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      p = fma(p, x, number(coefficient));
    return p;
  }
};

inline bool isF32(mlir::Operation *op) {
  return mlir::getElementTypeOrSelf(op->getResult(0).getType()).isF32();
}

/// asin, acos, atan2.
void populateInverseTrigonometryPatterns(mlir::RewritePatternSet &patterns);
/// sin, cos.
void populateSineCosinePatterns(mlir::RewritePatternSet &patterns);
/// cbrt.
void populateCubeRootPatterns(mlir::RewritePatternSet &patterns);
/// ceildivsi.
void populateCeilDivisionPatterns(mlir::RewritePatternSet &patterns);
/// ipowi.
void populateIntegerPowerPatterns(mlir::RewritePatternSet &patterns);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_MATH_FLOATBUILDER_H
