// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: how tiles read what they multiply. The left operand gives one number
// for each row of a tile, the right one vectors of consecutive columns; what is
// summed, and in which order, does not depend on where they come from.

#ifndef AMBIT_LIB_CODEGEN_TILES_OPERANDS_H
#define AMBIT_LIB_CODEGEN_TILES_OPERANDS_H

#include "TileNest.h"

namespace ambit {

/// A vector for each entry of `lanes`, from `offset` of a buffer on; lanes are
/// `stride` elements apart.
llvm::SmallVector<mlir::Value> loadVectors(KernelLowering &kernel,
                                           Accumulator &accumulator,
                                           mlir::Value buffer,
                                           mlir::Value offset, int64_t stride,
                                           llvm::ArrayRef<Lanes> lanes);

/// Adds lhs[start + at] times each of `right` to `sums`, for each of `starts`;
/// sums stand row by row.
llvm::SmallVector<mlir::Value>
multiplyRows(KernelLowering &kernel, Accumulator &accumulator, mlir::Value lhs,
             mlir::ValueRange starts, mlir::Value at, mlir::ValueRange right,
             mlir::ValueRange sums);

/// Rows of elements, from some position of a buffer on.
struct Matrix {
  mlir::Value buffer, start;
  /// Elements between the starts of rows.
  mlir::Value pitch;

  mlir::Value rowStart(KernelLowering &kernel, mlir::Value row) const {
    return kernel.add(start, kernel.mul(row, pitch));
  }
};

/// The columns of a tile in the right operand of a product.
class Panel {
public:
  virtual ~Panel() = default;
  /// What they hold in row `at` of the inner dim, a vector for each entry of
  /// the tile's lanes.
  virtual llvm::SmallVector<mlir::Value> read(mlir::Value at) = 0;
};

/// Columns where they are in memory.
class DirectPanel : public Panel {
public:
  DirectPanel(KernelLowering &kernel, Accumulator &accumulator, Matrix matrix,
              mlir::Value column, llvm::ArrayRef<Lanes> lanes);
  llvm::SmallVector<mlir::Value> read(mlir::Value at) override;

private:
  KernelLowering &kernel;
  Accumulator &accumulator;
  Matrix matrix;
  llvm::SmallVector<Lanes> lanes;
};

/// A copy of some rows of a panel on the stack, whole vectors side by side:
/// columns that lie far apart in memory compete for the same few places of a
/// cache, and for entries of the page table.
class StackPanel : public Panel {
public:
  /// `buffer` has room for all rows that are copied; `first` is the row that
  /// stands at its start.
  StackPanel(KernelLowering &kernel, Accumulator &accumulator,
             mlir::Value buffer, mlir::Value first, int64_t vectors)
      : kernel(kernel), accumulator(accumulator), buffer(buffer), first(first),
        vectors(vectors) {}
  /// Copies rows from `first` to `end`.
  void fill(Panel &source, mlir::Value end);
  llvm::SmallVector<mlir::Value> read(mlir::Value at) override;

private:
  mlir::Value placeOf(mlir::Value at, int64_t piece);

  KernelLowering &kernel;
  Accumulator &accumulator;
  mlir::Value buffer, first;
  int64_t vectors;
};

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_TILES_OPERANDS_H
