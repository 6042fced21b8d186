// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels without a root: every element of the result on its own.

#include "Elementwise.h"
#include "ambit/Cost/Cost.h"

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

int64_t ambit::countRowLanes(KernelLowering &k, Value extent) {
  if (KernelLowering::constantOf(extent) == 1)
    return 1;
  return k.vectors.lanesFor(4);
}

RowBlocks ambit::getElementRows(KernelLowering &k, ArrayRef<Value> extents) {
  return RowBlocks(k, extents.drop_back(), extents.back(),
                   cost::countUnitElements(k.source.front()));
}

/// Blocks of rows, or chunks of each row that is no part of a block.
static Value countChunks(KernelLowering &k) {
  SmallVector<Value> extents = walkedExtents(k);
  if (extents.empty())
    return k.index(1);
  return k.mul(getElementRows(k, extents).countUnits(),
               k.ceilDiv(extents.back(), k.index(kChunk)));
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
  std::optional<int64_t> constant = KernelLowering::constantOf(extents.back());
  bool isWhole = constant && *constant <= kChunk;
  Value start =
      isWhole ? k.index(0) : k.mul(k.mod(unit, chunks), k.index(kChunk));
  Value extent = isWhole ? extents.back()
                         : k.min(k.sub(extents.back(), start), k.index(kChunk));
  getElementRows(k, extents)
      .forEachRow(k.floorDiv(unit, chunks), [&](ArrayRef<Value> row) {
        SmallVector<Value> position(row);
        position.push_back(Value());
        k.vectorLoop(extent, countRowLanes(k, extents.back()),
                     [&](Value i, Lanes lanes) {
                       position.back() = k.add(start, i);
                       storeElement(k, position, lanes);
                     });
      });
}

static Value countUnits(KernelLowering &k) {
  if (endsInConcat(k))
    return getConcatLowering().countUnits(k);
  if (endsInPad(k))
    return getPadLowering().countUnits(k);
  return countChunks(k);
}

static void emitUnit(KernelLowering &k, Value unit) {
  if (endsInConcat(k))
    return getConcatLowering().emitUnit(k, unit);
  if (endsInPad(k))
    return getPadLowering().emitUnit(k, unit);
  emitChunk(k, unit);
}

RootLowering ambit::getElementwiseLowering() { return {countUnits, emitUnit}; }
