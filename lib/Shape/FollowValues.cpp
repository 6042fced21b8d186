// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small tensors whose elements are known as expressions as they stand, and the
// ops whose results are.

#include "ambit/Shape/FollowValues.h"
#include "FollowElements.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using Exprs = std::optional<SmallVector<Expr>>;

static bool isFollowed(RankedTensorType type) {
  return type.hasStaticShape() &&
         type.getNumElements() <= kMaxFollowedElements &&
         type.getElementType().isIntOrFloat();
}

static Exprs getConstantElements(ElementsAttr attr) {
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return std::nullopt;
  SmallVector<Expr> elements;
  if (isa<IntegerType>(attr.getElementType())) {
    bool isUnsigned = attr.getElementType().isUnsignedInteger() ||
                      attr.getElementType().isInteger(1);
    for (const APInt &value : dense.getValues<APInt>())
      elements.push_back(Expr(isUnsigned ? int64_t(value.getZExtValue())
                                         : value.getSExtValue()));
    return elements;
  }
  for (const APFloat &value : dense.getValues<APFloat>()) {
    APFloat wide = value;
    bool loses = false;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    double number = wide.convertToDouble();
    bool isMinusZero = number == 0 && std::signbit(number);
    if (!(std::trunc(number) == number) || std::fabs(number) >= 9.0e15 ||
        isMinusZero)
      return std::nullopt;
    elements.push_back(Expr(int64_t(number)));
  }
  return elements;
}

Exprs ambit::getKnownElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isFollowed(type))
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    // A function that is being built may have a block before it has a type.
    unsigned number = argument.getArgNumber();
    if (!function || number >= function.getNumArguments())
      return std::nullopt;
    auto elements =
        function.getArgAttrOfType<sym::ShapeAttr>(number, sym::kElements);
    if (!elements || elements.getDims().size() != size_t(type.getNumElements()))
      return std::nullopt;
    return SmallVector<Expr>(elements.getDims());
  }
  if (auto dims = value.getDefiningOp<DimsOp>())
    return SmallVector<Expr>(dims.getValues().getDims());
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return getConstantElements(constant.getValue());
  return std::nullopt;
}

Exprs ambit::followOp(Operation *op, ShapeContext &context) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isFollowed(type))
    return std::nullopt;
  SmallVector<KnownOperand> operands;
  for (Value operand : op->getOperands()) {
    Exprs known = getKnownElements(operand);
    if (!known)
      return std::nullopt;
    auto shape = cast<RankedTensorType>(operand.getType()).getShape();
    operands.push_back({SmallVector<SizeScalar>(known->begin(), known->end()),
                        SmallVector<int64_t>(shape)});
  }
  SizeMath math(context, Following::Replace);
  Elements elements = followElements(op, operands, math);
  if (!elements)
    return std::nullopt;
  SmallVector<Expr> result;
  for (const SizeScalar &element : *elements) {
    if (!element.isInteger())
      return std::nullopt;
    result.push_back(element.numerator);
  }
  return result;
}
