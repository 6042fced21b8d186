// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `graph` dialect: registration, the structural verifiers, and ops that are
// more than their TableGen text.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
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

/// Whether the types agree but for their dims, whose equality is a matter of
/// the launch's sizes.
static bool haveSameElements(Type lhs, Type rhs) {
  auto left = dyn_cast<RankedTensorType>(lhs);
  auto right = dyn_cast<RankedTensorType>(rhs);
  return left && right && left.getRank() == right.getRank() &&
         left.getElementType() == right.getElementType();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *kernel = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  auto function = dyn_cast_or_null<FunctionOpInterface>(kernel);
  if (!function)
    return emitOpError() << "kernel '" << getKernel() << "' does not exist";
  Operation *caller = (*this)->getParentOp();
  if (caller && caller->hasAttr(attributes::kKernel))
    return emitOpError("stands inside of a kernel");
  // A kernel that has been lowered has other arguments.
  if (!llvm::all_of(function.getArgumentTypes(), llvm::IsaPred<TensorType>) ||
      !llvm::all_of(function.getResultTypes(), llvm::IsaPred<TensorType>))
    return success();
  if (!kernel->hasAttr(attributes::kKernel))
    return emitOpError() << "'" << getKernel()
                         << "' has no attribute ambit.kernel";
  TypeRange arguments(function.getArgumentTypes());
  TypeRange results(function.getResultTypes());
  if (arguments.size() != getInputs().size() || results.size() != 1 ||
      !llvm::all_of_zip(arguments, getInputs().getTypes(), haveSameElements) ||
      !haveSameElements(results.front(), getResult().getType()))
    return emitOpError() << "does not go with kernel '" << getKernel()
                         << "' of type " << function.getFunctionType();
  auto sizes = kernel->getAttrOfType<sym::ShapeAttr>(attributes::kSizes);
  size_t count = sizes ? sizes.getDims().size() : 0;
  if (count != getDims().getDims().size())
    return emitOpError() << "gives " << getDims().getDims().size()
                         << " sizes, expected " << count;
  return success();
}
