// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels without a root: every element of the result on its own. A concat at
// the end writes piece by piece; a constant pad fills around a plain copy.

#include "Elements/ElementEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// Elements of the last dim in one unit, when the last dim is not one itself.
constexpr int64_t kChunk = 8192;

/// Whether dims first..last of the result can be walked as one: every op either
/// keeps all of them, in order, or repeats its input along all of them. (A dim
/// of size 1 does both, so pairs of neighbours are not enough to look at.) The
/// last dim carries the merged index, which a broadcast drops where the size
/// is 1.
static bool canMerge(KernelLowering &k, int64_t first, int64_t last) {
  SmallVector<Expr> dims = sym::getDims(k.returned.getType());
  int64_t rank = dims.size();
  if (dims[last].isConstant(1))
    return false;
  for (Operation &op : k.source.front().without_terminator()) {
    if (isa<MapOp, ConstantOp>(op))
      continue;
    auto broadcast = dyn_cast<BroadcastOp>(op);
    if (!broadcast || broadcast.getResult().getType().getRank() != rank)
      return false;
    SmallVector<Expr> from = sym::getDims(broadcast.getInput().getType());
    SmallVector<Expr> aligned(rank - from.size(), Expr(1));
    aligned.append(from);
    bool allKept = true, allOne = true;
    for (int64_t dim = first; dim <= last; ++dim) {
      allKept &= aligned[dim] == dims[dim];
      allOne &= aligned[dim].isConstant(1);
    }
    if (!allKept && !allOne)
      return false;
  }
  return true;
}

/// The extents to walk: a dim merged into the next one has extent 1, and the
/// next one their product.
static SmallVector<Value> walkedExtents(KernelLowering &k) {
  SmallVector<Value> extents = k.dims(k.returned);
  int64_t first = 0;
  for (int64_t dim = 0; dim + 1 < int64_t(extents.size()); ++dim) {
    if (!canMerge(k, first, dim + 1)) {
      first = dim + 1;
      continue;
    }
    extents[dim + 1] = k.mul(extents[dim], extents[dim + 1]);
    extents[dim] = k.index(1);
  }
  return extents;
}

/// Lanes for the result's element type; scalar code where the last dim has one
/// element.
static int64_t laneCount(KernelLowering &k, Value lastExtent) {
  if (KernelLowering::constantOf(lastExtent) == 1)
    return 1;
  return k.vectors.lanesFor(4);
}

static Value countChunks(KernelLowering &k) {
  SmallVector<Value> extents = walkedExtents(k);
  if (extents.empty())
    return k.index(1);
  Value rows = k.product(ArrayRef(extents).drop_back());
  return k.mul(rows, k.ceilDiv(extents.back(), k.index(kChunk)));
}

static void storeElement(KernelLowering &k, ArrayRef<Value> position,
                         Lanes lanes) {
  SmallVector<LaneIndex> index(position.begin(), position.end());
  if (!index.empty() && lanes.count > 1)
    index.back().stride = 1;
  k.finish(k.emit(k.returned, index, lanes), position, lanes);
}

static void emitChunk(KernelLowering &k, Value unit) {
  SmallVector<Value> extents = walkedExtents(k);
  if (extents.empty())
    return storeElement(k, {}, Lanes());
  Value chunks = k.ceilDiv(extents.back(), k.index(kChunk));
  Value row = k.floorDiv(unit, chunks);
  SmallVector<Value> position =
      k.delinearize(row, ArrayRef(extents).drop_back());
  position.push_back(Value());
  std::optional<int64_t> constant = KernelLowering::constantOf(extents.back());
  int64_t count = laneCount(k, extents.back());
  if (constant && *constant <= kChunk)
    return k.vectorLoop(extents.back(), count, [&](Value i, Lanes lanes) {
      position.back() = i;
      storeElement(k, position, lanes);
    });
  Value start = k.mul(k.mod(unit, chunks), k.index(kChunk));
  Value extent = k.min(k.sub(extents.back(), start), k.index(kChunk));
  k.vectorLoop(extent, count, [&](Value i, Lanes lanes) {
    position.back() = k.add(start, i);
    storeElement(k, position, lanes);
  });
}

