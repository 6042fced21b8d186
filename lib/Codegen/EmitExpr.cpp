// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emission of canonical polynomials: sums of terms, terms as products of atoms,
// with every expression, atom and partial product emitted once. The checked
// form carries an i1 beside each value that says whether the value is wrong.

#include "ambit/Codegen/EmitExpr.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;

ExprEmitter::ExprEmitter(OpBuilder &builder, Location loc,
                         std::map<std::string, Value> symbols, Type type)
    : builder(builder), loc(loc), symbols(std::move(symbols)),
      type(type ? type : builder.getIndexType()) {
  if (!this->symbols.empty())
    this->type = this->symbols.begin()->second.getType();
}

Value ExprEmitter::constant(int64_t value) {
  Value &known = constants[value];
  if (!known)
    known = builder.create<arith::ConstantOp>(
        loc, type, builder.getIntegerAttr(type, value));
  return known;
}

Value ExprEmitter::flag(bool value) {
  return builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(value));
}

Value ExprEmitter::either(Value lhs, Value rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs ? lhs : rhs;
  return builder.create<arith::OrIOp>(loc, lhs, rhs);
}

Value ExprEmitter::signsDiffer(Value lhs, Value rhs) {
  Value bits = builder.create<arith::XOrIOp>(loc, lhs, rhs);
  return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, bits,
                                       constant(0));
}

ExprEmitter::Step ExprEmitter::add(Step lhs, Step rhs) {
  Step sum{builder.create<arith::AddIOp>(loc, lhs.value, rhs.value),
           either(lhs.wrong, rhs.wrong)};
  if (!checks)
    return sum;
  // A sum overflows exactly when its sign is that of neither operand.
  Value overflow =
      builder.create<arith::AndIOp>(loc, signsDiffer(lhs.value, sum.value),
                                    signsDiffer(rhs.value, sum.value));
  sum.wrong = either(sum.wrong, overflow);
  return sum;
}

ExprEmitter::Step ExprEmitter::subtract(Step lhs, Step rhs) {
  Step difference{builder.create<arith::SubIOp>(loc, lhs.value, rhs.value),
                  either(lhs.wrong, rhs.wrong)};
  if (!checks)
    return difference;
  Value overflow =
      builder.create<arith::AndIOp>(loc, signsDiffer(lhs.value, rhs.value),
                                    signsDiffer(lhs.value, difference.value));
  difference.wrong = either(difference.wrong, overflow);
  return difference;
}

ExprEmitter::Step ExprEmitter::multiply(Step lhs, Step rhs) {
  Value wrong = either(lhs.wrong, rhs.wrong);
  if (!checks)
    return {builder.create<arith::MulIOp>(loc, lhs.value, rhs.value), wrong};
  auto wide = builder.create<arith::MulSIExtendedOp>(loc, lhs.value, rhs.value);
  Value sign = builder.create<arith::ShRSIOp>(loc, wide.getLow(), constant(63));
  Value overflow = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                                 wide.getHigh(), sign);
  return {wide.getLow(), either(wrong, overflow)};
}

/// The divisor is made harmless (1) where the machine would trap: zero, and the
/// most negative number by -1, whose quotient does not fit.
ExprEmitter::Step ExprEmitter::divide(Step lhs, Expr rhs, bool wantsQuotient) {
  Step divisor = step(rhs);
  Value wrong = either(lhs.wrong, divisor.wrong);
  std::optional<int64_t> known = rhs.constant();
  if (!known || *known == -1 || *known == 0) {
    auto equals = [&](Value value, int64_t wanted) -> Value {
      return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, value,
                                           constant(wanted));
    };
    Value overflow = builder.create<arith::AndIOp>(
        loc, equals(divisor.value, -1), equals(lhs.value, INT64_MIN));
    Value traps = either(equals(divisor.value, 0), overflow);
    divisor.value =
        builder.create<arith::SelectOp>(loc, traps, constant(1), divisor.value);
    if (checks)
      wrong = either(wrong, traps);
  }
  if (wantsQuotient)
    return {builder.create<arith::FloorDivSIOp>(loc, lhs.value, divisor.value),
            wrong};
  Value rest = builder.create<arith::RemSIOp>(loc, lhs.value, divisor.value);
  Value isZero = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                               rest, constant(0));
  Value moved = builder.create<arith::AddIOp>(loc, rest, divisor.value);
  Value corrected = builder.create<arith::SelectOp>(
      loc, signsDiffer(rest, divisor.value), moved, rest);
  return {builder.create<arith::SelectOp>(loc, isZero, rest, corrected), wrong};
}

