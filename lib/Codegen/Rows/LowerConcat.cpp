// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A concat at the end of a kernel: each piece is copied to its place.

#include "Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <functional>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static ConcatOp getConcat(KernelLowering &k) {
  return k.returned.getDefiningOp<ConcatOp>();
}

/// Dims that units count: those before the concat's dim and that one too,
/// unless a unit would be a few elements.
static int64_t countUnitDims(KernelLowering &k) {
  int64_t dim = getConcat(k).getDim();
  SmallVector<Expr> inner = sym::getDims(k.returned.getType());
  inner.erase(inner.begin(), inner.begin() + dim + 1);
  std::optional<int64_t> count = sym::getNumElements(inner).constant();
  return count && *count < k.vectors.lanesFor(4) ? dim : dim + 1;
}

static Value countUnits(KernelLowering &k) {
  return k.product(ArrayRef(k.dims(k.returned)).take_front(countUnitDims(k)));
}

/// Copies what a piece has below `outer`, the dims before the concat's, as one
/// run of elements: it is one in the result, and in a buffer.
static void emitRun(KernelLowering &k, Value piece, ArrayRef<Value> outer,
                    Value shift, int64_t dim) {
  SmallVector<Value> extents = k.dims(piece);
  Value count = k.product(ArrayRef(extents).drop_front(dim));
  k.vectorLoop(count, countRowLanes(k, count), [&](Value i, Lanes lanes) {
    // The last dim carries the run, past its own extent.
    SmallVector<Value> from(outer);
    from.resize(extents.size(), k.index(0));
    from.back() = i;
    SmallVector<LaneIndex> index(from.begin(), from.end());
    if (lanes.count > 1)
      index.back().stride = 1;
    Value element = k.emit(piece, index, lanes);
    from[dim] = k.add(from[dim], shift);
    k.finish(element, from, lanes);
  });
}

/// Copies what a piece has below `outer`; `shift` is where it starts along the
/// dim.
static void emitPiece(KernelLowering &k, Value piece, ArrayRef<Value> outer,
                      Value shift, int64_t dim) {
  SmallVector<Value> extents = k.dims(piece);
  SmallVector<Value> position(outer);
  auto copyLast = [&]() {
    int64_t last = extents.size() - 1;
    int64_t count = countRowLanes(k, extents[last]);
    k.vectorLoop(extents[last], count, [&](Value i, Lanes lanes) {
      SmallVector<Value> from(position);
      from.push_back(i);
      SmallVector<LaneIndex> index(from.begin(), from.end());
      if (lanes.count > 1)
        index.back().stride = 1;
      Value element = k.emit(piece, index, lanes);
      SmallVector<Value> to(from);
      to[dim] = k.add(to[dim], shift);
      k.finish(element, to, lanes);
    });
  };
  std::function<void(int64_t)> walk = [&](int64_t d) {
    if (d == int64_t(extents.size()) - 1)
      return copyLast();
    k.loop(k.index(0), extents[d], 1, [&](Value i) {
      position.push_back(i);
      walk(d + 1);
      position.pop_back();
    });
  };
  walk(outer.size());
}

static void emitUnit(KernelLowering &k, Value unit) {
  ConcatOp op = getConcat(k);
  int64_t dim = op.getDim();
  SmallVector<Value> extents = k.dims(k.returned);
  SmallVector<Value> outer =
      k.delinearize(unit, ArrayRef(extents).take_front(countUnitDims(k)));
  Value shift = k.index(0);
  for (Value piece : op.getInputs()) {
    Value extent = k.dims(piece)[dim];
    bool isRun = k.isExternal(piece) || piece.getDefiningOp<ConstantOp>();
    if (int64_t(outer.size()) == dim) {
      if (isRun)
        emitRun(k, piece, outer, shift, dim);
      else
        emitPiece(k, piece, outer, shift, dim);
    } else {
      SmallVector<Value> inside(outer);
      inside[dim] = k.sub(outer[dim], shift);
      // Unsigned: what is before the piece is huge.
      Value isInside = k.b.createOrFold<arith::CmpIOp>(
          k.loc, arith::CmpIPredicate::ult, inside[dim], extent);
      auto branch = k.b.create<scf::IfOp>(k.loc, isInside);
      OpBuilder::InsertionGuard guard(k.b);
      k.b.setInsertionPointToStart(branch.thenBlock());
      emitPiece(k, piece, inside, shift, dim);
    }
    shift = k.add(shift, extent);
  }
}

bool ambit::endsInConcat(KernelLowering &k) { return bool(getConcat(k)); }

RootLowering ambit::getConcatLowering() { return {countUnits, emitUnit}; }
