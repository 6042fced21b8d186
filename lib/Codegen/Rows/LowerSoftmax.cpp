// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax in three passes over a row that stays in cache: store the input and
// find its maximum, exponentiate and sum, divide. The result's own buffer holds
// the row between the passes, so nothing may follow a softmax in its kernel.
// Halves are loaded as f32 and rounded where they are stored.

#include "RowBlocks.h"
#include "ambit/Cost/Cost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static SoftmaxOp getOp(KernelLowering &k) { return cast<SoftmaxOp>(k.root); }

static Value exponential(KernelLowering &k, Value x, Value max) {
  return k.b.create<math::ExpOp>(k.loc,
                                 k.b.create<arith::SubFOp>(k.loc, x, max));
}

/// x becomes exp(x - max) / sum, or x - max - log(sum).
static Value normalized(KernelLowering &k, Value x, Value max, Value sum,
                        Value logSum) {
  if (!getOp(k).getLog())
    return k.b.create<arith::DivFOp>(k.loc, x, sum);
  Value shifted = k.b.create<arith::SubFOp>(k.loc, x, max);
  return k.b.create<arith::SubFOp>(k.loc, shifted, logSum);
}

/// Elements of the row, in the type of the computation.
static Value loadRow(KernelLowering &k, Value offset, Lanes lanes) {
  Type type = getOp(k).getInput().getType().getElementType();
  return k.convertFloat(k.loadAt(k.resultBuffer(), type, offset, 1, lanes),
                        k.sumType(type));
}

static void storeRow(KernelLowering &k, Value offset, Value x, Lanes lanes) {
  Type type = getOp(k).getInput().getType().getElementType();
  k.storeAt(k.resultBuffer(), type, k.convertFloat(x, type), offset, lanes);
}

/// Elements of the input, in the type of the computation.
static Value emitInput(KernelLowering &k, ArrayRef<LaneIndex> index,
                       Lanes lanes) {
  auto input = getOp(k).getInput();
  return k.convertFloat(k.emit(input, index, lanes),
                        k.sumType(input.getType().getElementType()));
}

static Value maximum(KernelLowering &k, Value lhs, Value rhs) {
  return k.b.create<arith::MaximumFOp>(k.loc, lhs, rhs);
}
static Value plus(KernelLowering &k, Value lhs, Value rhs) {
  return k.b.create<arith::AddFOp>(k.loc, lhs, rhs);
}

/// Along the last dim: lanes are elements of one row.
static void emitRow(KernelLowering &k, ArrayRef<Value> outer) {
  SoftmaxOp op = getOp(k);
  Type type = k.sumType(op.getInput().getType().getElementType());
  SmallVector<Value> start(outer);
  start.push_back(k.index(0));
  Value extent = k.dims(op.getInput()).back();
  Value base = k.positionOf(op.getResult(), start);
  int64_t count = k.vectors.lanesFor(4);
  Lanes all{count, Value()};
  SmallVector<LaneIndex> position(outer.begin(), outer.end());
  position.push_back(LaneIndex());
  auto pairMax = [&](Value lhs, Value rhs) { return maximum(k, lhs, rhs); };
  auto pairSum = [&](Value lhs, Value rhs) { return plus(k, lhs, rhs); };

  Value lowest = k.number(-std::numeric_limits<double>::infinity(), type, all);
  Value max = reduceLastDim(
      k, extent, count, lowest, lowest,
      [&](Value i, Lanes lanes) {
        position.back() = LaneIndex(i, 1);
        Value x = emitInput(k, position, lanes);
        storeRow(k, k.add(base, i), x, lanes);
        return x;
      },
      pairMax);
  Value maxScalar = combineLanes(k, max, pairMax);
  max = k.splat(maxScalar, all);

  Value zero = k.number(0, type, all);
  Value sum = reduceLastDim(
      k, extent, count, zero, zero,
      [&](Value i, Lanes lanes) {
        Value e = exponential(k, loadRow(k, k.add(base, i), lanes), max);
        if (!op.getLog())
          storeRow(k, k.add(base, i), e, lanes);
        return e;
      },
      pairSum);
  Value sumScalar = combineLanes(k, sum, pairSum);
  Value logSum;
  if (op.getLog())
    logSum = k.splat(k.b.create<math::LogOp>(k.loc, sumScalar), all);
  sum = k.splat(sumScalar, all);
  k.vectorLoop(extent, count, [&](Value i, Lanes lanes) {
    Value at = k.add(base, i);
    Value x = loadRow(k, at, lanes);
    storeRow(k, at, normalized(k, x, max, sum, logSum), lanes);
  });
}