ExprEmitter::Step ExprEmitter::step(const Atom &atom) {
  auto found = cache().atoms.find(&atom);
  if (found != cache().atoms.end())
    return found->second;
  Step result;
  switch (atom.kind) {
  case Atom::Kind::Symbol: {
    Value &symbol = symbols[atom.name];
    if (!symbol && lookup)
      symbol = lookup(atom.name);
    assert(symbol && "an expression has a symbol without value");
    result.value = symbol;
    break;
  }
  case Atom::Kind::FloorDiv:
  case Atom::Kind::Mod:
    result =
        divide(step(atom.lhs), atom.rhs, atom.kind == Atom::Kind::FloorDiv);
    break;
  case Atom::Kind::Min:
  case Atom::Kind::Max: {
    Step lhs = step(atom.lhs), rhs = step(atom.rhs);
    result.wrong = either(lhs.wrong, rhs.wrong);
    if (atom.kind == Atom::Kind::Min)
      result.value = builder.create<arith::MinSIOp>(loc, lhs.value, rhs.value);
    else
      result.value = builder.create<arith::MaxSIOp>(loc, lhs.value, rhs.value);
    break;
  }
  }
  cache().atoms[&atom] = result;
  return result;
}

ExprEmitter::Step ExprEmitter::product(ArrayRef<const Atom *> factors) {
  if (factors.size() == 1)
    return step(*factors.front());
  Product key(factors.begin(), factors.end());
  auto found = cache().products.find(key);
  if (found != cache().products.end())
    return found->second;
  Step result = multiply(product(factors.drop_back()), step(*factors.back()));
  cache().products[key] = result;
  return result;
}

ExprEmitter::Step ExprEmitter::step(Expr expr) {
  if (!expr.isValid()) {
    assert(checks && "an invalid expression has no value");
    return {constant(0), flag(true)};
  }
  if (std::optional<int64_t> value = expr.constant())
    return {constant(*value), Value()};
  auto found = cache().exprs.find(expr.getAsOpaquePointer());
  if (found != cache().exprs.end())
    return found->second;
  Step sum;
  for (const Term &term : expr.terms()) {
    Step value;
    // Negation is written as a subtraction where there is something to
    // subtract from: "s - 1" should not become "s + -1 * 1".
    bool negate = sum.value && term.coefficient == -1 && !term.factors.empty();
    int64_t coefficient = negate ? 1 : term.coefficient;
    if (term.factors.empty())
      value.value = constant(coefficient);
    else
      value = product(term.factors);
    if (!term.factors.empty() && coefficient != 1)
      value = multiply(value, {constant(coefficient), Value()});
    if (!sum.value)
      sum = value;
    else
      sum = negate ? subtract(sum, value) : add(sum, value);
  }
  cache().exprs[expr.getAsOpaquePointer()] = sum;
  return sum;
}

Value ExprEmitter::emit(Expr expr) {
  checks = false;
  return step(expr).value;
}

std::pair<Value, Value> ExprEmitter::emitChecked(Expr expr) {
  checks = true;
  Step result = step(expr);
  return {result.value, result.wrong ? result.wrong : flag(false)};
}

static arith::CmpIPredicate getPredicate(Relation::Kind kind) {
  switch (kind) {
  case Relation::Kind::EQ:
    return arith::CmpIPredicate::eq;
  case Relation::Kind::NE:
    return arith::CmpIPredicate::ne;
  case Relation::Kind::LE:
    return arith::CmpIPredicate::sle;
  case Relation::Kind::LT:
    return arith::CmpIPredicate::slt;
  case Relation::Kind::GE:
    return arith::CmpIPredicate::sge;
  case Relation::Kind::GT:
    return arith::CmpIPredicate::sgt;
  }
  llvm_unreachable("every relation has a predicate");
}

Value ExprEmitter::emit(const Relation &relation) {
  checks = true;
  Step lhs = step(relation.lhs), rhs = step(relation.rhs);
  Value holds = builder.create<arith::CmpIOp>(loc, getPredicate(relation.kind),
                                              lhs.value, rhs.value);
  if (Value wrong = either(lhs.wrong, rhs.wrong)) {
    Value right = builder.create<arith::XOrIOp>(loc, wrong, flag(true));
    holds = builder.create<arith::AndIOp>(loc, holds, right);
  }
  return holds;
}

Value ExprEmitter::emit(const Condition &condition) {
  Value any;
  for (const Relation &relation : condition.anyOf)
    any = either(any, emit(relation));
  return any ? any : flag(false);
}
