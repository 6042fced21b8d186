// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of the largest or smallest element along a dim, one result at a
// time by scalar code.

#include "../KernelLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static ArgReduceOp getOp(KernelLowering &k) {
  return cast<ArgReduceOp>(k.root);
}

/// Whether `candidate`, which comes later, replaces `best`.
static Value isBetter(KernelLowering &k, Value candidate, Value best) {
  ArgReduceOp op = getOp(k);
  Type elementType = op.getInput().getType().getElementType();
  bool isMax = op.getKind() == ReduceKind::Max;
  bool orEqual = op.getSelectLast();
  if (isa<FloatType>(elementType)) {
    auto predicate =
        isMax
            ? (orEqual ? arith::CmpFPredicate::OGE : arith::CmpFPredicate::OGT)
            : (orEqual ? arith::CmpFPredicate::OLE : arith::CmpFPredicate::OLT);
    return k.b.create<arith::CmpFOp>(k.loc, predicate, candidate, best);
  }
  bool isUnsigned = elementType.isUnsignedInteger() || elementType.isInteger(1);
  using P = arith::CmpIPredicate;
  P predicate;
  if (isUnsigned)
    predicate =
        isMax ? (orEqual ? P::uge : P::ugt) : (orEqual ? P::ule : P::ult);
  else
    predicate =
        isMax ? (orEqual ? P::sge : P::sgt) : (orEqual ? P::sle : P::slt);
  return k.b.create<arith::CmpIOp>(k.loc, predicate, candidate, best);
}

static Value countUnits(KernelLowering &k) {
  return k.product(k.dims(getOp(k).getResult()));
}

static void emitUnit(KernelLowering &k, Value unit) {
  ArgReduceOp op = getOp(k);
  int64_t dim = op.getDim();
  SmallVector<Value> result = k.delinearize(unit, k.dims(op.getResult()));
  auto elementAt = [&](Value i) {
    SmallVector<LaneIndex> position(result.begin(), result.end());
    position.insert(position.begin() + dim, LaneIndex(i));
    return k.emit(op.getInput(), position, Lanes());
  };
  Value zero = k.index(0);
  SmallVector<Value> best = k.loop(
      k.index(1), k.dims(op.getInput())[dim], 1, {elementAt(zero), zero},
      [&](Value i, ValueRange carried) -> SmallVector<Value> {
        Value candidate = elementAt(i);
        Value better = isBetter(k, candidate, carried[0]);
        return {
            k.b.create<arith::SelectOp>(k.loc, better, candidate, carried[0]),
            k.b.create<arith::SelectOp>(k.loc, better, i, carried[1])};
      });
  Value index =
      k.b.create<arith::IndexCastOp>(k.loc, k.b.getI64Type(), best[1]);
  k.finish(index, result, Lanes());
}

RootLowering ambit::getArgReduceLowering() { return {countUnits, emitUnit}; }
