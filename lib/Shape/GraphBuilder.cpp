// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds `graph` ops with inferred types.

#include "ambit/Shape/GraphBuilder.h"
#include "BroadcastDims.h"
#include "ambit/Dialect/Graph/IR/InferTypes.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "ambit/Shape/FollowValues.h"
#include "ambit/Shape/Rank.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

LogicalResult GraphBuilder::inferResults(Operation *op) {
  SmallVector<RankedTensorType> types;
  if (failed(inferTypes(op, context, types)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types)) {
    if (type && type.getRank() > kMaxRank)
      return emitError() << "result has rank " << type.getRank()
                         << ", expected at most " << kMaxRank;
    result.setType(type);
  }
  return success();
}

FailureOr<Value> GraphBuilder::finish(Operation *op) {
  if (failed(inferResults(op))) {
    op->erase();
    return failure();
  }
  // Folding may hand back an operand or the op itself, changed in place.
  SmallVector<OpFoldResult> folded;
  if (succeeded(op->fold(folded)) && !folded.empty())
    if (Value value = dyn_cast<Value>(folded.front())) {
      op->erase();
      return value;
    }
  std::optional<SmallVector<Expr>> elements = followOp(op, context);
  if (!elements)
    return op->getResult(0);
  auto known = builder.create<DimsOp>(loc, op->getResult(0).getType(),
                                      shapeAttr(*elements));
  op->erase();
  return known.getResult();
}

FailureOr<Value> GraphBuilder::map(ValueRange inputs, Type elementType,
                                   Body body) {
  auto op = builder.create<MapOp>(loc, placeholder(elementType), inputs);
  Block &block = op.getBody().emplaceBlock();
  for (Value input : inputs)
    block.addArgument(getBodyType(elementTypeOf(input)), loc);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&block);
    Value result = body(builder, loc, block.getArguments());
    builder.create<YieldOp>(loc, result);
  }
  return finish(op);
}

FailureOr<Value> GraphBuilder::broadcastMap(ValueRange inputs, Type elementType,
                                            Body body) {
  SmallVector<SmallVector<Expr>> shapes;
  for (Value input : inputs)
    shapes.push_back(dimsOf(input));
  FailureOr<SmallVector<Expr>> shape = broadcastShapes(shapes);
  if (failed(shape))
    return failure();
  SmallVector<Value> operands;
  for (Value input : inputs) {
    FailureOr<Value> operand = broadcast(input, *shape);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  return map(operands, elementType, body);
}

FailureOr<SmallVector<Expr>>
GraphBuilder::broadcastShapes(ArrayRef<SmallVector<Expr>> shapes) {
  size_t rank = 0;
  for (const SmallVector<Expr> &shape : shapes)
    rank = std::max<size_t>(rank, shape.size());
  SmallVector<Expr> result;
  for (size_t dim = 0; dim < rank; ++dim) {
    SmallVector<Expr> sizes;
    std::optional<int64_t> known;
    for (const SmallVector<Expr> &shape : shapes) {
      size_t skipped = rank - shape.size();
      if (dim < skipped)
        continue;
      sizes.push_back(shape[dim - skipped]);
      std::optional<int64_t> size = sizes.back().constant();
      if (!size || *size == 1)
        continue;
      if (known && *known != *size)
        return emitError() << "sizes of dim " << dim
                           << " do not broadcast: " << *known << " vs "
                           << *size;
      known = size;
    }
    FailureOr<Expr> common = broadcastSizes(
        sizes, loc, "sizes of dim " + Twine(dim) + " do not broadcast",
        context);
    if (failed(common))
      return failure();
    result.push_back(*common);
  }
  return result;
}

FailureOr<Value> GraphBuilder::broadcast(Value input, ArrayRef<Expr> shape) {
  if (ArrayRef<Expr>(dimsOf(input)) == shape)
    return input;
  return create<BroadcastOp>(input, shapeAttr(shape));
}

FailureOr<Value> GraphBuilder::reshape(Value input, ArrayRef<Expr> shape) {
  return create<ReshapeOp>(input, shapeAttr(shape));
}

FailureOr<Value> GraphBuilder::transpose(Value input,
                                         ArrayRef<int64_t> permutation) {
  return create<TransposeOp>(input, permutation);
}

FailureOr<Value> GraphBuilder::reduce(Value input, ArrayRef<int64_t> dims,
                                      ReduceKind kind, bool keepDims) {
  FailureOr<Value> reduced = create<ReduceOp>(input, dims, kind);
  if (failed(reduced) || !keepDims)
    return reduced;
  SmallVector<Expr> shape = dimsOf(input);
  for (int64_t dim : dims)
    shape[dim] = 1;
  return reshape(*reduced, shape);
}

Value GraphBuilder::constant(ElementsAttr value) {
  return builder.create<ConstantOp>(loc, value);
}

Value GraphBuilder::scalar(double value, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  if (isa<FloatType>(elementType)) {
    Attribute number = builder.getFloatAttr(elementType, value);
    return constant(DenseElementsAttr::get(type, ArrayRef(number)));
  }
  Attribute number = IntegerAttr::get(
      elementType, APInt(elementType.getIntOrFloatBitWidth(), int64_t(value),
                         !elementType.isUnsignedInteger()));
  return constant(DenseElementsAttr::get(type, ArrayRef(number)));
}

FailureOr<Value> GraphBuilder::dims(ArrayRef<Expr> values, Type elementType,
                                    bool isScalar) {
  SmallVector<int64_t> shape;
  if (!isScalar)
    shape.push_back(values.size());
  SmallVector<Expr> simplified;
  for (Expr value : values)
    simplified.push_back(context.simplify(value));
  return builder
      .create<DimsOp>(loc, RankedTensorType::get(shape, elementType),
                      shapeAttr(simplified))
      .getResult();
}

/// Float to integer with saturation; NaN gives 0. fptosi alone is undefined
/// outside of the range, so the operand is brought inside first.
static Value saturate(OpBuilder &b, Location loc, Value value, Type from,
                      IntegerType to, bool isUnsigned) {
  unsigned width = to.getWidth();
  auto number = [&](double x) -> Value {
    return b.create<arith::ConstantOp>(loc, b.getFloatAttr(from, x));
  };
  auto integer = [&](APInt x) -> Value {
    return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(to, x));
  };
  double low = isUnsigned ? 0.0 : -std::ldexp(1.0, width - 1);
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1);
  Value below = b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::OLT, value,
                                        number(low));
  Value above = b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::OGE, value,
                                        number(high));
  Value isNan =
      b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::UNO, value, value);
  Value outside = b.create<arith::OrIOp>(loc, below, above);
  outside = b.create<arith::OrIOp>(loc, outside, isNan);
  Value safe = b.create<arith::SelectOp>(loc, outside, number(0.0), value);
  Value result;
  if (isUnsigned)
    result = b.create<arith::FPToUIOp>(loc, to, safe);
  else
    result = b.create<arith::FPToSIOp>(loc, to, safe);
  Value least = integer(isUnsigned ? APInt::getMinValue(width)
                                   : APInt::getSignedMinValue(width));
  Value greatest = integer(isUnsigned ? APInt::getMaxValue(width)
                                      : APInt::getSignedMaxValue(width));
  result = b.create<arith::SelectOp>(loc, below, least, result);
  return b.create<arith::SelectOp>(loc, above, greatest, result);
}