//===-- Concat ------------------------------------------------------------===//

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

static Value countConcatUnits(KernelLowering &k) {
  return k.product(ArrayRef(k.dims(k.returned)).take_front(countUnitDims(k)));
}

/// Copies what a piece has below `outer`, the dims before the concat's, as one
/// run of elements: it is one in the result, and in a buffer.
static void emitRun(KernelLowering &k, Value piece, ArrayRef<Value> outer,
                    Value shift, int64_t dim) {
  SmallVector<Value> extents = k.dims(piece);
  Value count = k.product(ArrayRef(extents).drop_front(dim));
  k.vectorLoop(count, laneCount(k, count), [&](Value i, Lanes lanes) {
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
    int64_t count = laneCount(k, extents[last]);
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

static void emitConcatUnit(KernelLowering &k, Value unit) {
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

//===-- Pad ---------------------------------------------------------------===//

static PadOp getConstantPad(KernelLowering &k) {
  auto pad = k.returned.getDefiningOp<PadOp>();
  if (pad && pad.getMode() == PadMode::Constant &&
      pad.getResult().getType().getRank() > 0)
    return pad;
  return {};
}

static Value countPadUnits(KernelLowering &k) {
  return k.product(ArrayRef(k.dims(k.returned)).drop_back());
}

/// One row: padding, the input's row, padding; or padding throughout when the
/// row lies outside of the input in some other dim.
static void emitPadUnit(KernelLowering &k, Value unit) {
  PadOp op = getConstantPad(k);
  SmallVector<Value> extents = k.dims(k.returned), from = k.dims(op.getInput());
  SmallVector<Value> position =
      k.delinearize(unit, ArrayRef(extents).drop_back());
  SmallVector<Value> source;
  Value inside = k.number(1, k.b.getI1Type(), Lanes());
  for (auto [dim, at] : llvm::enumerate(position)) {
    Value low = k.dim(op.getLow().getDims()[dim]);
    source.push_back(k.sub(at, low));
    // Unsigned: what is before the input is huge.
    Value within = k.b.createOrFold<arith::CmpIOp>(
        k.loc, arith::CmpIPredicate::ult, source.back(), from[dim]);
    inside = k.b.createOrFold<arith::AndIOp>(k.loc, inside, within);
  }
  Value low = k.dim(op.getLow().getDims().back());
  Value zero = k.index(0);
  // Where the middle part begins and ends; outside of the input it is empty.
  Value begin = k.b.createOrFold<arith::SelectOp>(k.loc, inside, low, zero);
  Value middle =
      k.b.createOrFold<arith::SelectOp>(k.loc, inside, from.back(), zero);
  Value end = k.add(begin, middle);
  position.push_back(Value());
  source.push_back(Value());
  int64_t count = laneCount(k, extents.back());
  auto fill = [&](Value start, Value extent) {
    k.vectorLoop(extent, count, [&](Value i, Lanes lanes) {
      position.back() = k.add(start, i);
      k.finish(k.emit(op.getValue(), {}, lanes), position, lanes);
    });
  };
  fill(zero, begin);
  k.vectorLoop(middle, count, [&](Value i, Lanes lanes) {
    source.back() = i;
    SmallVector<LaneIndex> index(source.begin(), source.end());
    if (lanes.count > 1)
      index.back().stride = 1;
    Value element = k.emit(op.getInput(), index, lanes);
    position.back() = k.add(begin, i);
    k.finish(element, position, lanes);
  });
  fill(end, k.sub(extents.back(), end));
}

//===-- Choice ------------------------------------------------------------===//

static Value countUnits(KernelLowering &k) {
  if (getConcat(k))
    return countConcatUnits(k);
  if (getConstantPad(k))
    return countPadUnits(k);
  return countChunks(k);
}

static void emitUnit(KernelLowering &k, Value unit) {
  if (getConcat(k))
    return emitConcatUnit(k, unit);
  if (getConstantPad(k))
    return emitPadUnit(k, unit);
  emitChunk(k, unit);
}

RootLowering ambit::getElementwiseLowering() { return {countUnits, emitUnit}; }
