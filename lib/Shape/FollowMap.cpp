// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows one element through the scalar body of a `graph.map`. A scalar is an
// integer expression; floats are followed while they hold integers, and bools
// as 0 and 1. A float constant that is no int64 may only be compared with.

#include "FollowMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace ambit;

namespace {

/// Evaluates a body op by op; `values` maps SSA scalars to expressions.
class BodyFollower {
public:
  explicit BodyFollower(graph::ShapeContext &context) : context(context) {}

  std::optional<Expr> run(Block &block, ArrayRef<Expr> arguments);

private:
  std::optional<Expr> follow(Operation &op);
  std::optional<Expr> followConstant(arith::ConstantOp op);
  std::optional<Expr> followBinary(Operation &op);
  std::optional<Expr> followProduct(Operation &op, Expr lhs, Expr rhs);
  std::optional<Expr> followUnary(Operation &op);
  std::optional<Expr> followConversion(Operation &op, Expr operand);
  std::optional<Expr> followDivision(Operation &op, Expr lhs, Expr rhs);
  std::optional<Expr> followSelect(arith::SelectOp op);
  std::optional<Expr> compare(Relation::Kind kind, Value lhs, Value rhs);
  bool isNotNegative(Value value) {
    std::optional<Expr> expr = known(value);
    return expr && context.getProver().isAtLeast(*expr, 0);
  }
  std::optional<Expr> fitInteger(Expr expr, Type type, Operation &op);
  std::optional<Expr> fitFloat(Expr expr, Type type, Operation &op);
  std::optional<Expr> fit(Expr expr, int64_t min, int64_t max, Operation &op);
  std::optional<Expr> fitWithoutGuard(Expr expr, int64_t min, int64_t max);
  std::optional<Expr> known(Value value) const {
    auto it = values.find(value);
    if (it == values.end())
      return std::nullopt;
    return it->second;
  }

  graph::ShapeContext &context;
  llvm::DenseMap<Value, Expr> values;
  llvm::DenseMap<Value, double> odd; // float constants that are no int64
};

} // namespace

std::optional<Expr> BodyFollower::followConstant(arith::ConstantOp op) {
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue())) {
    if (op.getType().isInteger(1))
      return Expr(integer.getValue().isZero() ? 0 : 1);
    return Expr(integer.getValue().getSExtValue());
  }
  auto number = dyn_cast<FloatAttr>(op.getValue());
  if (!number)
    return std::nullopt;
  double value = number.getValueAsDouble();
  if (value == 0 && std::signbit(value))
    return std::nullopt;
  if (std::trunc(value) == value && std::fabs(value) < 9.0e18)
    return Expr(int64_t(value));
  odd[op.getResult()] = value;
  return std::nullopt;
}

std::optional<Expr> BodyFollower::compare(Relation::Kind kind, Value lhs,
                                          Value rhs) {
  std::optional<Expr> left = known(lhs), right = known(rhs);
  if (left && !right && odd.count(rhs)) {
    // Beyond int64: every followed value lies on one side. Fractions: unknown.
    double bound = odd.lookup(rhs);
    if (std::fabs(bound) < 9.0e18)
      return std::nullopt;
    bool isLess = bound > 0;
    bool wantsLess = kind == Relation::Kind::LT || kind == Relation::Kind::LE;
    if (kind == Relation::Kind::EQ || kind == Relation::Kind::NE)
      return Expr(kind == Relation::Kind::NE ? 1 : 0);
    return Expr(isLess == wantsLess ? 1 : 0);
  }
  if (!left || !right)
    return std::nullopt;
  switch (context.getProver().prove(Relation{kind, *left, *right})) {
  case Truth::Yes:
    return Expr(1);
  case Truth::No:
    return Expr(0);
  case Truth::Unknown:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Keeps a float value only while every integer up to it is exact. Halves are
/// no sizes, and get no guard.
std::optional<Expr> BodyFollower::fitFloat(Expr expr, Type type,
                                           Operation &op) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType || !expr.isValid())
    return std::nullopt;
  unsigned digits = floatType.getFPMantissaWidth();
  int64_t limit = int64_t(1) << std::min(digits, 53u);
  if (floatType.getWidth() >= 32)
    return fit(expr, -limit, limit, op);
  return fitWithoutGuard(expr, -limit, limit);
}

std::optional<Expr> BodyFollower::fitWithoutGuard(Expr expr, int64_t min,
                                                  int64_t max) {
  Interval bounds = context.getProver().bounds(expr);
  if (bounds.min < min || bounds.max > max)
    return std::nullopt;
  return expr;
}

