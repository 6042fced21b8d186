// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: what contractions, convolutions and windows share. Their result is
// covered by register tiles: `rows` (rows of a matrix, output channels) times
// `vectors` of consecutive columns, one accumulator for each. An element is
// always summed in one accumulator, in the order of the reference, so that the
// choice of tiles never shows in a result.

#ifndef AMBIT_LIB_CODEGEN_TILES_TILENEST_H
#define AMBIT_LIB_CODEGEN_TILES_TILENEST_H

#include "../KernelLowering.h"

namespace ambit {

/// How elements of one type are multiplied and added: 16-bit floats in f32,
/// integers modulo their width, everything else in its own type. Values are
/// vectors of `lanes` elements, the native width of the accumulator's type.
class Accumulator {
public:
  /// The element types of operands and of the result.
  Accumulator(KernelLowering &kernel, mlir::Type elementType,
              mlir::Type resultType);

  int64_t getLanes() const { return lanes; }
  mlir::Type getScalar() const { return scalar; }
  mlir::VectorType getVector() const {
    return mlir::VectorType::get({lanes}, scalar);
  }
  Lanes all() const { return Lanes{lanes, {}}; }

  mlir::Value number(double value);
  /// Minus infinity, or the lowest integer.
  mlir::Value lowest();
  /// One element of a buffer in every lane.
  mlir::Value broadcast(mlir::Value buffer, mlir::Value offset);
  /// Elements `stride` apart; inactive lanes read nothing and hold 0.
  mlir::Value load(mlir::Value buffer, mlir::Value offset, int64_t stride,
                   Lanes active);
  /// sum + lhs * rhs, rounded once.
  mlir::Value multiplyAdd(mlir::Value lhs, mlir::Value rhs, mlir::Value sum);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value max(mlir::Value lhs, mlir::Value rhs);
  /// Converts to elements of the result.
  mlir::Value narrow(mlir::Value value);
  /// A whole vector from or to a buffer of accumulators.
  mlir::Value loadStored(mlir::Value buffer, mlir::Value offset);
  void store(mlir::Value value, mlir::Value buffer, mlir::Value offset);

private:
  mlir::Value widen(mlir::Value value);
  mlir::Value loadEverySecond(mlir::Value buffer, mlir::Value offset,
                              Lanes active);

  KernelLowering &kernel;
  mlir::Type element, result, scalar;
  int64_t lanes;
};

/// The size of a register tile.
struct TileShape {
  int64_t rows = 1, vectors = 1;
};

/// A part of a row-by-column space; the extents are those of the whole space.
/// Each part but the last of a dim has `rowsPerBlock` or `columnsPerBlock`.
struct TileSpace {
  mlir::Value firstRow, endRow, rows;
  mlir::Value firstColumn, endColumn, columns;
};

constexpr int64_t kMostTileVectors = 8;

/// Chooses tiles for a space and walks over it.
class TileNest {
public:
  /// Rows and columns are the whole extents. A tile has at most `mostVectors`,
  /// a power of two: fewer make less code where the body of a tile is long.
  TileNest(KernelLowering &kernel, int64_t lanes, mlir::Value rows,
           mlir::Value columns, int64_t mostVectors = kMostTileVectors);

  int64_t getRowsPerBlock() const { return rowsPerBlock; }
  int64_t getColumnsPerBlock() const { return columnsPerBlock; }
  mlir::Value countRowBlocks();
  mlir::Value countColumnBlocks();
  /// The part of the space that two block numbers stand for.
  TileSpace getBlock(mlir::Value rowBlock, mlir::Value columnBlock);

  /// Emits one tile: `rows` rows from `row` on, and a vector of columns for
  /// each entry of `lanes`, from `column` on.
  using Body =
      llvm::function_ref<void(mlir::Value row, int64_t rows, mlir::Value column,
                              llvm::ArrayRef<Lanes> lanes)>;
  /// Covers a block by tiles. All row tiles of a column come after each other,
  /// so that what the column reads stays in cache.
  void forEachTile(const TileSpace &space, Body body);

  /// The walk over columns and the walk over rows by themselves; the former by
  /// tiles of `vectors`.
  using ColumnBody =
      llvm::function_ref<void(mlir::Value column, llvm::ArrayRef<Lanes> lanes)>;
  void forEachColumn(const TileSpace &space, int64_t vectors, ColumnBody body);
  using RowBody = llvm::function_ref<void(mlir::Value row, int64_t rows)>;
  void forEachRowTile(const TileSpace &space, RowBody body);

  int64_t getTileRows() const { return tileRows; }
  /// Vectors of a tile of `getTileRows` rows.
  int64_t getTileVectors() const { return chooseVectors(tileRows); }

private:
  /// The rows after whole tiles, from `first` on.
  void forEachRest(const TileSpace &space, mlir::Value first, RowBody body);
  void emitLastColumns(mlir::Value column, mlir::Value count, int64_t vectors,
                       ColumnBody body);
  int64_t chooseVectors(int64_t tileRows) const;
  int64_t chooseRows() const;

  KernelLowering &kernel;
  int64_t lanes, mostVectors;
  mlir::Value rows, columns;
  int64_t tileRows, rowsPerBlock, columnsPerBlock;
};

/// The multi-index of a tile's rows in the result, without the last dim.
struct RowIndex {
  llvm::SmallVector<mlir::Value> index;
  /// The dim along which rows advance.
  size_t dim = 0;
  /// When set, a row past extents[dim] carries into the dim before.
  llvm::SmallVector<mlir::Value> carryExtents;
};

/// Hands a tile's accumulators (row by row) to the ops after the root. A costly
/// epilogue goes into a loop over the rows, through a small stack buffer.
class TileFinisher {
public:
  TileFinisher(KernelLowering &kernel, Accumulator &accumulator);
  void finish(mlir::ValueRange sums, RowIndex row, mlir::Value column,
              llvm::ArrayRef<Lanes> lanes);
  /// The same for `rows` rows of sums in memory, `pitch` elements apart.
  void finishStored(mlir::Value buffer, mlir::Value rows, int64_t pitch,
                    RowIndex row, mlir::Value column,
                    llvm::ArrayRef<Lanes> lanes);

private:
  void finishRow(mlir::ValueRange sums, llvm::ArrayRef<mlir::Value> row,
                 mlir::Value column, llvm::ArrayRef<Lanes> lanes);
  void advance(RowIndex &row);

  KernelLowering &kernel;
  Accumulator &accumulator;
  /// Of the epilogue, for an element.
  int64_t instructions;
  mlir::Value scratch;
};

/// A buffer of the kernel's own, in the stack frame.
mlir::Value allocateScratch(KernelLowering &kernel, int64_t elements,
                            mlir::Type scalar);

/// Emits `body` under a condition, or not at all when it is constant.
void emitWhen(KernelLowering &kernel, mlir::Value condition,
              llvm::function_ref<void()> body);
/// Emits one of two bodies by a condition.
void emitEither(KernelLowering &kernel, mlir::Value condition,
                llvm::function_ref<void()> then,
                llvm::function_ref<void()> otherwise);
/// The values of one of two bodies, by a condition.
llvm::SmallVector<mlir::Value>
emitChoice(KernelLowering &kernel, mlir::Value condition,
           llvm::function_ref<llvm::SmallVector<mlir::Value>()> then,
           llvm::function_ref<llvm::SmallVector<mlir::Value>()> otherwise);
mlir::Value isLess(KernelLowering &kernel, mlir::Value lhs, mlir::Value rhs);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_TILES_TILENEST_H
