// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products. A unit is a block of rows and columns of one batch; a rhs
// without batch dims makes one product of all rows of all batches.

#include "TileNest.h"

using namespace mlir;
using namespace ambit;

namespace {
/// Extents and buffers of a `graph.contract`.
struct Contraction {
  explicit Contraction(KernelLowering &k)
      : k(k), op(cast<graph::ContractOp>(k.root)),
        accumulator(k, op.getResult().getType().getElementType()) {
    SmallVector<Value> lhs = k.dims(op.getLhs()), rhs = k.dims(op.getRhs());
    inner = lhs.back();
    columns = rhs.back();
    leading.assign(lhs.begin(), lhs.end() - 1);
    isFlat = rhs.size() == 2;
    rows = isFlat ? k.product(leading) : leading.back();
    if (!isFlat)
      batch.assign(leading.begin(), leading.end() - 1);
  }

  TileNest nest() { return TileNest(k, accumulator.getLanes(), rows, columns); }

  /// Where one batch begins in lhs and rhs.
  struct Bases {
    Value lhs, rhs;
  };
  SmallVector<Value> sums(Bases bases, Value row, int64_t tileRows,
                          Value column, ArrayRef<Lanes> lanes);
  RowIndex rowIndex(ArrayRef<Value> batchIndex, Value row);

  KernelLowering &k;
  graph::ContractOp op;
  Accumulator accumulator;
  Value rows, columns, inner;
  /// The dims before the column, and those that count batches.
  SmallVector<Value> leading, batch;
  bool isFlat;
};
} // namespace

SmallVector<Value> Contraction::sums(Bases bases, Value row, int64_t tileRows,
                                     Value column, ArrayRef<Lanes> lanes) {
  Value lhs = k.buffer(op.getLhs()), rhs = k.buffer(op.getRhs());
  SmallVector<Value> rowStarts;
  for (int64_t i = 0; i < tileRows; ++i)
    rowStarts.push_back(k.add(bases.lhs, k.mul(k.add(row, k.index(i)), inner)));
  SmallVector<Value> init(tileRows * lanes.size(), accumulator.number(0));
  Value rhsStart = k.add(bases.rhs, column);
  return k.loop(k.index(0), inner, 1, init, [&](Value step, ValueRange sums) {
    Value rhsRow = k.add(rhsStart, k.mul(step, columns));
    SmallVector<Value> right, next;
    for (auto [piece, active] : llvm::enumerate(lanes)) {
      Value offset = k.index(int64_t(piece) * active.count);
      right.push_back(accumulator.load(rhs, k.add(rhsRow, offset), 1, active));
    }
    for (auto [i, start] : llvm::enumerate(rowStarts)) {
      Value left = accumulator.broadcast(lhs, k.add(start, step));
      for (size_t piece = 0; piece < lanes.size(); ++piece)
        next.push_back(accumulator.multiplyAdd(left, right[piece],
                                               sums[i * lanes.size() + piece]));
    }
    return next;
  });
}

RowIndex Contraction::rowIndex(ArrayRef<Value> batchIndex, Value row) {
  RowIndex result;
  if (isFlat) {
    result.index = k.delinearize(row, leading);
    result.carryExtents = leading;
  } else {
    result.index.assign(batchIndex.begin(), batchIndex.end());
    result.index.push_back(row);
  }
  result.dim = result.index.size() - 1;
  return result;
}

static Value countUnits(KernelLowering &k) {
  Contraction contraction(k);
  TileNest nest = contraction.nest();
  return k.product({k.product(contraction.batch), nest.countColumnBlocks(),
                    nest.countRowBlocks()});
}

static void emitUnit(KernelLowering &k, Value unit) {
  Contraction contraction(k);
  TileNest nest = contraction.nest();
  // Row blocks follow each other: they read the same columns of the rhs.
  SmallVector<Value> at =
      k.delinearize(unit, {k.product(contraction.batch),
                           nest.countColumnBlocks(), nest.countRowBlocks()});
  TileSpace space = nest.getBlock(at[2], at[1]);
  SmallVector<Value> batchIndex = k.delinearize(at[0], contraction.batch);
  Contraction::Bases bases{k.index(0), k.index(0)};
  if (!contraction.isFlat)
    bases = {k.mul(at[0], k.mul(contraction.rows, contraction.inner)),
             k.mul(at[0], k.mul(contraction.inner, contraction.columns))};
  TileFinisher finisher(k, contraction.accumulator);
  nest.forEachTile(space, [&](Value row, int64_t rows, Value column,
                              ArrayRef<Lanes> lanes) {
    SmallVector<Value> sums = contraction.sums(bases, row, rows, column, lanes);
    finisher.finish(sums, contraction.rowIndex(batchIndex, row), column, lanes);
  });
}

RootLowering ambit::getContractLowering() { return {countUnits, emitUnit}; }
