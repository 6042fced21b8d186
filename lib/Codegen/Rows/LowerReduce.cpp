// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions. Along the last dim, lane l of the accumulator takes elements l,
// l + lanes, ...; then the lanes are combined in a fixed tree. Otherwise the
// lanes are different results, each combined in ascending order. So the order
// depends on the vector width and on nothing else.

#include "RowBlocks.h"
#include "ambit/Cost/Cost.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <functional>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static ReduceOp getReduce(KernelLowering &k) { return cast<ReduceOp>(k.root); }

/// What a reduction accumulates in. The larger of two halves is one of them.
static Type getSumType(KernelLowering &k, ReduceKind kind, Type elementType) {
  bool isSum = kind == ReduceKind::Sum || kind == ReduceKind::Product;
  return isSum ? k.sumType(elementType) : k.scalarType(elementType);
}

/// The neutral element of a reduction in every lane.
static Value neutral(KernelLowering &k, ReduceKind kind, Type elementType,
                     Lanes lanes) {
  Type scalar = getSumType(k, kind, elementType);
  TypedAttr value = getNeutral(kind, elementType);
  if (auto number = dyn_cast<FloatAttr>(value))
    return k.number(number.getValueAsDouble(), scalar, lanes);
  Value constant = k.b.create<arith::ConstantOp>(
      k.loc, k.b.getIntegerAttr(scalar, cast<IntegerAttr>(value).getValue()));
  return k.splat(constant, lanes);
}

static Value combine(KernelLowering &k, ReduceKind kind, Type elementType,
                     Value lhs, Value rhs) {
  OpBuilder &b = k.b;
  Location loc = k.loc;
  bool isFloat = isa<FloatType>(elementType);
  bool isUnsigned = elementType.isUnsignedInteger() || elementType.isInteger(1);
  switch (kind) {
  case ReduceKind::Sum:
    return isFloat ? b.create<arith::AddFOp>(loc, lhs, rhs).getResult()
                   : b.create<arith::AddIOp>(loc, lhs, rhs).getResult();
  case ReduceKind::Product:
    return isFloat ? b.create<arith::MulFOp>(loc, lhs, rhs).getResult()
                   : b.create<arith::MulIOp>(loc, lhs, rhs).getResult();
  case ReduceKind::Max:
    if (isFloat)
      return b.create<arith::MaximumFOp>(loc, lhs, rhs);
    return isUnsigned ? b.create<arith::MaxUIOp>(loc, lhs, rhs).getResult()
                      : b.create<arith::MaxSIOp>(loc, lhs, rhs).getResult();
  case ReduceKind::Min:
    if (isFloat)
      return b.create<arith::MinimumFOp>(loc, lhs, rhs);
    return isUnsigned ? b.create<arith::MinUIOp>(loc, lhs, rhs).getResult()
                      : b.create<arith::MinSIOp>(loc, lhs, rhs).getResult();
  }
  llvm_unreachable("every kind is listed");
}

/// Elements of the reduction's input, in the type it accumulates in.
static Value emitInput(KernelLowering &k, ArrayRef<LaneIndex> index,
                       Lanes lanes) {
  ReduceOp op = getReduce(k);
  Type elementType = op.getInput().getType().getElementType();
  Value value = k.emit(op.getInput(), index, lanes);
  return isa<FloatType>(elementType)
             ? k.convertFloat(value, getSumType(k, op.getKind(), elementType))
             : value;
}

/// Hands a finished accumulator on in the type of the result.
static void finishSum(KernelLowering &k, Value sum, ArrayRef<Value> index,
                      Lanes lanes) {
  Type elementType = getReduce(k).getInput().getType().getElementType();
  if (isa<FloatType>(elementType))
    sum = k.convertFloat(sum, elementType);
  k.finish(sum, index, lanes);
}

Value ambit::combineLanes(KernelLowering &k, Value vector,
                          function_ref<Value(Value, Value)> combinePair) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return vector;
  for (int64_t width = type.getNumElements() / 2; width > 0; width /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < width; ++lane) {
      low.push_back(lane);
      high.push_back(lane + width);
    }
    Value lhs = k.b.create<vector::ShuffleOp>(k.loc, vector, vector, low);
    Value rhs = k.b.create<vector::ShuffleOp>(k.loc, vector, vector, high);
    vector = combinePair(lhs, rhs);
  }
  return k.b.create<vector::ExtractOp>(k.loc, vector, 0);
}