/// The expression under guards that keep it in a range, unless it never is.
std::optional<Expr> BodyFollower::fit(Expr expr, int64_t min, int64_t max,
                                      Operation &op) {
  for (Relation bound : {Relation{Relation::Kind::GE, expr, Expr(min)},
                         Relation{Relation::Kind::LE, expr, Expr(max)}})
    if (context.getProver().prove(bound) == Truth::No ||
        failed(context.require(&op, bound, "size is out of range")))
      return std::nullopt;
  return expr;
}

/// Keeps an integer that its type holds without wrapping around: sizes of 2^31
/// and more do not survive in 32 bits. Narrower ones are no sizes, and get no
/// guard.
std::optional<Expr> BodyFollower::fitInteger(Expr expr, Type type,
                                             Operation &op) {
  unsigned width = type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
  if (width == 1 || width >= 64)
    return expr;
  int64_t limit = (int64_t(1) << (width - 1)) - 1;
  if (width >= 32)
    return fit(expr, -limit - 1, limit, op);
  return fitWithoutGuard(expr, -limit - 1, limit);
}

std::optional<Expr> BodyFollower::followDivision(Operation &op, Expr lhs,
                                                 Expr rhs) {
  Prover &prover = context.getProver();
  if (!prover.isAtLeast(rhs, 1))
    return std::nullopt;
  // A negative number is a large one to these.
  if (isa<arith::DivUIOp, arith::RemUIOp>(op) && !prover.isAtLeast(lhs, 0))
    return std::nullopt;
  if (isa<arith::FloorDivSIOp>(op))
    return Expr::floorDiv(lhs, rhs);
  if (isa<arith::CeilDivSIOp>(op))
    return Expr::ceilDiv(lhs, rhs);
  // Truncation and flooring agree only without a sign.
  if (!prover.isAtLeast(lhs, 0)) {
    std::optional<int64_t> left = lhs.constant(), right = rhs.constant();
    if (!left || !right)
      return std::nullopt;
    return Expr(isa<arith::RemSIOp>(op) ? *left % *right : *left / *right);
  }
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return Expr::mod(lhs, rhs);
  return Expr::floorDiv(lhs, rhs);
}

/// No product that may be minus zero, which an integer cannot say.
std::optional<Expr> BodyFollower::followProduct(Operation &op, Expr lhs,
                                                Expr rhs) {
  auto isAtLeast = [&](int64_t bound) {
    Prover &prover = context.getProver();
    return std::make_pair(prover.isAtLeast(lhs, bound),
                          prover.isAtLeast(rhs, bound));
  };
  auto [isLeftPositive, isRightPositive] = isAtLeast(1);
  if (!isLeftPositive && !isRightPositive &&
      isAtLeast(0) != std::make_pair(true, true))
    return std::nullopt;
  return fitFloat(lhs * rhs, op.getResult(0).getType(), op);
}

