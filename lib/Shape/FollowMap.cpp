// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows one element through the scalar body of a `graph.map`, op by op. Of
// integers narrower than 32 bits the scalar is what they are when signed.

#include "FollowMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace ambit;

/// Higher powers of sizes do not fit anyway.
constexpr int64_t kMaxPower = 8;

namespace {

/// Evaluates a body op by op; `values` maps SSA scalars to expressions.
class BodyFollower {
public:
  explicit BodyFollower(SizeMath &math) : math(math) {}

  MaybeScalar run(Block &block, ArrayRef<SizeScalar> arguments);

private:
  MaybeScalar follow(Operation &op);
  MaybeScalar followConstant(arith::ConstantOp op);
  MaybeScalar followIntegers(Operation &op, const SizeScalar &lhs,
                             const SizeScalar &rhs);
  MaybeScalar followBits(Operation &op, Expr lhs, Expr rhs);
  MaybeScalar followBools(Operation &op);
  MaybeScalar followFloats(Operation &op, const SizeScalar &lhs,
                           const SizeScalar &rhs);
  MaybeScalar followBinary(Operation &op);
  MaybeScalar followUnary(Operation &op);
  MaybeScalar followConversion(Operation &op, SizeScalar operand);
  MaybeScalar followSelect(arith::SelectOp op);
  MaybeScalar followFloorMod(arith::SelectOp op);
  MaybeScalar compare(Relation::Kind kind, Value lhs, Value rhs);
  bool areNotNegative(const SizeScalar &lhs, const SizeScalar &rhs) {
    return math.isNotNegative(lhs.numerator) &&
           math.isNotNegative(rhs.numerator);
  }
  MaybeScalar known(Value value) const {
    auto it = values.find(value);
    return it == values.end() ? std::nullopt : it->second;
  }

  SizeMath &math;
  llvm::DenseMap<Value, MaybeScalar> values;
  llvm::DenseMap<Value, double> huge; // float constants beyond int64
};

} // namespace

MaybeScalar BodyFollower::followConstant(arith::ConstantOp op) {
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue())) {
    if (op.getType().isInteger(1))
      return SizeScalar(integer.getValue().isZero() ? 0 : 1);
    return SizeScalar(integer.getValue().getSExtValue());
  }
  auto number = dyn_cast<FloatAttr>(op.getValue());
  if (!number)
    return std::nullopt;
  double value = number.getValueAsDouble();
  if (std::fabs(value) >= 9.0e18)
    huge[op.getResult()] = value;
  return SizeScalar::get(value);
}

MaybeScalar BodyFollower::compare(Relation::Kind kind, Value lhs, Value rhs) {
  MaybeScalar left = known(lhs), right = known(rhs);
  if (left && !right && huge.count(rhs)) {
    // Beyond int64: every followed value lies on one side.
    bool isLess = huge.lookup(rhs) > 0;
    bool wantsLess = kind == Relation::Kind::LT || kind == Relation::Kind::LE;
    if (kind == Relation::Kind::EQ || kind == Relation::Kind::NE)
      return SizeScalar(kind == Relation::Kind::NE ? 1 : 0);
    return SizeScalar(isLess == wantsLess ? 1 : 0);
  }
  if (!left || !right)
    return std::nullopt;
  return math.compare(kind, *left, *right);
}

static MaybeScalar asScalar(std::optional<Expr> value) {
  return value ? MaybeScalar(*value) : std::nullopt;
}

/// Bit operators that are arithmetic: masks of low or high bits, and shifts.
MaybeScalar BodyFollower::followBits(Operation &op, Expr lhs, Expr rhs) {
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) && lhs.constant())
    std::swap(lhs, rhs);
  std::optional<int64_t> bits = rhs.constant(), other = lhs.constant();
  if (!bits)
    return std::nullopt;
  if (other && isa<arith::AndIOp>(op))
    return SizeScalar(*other & *bits);
  if (other && isa<arith::XOrIOp>(op))
    return SizeScalar(*other ^ *bits);
  if (isa<arith::OrIOp>(op))
    return other ? MaybeScalar(*other | *bits) : std::nullopt;
  if (isa<arith::XOrIOp>(op))
    return *bits == -1 ? MaybeScalar(Expr(-1) - lhs) : std::nullopt;
  if (isa<arith::AndIOp>(op)) {
    if (*bits >= 0 && llvm::isPowerOf2_64(uint64_t(*bits) + 1))
      return asScalar(math.floorMod(lhs, *bits + 1));
    if (*bits < 0 && *bits != INT64_MIN && llvm::isPowerOf2_64(-*bits))
      if (std::optional<Expr> rest = math.floorMod(lhs, -*bits))
        return SizeScalar(lhs - *rest);
    return std::nullopt;
  }
  if (*bits < 0 || *bits > 62)
    return std::nullopt;
  Expr power = int64_t(1) << *bits;
  if (isa<arith::ShLIOp>(op))
    return SizeScalar(lhs * power);
  // Without a sign, a negative number is a large one.
  if (isa<arith::ShRUIOp>(op) && !math.isNotNegative(lhs))
    return std::nullopt;
  return asScalar(math.divide(lhs, power, Rounding::Down));
}