namespace {
/// A reduction with its dims sorted into kept and reduced ones.
struct Split {
  SmallVector<bool> isReduced;
  SmallVector<Value> extents; // of the input; see getSplit
  SmallVector<Value> kept;    // of the result
  bool lastIsReduced() const { return isReduced.back(); }
};
} // namespace

static Split getSplit(KernelLowering &k) {
  ReduceOp op = getReduce(k);
  Split split;
  split.extents = k.dims(op.getInput());
  split.isReduced.resize(split.extents.size(), false);
  for (int64_t dim : op.getDims())
    split.isReduced[dim] = true;
  SmallVector<Value> reduced;
  for (auto [extent, isReduced] :
       llvm::zip_equal(split.extents, split.isReduced))
    (isReduced ? reduced : split.kept).push_back(extent);
  // The outermost loop would run over a dim of any size to do nothing.
  if (reduced.size() > 1) {
    Value &outermost = split.extents[llvm::find(split.isReduced, true) -
                                     split.isReduced.begin()];
    outermost = k.zeroIfAny(ArrayRef(reduced).drop_front(), outermost);
  }
  return split;
}

/// Combines over the reduced dims from `dim` on. `position` holds the kept
/// dims' indices; reduced ones are filled in here.
static Value
reduceDims(KernelLowering &k, const Split &split, int64_t dim, Value acc,
           SmallVector<LaneIndex> &position,
           function_ref<Value(Value acc, SmallVector<LaneIndex> &)> step,
           int64_t end) {
  while (dim < end && !split.isReduced[dim])
    ++dim;
  if (dim == end)
    return step(acc, position);
  return k
      .loop(k.index(0), split.extents[dim], 1, {acc},
            [&](Value i, ValueRange carried) -> SmallVector<Value> {
              position[dim] = LaneIndex(i);
              return {reduceDims(k, split, dim + 1, carried.front(), position,
                                 step, end)};
            })
      .front();
}

Value ambit::reduceLastDim(KernelLowering &k, Value extent, int64_t count,
                           Value init, Value neutralLanes,
                           function_ref<Value(Value, Lanes)> element,
                           function_ref<Value(Value, Value)> combinePair) {
  std::optional<int64_t> constant = KernelLowering::constantOf(extent);
  Value whole = k.mul(k.floorDiv(extent, k.index(count)), k.index(count));
  Value acc = k.loop(k.index(0), whole, count, {init},
                     [&](Value i, ValueRange carried) -> SmallVector<Value> {
                       return {combinePair(carried.front(),
                                           element(i, Lanes{count, Value()}))};
                     })
                  .front();
  if (constant && *constant % count == 0)
    return acc;
  // Inactive lanes combine with the neutral element.
  auto addTail = [&]() {
    Lanes tail{count, k.maskOf(k.sub(extent, whole), count)};
    Value last = k.b.create<arith::SelectOp>(
        k.loc, tail.mask, element(whole, tail), neutralLanes);
    return combinePair(acc, last);
  };
  if (constant)
    return addTail();
  Value hasTail = k.b.create<arith::CmpIOp>(k.loc, arith::CmpIPredicate::slt,
                                            whole, extent);
  auto branch = k.b.create<scf::IfOp>(k.loc, acc.getType(), hasTail, true);
  OpBuilder::InsertionGuard guard(k.b);
  k.b.setInsertionPointToStart(branch.thenBlock());
  k.b.create<scf::YieldOp>(k.loc, addTail());
  k.b.setInsertionPointToStart(branch.elseBlock());
  k.b.create<scf::YieldOp>(k.loc, acc);
  return branch.getResult(0);
}