/// Converts one scalar of element type `from` to `to`.
static Value castScalar(OpBuilder &b, Location loc, Value value, Type from,
                        Type to) {
  Type target = getBodyType(to);
  bool fromUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  if (to.isInteger(1)) {
    Value zero =
        b.create<arith::ConstantOp>(loc, b.getZeroAttr(value.getType()));
    if (fromFloat)
      return b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::UNE, value,
                                     zero);
    return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, value, zero);
  }
  if (fromFloat && toFloat) {
    if (fromFloat.getWidth() < toFloat.getWidth())
      return b.create<arith::ExtFOp>(loc, target, value);
    if (fromFloat.getWidth() > toFloat.getWidth())
      return b.create<arith::TruncFOp>(loc, target, value);
    if (fromFloat == toFloat)
      return value;
    Value wide = b.create<arith::ExtFOp>(loc, b.getF32Type(), value);
    return b.create<arith::TruncFOp>(loc, target, wide);
  }
  if (fromFloat)
    return saturate(b, loc, value, from, llvm::cast<IntegerType>(target),
                    to.isUnsignedInteger());
  if (toFloat) {
    if (fromUnsigned)
      return b.create<arith::UIToFPOp>(loc, target, value);
    return b.create<arith::SIToFPOp>(loc, target, value);
  }
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  if (fromWidth == toWidth)
    return value;
  if (fromWidth > toWidth)
    return b.create<arith::TruncIOp>(loc, target, value);
  if (fromUnsigned)
    return b.create<arith::ExtUIOp>(loc, target, value);
  return b.create<arith::ExtSIOp>(loc, target, value);
}

FailureOr<Value> GraphBuilder::cast(Value input, Type elementType) {
  Type from = elementTypeOf(input);
  if (from == elementType)
    return input;
  return map(input, elementType,
             [&](OpBuilder &b, Location loc, ValueRange scalars) {
               return castScalar(b, loc, scalars.front(), from, elementType);
             });
}
