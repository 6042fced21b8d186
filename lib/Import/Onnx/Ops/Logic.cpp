// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, logical and bitwise operators, and selection.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

/// Sets output 0 to a scalar function of inputs 0 and 1, which must have one
/// element type.
static void setBinary(NodeContext &c, NodeContext::Body body, Type type = {}) {
  if (elementTypeOf(c.input(0)) != elementTypeOf(c.input(1))) {
    c.error() << "element types differ: " << elementTypeOf(c.input(0)) << " vs "
              << elementTypeOf(c.input(1));
    return;
  }
  c.setOutput(0, c.map({c.input(0), c.secondOperand()}, body, type));
}

template <Relation::Kind kind> static void convertCompare(NodeContext &c) {
  setBinary(
      c,
      [](ScalarBuilder &s, ValueRange v) {
        return s.compare(kind, v[0], v[1]);
      },
      c.graph.getBuilder().getI1Type());
}

/// A bit operator on integers, or a logical one on bools.
template <typename OpT> static void convertBits(NodeContext &c) {
  if (!isa<IntegerType>(elementTypeOf(c.input(0)))) {
    c.error() << "input has element type " << elementTypeOf(c.input(0))
              << ", expected an integer type";
    return;
  }
  setBinary(c, [](ScalarBuilder &s, ValueRange v) {
    return s.make<OpT>(v[0], v[1]);
  });
}

static void convertNot(NodeContext &c) {
  if (!isa<IntegerType>(elementTypeOf(c.input(0)))) {
    c.error() << "input has element type " << elementTypeOf(c.input(0))
              << ", expected an integer type";
    return;
  }
  c.setOutput(0, c.map(c.input(0), [](ScalarBuilder &s, ValueRange v) {
    return s.make<arith::XOrIOp>(v[0], s.integer(-1, v[0]));
  }));
}

/// A shift by the width or more gives 0; the machine's shift would not.
static void convertBitShift(NodeContext &c) {
  std::string direction = c.stringAttr("direction", "");
  if (direction != "LEFT" && direction != "RIGHT") {
    c.error() << "attribute 'direction' is '" << direction
              << "', expected 'LEFT' or 'RIGHT'";
    return;
  }
  if (!elementTypeOf(c.input(0)).isUnsignedInteger()) {
    c.error() << "input has element type " << elementTypeOf(c.input(0))
              << ", expected an unsigned integer type";
    return;
  }
  bool isLeft = direction == "LEFT";
  setBinary(c, [&](ScalarBuilder &s, ValueRange v) {
    unsigned width = v[0].getType().getIntOrFloatBitWidth();
    Value isInside =
        s.compare(Relation::Kind::LT, v[1], s.integer(width, v[1]));
    Value zero = s.integer(0, v[0]);
    Value amount = s.select(isInside, v[1], zero);
    Value shifted = isLeft ? s.make<arith::ShLIOp>(v[0], amount)
                           : s.make<arith::ShRUIOp>(v[0], amount);
    return s.select(isInside, shifted, zero);
  });
}

static void convertWhere(NodeContext &c) {
  if (!elementTypeOf(c.input(0)).isInteger(1) ||
      elementTypeOf(c.input(1)) != elementTypeOf(c.input(2))) {
    c.error() << "inputs have element types " << elementTypeOf(c.input(0))
              << ", " << elementTypeOf(c.input(1)) << " and "
              << elementTypeOf(c.input(2))
              << ", expected bool and twice the same";
    return;
  }
  c.setOutput(0, c.map(
                     {c.input(0), c.input(1), c.input(2)},
                     [](ScalarBuilder &s, ValueRange v) {
                       return s.select(v[0], v[1], v[2]);
                     },
                     elementTypeOf(c.input(1))));
}

void ambit::onnx_import::addLogic(ConverterTable &table) {
  table.add("Equal", convertCompare<Relation::Kind::EQ>, 2);
  table.add("Less", convertCompare<Relation::Kind::LT>, 2);
  table.add("LessOrEqual", convertCompare<Relation::Kind::LE>, 2).since(12);
  table.add("Greater", convertCompare<Relation::Kind::GT>, 2);
  table.add("GreaterOrEqual", convertCompare<Relation::Kind::GE>, 2).since(12);
  table.add("And", convertBits<arith::AndIOp>, 2);
  table.add("Or", convertBits<arith::OrIOp>, 2);
  table.add("Xor", convertBits<arith::XOrIOp>, 2);
  table.add("BitwiseAnd", convertBits<arith::AndIOp>, 2).since(18);
  table.add("BitwiseOr", convertBits<arith::OrIOp>, 2).since(18);
  table.add("BitwiseXor", convertBits<arith::XOrIOp>, 2).since(18);
  table.add("Not", convertNot, 1);
  table.add("BitwiseNot", convertNot, 1).since(18);
  table.add("BitShift", convertBitShift, 2).since(11);
  table.add("Where", convertWhere, 3).since(9);
}