MaybeScalar BodyFollower::followIntegers(Operation &op, const SizeScalar &lhs,
                                         const SizeScalar &rhs) {
  if (!lhs.isInteger() || !rhs.isInteger())
    return std::nullopt;
  Expr left = lhs.numerator, right = rhs.numerator;
  // Without a sign, a negative number is a large one.
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp>(op) &&
      !areNotNegative(lhs, rhs))
    return std::nullopt;
  return TypeSwitch<Operation *, MaybeScalar>(&op)
      .Case<arith::AddIOp>([&](auto) { return left + right; })
      .Case<arith::SubIOp>([&](auto) { return left - right; })
      .Case<arith::MulIOp>([&](auto) { return left * right; })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](auto) { return Expr::min(left, right); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](auto) { return Expr::max(left, right); })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) {
        return asScalar(math.divide(left, right, Rounding::ToZero));
      })
      .Case<arith::FloorDivSIOp>([&](auto) {
        return asScalar(math.divide(left, right, Rounding::Down));
      })
      .Case<arith::CeilDivSIOp>([&](auto) {
        return asScalar(math.divide(left, right, Rounding::Up));
      })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return asScalar(math.remainder(left, right)); })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
            arith::ShRSIOp, arith::ShRUIOp>(
          [&](auto) { return followBits(op, left, right); })
      .Case<math::IPowIOp>([&](auto) -> MaybeScalar {
        std::optional<int64_t> power = right.constant();
        if (!power && left.isConstant(2))
          return asScalar(math.powerOfTwo(right));
        if (!power || *power < 0 || *power > kMaxPower)
          return std::nullopt;
        Expr result = 1;
        for (int64_t i = 0; i < *power; ++i)
          result = result * left;
        return result;
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// `and`, `or` and `xor` of bools; one side may decide.
MaybeScalar BodyFollower::followBools(Operation &op) {
  MaybeScalar lhs = known(op.getOperand(0)), rhs = known(op.getOperand(1));
  if (rhs && rhs->constant())
    std::swap(lhs, rhs);
  bool isDecided = lhs && lhs->constant();
  bool isTrue = isDecided && lhs->constant() != 0;
  if (isa<arith::AndIOp>(op)) {
    if (isDecided)
      return isTrue ? rhs : lhs;
    return lhs && rhs ? MaybeScalar(lhs->numerator * rhs->numerator)
                      : std::nullopt;
  }
  if (isa<arith::OrIOp>(op)) {
    if (isDecided)
      return isTrue ? lhs : rhs;
    return lhs && rhs ? MaybeScalar(Expr::max(lhs->numerator, rhs->numerator))
                      : std::nullopt;
  }
  if (!isa<arith::XOrIOp>(op) || !lhs || !rhs)
    return std::nullopt;
  if (isDecided)
    return isTrue ? math.logicalNot(*rhs) : rhs;
  Expr left = lhs->numerator, right = rhs->numerator;
  return SizeScalar(left + right - Expr(2) * left * right);
}

MaybeScalar BodyFollower::followFloats(Operation &op, const SizeScalar &lhs,
                                       const SizeScalar &rhs) {
  Type type = op.getResult(0).getType();
  return TypeSwitch<Operation *, MaybeScalar>(&op)
      .Case<arith::AddFOp>([&](auto) { return math.add(lhs, rhs, type); })
      .Case<arith::SubFOp>([&](auto) {
        SizeScalar negative(-rhs.numerator, rhs.denominator);
        negative.digits = rhs.digits;
        return math.add(lhs, negative, type);
      })
      .Case<arith::MulFOp>([&](auto) { return math.multiply(lhs, rhs, type); })
      .Case<arith::DivFOp>([&](auto) { return math.divide(lhs, rhs, type); })
      .Case<arith::RemFOp>([&](auto) { return math.remainder(lhs, rhs); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return math.extremum(Atom::Kind::Min, lhs, rhs); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return math.extremum(Atom::Kind::Max, lhs, rhs); })
      .Default([](Operation *) { return std::nullopt; });
}

MaybeScalar BodyFollower::followBinary(Operation &op) {
  Type type = op.getResult(0).getType();
  if (type.isInteger(1))
    return followBools(op);
  MaybeScalar lhs = known(op.getOperand(0)), rhs = known(op.getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  return isa<FloatType>(type) ? followFloats(op, *lhs, *rhs)
                              : followIntegers(op, *lhs, *rhs);
}

MaybeScalar BodyFollower::followConversion(Operation &op, SizeScalar operand) {
  Type from = op.getOperand(0).getType(), to = op.getResult(0).getType();
  if (to.isInteger(1))
    return std::nullopt;
  // True is 1 here, but minus one to what reads its only bit as a sign.
  bool isSigned = isa<arith::SIToFPOp, arith::ExtSIOp, arith::IndexCastOp>(op);
  if (from.isInteger(1) && isSigned)
    return SizeScalar(-operand.numerator);
  // Without a sign, a negative number is a large one, or saturates.
  bool isUnsigned = isa<arith::UIToFPOp, arith::ExtUIOp, arith::FPToUIOp>(op);
  if (isUnsigned && !math.isNotNegative(operand.numerator)) {
    unsigned width = from.getIntOrFloatBitWidth();
    if (math.getMode() == Following::Replace || isa<FloatType>(from) ||
        width >= 32)
      return std::nullopt;
    operand = asScalar(math.floorMod(operand.numerator, int64_t(1) << width))
                  .value_or(Expr::invalid());
  }
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return math.round(operand, Rounding::ToZero, /*keepsZeros=*/false);
  // Whether an integer fits is up to `run`.
  return isa<FloatType>(to) ? math.fitFloat(operand, to) : operand;
}

MaybeScalar BodyFollower::followUnary(Operation &op) {
  MaybeScalar operand = known(op.getOperand(0));
  if (!operand)
    return std::nullopt;
  if (isa<arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
          arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::ExtFOp, arith::TruncFOp>(op))
    return followConversion(op, *operand);
  return TypeSwitch<Operation *, MaybeScalar>(&op)
      .Case<arith::NegFOp>([&](auto) { return math.negate(*operand); })
      .Case<math::AbsIOp, math::AbsFOp>(
          [&](auto) { return math.absolute(*operand); })
      .Case<math::SqrtOp>([&](math::SqrtOp root) {
        return math.squareRoot(*operand, root.getType());
      })
      .Case<math::FloorOp>(
          [&](auto) { return math.round(*operand, Rounding::Down, true); })
      .Case<math::CeilOp>(
          [&](auto) { return math.round(*operand, Rounding::Up, true); })
      .Case<math::TruncOp>(
          [&](auto) { return math.round(*operand, Rounding::ToZero, true); })
      .Case<math::RoundEvenOp>(
          [&](auto) { return math.round(*operand, Rounding::ToNearest, true); })
      .Default([](Operation *) { return std::nullopt; });
}

/// Mod with the sign of the divisor is a remainder and a correction where the
/// signs differ: rest != 0 && (rest ^ divisor) < 0 ? rest + divisor : rest.
MaybeScalar BodyFollower::followFloorMod(arith::SelectOp op) {
  auto rest = op.getFalseValue().getDefiningOp<arith::RemSIOp>();
  auto sum = op.getTrueValue().getDefiningOp<arith::AddIOp>();
  auto both = op.getCondition().getDefiningOp<arith::AndIOp>();
  if (!rest || !sum || !both || sum.getLhs() != rest.getResult() ||
      sum.getRhs() != rest.getRhs())
    return std::nullopt;
  auto isInexact = both.getLhs().getDefiningOp<arith::CmpIOp>();
  auto differ = both.getRhs().getDefiningOp<arith::CmpIOp>();
  auto signs =
      differ ? differ.getLhs().getDefiningOp<arith::XOrIOp>() : nullptr;
  auto isZero = [&](Value value) {
    MaybeScalar number = known(value);
    return number && number->constant() == 0;
  };
  if (!isInexact || !signs || !isZero(isInexact.getRhs()) ||
      !isZero(differ.getRhs()) ||
      isInexact.getPredicate() != arith::CmpIPredicate::ne ||
      differ.getPredicate() != arith::CmpIPredicate::slt ||
      isInexact.getLhs() != rest.getResult() ||
      signs.getLhs() != rest.getResult() || signs.getRhs() != rest.getRhs())
    return std::nullopt;
  MaybeScalar lhs = known(rest.getLhs()), rhs = known(rest.getRhs());
  if (!lhs || !rhs)
    return std::nullopt;
  return asScalar(math.floorMod(lhs->numerator, rhs->numerator));
}

MaybeScalar BodyFollower::followSelect(arith::SelectOp op) {
  if (MaybeScalar rest = followFloorMod(op))
    return rest;
  MaybeScalar condition = known(op.getCondition());
  MaybeScalar yes = known(op.getTrueValue()), no = known(op.getFalseValue());
  if (condition && condition->constant())
    return condition->constant() == 0 ? no : yes;
  if (!yes || !no)
    return std::nullopt;
  // Where both sides agree, any condition will do.
  if (!condition)
    return yes->isInteger() && no->isInteger() &&
                   yes->numerator == no->numerator
               ? yes
               : std::nullopt;
  return math.select(*condition, *yes, *no);
}

static Relation::Kind relationOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return Relation::Kind::EQ;
  case arith::CmpIPredicate::ne:
    return Relation::Kind::NE;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return Relation::Kind::LT;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return Relation::Kind::LE;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return Relation::Kind::GT;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return Relation::Kind::GE;
  }
  llvm_unreachable("every predicate is listed");
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  return predicate >= arith::CmpIPredicate::ult;
}

/// The relation a float comparison decides when neither side is NaN.
static std::optional<Relation::Kind>
relationOf(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OEQ:
  case arith::CmpFPredicate::UEQ:
    return Relation::Kind::EQ;
  case arith::CmpFPredicate::ONE:
  case arith::CmpFPredicate::UNE:
    return Relation::Kind::NE;
  case arith::CmpFPredicate::OLT:
  case arith::CmpFPredicate::ULT:
    return Relation::Kind::LT;
  case arith::CmpFPredicate::OLE:
  case arith::CmpFPredicate::ULE:
    return Relation::Kind::LE;
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::UGT:
    return Relation::Kind::GT;
  case arith::CmpFPredicate::OGE:
  case arith::CmpFPredicate::UGE:
    return Relation::Kind::GE;
  default:
    return std::nullopt;
  }
}

