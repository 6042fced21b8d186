// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padded tensors: making them, cutting true tensors out of them, setting tails.

#include "PaddedTensors.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

PaddedTensors::PaddedTensors(ShapeContext &shapes,
                             const std::map<std::string, Expr> &tops,
                             FreePadding freePadding)
    : shapes(shapes), freePadding(freePadding),
      context(shapes.getProver(), tops, [this](Value tensor, unsigned dim) {
        return tailOf(tensor, dim);
      }) {}

bool PaddedTensors::canPad(Value tensor) {
  SmallVector<Expr> tops;
  for (Expr size : dimsOf(tensor)) {
    Expr top = tops.emplace_back(context.atTop(size));
    if (top != size &&
        !(top.isValid() && shapes.getProver().isAtLeast(top, size)))
      return false;
  }
  RankedTensorType type = sym::getTensorType(tops, elementTypeOf(tensor));
  return type && getByteSize(type).isValid();
}

Value PaddedTensors::resolve(Value tensor) const {
  for (auto it = replaced.find(tensor); it != replaced.end();
       it = replaced.find(tensor))
    tensor = it->second;
  return tensor;
}

Value PaddedTensors::makeScalar(OpBuilder &builder, Location loc,
                                TypedAttr value) {
  auto type = RankedTensorType::get({}, value.getType());
  return builder.create<ConstantOp>(
      loc, DenseElementsAttr::get(type, ArrayRef<Attribute>(value)));
}

static TypedAttr getFreeValue(FreePadding kind, Type elementType) {
  auto type = dyn_cast<FloatType>(elementType);
  switch (kind) {
  case FreePadding::Zero:
    return getScalar(elementType, 0);
  case FreePadding::NaN:
    return type
               ? FloatAttr::get(type, APFloat::getNaN(type.getFloatSemantics()))
               : getExtreme(elementType, /*isLowest=*/false);
  case FreePadding::Huge:
    return type ? getScalar(elementType, 1e30)
                : getExtreme(elementType, /*isLowest=*/true);
  }
  llvm_unreachable("every kind is listed");
}

FailureOr<Value> PaddedTensors::getPadded(Value tensor) {
  auto known = padded.find(tensor);
  if (known != padded.end())
    return resolve(known->second);
  if (!context.isPadded(tensor))
    return tensor;
  OpBuilder builder(tensor.getContext());
  builder.setInsertionPointAfterValue(tensor);
  GraphBuilder b(builder, shapes);
  b.setLoc(tensor.getLoc());
  State state;
  SmallVector<Expr> low, high;
  for (Expr size : dimsOf(tensor)) {
    state.sizes.push_back(size);
    low.push_back(0);
    high.push_back(context.atTop(size) - size);
  }
  state.tails.resize(low.size());
  Value scalar = makeScalar(builder, tensor.getLoc(),
                            getFreeValue(freePadding, elementTypeOf(tensor)));
  FailureOr<Value> result =
      b.create<PadOp>(tensor, scalar, b.shapeAttr(low), b.shapeAttr(high));
  if (failed(result))
    return failure();
  state.freePad = result->getDefiningOp<PadOp>();
  states[*result] = std::move(state);
  padded[tensor] = *result;
  return *result;
}

FailureOr<Value> PaddedTensors::getExact(Value tensor) {
  if (!isGiven.contains(tensor))
    return tensor;
  Value source = resolve(padded.lookup(tensor));
  if (!context.isPadded(tensor))
    return source;
  Value &cut = exact[tensor];
  if (cut)
    return cut;
  OpBuilder builder(tensor.getContext());
  builder.setInsertionPointAfterValue(source);
  GraphBuilder b(builder, shapes);
  b.setLoc(tensor.getLoc());
  SmallVector<Expr> sizes = dimsOf(tensor);
  FailureOr<Value> result = b.create<SliceOp>(
      source, b.shapeAttr(SmallVector<Expr>(sizes.size(), Expr(0))),
      b.shapeAttr(sizes), SmallVector<int64_t>(sizes.size(), 1));
  if (failed(result))
    return failure();
  cut = *result;
  return cut;
}

void PaddedTensors::setPadded(Value tensor, Value result,
                              ArrayRef<Tail> tails) {
  padded[tensor] = result;
  isGiven.insert(tensor);
  State &state = states[result];
  state.sizes = dimsOf(tensor);
  state.tails.assign(tails.begin(), tails.end());
}

Tail PaddedTensors::tailOf(Value tensor, unsigned dim) {
  auto known = padded.find(tensor);
  if (known == padded.end() || !context.isPadded(tensor, dim))
    return Tail();
  return states.find(resolve(known->second))->second.tails[dim];
}

