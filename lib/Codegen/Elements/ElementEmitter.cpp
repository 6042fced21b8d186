// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for single elements of a kernel's tensors: loads, elementwise bodies,
// and the ops that only change the index.

#include "ElementEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

Value ElementEmitter::positions(LaneIndex index) {
  if (index.vector)
    return index.vector;
  if (lanes.count == 1)
    return index.base;
  Value base = k.splat(index.base, lanes);
  if (index.stride == 0)
    return base;
  SmallVector<int64_t> steps;
  for (int64_t lane = 0; lane < lanes.count; ++lane)
    steps.push_back(lane * index.stride);
  Value offsets =
      k.b.create<arith::ConstantOp>(k.loc, k.b.getIndexVectorAttr(steps));
  return k.b.create<arith::AddIOp>(k.loc, base, offsets);
}

LaneIndex ElementEmitter::fromPositions(Value positions) {
  LaneIndex index;
  if (lanes.count == 1)
    index.base = positions;
  else
    index.vector = positions;
  return index;
}

Value ElementEmitter::load(Value argument, ArrayRef<LaneIndex> index) {
  SmallVector<Value> strides = k.strides(argument);
  Value offset = k.index(0);
  Value scattered; // positions that are not an arithmetic progression
  int64_t laneStride = 0;
  for (int64_t dim = int64_t(index.size()) - 1; dim >= 0; --dim) {
    const LaneIndex &at = index[dim];
    Value stride = strides[dim];
    std::optional<int64_t> constant = KernelLowering::constantOf(stride);
    if (lanes.count > 1 && (at.vector || (at.stride != 0 && !constant))) {
      Value part = k.b.create<arith::MulIOp>(k.loc, positions(at),
                                             k.splat(stride, lanes));
      scattered =
          scattered ? k.b.create<arith::AddIOp>(k.loc, scattered, part) : part;
    } else {
      offset = k.add(k.mul(at.base, stride), offset);
      laneStride += at.stride * constant.value_or(0);
    }
  }
  Type elementType = elementTypeOf(argument);
  if (!scattered)
    return k.loadAt(k.buffer(argument), elementType, offset, laneStride, lanes);

  LaneIndex rest(offset, laneStride);
  Value offsets = k.b.create<arith::AddIOp>(k.loc, scattered, positions(rest));
  Type scalar = k.scalarType(elementType);
  Type stored =
      scalar.getIntOrFloatBitWidth() <= 8 ? k.b.getIntegerType(8) : scalar;
  Value mask = lanes.mask;
  if (!mask)
    mask = k.number(1, k.b.getI1Type(), lanes);
  Value value = k.b.create<vector::GatherOp>(
      k.loc, cast<VectorType>(k.laneType(stored, lanes)), k.buffer(argument),
      ValueRange{k.index(0)}, offsets, mask, k.number(0, stored, lanes));
  return k.fromStorage(value, scalar);
}

Value ElementEmitter::emit(Value tensor, ArrayRef<LaneIndex> index) {
  if (Value elements = bound.lookup(tensor))
    return elements;
  std::vector<const void *> key = {tensor.getAsOpaquePointer()};
  for (const LaneIndex &at : index) {
    key.push_back(at.base.getAsOpaquePointer());
    key.push_back(reinterpret_cast<const void *>(at.stride));
    key.push_back(at.vector.getAsOpaquePointer());
  }
  Value &known = memo[key];
  if (known)
    return known;
  Value value = k.isExternal(tensor) ? load(tensor, index)
                                     : emitOp(tensor.getDefiningOp(), index);
  memo[key] = value;
  return value;
}

