// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random bodies of maps: about 70 ops of arith and math.

#include "ScalarTree.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::fuzz;

static bool isFloat(Type type) { return isa<FloatType>(type); }

void ScalarTree::addLeaf(Value scalar, bool isExact) {
  scalars.push_back({scalar, isExact});
}

void ScalarTree::grow(int64_t steps) {
  for (; steps > 0; --steps)
    if (Scalar next = step(); next.value)
      scalars.push_back(next);
}

ScalarTree::Scalar ScalarTree::pick(llvm::function_ref<bool(Type)> fits) {
  SmallVector<Scalar> fitting;
  for (const Scalar &scalar : scalars)
    if (fits(scalar.value.getType()))
      fitting.push_back(scalar);
  if (fitting.empty())
    return {Value(), true};
  int64_t first = random.below(fitting.size());
  return fitting[std::max<int64_t>(first, random.below(fitting.size()))];
}

Value ScalarTree::number(Type type, double value) {
  if (isFloat(type))
    return b.create<arith::ConstantOp>(loc, b.getFloatAttr(type, value));
  return b.create<arith::ConstantOp>(loc,
                                     b.getIntegerAttr(type, int64_t(value)));
}

ScalarTree::Scalar ScalarTree::step() {
  switch (random.below(10)) {
  case 0:
    return compare();
  case 1:
    return select();
  case 2:
    return convert();
  case 3:
  case 4:
  case 5:
    if (Scalar made = integerStep(); made.value)
      return made;
    return floatStep();
  default:
    if (Scalar made = floatStep(); made.value)
      return made;
    return integerStep();
  }
}

/// Functions whose slope is at most about 1 wherever they are asked.
ScalarTree::Scalar ScalarTree::steadyUnary(Scalar x) {
  Type type = x.value.getType();
  Value one = number(type, 1);
  Value away = make<arith::AddFOp>({make<math::AbsFOp>(x.value), one});
  auto clamped = [&] {
    return make<arith::MinimumFOp>({x.value, number(type, 2)});
  };
  auto approximate = [](Value value) { return Scalar{value, false}; };
  auto same = [&](Value value) { return Scalar{value, x.isExact}; };
  switch (random.below(14)) {
  case 0:
    return same(make<arith::NegFOp>(x.value));
  case 1:
    return same(make<math::AbsFOp>(x.value));
  case 2:
    return approximate(make<math::TanhOp>(x.value));
  case 3:
    return approximate(make<math::ErfOp>(x.value));
  case 4:
    return approximate(make<math::AtanOp>(x.value));
  case 5:
    return approximate(make<math::ExpOp>(clamped()));
  case 6:
    return approximate(make<math::LogOp>(away));
  case 7:
    return same(make<math::SqrtOp>(away));
  case 8:
    return approximate(make<math::RsqrtOp>(away));
  case 9:
    return same(make<arith::DivFOp>({x.value, away}));
  case 10:
    return approximate(make<math::Log1pOp>(make<math::AbsFOp>(x.value)));
  case 11: {
    Value negated = make<arith::NegFOp>(x.value);
    Value exp = make<math::ExpOp>(negated);
    Value sum = make<arith::AddFOp>({exp, one});
    return approximate(make<arith::DivFOp>({one, sum}));
  }
  case 12:
    return same(make<arith::MulFOp>({x.value, number(type, 0.5)}));
  default:
    return same(make<arith::MaximumFOp>({x.value, number(type, 0)}));
  }
}

