// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the matrix product in the middle of a contraction and of a pointwise
// convolution.

#ifndef AMBIT_LIB_CODEGEN_TILES_PRODUCT_H
#define AMBIT_LIB_CODEGEN_TILES_PRODUCT_H

#include "Operands.h"

namespace ambit {

/// lhs [rows, inner] times rhs [inner, columns].
struct Product {
  Matrix lhs, rhs;
  mlir::Value inner;
};

/// Emits products tile by tile. Where many rows use the same columns of the
/// rhs, and these lie far apart, they are copied first.
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
  /// Adds the products of inner rows [first, end) to the sums of a row tile,
  /// which stand in memory from `storedRow` on.
  void addToStored(const Product &product, Panel &panel, mlir::Value first,
                   mlir::Value end, mlir::Value row, int64_t rows,
                   mlir::Value storedRow, int64_t vectors);
  /// The sums of a tile of `rows` rows from `row` on, with the products of
  /// inner rows [first, end) added to `init`.
  llvm::SmallVector<mlir::Value> accumulate(const Product &product,
                                            Panel &panel, mlir::Value first,
                                            mlir::Value end, mlir::Value row,
                                            int64_t rows,
                                            mlir::ValueRange init);

  KernelLowering &kernel;
  Accumulator &accumulator;
  TileNest &nest;
  TileFinisher finisher;
  /// Columns of the rhs for one step of tiles, and sums of a block's rows.
  mlir::Value copied, stored;
};

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_TILES_PRODUCT_H