Value ElementEmitter::emitOp(Operation *op, ArrayRef<LaneIndex> index) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<MapOp>([&](auto o) { return emitMap(o, index); })
      .Case<ConstantOp>([&](auto o) { return emitConstant(o); })
      .Case<DimsOp>([&](auto o) { return emitDims(o, index); })
      .Case<IotaOp>([&](auto o) { return emitIota(o, index); })
      .Case<BroadcastOp>([&](auto o) { return emitBroadcast(o, index); })
      .Case<SliceOp>([&](auto o) { return emitSlice(o, index); })
      .Case<TransposeOp>([&](auto o) { return emitTranspose(o, index); })
      .Case<GatherOp>([&](auto o) { return emitGather(o, index); })
      .Case<PadOp>([&](auto o) { return emitPad(o, index); })
      .Case<ResizeOp>([&](auto o) { return emitResize(o, index); })
      .Default([](Operation *) -> Value {
        llvm_unreachable("kernels hold ops with a lowering only");
      });
}

Value ElementEmitter::emitMap(MapOp op, ArrayRef<LaneIndex> index) {
  IRMapping mapping;
  Block &block = op.getBody().front();
  for (auto [input, argument] :
       llvm::zip_equal(op.getInputs(), block.getArguments()))
    mapping.map(argument, emit(input, index));
  for (Operation &inner : block.without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      TypedAttr value = constant.getValue();
      if (lanes.count > 1)
        value = DenseElementsAttr::get(
            cast<VectorType>(k.laneType(value.getType(), lanes)),
            ArrayRef<Attribute>(value));
      mapping.map(
          constant.getResult(),
          k.b.create<arith::ConstantOp>(op.getLoc(), value).getResult());
      continue;
    }
    Operation *cloned = k.b.clone(inner, mapping);
    for (Value result : cloned->getResults())
      result.setType(k.laneType(result.getType(), lanes));
    if (!mayDivideByZero(inner))
      continue;
    if (isa<math::IPowIOp>(cloned))
      guardPower(cloned);
    else
      guardDivision(cloned);
  }
  return mapping.lookup(block.getTerminator()->getOperand(0));
}

void ElementEmitter::reportLanes(Value bad, Value shown) {
  auto vector = dyn_cast<VectorType>(bad.getType());
  if (!vector)
    return k.reportFailure(bad, shown);
  Lanes width{vector.getNumElements(), Value()};
  Type wide = k.laneType(k.b.getI64Type(), width);
  shown = k.b.create<arith::IndexCastOp>(k.loc, wide, shown);
  // One of the wrong values is as good to show as another; or-ing the others in
  // would not be. So: the least.
  Value most = k.b.create<arith::ConstantOp>(
      k.loc, DenseElementsAttr::get(cast<VectorType>(wide), INT64_MAX));
  Value least = k.b.create<arith::SelectOp>(k.loc, bad, shown, most);
  k.reportFailure(
      k.b.create<vector::ReductionOp>(k.loc, vector::CombiningKind::OR, bad),
      k.b.create<vector::ReductionOp>(k.loc, vector::CombiningKind::MINSI,
                                      least));
}

Value ElementEmitter::integerLike(Type type, APInt value) {
  TypedAttr attr = k.b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, ArrayRef<Attribute>(attr));
  return k.b.create<arith::ConstantOp>(k.loc, attr);
}

/// Reports a division by zero in any active lane.
void ElementEmitter::reportZero(Value isZero) {
  if (lanes.mask)
    isZero = k.b.create<arith::AndIOp>(k.loc, isZero, lanes.mask);
  if (isa<VectorType>(isZero.getType()))
    isZero = k.b.create<vector::ReductionOp>(k.loc, vector::CombiningKind::OR,
                                             isZero);
  k.reportFailure(isZero, k.index(0));
}

/// Reports zero to a negative power, which divides by it but does not trap.
void ElementEmitter::guardPower(Operation *power) {
  Value base = power->getOperand(0), exponent = power->getOperand(1);
  unsigned width = getElementTypeOrSelf(base.getType()).getIntOrFloatBitWidth();
  Value zero = integerLike(base.getType(), APInt(width, 0));
  Value isZero =
      k.b.create<arith::CmpIOp>(k.loc, arith::CmpIPredicate::eq, base, zero);
  Value isNegative = k.b.create<arith::CmpIOp>(k.loc, arith::CmpIPredicate::slt,
                                               exponent, zero);
  reportZero(k.b.create<arith::AndIOp>(k.loc, isZero, isNegative));
}

