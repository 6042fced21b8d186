// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products. A unit is a block of rows and columns of one batch; a rhs
// without batch dims makes one product of all rows of all batches.

#include "Product.h"

using namespace mlir;
using namespace ambit;

namespace {
/// Extents and buffers of a `graph.contract`.
struct Contraction {
  explicit Contraction(KernelLowering &k)
      : k(k), op(cast<graph::ContractOp>(k.root)),
        accumulator(k, op.getLhs().getType().getElementType(),
                    op.getResult().getType().getElementType()) {
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
  SmallVector<Value> unitExtents(TileNest &nest) {
    // Row blocks follow each other: they read the same columns of the rhs.
    return {k.product(batch), nest.countColumnBlocks(), nest.countRowBlocks()};
  }
  Product product(Value batchNumber);
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

Product Contraction::product(Value batchNumber) {
  Product result{k.buffer(op.getLhs()),
                 k.index(0),
                 k.buffer(op.getRhs()),
                 k.index(0),
                 inner,
                 columns};
  if (isFlat)
    return result;
  result.lhsStart = k.mul(batchNumber, k.mul(rows, inner));
  result.rhsStart = k.mul(batchNumber, k.mul(inner, columns));
  return result;
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
  return k.product(contraction.unitExtents(nest));
}

static void emitUnit(KernelLowering &k, Value unit) {
  Contraction contraction(k);
  TileNest nest = contraction.nest();
  SmallVector<Value> at = k.delinearize(unit, contraction.unitExtents(nest));
  SmallVector<Value> batchIndex = k.delinearize(at[0], contraction.batch);
  ProductEmitter emitter(k, contraction.accumulator, nest);
  emitter.emit(
      contraction.product(at[0]), nest.getBlock(at[2], at[1]),
      [&](Value row) { return contraction.rowIndex(batchIndex, row); });
}

RootLowering ambit::getContractLowering() { return {countUnits, emitUnit}; }
