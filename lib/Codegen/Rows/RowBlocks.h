// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: units that are blocks of rows. The index of a row costs a division
// for each of its dims, which is as much as a short row itself; a block pays
// for it once.

#ifndef AMBIT_LIB_CODEGEN_ROWS_ROWBLOCKS_H
#define AMBIT_LIB_CODEGEN_ROWS_ROWBLOCKS_H

#include "../KernelLowering.h"

namespace ambit {

/// The rows of a box, cut along the last of its dims that has any to cut.
class RowBlocks {
public:
  /// `extents` are those of the box of rows; `points` is the size of one row,
  /// and a unit has about `unitPoints` of them, but never more rows than 64.
  RowBlocks(KernelLowering &kernel, llvm::ArrayRef<mlir::Value> extents,
            mlir::Value points, int64_t unitPoints);

  mlir::Value countUnits();
  /// Calls `body` with the index of each row of a unit.
  void forEachRow(mlir::Value unit,
                  llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);

private:
  mlir::Value chooseRows(mlir::Value points, int64_t unitPoints);
  mlir::Value countBlocks();

  KernelLowering &kernel;
  llvm::SmallVector<mlir::Value> extents;
  /// The dim that is cut; none when there is one row.
  int64_t dim;
  mlir::Value rowsPerUnit;
};

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_ROWS_ROWBLOCKS_H
