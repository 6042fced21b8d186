// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the matrix product in the middle of a contraction and of a pointwise
// convolution.

#ifndef AMBIT_LIB_CODEGEN_TILES_PRODUCT_H
#define AMBIT_LIB_CODEGEN_TILES_PRODUCT_H

#include "TileNest.h"

namespace ambit {

/// lhs [rows, inner] times rhs [inner, columns], both row-major from some
/// position of a buffer on.
struct Product {
  mlir::Value lhs, lhsStart, rhs, rhsStart, inner;
  /// Elements between rows of the rhs.
  mlir::Value rhsPitch;
};

/// Emits products tile by tile. Where many rows use the same columns of the
/// rhs, these are copied first: columns that lie far apart in memory compete
/// for the same few places of a cache, and for entries of the page table.
class ProductEmitter {
public:
  ProductEmitter(KernelLowering &kernel, Accumulator &accumulator,
                 TileNest &nest)
      : kernel(kernel), accumulator(accumulator), nest(nest),
        finisher(kernel, accumulator) {}

  using IndexOf = llvm::function_ref<RowIndex(mlir::Value row)>;
  /// Computes and finishes one block; `indexOf` gives where a row of it lies in
  /// the result.
  void emit(const Product &product, const TileSpace &space, IndexOf indexOf);

private:
  enum class Packing { Never, Always, WhenManyRows };
  int64_t scalarBytes() const;
  Packing choosePacking(const Product &product, const TileSpace &space);
  void emitDirect(const Product &product, const TileSpace &space,
                  IndexOf indexOf);
  void emitPacked(const Product &product, const TileSpace &space,
                  IndexOf indexOf);
  void pack(const Product &product, mlir::Value first, mlir::Value end,
            mlir::Value column, llvm::ArrayRef<Lanes> lanes);
  void addPanel(const Product &product, mlir::Value first, mlir::Value end,
                mlir::Value row, int64_t rows, mlir::Value storedRow,
                int64_t vectors);
  /// One step of the inner dim: adds lhs elements times `right` to `sums`.
  llvm::SmallVector<mlir::Value> step(mlir::Value lhs,
                                      mlir::ValueRange rowStarts,
                                      mlir::Value at, mlir::ValueRange right,
                                      mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> rowStarts(const Product &product,
                                           mlir::Value row, int64_t rows);

  KernelLowering &kernel;
  Accumulator &accumulator;
  TileNest &nest;
  TileFinisher finisher;
  /// Columns of the rhs for one step of tiles, and sums of a block's rows.
  mlir::Value panel, stored;
};

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_TILES_PRODUCT_H