/// One result element: the last dim is reduced by lanes.
static void emitRow(KernelLowering &k, ArrayRef<Value> result) {
  ReduceOp op = getReduce(k);
  Split split = getSplit(k);
  Type elementType = op.getInput().getType().getElementType();
  int64_t last = split.extents.size() - 1;
  SmallVector<LaneIndex> position(split.extents.size());
  unsigned next = 0;
  for (auto [dim, isReduced] : llvm::enumerate(split.isReduced))
    if (!isReduced)
      position[dim] = LaneIndex(result[next++]);
  Lanes lanes{k.vectors.lanesFor(4), Value()};
  auto pair = [&](Value lhs, Value rhs) {
    return combine(k, op.getKind(), elementType, lhs, rhs);
  };
  Value init = neutral(k, op.getKind(), elementType, lanes);
  Value acc = reduceDims(
      k, split, 0, init, position,
      [&](Value carried, SmallVector<LaneIndex> &at) {
        return reduceLastDim(
            k, split.extents[last], lanes.count, carried, init,
            [&](Value i, Lanes active) {
              at[last] = LaneIndex(i, 1);
              return emitInput(k, at, active);
            },
            pair);
      },
      last);
  finishSum(k, combineLanes(k, acc, pair), result, Lanes());
}

/// Results of one row in one unit, when lanes are different results.
constexpr int64_t kColumns = 256;

static Value countColumnBlocks(KernelLowering &k, const Split &split) {
  return k.ceilDiv(split.kept.back(), k.index(kColumns));
}

/// A part of a row of results: lanes are different results.
static void emitColumns(KernelLowering &k, Value unit) {
  ReduceOp op = getReduce(k);
  Split split = getSplit(k);
  Type elementType = op.getInput().getType().getElementType();
  Value blocks = countColumnBlocks(k, split);
  SmallVector<Value> outer =
      k.delinearize(k.floorDiv(unit, blocks), ArrayRef(split.kept).drop_back());
  Value start = k.mul(k.mod(unit, blocks), k.index(kColumns));
  int64_t rank = split.extents.size();
  bool isScalar = KernelLowering::constantOf(split.kept.back()) == 1;
  int64_t count = isScalar ? 1 : k.vectors.lanesFor(4);
  Value extent = split.kept.back();
  if (std::optional<int64_t> constant = KernelLowering::constantOf(extent);
      constant && *constant <= kColumns)
    start = k.index(0);
  else
    extent = k.min(k.sub(extent, start), k.index(kColumns));
  k.vectorLoop(extent, count, [&](Value offset, Lanes lanes) {
    Value i = k.add(offset, start);
    SmallVector<LaneIndex> position(rank);
    unsigned next = 0;
    for (int64_t dim = 0; dim + 1 < rank; ++dim)
      if (!split.isReduced[dim])
        position[dim] = LaneIndex(outer[next++]);
    position[rank - 1] = LaneIndex(i, lanes.count > 1 ? 1 : 0);
    Value acc = reduceDims(
        k, split, 0, neutral(k, op.getKind(), elementType, lanes), position,
        [&](Value carried, SmallVector<LaneIndex> &at) {
          return combine(k, op.getKind(), elementType, carried,
                         emitInput(k, at, lanes));
        },
        rank);
    SmallVector<Value> result(outer);
    result.push_back(i);
    finishSum(k, acc, result, lanes);
  });
}

static RowBlocks getRows(KernelLowering &k, const Split &split) {
  Value points = k.index(1);
  for (auto [extent, isReduced] :
       llvm::zip_equal(split.extents, split.isReduced))
    if (isReduced)
      points = k.mul(points, extent);
  return RowBlocks(k, split.kept, points,
                   cost::countUnitPoints(WorkKind::Combine));
}

static Value countUnits(KernelLowering &k) {
  Split split = getSplit(k);
  if (split.lastIsReduced())
    return getRows(k, split).countUnits();
  return k.mul(k.product(ArrayRef(split.kept).drop_back()),
               countColumnBlocks(k, split));
}

static void emitUnit(KernelLowering &k, Value unit) {
  Split split = getSplit(k);
  if (split.lastIsReduced())
    return getRows(k, split).forEachRow(
        unit, [&](ArrayRef<Value> result) { emitRow(k, result); });
  emitColumns(k, unit);
}

RootLowering ambit::getReduceLowering() { return {countUnits, emitUnit}; }
