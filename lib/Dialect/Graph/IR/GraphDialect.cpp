// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `graph` dialect: registration, the structural verifiers, and ops that are
// more than their TableGen text.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

#include "ambit/Dialect/Graph/IR/GraphDialect.cpp.inc"
#include "ambit/Dialect/Graph/IR/GraphEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ambit/Dialect/Graph/IR/GraphAttributes.cpp.inc"

#include "ambit/Dialect/Graph/IR/GraphInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "ambit/Dialect/Graph/IR/GraphOps.cpp.inc"

void GraphDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ambit/Dialect/Graph/IR/GraphAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ambit/Dialect/Graph/IR/GraphOps.cpp.inc"
      >();
}

Operation *GraphDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return builder.create<ConstantOp>(loc, elements);
}

void ConstantOp::build(OpBuilder &, OperationState &state, ElementsAttr value) {
  state.addAttribute(getValueAttrName(state.name), value);
  state.addTypes(value.getType());
}

/// The scalar type that stands for an element inside of a map's body.
static Type getBodyType(Type elementType) {
  auto integer = dyn_cast<IntegerType>(elementType);
  if (integer && !integer.isSignless())
    return IntegerType::get(integer.getContext(), integer.getWidth());
  return elementType;
}

LogicalResult MapOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError() << "body takes " << block.getNumArguments()
                         << " scalars, expected one for each of the "
                         << getInputs().size() << " inputs";
  for (auto [index, input, argument] :
       llvm::enumerate(getInputs(), block.getArguments())) {
    Type expected =
        getBodyType(cast<RankedTensorType>(input.getType()).getElementType());
    if (argument.getType() != expected)
      return emitOpError() << "body argument " << index << " has type "
                           << argument.getType() << ", expected " << expected;
  }
  for (Operation &op : block.without_terminator())
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op.getDialect()))
      return emitOpError() << "body holds '" << op.getName()
                           << "', expected ops of arith and math only";
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError() << "body ends without graph.yield";
  Type expected = getBodyType(getResult().getType().getElementType());
  if (yield.getValue().getType() != expected)
    return emitOpError() << "body yields " << yield.getValue().getType()
                         << ", expected " << expected;
  return success();
}