/// Makes an integer division safe: a divisor of 0 is reported and replaced by
/// 1, and so is -1 under the least dividend, whose quotient wraps around. Lanes
/// that are not active hold 0 and must not trap either.
void ElementEmitter::guardDivision(Operation *division) {
  Value lhs = division->getOperand(0), rhs = division->getOperand(1);
  Type type = rhs.getType();
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
                      arith::CeilDivSIOp>(division);
  auto constant = [&](APInt value) { return integerLike(type, value); };
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto equals = [&](Value value, APInt number) -> Value {
    return k.b.create<arith::CmpIOp>(k.loc, arith::CmpIPredicate::eq, value,
                                     constant(number));
  };
  k.b.setInsertionPoint(division);
  Value isZero = equals(rhs, APInt(width, 0));
  reportZero(isZero);
  Value unsafe = isZero;
  if (isSigned) {
    Value wraps = k.b.create<arith::AndIOp>(
        k.loc, equals(lhs, APInt::getSignedMinValue(width)),
        equals(rhs, APInt::getAllOnes(width)));
    unsafe = k.b.create<arith::OrIOp>(k.loc, unsafe, wraps);
  }
  Value safe = k.b.create<arith::SelectOp>(k.loc, unsafe,
                                           constant(APInt(width, 1)), rhs);
  division->setOperand(1, safe);
  k.b.setInsertionPointAfter(division);
}

Value ElementEmitter::emitConstant(ConstantOp op) {
  auto value =
      cast<DenseElementsAttr>(op.getValue()).getSplatValue<Attribute>();
  Type scalar = k.scalarType(op.getValue().getElementType());
  TypedAttr typed;
  if (auto integer = dyn_cast<IntegerAttr>(value))
    typed = k.b.getIntegerAttr(scalar, integer.getValue());
  else
    typed = cast<FloatAttr>(value);
  if (lanes.count > 1)
    typed = DenseElementsAttr::get(cast<VectorType>(k.laneType(scalar, lanes)),
                                   ArrayRef<Attribute>(typed));
  return k.b.create<arith::ConstantOp>(k.loc, typed);
}

/// Positions or sizes (`index`, maybe lanes of it) as elements.
Value ElementEmitter::toElement(Value value, Type elementType) {
  Type scalar = k.scalarType(elementType);
  bool isVector = isa<VectorType>(value.getType());
  auto typed = [&](Type type) {
    return isVector ? k.laneType(type, lanes) : type;
  };
  Type integer = isa<IntegerType>(scalar) ? scalar : Type(k.b.getI64Type());
  value = k.b.create<arith::IndexCastOp>(k.loc, typed(integer), value);
  if (isa<FloatType>(scalar))
    value = k.b.create<arith::SIToFPOp>(k.loc, typed(scalar), value);
  return value;
}

Value ElementEmitter::emitDims(DimsOp op, ArrayRef<LaneIndex> index) {
  Value position = k.splat(k.index(0), lanes);
  for (auto [extent, at] :
       llvm::zip_equal(op.getResult().getType().getShape(), index)) {
    Value scaled = k.b.create<arith::MulIOp>(k.loc, position,
                                             k.splat(k.index(extent), lanes));
    position = k.b.create<arith::AddIOp>(k.loc, scaled, positions(at));
  }
  Value selected;
  for (auto [number, expr] : llvm::enumerate(op.getValues().getDims())) {
    Value element =
        k.splat(toElement(k.dim(expr), elementTypeOf(op.getResult())), lanes);
    if (!selected) {
      selected = element;
      continue;
    }
    Value isHere =
        k.b.create<arith::CmpIOp>(k.loc, arith::CmpIPredicate::eq, position,
                                  k.splat(k.index(number), lanes));
    selected = k.b.create<arith::SelectOp>(k.loc, isHere, element, selected);
  }
  return selected;
}