std::optional<Expr> BodyFollower::followBinary(Operation &op) {
  std::optional<Expr> lhs = known(op.getOperand(0)),
                      rhs = known(op.getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  Type type = op.getResult(0).getType();
  bool isBool = type.isInteger(1);
  if (isBool && !isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  return TypeSwitch<Operation *, std::optional<Expr>>(&op)
      .Case<arith::AddIOp>([&](auto) { return *lhs + *rhs; })
      .Case<arith::SubIOp>([&](auto) { return *lhs - *rhs; })
      .Case<arith::MulIOp>([&](auto) { return *lhs * *rhs; })
      .Case<arith::MinSIOp>([&](auto) { return Expr::min(*lhs, *rhs); })
      .Case<arith::MaxSIOp>([&](auto) { return Expr::max(*lhs, *rhs); })
      .Case<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
            arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(
          [&](auto) { return followDivision(op, *lhs, *rhs); })
      .Case<arith::AddFOp>(
          [&](auto) { return fitFloat(*lhs + *rhs, type, op); })
      .Case<arith::SubFOp>(
          [&](auto) { return fitFloat(*lhs - *rhs, type, op); })
      .Case<arith::MulFOp>([&](auto) { return followProduct(op, *lhs, *rhs); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return Expr::min(*lhs, *rhs); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return Expr::max(*lhs, *rhs); })
      .Case<arith::AndIOp>([&](auto) -> std::optional<Expr> {
        if (!isBool)
          return std::nullopt;
        return *lhs * *rhs;
      })
      .Case<arith::OrIOp>([&](auto) -> std::optional<Expr> {
        if (!isBool)
          return std::nullopt;
        return Expr::max(*lhs, *rhs);
      })
      .Case<arith::XOrIOp>([&](auto) -> std::optional<Expr> {
        if (!isBool)
          return std::nullopt;
        return *lhs + *rhs - Expr(2) * *lhs * *rhs;
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Expr> BodyFollower::followConversion(Operation &op,
                                                   Expr operand) {
  Type from = op.getOperand(0).getType(), to = op.getResult(0).getType();
  // True is 1 here, but minus one to what reads its only bit as a sign.
  bool isSigned = isa<arith::SIToFPOp, arith::ExtSIOp, arith::IndexCastOp>(op);
  if (from.isInteger(1) && isSigned)
    operand = -operand;
  // A negative number is a large one, or saturates.
  bool isUnsigned = isa<arith::UIToFPOp, arith::ExtUIOp, arith::FPToUIOp>(op);
  if (isUnsigned && !context.getProver().isAtLeast(operand, 0))
    return std::nullopt;
  if (to.isInteger(1))
    return std::nullopt;
  // Whether an integer fits is up to `run`.
  return isa<FloatType>(to) ? fitFloat(operand, to, op) : operand;
}

std::optional<Expr> BodyFollower::followUnary(Operation &op) {
  std::optional<Expr> operand = known(op.getOperand(0));
  if (!operand)
    return std::nullopt;
  if (isa<arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
          arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::ExtFOp, arith::TruncFOp>(op))
    return followConversion(op, *operand);
  if (isa<arith::NegFOp>(op)) {
    // Minus zero is no integer.
    Prover &prover = context.getProver();
    if (!prover.isAtLeast(*operand, 1) && !prover.isAtLeast(-1, *operand))
      return std::nullopt;
    return -*operand;
  }
  if (isa<math::FloorOp, math::CeilOp, math::RoundEvenOp, math::TruncOp>(op))
    return operand;
  if (isa<math::AbsIOp, math::AbsFOp>(op))
    return Expr::max(*operand, -*operand);
  return std::nullopt;
}

std::optional<Expr> BodyFollower::followSelect(arith::SelectOp op) {
  std::optional<Expr> condition = known(op.getCondition());
  std::optional<Expr> yes = known(op.getTrueValue());
  std::optional<Expr> no = known(op.getFalseValue());
  if (condition && condition->constant())
    return condition->isConstant(0) ? no : yes;
  // Where(dim == -1, dim, other) and the like: both sides may agree.
  if (yes && no && *yes == *no)
    return yes;
  return std::nullopt;
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

std::optional<Expr> BodyFollower::follow(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return followConstant(constant);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return followSelect(select);
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    if (cmp.getLhs().getType().isInteger(1) ||
        (isUnsigned(cmp.getPredicate()) &&
         !(isNotNegative(cmp.getLhs()) && isNotNegative(cmp.getRhs()))))
      return std::nullopt;
    return compare(relationOf(cmp.getPredicate()), cmp.getLhs(), cmp.getRhs());
  }
  if (auto cmp = dyn_cast<arith::CmpFOp>(op)) {
    if (cmp.getPredicate() == arith::CmpFPredicate::UNO && known(cmp.getLhs()))
      return Expr(0);
    std::optional<Relation::Kind> kind = relationOf(cmp.getPredicate());
    return kind ? compare(*kind, cmp.getLhs(), cmp.getRhs()) : std::nullopt;
  }
  if (op.getNumOperands() == 2)
    return followBinary(op);
  if (op.getNumOperands() == 1)
    return followUnary(op);
  return std::nullopt;
}

std::optional<Expr> BodyFollower::run(Block &block, ArrayRef<Expr> arguments) {
  Operation &map = *block.getParentOp();
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    if (auto kept = fitInteger(value, argument.getType(), map))
      values[argument] = *kept;
  for (Operation &op : block.without_terminator()) {
    std::optional<Expr> value = follow(op);
    if (value && value->isValid())
      value = fitInteger(*value, op.getResult(0).getType(), op);
    if (value && value->isValid())
      values[op.getResult(0)] = *value;
  }
  return known(block.getTerminator()->getOperand(0));
}

std::optional<Expr> ambit::followBody(graph::MapOp op, ArrayRef<Expr> arguments,
                                      graph::ShapeContext &context) {
  return BodyFollower(context).run(op.getBody().front(), arguments);
}
