// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choice of register tiles, and the loops over them.
//
// A tile of R rows and V vectors keeps R*V accumulators, V vectors of the right
// operand and one broadcast element in registers. Two vectors of columns and as
// many rows as fit reach the machine's peak; fewer rows get more vectors, so
// that enough independent sums hide the latency of a multiply-add.

#include "TileNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ambit;

/// More rows than this only make code longer.
static constexpr int64_t kMostTileRows = 12;
/// Row tiles of a block: how often a panel of the right operand is used while
/// it is in cache.
static constexpr int64_t kTilesPerBlock = 16;
static constexpr int64_t kColumnsPerBlock = 128;

Value ambit::isLess(KernelLowering &k, Value lhs, Value rhs) {
  return k.b.createOrFold<arith::CmpIOp>(k.loc, arith::CmpIPredicate::slt, lhs,
                                         rhs);
}

void ambit::emitWhen(KernelLowering &k, Value condition,
                     function_ref<void()> body) {
  if (std::optional<int64_t> constant = KernelLowering::constantOf(condition)) {
    if (*constant != 0)
      body();
    return;
  }
  auto branch = k.b.create<scf::IfOp>(k.loc, condition);
  OpBuilder::InsertionGuard guard(k.b);
  k.b.setInsertionPointToStart(branch.thenBlock());
  body();
}

