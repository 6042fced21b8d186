// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of lowering one kernel: index arithmetic, buffers, loads, stores
// and loops.

#include "KernelLowering.h"
#include "Elements/ElementEmitter.h"
#include "KernelSignature.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ambit;

KernelLowering::KernelLowering(func::FuncOp source, func::FuncOp target,
                               ArrayRef<Expr> sizes,
                               const VectorTarget &vectors)
    : b(target.getContext()), loc(source.getLoc()), vectors(vectors),
      source(source), target(target) {
  Block &entry = target.front();
  KernelSignature signature(target);
  for (auto [index, argument] : llvm::enumerate(source.getArguments()))
    buffers[argument] = entry.getArgument(signature.input(index));
  result = entry.getArgument(signature.result());
  for (auto [index, size] : llvm::enumerate(sizes))
    sizeArguments[size.getAsOpaquePointer()] =
        entry.getArgument(signature.size(index));
  failures = entry.getArgument(signature.failures());
  check = entry.getArgument(signature.check());
  returned = source.front().getTerminator()->getOperand(0);
  b.setInsertionPointToEnd(&entry);
}

std::optional<int64_t> KernelLowering::constantOf(Value value) {
  return getConstantIntValue(value);
}

Value KernelLowering::index(int64_t value) {
  return b.create<arith::ConstantIndexOp>(loc, value);
}

