// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant pad at the end of a kernel: row by row of the last dim, which is
// either padding throughout, or a copy between padding.

#include "../Tiles/TileNest.h"
#include "Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static PadOp getConstantPad(KernelLowering &k) {
  auto pad = k.returned.getDefiningOp<PadOp>();
  if (pad && pad.getMode() == PadMode::Constant &&
      pad.getResult().getType().getRank() > 0)
    return pad;
  return {};
}

namespace {
/// A pad, row by row of the last dim.
struct PadRows {
  explicit PadRows(KernelLowering &k)
      : k(k), op(getConstantPad(k)), extents(k.dims(k.returned)),
        from(k.dims(op.getInput())) {}
  void emitRow(ArrayRef<Value> position);

  KernelLowering &k;
  PadOp op;
  SmallVector<Value> extents, from;

private:
  void fill(ArrayRef<Value> position, Value start, Value extent);
};
} // namespace

void PadRows::fill(ArrayRef<Value> position, Value start, Value extent) {
  SmallVector<Value> at(position);
  at.push_back(Value());
  k.vectorLoop(extent, countRowLanes(k, extents.back()),
               [&](Value i, Lanes lanes) {
                 at.back() = k.add(start, i);
                 k.finish(k.emit(op.getValue(), {}, lanes), at, lanes);
               });
}

/// Padding, the input's row, padding; or padding throughout when the row lies
/// outside of the input in some other dim.
void PadRows::emitRow(ArrayRef<Value> position) {
  SmallVector<Value> source;
  Value inside = k.number(1, k.b.getI1Type(), Lanes());
  for (auto [dim, at] : llvm::enumerate(position)) {
    source.push_back(k.sub(at, k.dim(op.getLow().getDims()[dim])));
    // Unsigned: what is before the input is huge.
    Value within = k.b.createOrFold<arith::CmpIOp>(
        k.loc, arith::CmpIPredicate::ult, source.back(), from[dim]);
    inside = k.b.createOrFold<arith::AndIOp>(k.loc, inside, within);
  }
  auto copy = [&]() {
    Value low = k.dim(op.getLow().getDims().back());
    Value high = k.dim(op.getHigh().getDims().back());
    SmallVector<Value> to(position);
    source.push_back(Value());
    to.push_back(Value());
    fill(position, k.index(0), low);
    k.vectorLoop(from.back(), countRowLanes(k, extents.back()),
                 [&](Value i, Lanes lanes) {
                   source.back() = i;
                   SmallVector<LaneIndex> index(source.begin(), source.end());
                   if (lanes.count > 1)
                     index.back().stride = 1;
                   to.back() = k.add(low, i);
                   k.finish(k.emit(op.getInput(), index, lanes), to, lanes);
                 });
    fill(position, k.add(low, from.back()), high);
  };
  emitEither(k, inside, copy,
             [&] { fill(position, k.index(0), extents.back()); });
}

static Value countUnits(KernelLowering &k) {
  return getElementRows(k, k.dims(k.returned)).countUnits();
}

static void emitUnit(KernelLowering &k, Value unit) {
  PadRows pad(k);
  getElementRows(k, pad.extents).forEachRow(unit, [&](ArrayRef<Value> row) {
    pad.emitRow(row);
  });
}

bool ambit::endsInPad(KernelLowering &k) { return bool(getConstantPad(k)); }

RootLowering ambit::getPadLowering() { return {countUnits, emitUnit}; }