/// Where the tail along a dim of an op's result comes from one of its operand.
static std::optional<unsigned> getSourceDim(Operation *op, unsigned dim,
                                            ArrayRef<Expr> sizes,
                                            ArrayRef<Expr> sourceSizes) {
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transpose.getPermutation()[dim];
  if (!isa<ReshapeOp>(op))
    return std::nullopt;
  Expr outer = sym::getNumElements(sizes.take_front(dim));
  for (unsigned source = 0; source < sourceSizes.size(); ++source)
    if (sourceSizes[source] == sizes[dim] &&
        sym::getNumElements(sourceSizes.take_front(source)) == outer)
      return source;
  return std::nullopt;
}

/// Whether a tail that is set to `value`, and runs through the other ones, is
/// nothing that a user of the tensor relies on.
static bool isFreeBut(ArrayRef<Tail> tails, TypedAttr value) {
  return llvm::all_of(tails, [&](const Tail &tail) {
    return tail.kind == Tail::Kind::Anything || tail.is(value);
  });
}

/// Sets the tail of the operand that an op only moves, if it can be done there.
FailureOr<Value> PaddedTensors::setTailAbove(Value tensor, unsigned dim,
                                             TypedAttr value) {
  Operation *op = tensor.getDefiningOp();
  if (!op || op->getNumOperands() != 1)
    return Value();
  Value operand = op->getOperand(0);
  auto source = states.find(operand);
  if (source == states.end())
    return Value();
  std::optional<unsigned> from =
      getSourceDim(op, dim, states[tensor].sizes, source->second.sizes);
  if (!from)
    return Value();
  const Tail &tail = source->second.tails[*from];
  if (!tail.is(value) && tail.kind != Tail::Kind::Anything)
    return Value();
  if (!isFreeBut(states[tensor].tails, value))
    return Value();
  FailureOr<Value> set = setTail(operand, *from, value);
  if (failed(set))
    return failure();
  op->setOperand(0, *set);
  states[tensor].tails[dim] = Tail::constant(value);
  return tensor;
}

FailureOr<Value> PaddedTensors::makeTail(Value tensor, unsigned dim,
                                         TypedAttr value) {
  OpBuilder builder(tensor.getContext());
  builder.setInsertionPointAfterValue(tensor);
  Location loc = tensor.getLoc();
  GraphBuilder b(builder, shapes);
  b.setLoc(loc);
  SmallVector<Expr> shape = dimsOf(tensor);
  bool isNarrow = shapes.getProver().bounds(shape[dim]).max <= INT32_MAX;
  Type index = builder.getIntegerType(isNarrow ? 32 : 64);
  // Built as they are: positions are computed where they are needed, not kept
  // as small tensors of known elements.
  Type positions = sym::getTensorType(shape, index);
  Value position =
      builder.create<IotaOp>(loc, positions, b.shapeAttr(shape), dim, index);
  Value size = builder.create<DimsOp>(loc, RankedTensorType::get({}, index),
                                      b.shapeAttr({states[tensor].sizes[dim]}));
  Value limit =
      builder.create<BroadcastOp>(loc, positions, size, b.shapeAttr(shape));
  return b.map(
      {tensor, position, limit}, elementTypeOf(tensor),
      [&](OpBuilder &body, Location loc, ValueRange scalars) {
        Value isTrue = body.create<arith::CmpIOp>(
            loc, arith::CmpIPredicate::slt, scalars[1], scalars[2]);
        TypedAttr constant = value;
        if (auto integer = dyn_cast<IntegerAttr>(value))
          constant = IntegerAttr::get(scalars[0].getType(), integer.getValue());
        Value fill = body.create<arith::ConstantOp>(loc, constant);
        return body.create<arith::SelectOp>(loc, isTrue, scalars[0], fill);
      });
}

FailureOr<Value> PaddedTensors::setTail(Value tensor, unsigned dim,
                                        TypedAttr value) {
  State &state = states[tensor];
  if (state.tails[dim].is(value))
    return tensor;
  if (PadOp pad = std::exchange(state.freePad, PadOp())) {
    OpBuilder builder(pad);
    pad.getValueMutable().assign(makeScalar(builder, pad.getLoc(), value));
    for (auto [size, tail] : llvm::zip_equal(state.sizes, state.tails))
      if (context.isPadded(size))
        tail = Tail::constant(value);
    return tensor;
  }
  bool isFree = state.tails[dim].kind == Tail::Kind::Anything;
  if (isFree) {
    FailureOr<Value> above = setTailAbove(tensor, dim, value);
    if (failed(above) || *above)
      return above;
  }
  FailureOr<Value> result = makeTail(tensor, dim, value);
  if (failed(result))
    return failure();
  State filled = states[tensor];
  filled.freePad = {};
  // The new tail runs through those of other dims.
  for (Tail &tail : filled.tails)
    if (!tail.is(value))
      tail = Tail();
  filled.tails[dim] = Tail::constant(value);
  states[*result] = std::move(filled);
  // Who relied on nothing may read the same tensor: it is stored once.
  if (isFree && isFreeBut(states[tensor].tails, value)) {
    tensor.replaceAllUsesExcept(*result, result->getDefiningOp());
    replaced[tensor] = *result;
  }
  return result;
}
