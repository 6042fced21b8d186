// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and running scalar bodies; constants, comparisons and conversions.

#include "Scalar.h"
#include "Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

static Cell ofBits(uint64_t bits) { return Cell{0, bits}; }
static Cell ofNumber(double number) { return Cell{number, 0}; }

static ScalarFn getConstant(arith::ConstantOp op) {
  Cell cell;
  if (auto number = dyn_cast<FloatAttr>(op.getValue())) {
    APFloat value = number.getValue();
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    cell.number = value.convertToDouble();
  } else if (auto integer = dyn_cast<IntegerAttr>(op.getValue())) {
    cell.bits = integer.getValue().getZExtValue();
  } else {
    return {};
  }
  return [=](ArrayRef<Cell>) { return cell; };
}

static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool isUnordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !isUnordered && a != b;
  case P::ORD:
    return !isUnordered;
  case P::UEQ:
    return isUnordered || a == b;
  case P::UGT:
    return isUnordered || a > b;
  case P::UGE:
    return isUnordered || a >= b;
  case P::ULT:
    return isUnordered || a < b;
  case P::ULE:
    return isUnordered || a <= b;
  case P::UNE:
    return isUnordered || a != b;
  case P::UNO:
    return isUnordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("all predicates are handled");
}

static bool compare(arith::CmpIPredicate predicate, uint64_t a, uint64_t b,
                    unsigned width) {
  using P = arith::CmpIPredicate;
  int64_t signedA = signedValue(a, width), signedB = signedValue(b, width);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return signedA < signedB;
  case P::sle:
    return signedA <= signedB;
  case P::sgt:
    return signedA > signedB;
  case P::sge:
    return signedA >= signedB;
  case P::ult:
    return a < b;
  case P::ule:
    return a <= b;
  case P::ugt:
    return a > b;
  case P::uge:
    return a >= b;
  }
  llvm_unreachable("all predicates are handled");
}

/// Truncates to minus..plus 2^63 and saturates to the width; NaN gives 0.
static uint64_t toInteger(double value, unsigned width, bool isSigned) {
  if (std::isnan(value))
    return 0;
  double limit = std::ldexp(1.0, isSigned ? width - 1 : width);
  double lowest = isSigned ? -limit : 0.0;
  value = std::trunc(value);
  if (value >= limit)
    return truncate(~uint64_t(0), isSigned ? width - 1 : width);
  if (value <= lowest)
    return isSigned ? truncate(uint64_t(1) << (width - 1), width) : 0;
  return truncate(isSigned ? uint64_t(int64_t(value)) : uint64_t(value), width);
}

/// The nearest float of an integer; f32 directly, not by way of double.
template <typename Integer>
static double fromInteger(Integer value, Type type) {
  return type.isF32() ? double(float(value)) : roundTo(type, double(value));
}

static Cell bitcast(Cell in, Type from, Type to) {
  uint64_t bits = in.bits;
  if (auto floatType = dyn_cast<FloatType>(from)) {
    APFloat number(in.number);
    bool losesInfo;
    number.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    bits = number.bitcastToAPInt().getZExtValue();
  }
  auto floatType = dyn_cast<FloatType>(to);
  if (!floatType)
    return ofBits(bits);
  APFloat number(floatType.getFloatSemantics(),
                 APInt(floatType.getWidth(), bits));
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return ofNumber(number.convertToDouble());
}

static ScalarFn getConversion(Operation *op) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (!from.isIntOrIndexOrFloat() || !to.isIntOrIndexOrFloat())
    return {};
  unsigned width = widthOf(from), target = widthOf(to);
  return TypeSwitch<Operation *, ScalarFn>(op)
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) -> ScalarFn {
        return [=](ArrayRef<Cell> in) {
          return ofBits(truncate(signedValue(in[0].bits, width), target));
        };
      })
      .Case<arith::ExtUIOp, arith::TruncIOp, arith::IndexCastUIOp>(
          [&](auto) -> ScalarFn {
            return [=](ArrayRef<Cell> in) {
              return ofBits(truncate(in[0].bits, target));
            };
          })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) -> ScalarFn {
        return [=](ArrayRef<Cell> in) {
          return ofNumber(roundTo(to, in[0].number));
        };
      })
      .Case<arith::SIToFPOp>([&](auto) -> ScalarFn {
        return [=](ArrayRef<Cell> in) {
          return ofNumber(fromInteger(signedValue(in[0].bits, width), to));
        };
      })
      .Case<arith::UIToFPOp>([&](auto) -> ScalarFn {
        return [=](ArrayRef<Cell> in) {
          return ofNumber(fromInteger(in[0].bits, to));
        };
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([&](auto cast) -> ScalarFn {
        bool isSigned = isa<arith::FPToSIOp>(cast);
        return [=](ArrayRef<Cell> in) {
          return ofBits(toInteger(in[0].number, target, isSigned));
        };
      })
      .Case<arith::BitcastOp>([&](auto) -> ScalarFn {
        return [=](ArrayRef<Cell> in) { return bitcast(in[0], from, to); };
      })
      .Default([](Operation *) { return ScalarFn(); });
}

ScalarFn ambit::reference::getOtherFn(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return getConstant(constant);
  if (auto compared = dyn_cast<arith::CmpFOp>(op)) {
    arith::CmpFPredicate predicate = compared.getPredicate();
    return [=](ArrayRef<Cell> in) {
      return ofBits(compare(predicate, in[0].number, in[1].number));
    };
  }
  if (auto compared = dyn_cast<arith::CmpIOp>(op)) {
    arith::CmpIPredicate predicate = compared.getPredicate();
    unsigned width = widthOf(compared.getLhs().getType());
    return [=](ArrayRef<Cell> in) {
      return ofBits(compare(predicate, in[0].bits, in[1].bits, width));
    };
  }
  if (isa<arith::SelectOp>(op))
    return [](ArrayRef<Cell> in) { return in[0].bits ? in[1] : in[2]; };
  return op->getNumOperands() == 1 ? getConversion(op) : ScalarFn();
}

FailureOr<ScalarFunction> ScalarFunction::read(Block &body) {
  ScalarFunction function;
  DenseMap<Value, unsigned> numbers;
  for (Value argument : body.getArguments())
    numbers.insert({argument, numbers.size()});
  auto numbersOf = [&](Operation &op) {
    SmallVector<unsigned, 3> operands;
    for (Value operand : op.getOperands())
      operands.push_back(numbers.lookup(operand));
    return operands;
  };
  for (Operation &op : body.without_terminator()) {
    ScalarFn compute;
    if (op.getNumResults() == 1) {
      compute = getFloatFn(&op);
      if (!compute)
        compute = getIntegerFn(&op);
      if (!compute)
        compute = getOtherFn(&op);
    }
    if (!compute)
      return op.emitError() << "the reference evaluator does not know '"
                            << op.getName() << "' with these types";
    function.steps.push_back({&op, std::move(compute), numbersOf(op)});
    numbers.insert({op.getResult(0), numbers.size()});
  }
  function.result = numbersOf(*body.getTerminator()).front();
  function.cells.resize(numbers.size());
  return function;
}

std::optional<Cell> ScalarFunction::run(ArrayRef<Cell> arguments) {
  llvm::copy(arguments, cells.begin());
  size_t next = arguments.size();
  SmallVector<Cell, 3> operands;
  for (const Step &step : steps) {
    operands.clear();
    for (unsigned number : step.operands)
      operands.push_back(cells[number]);
    std::optional<Cell> value = step.compute(operands);
    if (!value) {
      failedOp = step.op;
      return {};
    }
    cells[next++] = *value;
  }
  return cells[result];
}