Value KernelLowering::add(Value lhs, Value rhs) {
  if (constantOf(rhs) == 0)
    return lhs;
  return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

Value KernelLowering::sub(Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(loc, lhs, rhs);
}

Value KernelLowering::mul(Value lhs, Value rhs) {
  if (constantOf(lhs) == 1)
    return rhs;
  return b.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

// Positions and extents are not negative, so unsigned division serves and is
// cheaper than flooring.
Value KernelLowering::floorDiv(Value lhs, Value rhs) {
  return b.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
}

Value KernelLowering::mod(Value lhs, Value rhs) {
  return b.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
}

Value KernelLowering::ceilDiv(Value lhs, Value rhs) {
  return floorDiv(add(lhs, sub(rhs, index(1))), rhs);
}

Value KernelLowering::min(Value lhs, Value rhs) {
  return b.createOrFold<arith::MinSIOp>(loc, lhs, rhs);
}

Value KernelLowering::max(Value lhs, Value rhs) {
  return b.createOrFold<arith::MaxSIOp>(loc, lhs, rhs);
}

Value KernelLowering::zeroIfAny(ValueRange extents, Value value) {
  Value zero = index(0);
  for (Value extent : extents) {
    std::optional<int64_t> constant = constantOf(extent);
    if (constant == 0)
      return zero;
    if (constant)
      continue;
    Value isZero = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                                 extent, zero);
    value = b.createOrFold<arith::SelectOp>(loc, isZero, zero, value);
  }
  return value;
}

Value KernelLowering::dim(Expr expr) {
  if (std::optional<int64_t> value = expr.constant())
    return index(*value);
  Value argument = sizeArguments.lookup(expr.getAsOpaquePointer());
  assert(argument && "every size in a kernel is one of its parameters");
  return argument;
}

SmallVector<Value> KernelLowering::dims(Value tensor) {
  SmallVector<Value> values;
  for (Expr expr : sym::getDims(tensor.getType()))
    values.push_back(dim(expr));
  return values;
}

SmallVector<Value> KernelLowering::strides(Value tensor) {
  SmallVector<Value> extents = dims(tensor), strides(extents.size());
  Value stride = index(1);
  for (size_t dim = extents.size(); dim-- > 0;) {
    strides[dim] = stride;
    if (dim > 0)
      stride = mul(stride, extents[dim]);
  }
  return strides;
}

Value KernelLowering::positionOf(Value tensor, ArrayRef<Value> position) {
  Value offset = index(0);
  for (auto [extent, at] : llvm::zip_equal(dims(tensor), position))
    offset = add(mul(offset, extent), at);
  return offset;
}

Value KernelLowering::product(ValueRange values) {
  Value result = index(1);
  for (Value value : values)
    result = mul(result, value);
  return result;
}

SmallVector<Value> KernelLowering::delinearize(Value position,
                                               ValueRange extents) {
  SmallVector<Value> indices(extents.size());
  int64_t rank = extents.size(), lead = 0;
  while (lead < rank && constantOf(extents[lead]) == 1)
    indices[lead++] = index(0);
  for (int64_t dim = rank - 1; dim > lead; --dim) {
    if (constantOf(extents[dim]) == 1) {
      indices[dim] = index(0);
      continue;
    }
    indices[dim] = mod(position, extents[dim]);
    position = floorDiv(position, extents[dim]);
  }
  if (lead < rank)
    indices[lead] = position;
  return indices;
}

Type KernelLowering::scalarType(Type elementType) {
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return b.getIntegerType(integer.getWidth());
  return elementType;
}

Type KernelLowering::sumType(Type elementType) {
  auto type = dyn_cast<FloatType>(elementType);
  return type && type.getWidth() < 32 ? b.getF32Type()
                                      : scalarType(elementType);
}

Value KernelLowering::convertFloat(Value value, Type scalar) {
  unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  unsigned to = scalar.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  Type type = scalar;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(scalar);
  if (from < to)
    return b.create<arith::ExtFOp>(loc, type, value);
  return b.create<arith::TruncFOp>(loc, type, value);
}

Type KernelLowering::laneType(Type scalar, Lanes lanes) {
  return lanes.count == 1 ? scalar : VectorType::get({lanes.count}, scalar);
}

Value KernelLowering::splat(Value scalar, Lanes lanes) {
  if (lanes.count == 1)
    return scalar;
  return b.createOrFold<vector::BroadcastOp>(
      loc, laneType(scalar.getType(), lanes), scalar);
}

Value KernelLowering::number(double value, Type scalar, Lanes lanes) {
  TypedAttr attr;
  if (isa<FloatType>(scalar))
    attr = b.getFloatAttr(scalar, value);
  else
    attr = b.getIntegerAttr(scalar, int64_t(value));
  if (lanes.count > 1)
    attr = DenseElementsAttr::get(VectorType::get({lanes.count}, scalar),
                                  ArrayRef<Attribute>(attr));
  return b.create<arith::ConstantOp>(loc, attr);
}

bool KernelLowering::isExternal(Value tensor) const {
  return buffers.count(tensor);
}

Value KernelLowering::buffer(Value argument) {
  return buffers.lookup(argument);
}

/// What a value looks like in memory.
static Type storageType(Type scalar) {
  return scalar.getIntOrFloatBitWidth() <= 8
             ? IntegerType::get(scalar.getContext(), 8)
             : scalar;
}

Value KernelLowering::fromStorage(Value value, Type scalar) {
  Type stored = getElementTypeOrSelf(value.getType()), type = scalar;
  if (stored == scalar)
    return value;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(scalar);
  Lanes lanes;
  if (auto vector = dyn_cast<VectorType>(type))
    lanes.count = vector.getNumElements();
  if (scalar.isInteger(1))
    return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, value,
                                   number(0, stored, lanes));
  if (isa<FloatType>(scalar))
    return b.create<arith::BitcastOp>(loc, type, value);
  return b.create<arith::TruncIOp>(loc, type, value);
}

Value KernelLowering::loadAt(Value buffer, Type elementType, Value offset,
                             int64_t stride, Lanes lanes) {
  Type scalar = scalarType(elementType), stored = storageType(scalar);
  Value value;
  if (lanes.count == 1 || stride == 0) {
    value = b.create<memref::LoadOp>(loc, buffer, offset);
    value = splat(value, lanes);
  } else {
    auto type = cast<VectorType>(laneType(stored, lanes));
    Value zero = b.create<arith::ConstantOp>(loc, b.getZeroAttr(type));
    if (stride == 1 && !lanes.mask) {
      value = b.create<vector::LoadOp>(loc, type, buffer, offset);
    } else if (stride == 1) {
      value = b.create<vector::MaskedLoadOp>(loc, type, buffer, offset,
                                             lanes.mask, zero);
    } else {
      SmallVector<int64_t> steps;
      for (int64_t lane = 0; lane < lanes.count; ++lane)
        steps.push_back(lane * stride);
      Value offsets =
          b.create<arith::ConstantOp>(loc, b.getIndexVectorAttr(steps));
      Value mask = lanes.mask;
      if (!mask)
        mask = b.create<arith::ConstantOp>(
            loc, b.getBoolVectorAttr(SmallVector<bool>(lanes.count, true)));
      value = b.create<vector::GatherOp>(loc, type, buffer, ValueRange{offset},
                                         offsets, mask, zero);
    }
  }
  return fromStorage(value, scalar);
}

