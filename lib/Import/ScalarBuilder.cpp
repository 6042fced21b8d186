// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar arithmetic for the bodies of maps.

#include "ScalarBuilder.h"

using namespace mlir;
using namespace ambit::compose;

Value ScalarBuilder::constant(double value, Value like) {
  Type type = like.getType();
  if (isa<FloatType>(type))
    return make<arith::ConstantOp>(builder.getFloatAttr(type, value));
  return integer(int64_t(value), like);
}

Value ScalarBuilder::integer(int64_t value, Value like) {
  unsigned width = like.getType().getIntOrFloatBitWidth();
  return make<arith::ConstantOp>(
      IntegerAttr::get(like.getType(), APInt(width, uint64_t(value))));
}

static APInt extreme(unsigned width, bool isUnsigned, bool isLargest) {
  if (isUnsigned)
    return isLargest ? APInt::getMaxValue(width) : APInt::getMinValue(width);
  return isLargest ? APInt::getSignedMaxValue(width)
                   : APInt::getSignedMinValue(width);
}

Value ScalarBuilder::smallest(Value like) {
  if (isFloat(like))
    return constant(-std::numeric_limits<double>::infinity(), like);
  unsigned width = like.getType().getIntOrFloatBitWidth();
  return make<arith::ConstantOp>(
      IntegerAttr::get(like.getType(), extreme(width, isUnsigned, false)));
}

Value ScalarBuilder::largest(Value like) {
  if (isFloat(like))
    return constant(std::numeric_limits<double>::infinity(), like);
  unsigned width = like.getType().getIntOrFloatBitWidth();
  return make<arith::ConstantOp>(
      IntegerAttr::get(like.getType(), extreme(width, isUnsigned, true)));
}

Value ScalarBuilder::add(Value x, Value y) {
  return isFloat(x) ? make<arith::AddFOp>(x, y) : make<arith::AddIOp>(x, y);
}

Value ScalarBuilder::sub(Value x, Value y) {
  return isFloat(x) ? make<arith::SubFOp>(x, y) : make<arith::SubIOp>(x, y);
}

Value ScalarBuilder::mul(Value x, Value y) {
  return isFloat(x) ? make<arith::MulFOp>(x, y) : make<arith::MulIOp>(x, y);
}

Value ScalarBuilder::div(Value x, Value y) {
  if (isFloat(x))
    return make<arith::DivFOp>(x, y);
  return isUnsigned ? make<arith::DivUIOp>(x, y) : make<arith::DivSIOp>(x, y);
}

Value ScalarBuilder::remainder(Value x, Value y) {
  if (isFloat(x))
    return make<arith::RemFOp>(x, y);
  return isUnsigned ? make<arith::RemUIOp>(x, y) : make<arith::RemSIOp>(x, y);
}

Value ScalarBuilder::min(Value x, Value y) {
  if (isFloat(x))
    return make<arith::MinimumFOp>(x, y);
  return isUnsigned ? make<arith::MinUIOp>(x, y) : make<arith::MinSIOp>(x, y);
}

Value ScalarBuilder::max(Value x, Value y) {
  if (isFloat(x))
    return make<arith::MaximumFOp>(x, y);
  return isUnsigned ? make<arith::MaxUIOp>(x, y) : make<arith::MaxSIOp>(x, y);
}

Value ScalarBuilder::neg(Value x) {
  return isFloat(x) ? make<arith::NegFOp>(x) : sub(integer(0, x), x);
}

Value ScalarBuilder::abs(Value x) {
  if (isFloat(x))
    return make<math::AbsFOp>(x);
  return isUnsigned ? x : max(x, neg(x));
}

Value ScalarBuilder::compare(Compare kind, Value x, Value y) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  struct Predicates {
    F ofFloats;
    I ofSigned, ofUnsigned;
  };
  auto pick = [&]() -> Predicates {
    switch (kind) {
    case Compare::EQ:
      return {F::OEQ, I::eq, I::eq};
    case Compare::NE:
      return {F::UNE, I::ne, I::ne};
    case Compare::LE:
      return {F::OLE, I::sle, I::ule};
    case Compare::LT:
      return {F::OLT, I::slt, I::ult};
    case Compare::GE:
      return {F::OGE, I::sge, I::uge};
    case Compare::GT:
      return {F::OGT, I::sgt, I::ugt};
    }
    llvm_unreachable("every relation is listed");
  };
  Predicates predicates = pick();
  if (isFloat(x))
    return make<arith::CmpFOp>(predicates.ofFloats, x, y);
  return make<arith::CmpIOp>(
      isUnsigned ? predicates.ofUnsigned : predicates.ofSigned, x, y);
}

Value ScalarBuilder::select(Value condition, Value x, Value y) {
  return make<arith::SelectOp>(condition, x, y);
}

Value ScalarBuilder::logicalNot(Value x) {
  return make<arith::XOrIOp>(x, integer(1, x));
}

Value ScalarBuilder::sigmoid(Value x) {
  Value one = constant(1, x);
  return div(one, add(one, make<math::ExpOp>(neg(x))));
}

Value ScalarBuilder::softplus(Value x) {
  // max(x, 0) + log1p(exp(-|x|))
  Value tail = make<math::Log1pOp>(make<math::ExpOp>(neg(abs(x))));
  return add(max(x, constant(0, x)), tail);
}