void ambit::emitEither(KernelLowering &k, Value condition,
                       function_ref<void()> then,
                       function_ref<void()> otherwise) {
  if (std::optional<int64_t> constant = KernelLowering::constantOf(condition))
    return *constant != 0 ? then() : otherwise();
  auto branch = k.b.create<scf::IfOp>(k.loc, condition, true);
  OpBuilder::InsertionGuard guard(k.b);
  k.b.setInsertionPointToStart(branch.thenBlock());
  then();
  k.b.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

SmallVector<Value>
ambit::emitChoice(KernelLowering &k, Value condition,
                  function_ref<SmallVector<Value>()> then,
                  function_ref<SmallVector<Value>()> otherwise) {
  if (std::optional<int64_t> constant = KernelLowering::constantOf(condition))
    return *constant != 0 ? then() : otherwise();
  auto yielding = [&](function_ref<SmallVector<Value>()> body) {
    // The op's builder is `k.b`, inside of the branch by then.
    return [&k, body](OpBuilder &, Location loc) {
      k.b.create<scf::YieldOp>(loc, body());
    };
  };
  auto branch = k.b.create<scf::IfOp>(k.loc, condition, yielding(then),
                                      yielding(otherwise));
  return SmallVector<Value>(branch.getResults());
}

//===-- Choice ---------------------------------------------------------===//

TileNest::TileNest(KernelLowering &kernel, int64_t lanes, Value rows,
                   Value columns, int64_t mostVectors)
    : kernel(kernel), lanes(lanes), mostVectors(mostVectors), rows(rows),
      columns(columns), tileRows(chooseRows()),
      rowsPerBlock(kTilesPerBlock * tileRows),
      columnsPerBlock(std::max(kColumnsPerBlock, kMostTileVectors * lanes)) {}

int64_t TileNest::chooseRows() const {
  std::optional<int64_t> width = KernelLowering::constantOf(columns);
  int64_t vectors = width && *width <= lanes ? 1 : 2;
  int64_t most = std::min(kMostTileRows,
                          (kernel.vectors.registers - 2 - vectors) / vectors);
  std::optional<int64_t> count = KernelLowering::constantOf(rows);
  if (!count || *count > 4 * most)
    return most;
  if (*count <= most)
    return std::max<int64_t>(*count, 1);
  // A few rows: tiles of one size when possible, else of nearly one size.
  for (int64_t size = most; size >= most - most / 3; --size)
    if (*count % size == 0)
      return size;
  return llvm::divideCeil(*count, llvm::divideCeil(*count, most));
}

int64_t TileNest::chooseVectors(int64_t tileRows) const {
  int64_t vectors = mostVectors;
  // A vector that is used once is an operand from memory.
  auto fits = [&](int64_t count) {
    int64_t held = tileRows > 1 ? count : 0;
    return tileRows * count + held + 1 <= kernel.vectors.registers - 1;
  };
  while (vectors > 1 && !fits(vectors))
    vectors /= 2;
  if (std::optional<int64_t> width = KernelLowering::constantOf(columns))
    vectors = std::min<int64_t>(
        vectors, std::max<int64_t>(llvm::divideCeil(*width, lanes), 1));
  return vectors;
}

//===-- Blocks ---------------------------------------------------------===//

Value TileNest::countRowBlocks() {
  return kernel.ceilDiv(rows, kernel.index(rowsPerBlock));
}

Value TileNest::countColumnBlocks() {
  return kernel.ceilDiv(columns, kernel.index(columnsPerBlock));
}

TileSpace TileNest::getBlock(Value rowBlock, Value columnBlock) {
  auto begin = [&](Value block, int64_t size) {
    return kernel.mul(block, kernel.index(size));
  };
  auto end = [&](Value first, int64_t size, Value extent) {
    std::optional<int64_t> constant = KernelLowering::constantOf(extent);
    if (constant && *constant <= size)
      return extent;
    return kernel.min(kernel.add(first, kernel.index(size)), extent);
  };
  TileSpace space;
  space.rows = rows;
  space.columns = columns;
  space.firstRow = begin(rowBlock, rowsPerBlock);
  space.endRow = end(space.firstRow, rowsPerBlock, rows);
  space.firstColumn = begin(columnBlock, columnsPerBlock);
  space.endColumn = end(space.firstColumn, columnsPerBlock, columns);
  return space;
}

//===-- Loops ----------------------------------------------------------===//

/// The end of the part of [first, end) that whole tiles cover. Only the last
/// block of a dim has anything else.
static Value endOfWhole(KernelLowering &k, Value first, Value end, Value extent,
                        int64_t size) {
  std::optional<int64_t> constant = KernelLowering::constantOf(extent);
  if (constant && *constant % size == 0)
    return end;
  if (constant)
    return k.min(end, k.index(*constant / size * size));
  Value count = k.floorDiv(k.sub(end, first), k.index(size));
  return k.add(first, k.mul(count, k.index(size)));
}

/// Whether an extent may hold a whole tile.
static bool mayHold(Value extent, int64_t size) {
  std::optional<int64_t> constant = KernelLowering::constantOf(extent);
  return !constant || *constant >= size;
}

void TileNest::emitLastColumns(Value column, Value count, int64_t vectors,
                               ColumnBody body) {
  // `full` vectors are known to be whole.
  auto emit = [&](int64_t full, int64_t used) {
    SmallVector<Lanes> pieces;
    for (int64_t i = 0; i < used; ++i) {
      Lanes piece{lanes, {}};
      if (i >= full)
        piece.mask =
            kernel.maskOf(kernel.sub(count, kernel.index(i * lanes)), lanes);
      pieces.push_back(piece);
    }
    body(column, pieces);
  };
  OpBuilder::InsertionGuard guard(kernel.b);
  // Steps of two: idle vectors cost more than the code of another step.
  int64_t full = 0;
  for (int64_t used = 1; used < vectors; used *= 2) {
    Value isMore = isLess(kernel, kernel.index(used * lanes), count);
    auto branch = kernel.b.create<scf::IfOp>(kernel.loc, isMore, true);
    kernel.b.setInsertionPointToStart(branch.elseBlock());
    emit(full, used);
    kernel.b.setInsertionPointToStart(branch.thenBlock());
    full = used;
  }
  emit(full, vectors);
}

void TileNest::forEachColumn(const TileSpace &space, int64_t vectors,
                             ColumnBody body) {
  int64_t step = vectors * lanes;
  Value end = endOfWhole(kernel, space.firstColumn, space.endColumn,
                         space.columns, step);
  if (mayHold(space.columns, step)) {
    SmallVector<Lanes> whole(vectors, Lanes{lanes, {}});
    kernel.loop(space.firstColumn, end, step,
                [&](Value column) { body(column, whole); });
  }
  std::optional<int64_t> constant = KernelLowering::constantOf(space.columns);
  if (!constant) {
    Value rest = kernel.sub(space.endColumn, end);
    emitWhen(kernel, isLess(kernel, kernel.index(0), rest),
             [&] { emitLastColumns(end, rest, vectors, body); });
    return;
  }
  int64_t rest = *constant % step;
  if (rest == 0)
    return;
  Value first = kernel.index(*constant - rest);
  emitWhen(kernel, isLess(kernel, first, space.endColumn), [&] {
    SmallVector<Lanes> pieces(llvm::divideCeil(rest, lanes), Lanes{lanes, {}});
    if (rest % lanes != 0)
      pieces.back().mask = kernel.maskOf(kernel.index(rest % lanes), lanes);
    body(first, pieces);
  });
}

void TileNest::forEachRest(const TileSpace &space, Value first, RowBody body) {
  if (std::optional<int64_t> constant =
          KernelLowering::constantOf(space.rows)) {
    int64_t rest = *constant % tileRows;
    Value row = kernel.index(*constant - rest);
    if (rest != 0)
      emitWhen(kernel, isLess(kernel, row, space.endRow),
               [&] { body(row, rest); });
    return;
  }
  // What is left is less than a tile: each power of two occurs at most once.
  Value row = first;
  for (int64_t count = llvm::bit_floor(uint64_t(tileRows - 1)); count > 0;
       count /= 2) {
    Value next = kernel.add(row, kernel.index(count));
    Value isThere = kernel.b.createOrFold<arith::CmpIOp>(
        kernel.loc, arith::CmpIPredicate::sle, next, space.endRow);
    emitWhen(kernel, isThere, [&] { body(row, count); });
    row =
        kernel.b.createOrFold<arith::SelectOp>(kernel.loc, isThere, next, row);
  }
}

void TileNest::forEachRowTile(const TileSpace &space, RowBody body) {
  Value end =
      endOfWhole(kernel, space.firstRow, space.endRow, space.rows, tileRows);
  if (mayHold(space.rows, tileRows))
    kernel.loop(space.firstRow, end, tileRows,
                [&](Value row) { body(row, tileRows); });
  forEachRest(space, end, body);
}

void TileNest::forEachTile(const TileSpace &space, Body body) {
  Value end =
      endOfWhole(kernel, space.firstRow, space.endRow, space.rows, tileRows);
  if (mayHold(space.rows, tileRows))
    forEachColumn(space, chooseVectors(tileRows),
                  [&](Value column, ArrayRef<Lanes> pieces) {
                    kernel.loop(space.firstRow, end, tileRows, [&](Value row) {
                      body(row, tileRows, column, pieces);
                    });
                  });
  forEachRest(space, end, [&](Value row, int64_t count) {
    forEachColumn(space, chooseVectors(count),
                  [&](Value column, ArrayRef<Lanes> pieces) {
                    body(row, count, column, pieces);
                  });
  });
}