Value ElementEmitter::emitIota(IotaOp op, ArrayRef<LaneIndex> index) {
  return toElement(positions(index[op.getDim()]), op.getElementType());
}

Value ElementEmitter::emitBroadcast(BroadcastOp op, ArrayRef<LaneIndex> index) {
  SmallVector<Expr> from = sym::getDims(op.getInput().getType());
  SmallVector<Expr> to = sym::getDims(op.getResult().getType());
  Index source;
  for (auto [lhs, rhs, at] :
       llvm::zip_equal(from, ArrayRef(to).take_back(from.size()),
                       index.take_back(from.size()))) {
    if (lhs.isConstant(1)) {
      source.push_back(k.index(0));
      continue;
    }
    source.push_back(at);
    if (lhs == rhs)
      continue;
    // Only the run knows whether this dim is 1 or the result's.
    Value isOne = k.b.create<arith::CmpIOp>(k.loc, arith::CmpIPredicate::eq,
                                            k.dim(lhs), k.index(1));
    if (isUniform(at)) {
      source.back().base =
          k.b.create<arith::SelectOp>(k.loc, isOne, k.index(0), at.base);
      continue;
    }
    Value zeros = k.splat(k.index(0), lanes);
    source.back() = fromPositions(
        k.b.create<arith::SelectOp>(k.loc, isOne, zeros, positions(at)));
  }
  return emit(op.getInput(), source);
}

Value ElementEmitter::emitSlice(SliceOp op, ArrayRef<LaneIndex> index) {
  Index source;
  for (auto [at, offset, stride] :
       llvm::zip_equal(index, op.getOffsets().getDims(), op.getStrides())) {
    LaneIndex moved = at;
    auto shift = [&](Value value, auto widen) -> Value {
      if (stride != 1)
        value = k.b.createOrFold<arith::MulIOp>(k.loc, value,
                                                widen(k.index(stride)));
      if (offset.isConstant(0))
        return value;
      return k.b.createOrFold<arith::AddIOp>(k.loc, value,
                                             widen(k.dim(offset)));
    };
    if (at.vector)
      moved.vector =
          shift(at.vector, [&](Value value) { return k.splat(value, lanes); });
    else
      moved.base = shift(at.base, [](Value value) { return value; });
    moved.stride *= stride;
    source.push_back(moved);
  }
  return emit(op.getInput(), source);
}

Value ElementEmitter::emitTranspose(TransposeOp op, ArrayRef<LaneIndex> index) {
  Index source(index.size());
  for (auto [at, from] : llvm::zip_equal(index, op.getPermutation()))
    source[from] = at;
  return emit(op.getInput(), source);
}

Value ElementEmitter::emitUniform(Value tensor, ArrayRef<LaneIndex> index) {
  return ElementEmitter(k, Lanes()).emit(tensor, index);
}