ScalarTree::Scalar ScalarTree::anyUnary(Scalar x) {
  Value v = x.value;
  switch (random.below(28)) {
  case 0:
    return {make<math::SqrtOp>(v), true};
  case 1:
  case 2:
    return {make<math::FloorOp>(v), true};
  case 3:
  case 4:
    return {make<math::CeilOp>(v), true};
  case 5:
    return {make<math::RoundOp>(v), true};
  case 6:
    return {make<math::RoundEvenOp>(v), true};
  case 7:
    return {make<math::TruncOp>(v), true};
  case 8:
    return {make<math::ExpOp>(v), false};
  case 9:
    return {make<math::Exp2Op>(v), false};
  case 10:
    return {make<math::ExpM1Op>(v), false};
  case 11:
    return {make<math::LogOp>(v), false};
  case 12:
    return {make<math::Log2Op>(v), false};
  case 13:
    return {make<math::Log10Op>(v), false};
  case 14:
    return {make<math::Log1pOp>(v), false};
  case 15:
    return {make<math::SinOp>(v), false};
  case 16:
    return {make<math::CosOp>(v), false};
  case 17:
    return {make<math::TanOp>(v), false};
  case 18:
    return {make<math::AsinOp>(v), false};
  case 19:
    return {make<math::AcosOp>(v), false};
  case 20:
    return {make<math::SinhOp>(v), false};
  case 21:
    return {make<math::CoshOp>(v), false};
  case 22:
    return {make<math::AsinhOp>(v), false};
  case 23:
    return {make<math::AcoshOp>(v), false};
  case 24:
    return {make<math::AtanhOp>(v), false};
  case 25:
    return {make<math::RsqrtOp>(v), false};
  case 26:
    return {make<math::CbrtOp>(v), false};
  default: {
    Value power = number(v.getType(), random.choose({2., 3., -1., .5, 0., 1.}));
    return {make<math::PowFOp>({v, power}), false};
  }
  }
}

ScalarTree::Scalar ScalarTree::floatBinary(Scalar x, Scalar y) {
  bool exact = x.isExact && y.isExact;
  SmallVector<Value> operands = {x.value, y.value};
  switch (random.below(exact ? 13 : 7)) {
  case 0:
  case 1:
    return {make<arith::AddFOp>(operands), exact};
  case 2:
    return {make<arith::SubFOp>(operands), exact};
  case 3:
  case 4:
    return {make<arith::MulFOp>(operands), exact};
  case 5:
    return {make<arith::MaximumFOp>(operands), exact};
  case 6:
    return {make<arith::MinimumFOp>(operands), exact};
  case 7:
    return {make<arith::DivFOp>(operands), true};
  case 8:
    return {make<arith::RemFOp>(operands), true};
  case 9:
    return {make<math::CopySignOp>(operands), true};
  case 10:
    return {make<math::PowFOp>(operands), false};
  case 11:
    return {make<math::Atan2Op>(operands), false};
  default:
    operands.push_back(x.value);
    return {make<math::FmaOp>(operands), true};
  }
}

ScalarTree::Scalar ScalarTree::floatStep() {
  Scalar x = pick(isFloat);
  if (!x.value)
    return x;
  if (random.oneIn(2)) {
    Scalar y = pickOfType(x.value.getType());
    if (random.oneIn(3))
      y = {number(x.value.getType(), double(random.between(-6, 6)) / 2), true};
    return floatBinary(x, y);
  }
  if (x.isExact && random.oneIn(2))
    return anyUnary(x);
  return steadyUnary(x);
}