/// Along another dim: lanes are neighbouring rows.
static void emitColumns(KernelLowering &k, Value unit) {
  SoftmaxOp op = getOp(k);
  SmallVector<Value> extents = k.dims(op.getInput());
  Type type = k.sumType(op.getInput().getType().getElementType());
  int64_t dim = op.getDim();
  SmallVector<Value> units(extents.begin(), extents.end() - 1);
  units[dim] = k.index(1);
  SmallVector<Value> outer = k.delinearize(unit, units);
  Value extent = extents[dim];
  bool isScalar = KernelLowering::constantOf(extents.back()) == 1;
  int64_t count = isScalar ? 1 : k.vectors.lanesFor(4);
  k.vectorLoop(extents.back(), count, [&](Value column, Lanes lanes) {
    auto offsetOf = [&](Value i) {
      SmallVector<Value> at(outer);
      at.push_back(column);
      at[dim] = i;
      return k.positionOf(op.getResult(), at);
    };
    auto load = [&](Value i) { return loadRow(k, offsetOf(i), lanes); };
    auto store = [&](Value i, Value x) { storeRow(k, offsetOf(i), x, lanes); };
    auto overRow = [&](Value init, function_ref<Value(Value, Value)> step) {
      return k
          .loop(k.index(0), extent, 1, {init},
                [&](Value i, ValueRange carried) -> SmallVector<Value> {
                  return {step(i, carried.front())};
                })
          .front();
    };
    Value lowest =
        k.number(-std::numeric_limits<double>::infinity(), type, lanes);
    Value max = overRow(lowest, [&](Value i, Value acc) {
      SmallVector<LaneIndex> position(outer.begin(), outer.end());
      position.push_back(LaneIndex(column, lanes.count > 1 ? 1 : 0));
      position[dim] = LaneIndex(i);
      Value x = emitInput(k, position, lanes);
      store(i, x);
      return maximum(k, acc, x);
    });
    Value sum = overRow(k.number(0, type, lanes), [&](Value i, Value acc) {
      Value e = exponential(k, load(i), max);
      if (!op.getLog())
        store(i, e);
      return plus(k, acc, e);
    });
    Value logSum;
    if (op.getLog())
      logSum = k.b.create<math::LogOp>(k.loc, sum);
    k.loop(k.index(0), extent, 1, [&](Value i) {
      store(i, normalized(k, load(i), max, sum, logSum));
    });
  });
}

static bool isLastDim(KernelLowering &k) {
  return int64_t(getOp(k).getDim()) ==
         getOp(k).getInput().getType().getRank() - 1;
}

static RowBlocks getRows(KernelLowering &k) {
  SmallVector<Value> extents = k.dims(getOp(k).getInput());
  Value points = extents.pop_back_val();
  return RowBlocks(k, extents, points,
                   cost::countUnitPoints(WorkKind::Softmax));
}

static Value countUnits(KernelLowering &k) {
  if (isLastDim(k))
    return getRows(k).countUnits();
  SmallVector<Value> extents = k.dims(getOp(k).getInput());
  extents[getOp(k).getDim()] = k.index(1);
  extents.pop_back();
  return k.product(extents);
}

static void emitUnit(KernelLowering &k, Value unit) {
  if (isLastDim(k))
    return getRows(k).forEachRow(
        unit, [&](ArrayRef<Value> outer) { emitRow(k, outer); });
  emitColumns(k, unit);
}

RootLowering ambit::getSoftmaxLowering() { return {countUnits, emitUnit}; }