Value ElementEmitter::emitGather(GatherOp op, ArrayRef<LaneIndex> index) {
  int64_t axis = op.getAxis();
  int64_t rank = cast<RankedTensorType>(op.getIndices().getType()).getRank();
  ArrayRef<LaneIndex> at = index.slice(axis, rank);
  bool uniform = llvm::all_of(at, isUniform);
  Lanes width = uniform ? Lanes() : lanes;
  Value element =
      uniform ? emitUniform(op.getIndices(), at) : emit(op.getIndices(), at);
  Type wide = k.laneType(k.b.getIndexType(), width);
  Type indexType = elementTypeOf(op.getIndices());
  bool isUnsigned = indexType.isUnsignedInteger() || indexType.isInteger(1);
  Value position =
      isUnsigned
          ? k.b.create<arith::IndexCastUIOp>(k.loc, wide, element).getResult()
          : k.b.create<arith::IndexCastOp>(k.loc, wide, element).getResult();

  Value zero = k.splat(k.index(0), width);
  Value extent =
      k.splat(k.dim(sym::getDims(op.getData().getType())[axis]), width);
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return k.b.create<arith::CmpIOp>(k.loc, predicate, lhs, rhs).getResult();
  };
  Value isNegative = compare(arith::CmpIPredicate::slt, position, zero);
  Value wrapped = k.b.create<arith::AddIOp>(k.loc, position, extent);
  Value resolved =
      k.b.create<arith::SelectOp>(k.loc, isNegative, wrapped, position);
  // Unsigned comparison catches what is still negative.
  Value bad = compare(arith::CmpIPredicate::uge, resolved, extent);
  if (!uniform && width.mask)
    bad = k.b.create<arith::AndIOp>(k.loc, bad, width.mask);
  reportLanes(bad, position);
  Value safe = k.b.create<arith::SelectOp>(k.loc, bad, zero, resolved);

  Index source(index.take_front(axis));
  if (uniform)
    source.push_back(safe);
  else
    source.push_back(fromPositions(safe));
  source.append(index.begin() + axis + rank, index.end());
  // Index 0 exists: a guard refuses an empty axis.
  return emit(op.getData(), source);
}

Value ElementEmitter::emitPad(PadOp op, ArrayRef<LaneIndex> index) {
  SmallVector<Value> extents = k.dims(op.getInput());
  Index source;
  Value inside;
  auto both = [&](Value lhs, Value rhs) -> Value {
    return lhs ? k.b.create<arith::AndIOp>(k.loc, lhs, rhs).getResult() : rhs;
  };
  Value zero = k.splat(k.index(0), lanes), one = k.splat(k.index(1), lanes);
  for (auto [dim, low] : llvm::enumerate(op.getLow().getDims())) {
    Value extent = k.splat(extents[dim], lanes);
    Value last = k.b.create<arith::SubIOp>(k.loc, extent, one);
    Value at = k.b.create<arith::SubIOp>(k.loc, positions(index[dim]),
                                         k.splat(k.dim(low), lanes));
    Value clamped = k.b.create<arith::MaxSIOp>(
        k.loc, k.b.create<arith::MinSIOp>(k.loc, at, last), zero);
    switch (op.getMode()) {
    case PadMode::Constant:
      inside = both(inside, k.b.create<arith::CmpIOp>(
                                k.loc, arith::CmpIPredicate::eq, at, clamped));
      break;
    case PadMode::Edge:
      break;
    case PadMode::Reflect: {
      // |at| mirrors at the front; last - |last - at| at the back.
      Value front = k.b.create<arith::MaxSIOp>(
          k.loc, at, k.b.create<arith::SubIOp>(k.loc, zero, at));
      Value back = k.b.create<arith::SubIOp>(
          k.loc, k.b.create<arith::AddIOp>(k.loc, last, last), front);
      clamped = k.b.create<arith::MinSIOp>(k.loc, front, back);
      break;
    }
    case PadMode::Wrap: {
      Value below =
          k.b.create<arith::CmpIOp>(k.loc, arith::CmpIPredicate::slt, at, zero);
      Value above = k.b.create<arith::CmpIOp>(k.loc, arith::CmpIPredicate::sge,
                                              at, extent);
      clamped = k.b.create<arith::SelectOp>(
          k.loc, below, k.b.create<arith::AddIOp>(k.loc, at, extent), at);
      clamped = k.b.create<arith::SelectOp>(
          k.loc, above, k.b.create<arith::SubIOp>(k.loc, at, extent), clamped);
      break;
    }
    }
    source.push_back(fromPositions(clamped));
  }
  Value element = emit(op.getInput(), source);
  if (op.getMode() != PadMode::Constant || !inside)
    return element;
  Value fill = emit(op.getValue(), {});
  return k.b.create<arith::SelectOp>(k.loc, inside, element, fill);
}