ScalarTree::Scalar ScalarTree::integerStep() {
  Scalar x = pick([](Type type) { return type.isInteger(); });
  if (!x.value)
    return x;
  Type type = x.value.getType();
  int64_t width = type.getIntOrFloatBitWidth();
  Scalar other = pickOfType(type);
  Value y = other.value;
  bool exact = x.isExact && other.isExact;
  if (width == 1)
    switch (random.below(3)) {
    case 0:
      return {make<arith::AndIOp>({x.value, y}), exact};
    case 1:
      return {make<arith::OrIOp>({x.value, y}), exact};
    default:
      return {make<arith::XOrIOp>({x.value, y}), exact};
    }
  if (random.oneIn(3))
    y = number(type, random.between(-5, 5));
  Value amount = number(type, random.below(width));
  Value divisor = number(type, random.choose({2, 3, 5, 7, -3, 1, 64}));
  if (random.oneIn(2)) {
    // 1 .. 8, whatever y is.
    divisor = make<arith::AndIOp>({y, number(type, 7)});
    divisor = make<arith::AddIOp>({divisor, number(type, 1)});
  }
  switch (random.below(22)) {
  case 20: {
    // No zero to a negative power.
    Value base = make<arith::OrIOp>({x.value, number(type, 1)});
    if (random.oneIn(2))
      return {make<math::IPowIOp>({base, y}), exact};
    Value exponent = number(type, random.between(0, 9));
    return {make<math::IPowIOp>({x.value, exponent}), x.isExact};
  }
  case 0:
  case 1:
    return {make<arith::AddIOp>({x.value, y}), exact};
  case 2:
    return {make<arith::SubIOp>({x.value, y}), exact};
  case 3:
    return {make<arith::MulIOp>({x.value, y}), exact};
  case 4:
    return {make<arith::AndIOp>({x.value, y}), exact};
  case 5:
    return {make<arith::XOrIOp>({x.value, y}), exact};
  case 6:
    return {make<arith::MaxSIOp>({x.value, y}), exact};
  case 7:
    return {make<arith::MinSIOp>({x.value, y}), exact};
  case 8:
    return {make<arith::MaxUIOp>({x.value, y}), exact};
  case 9:
    return {make<arith::MinUIOp>({x.value, y}), exact};
  case 10:
    return {make<arith::ShLIOp>({x.value, amount}), exact};
  case 11:
    return {make<arith::ShRSIOp>({x.value, amount}), exact};
  case 12:
    return {make<arith::ShRUIOp>({x.value, amount}), exact};
  case 13:
    return {make<arith::DivSIOp>({x.value, divisor}), exact};
  case 14:
    return {make<arith::RemSIOp>({x.value, divisor}), exact};
  case 15:
    return {make<arith::FloorDivSIOp>({x.value, divisor}), exact};
  case 16:
    return {make<arith::CeilDivSIOp>({x.value, divisor}), exact};
  case 17:
    return {make<arith::DivUIOp>({x.value, divisor}), exact};
  case 18:
    return {make<arith::RemUIOp>({x.value, divisor}), exact};
  case 19:
    return {make<math::AbsIOp>(x.value), x.isExact};
  default:
    return {random.oneIn(2) ? make<math::CtPopOp>(x.value)
                            : make<math::CountLeadingZerosOp>(x.value),
            x.isExact};
  }
}

ScalarTree::Scalar ScalarTree::compare() {
  Scalar x = pick([](Type) { return true; });
  Type type = x.value.getType();
  Scalar y = pickOfType(type);
  if (!x.isExact || !y.isExact)
    return {Value(), true};
  if (random.oneIn(3) && !type.isInteger(1))
    y.value = number(type, random.between(-2, 2));
  if (isFloat(type)) {
    auto predicate = arith::CmpFPredicate(random.between(1, 14));
    return {b.create<arith::CmpFOp>(loc, predicate, x.value, y.value), true};
  }
  auto predicate =
      arith::CmpIPredicate(random.below(type.isInteger(1) ? 2 : 10));
  return {b.create<arith::CmpIOp>(loc, predicate, x.value, y.value), true};
}

ScalarTree::Scalar ScalarTree::select() {
  Scalar condition = pick([](Type type) { return type.isInteger(1); });
  Scalar x = pick([](Type) { return true; });
  if (!condition.value)
    return condition;
  Scalar y = pickOfType(x.value.getType());
  return {make<arith::SelectOp>({condition.value, x.value, y.value}),
          x.isExact && y.isExact && condition.isExact};
}

ScalarTree::Scalar ScalarTree::convert() {
  Scalar x = pick([](Type) { return true; });
  Type type = x.value.getType();
  if (isFloat(type)) {
    Type wide = type.isF64() ? b.getF32Type() : b.getF64Type();
    if (type.isF64())
      return {b.create<arith::TruncFOp>(loc, wide, x.value), x.isExact};
    return {b.create<arith::ExtFOp>(loc, wide, x.value), x.isExact};
  }
  Type f32 = b.getF32Type(), i64 = b.getI64Type();
  switch (random.below(4)) {
  case 0:
    if (type.isInteger(1) && random.oneIn(2))
      return {b.create<arith::UIToFPOp>(loc, f32, x.value), x.isExact};
    return {b.create<arith::SIToFPOp>(loc, f32, x.value), x.isExact};
  case 1:
    if (type.isInteger(64))
      return {b.create<arith::TruncIOp>(loc, b.getI32Type(), x.value),
              x.isExact};
    return {b.create<arith::ExtSIOp>(loc, i64, x.value), x.isExact};
  default:
    if (type.isInteger(64))
      return {b.create<arith::TruncIOp>(loc, b.getI32Type(), x.value),
              x.isExact};
    return {b.create<arith::ExtUIOp>(loc, i64, x.value), x.isExact};
  }
}