void KernelLowering::storeAt(Value buffer, Type elementType, Value value,
                             Value offset, Lanes lanes) {
  Type scalar = scalarType(elementType), stored = storageType(scalar);
  if (stored != scalar && isa<FloatType>(scalar))
    value = b.create<arith::BitcastOp>(loc, laneType(stored, lanes), value);
  else if (stored != scalar)
    value = b.create<arith::ExtUIOp>(loc, laneType(stored, lanes), value);
  if (lanes.count == 1)
    b.create<memref::StoreOp>(loc, value, buffer, offset);
  else if (lanes.mask)
    b.create<vector::MaskedStoreOp>(loc, buffer, offset, lanes.mask, value);
  else
    b.create<vector::StoreOp>(loc, value, buffer, offset);
}

Value KernelLowering::load(Value argument, ArrayRef<LaneIndex> position,
                           Lanes lanes) {
  return ElementEmitter(*this, lanes).load(argument, position);
}

Value KernelLowering::emit(Value tensor, ArrayRef<LaneIndex> position,
                           Lanes lanes) {
  return ElementEmitter(*this, lanes).emit(tensor, position);
}

void KernelLowering::finish(Value rootElements, ArrayRef<Value> position,
                            Lanes lanes) {
  SmallVector<LaneIndex> indices(position.begin(), position.end());
  if (!indices.empty())
    indices.back().stride = 1;
  ElementEmitter emitter(*this, lanes);
  if (root)
    emitter.bind(root->getResult(0), rootElements);
  Value value = root ? emitter.emit(returned, indices) : rootElements;
  storeAt(result, cast<RankedTensorType>(returned.getType()).getElementType(),
          value, positionOf(returned, position), lanes);
}

void KernelLowering::loop(Value low, Value high, int64_t step,
                          function_ref<void(Value)> body) {
  auto loop = b.create<scf::ForOp>(loc, low, high, index(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value>
KernelLowering::loop(Value low, Value high, int64_t step, ValueRange init,
                     function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = b.create<scf::ForOp>(loc, low, high, index(step), init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  b.create<scf::YieldOp>(loc, next);
  return loop.getResults();
}

Value KernelLowering::maskOf(Value active, int64_t count) {
  return b.create<vector::CreateMaskOp>(
      loc, VectorType::get({count}, b.getI1Type()), active);
}

void KernelLowering::vectorLoop(Value extent, int64_t count,
                                function_ref<void(Value, Lanes)> body) {
  if (count == 1) {
    loop(index(0), extent, 1, [&](Value i) { body(i, Lanes()); });
    return;
  }
  std::optional<int64_t> constant = constantOf(extent);
  Value whole = constant ? index(*constant / count * count)
                         : mul(floorDiv(extent, index(count)), index(count));
  if (!constant || *constant >= count)
    loop(index(0), whole, count,
         [&](Value i) { body(i, Lanes{count, Value()}); });
  if (constant && *constant % count == 0)
    return;
  auto tail = [&]() {
    body(whole, Lanes{count, maskOf(sub(extent, whole), count)});
  };
  if (constant)
    return tail();
  Value hasTail =
      b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, whole, extent);
  auto branch = b.create<scf::IfOp>(loc, hasTail);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  tail();
}

void KernelLowering::reportFailure(Value failed, Value value) {
  auto branch = b.create<scf::IfOp>(loc, failed);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value number = check;
  auto toInt64 = [&](Value v) -> Value {
    if (v.getType().isIndex())
      return b.create<arith::IndexCastOp>(loc, b.getI64Type(), v);
    return v;
  };
  // The first to report wins. Other threads may be at it: unsigned, -1 for none
  // is the most, and only who finds it there writes the value.
  Value before = b.create<memref::AtomicRMWOp>(
      loc, arith::AtomicRMWKind::minu, toInt64(number), failures, index(0));
  Value none = b.create<arith::ConstantIntOp>(loc, 0, 64);
  auto isFirst = b.create<scf::IfOp>(
      loc,
      b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, before, none));
  b.setInsertionPointToStart(isFirst.thenBlock());
  b.create<memref::StoreOp>(loc, toInt64(value), failures, index(1));
}