MaybeScalar BodyFollower::follow(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return followConstant(constant);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return followSelect(select);
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    MaybeScalar lhs = known(cmp.getLhs()), rhs = known(cmp.getRhs());
    if (!lhs || !rhs || cmp.getLhs().getType().isInteger(1) ||
        (isUnsigned(cmp.getPredicate()) && !areNotNegative(*lhs, *rhs)))
      return std::nullopt;
    return compare(relationOf(cmp.getPredicate()), cmp.getLhs(), cmp.getRhs());
  }
  if (auto cmp = dyn_cast<arith::CmpFOp>(op)) {
    if (cmp.getPredicate() == arith::CmpFPredicate::UNO && known(cmp.getLhs()))
      return SizeScalar(0);
    std::optional<Relation::Kind> kind = relationOf(cmp.getPredicate());
    return kind ? compare(*kind, cmp.getLhs(), cmp.getRhs()) : std::nullopt;
  }
  if (op.getNumOperands() == 2)
    return followBinary(op);
  if (op.getNumOperands() == 1)
    return followUnary(op);
  return std::nullopt;
}

MaybeScalar BodyFollower::run(Block &block, ArrayRef<SizeScalar> arguments) {
  auto fit = [&](MaybeScalar value, Type type) -> MaybeScalar {
    if (!value || !value->isValid())
      return std::nullopt;
    if (!isa<IntegerType>(type) || type.isInteger(1))
      return value;
    std::optional<Expr> kept = math.fitInteger(value->numerator, type);
    if (!kept || !kept->isValid())
      return std::nullopt;
    return *kept == value->numerator ? value : MaybeScalar(*kept);
  };
  math.setOp(block.getParentOp());
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = fit(value, argument.getType());
  for (Operation &op : block.without_terminator())
    values[op.getResult(0)] = fit(follow(op), op.getResult(0).getType());
  return known(block.getTerminator()->getOperand(0));
}

MaybeScalar ambit::followBody(graph::MapOp op, ArrayRef<SizeScalar> arguments,
                              SizeMath &math) {
  return BodyFollower(math).run(op.getBody().front(), arguments);
}
