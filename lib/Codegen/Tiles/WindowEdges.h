// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: windows that reach beyond an image. What lies there counts as zero,
// which is what lanes that are switched off hold.

#ifndef AMBIT_LIB_CODEGEN_TILES_WINDOWEDGES_H
#define AMBIT_LIB_CODEGEN_TILES_WINDOWEDGES_H

#include "../KernelLowering.h"

namespace ambit {

/// For each spatial dim: element t of the window at output o is at o * stride +
/// t * dilation - low, which lies inside of the input for `begin(t) <= o <
/// end(t)`.
class WindowEdges {
public:
  /// `extents` are the input's, `window` the window's.
  WindowEdges(KernelLowering &kernel, llvm::ArrayRef<mlir::Value> extents,
              llvm::ArrayRef<mlir::Value> window, graph::ConvOp op);

  bool isPadded(size_t dim) const { return low[dim] > 0 || high[dim] > 0; }
  bool isPadded() const;

  /// The outputs of a dim whose whole window lies inside: [first, end).
  mlir::Value firstInside(size_t dim);
  mlir::Value endInside(size_t dim);
  /// Whether the windows of an output row (its index in all dims but the last),
  /// or of its columns [column, end), lie inside in these dims: an i1.
  mlir::Value isRowInside(llvm::ArrayRef<mlir::Value> outer);
  mlir::Value areColumnsInside(mlir::Value column, mlir::Value end);

  /// The lanes, of those at output columns from `column` on, for which the
  /// element `index` of the window lies inside. `outer` as above, or empty when
  /// the row's windows lie inside.
  Lanes select(llvm::ArrayRef<mlir::Value> outer, mlir::Value column,
               llvm::ArrayRef<mlir::Value> index, Lanes lanes);

private:
  mlir::Value begin(size_t dim, mlir::Value tap);
  mlir::Value end(size_t dim, mlir::Value tap);
  /// Whether any output lacks this element before or behind the input.
  bool mayPrecede(size_t dim, mlir::Value tap) const;
  bool mayExceed(size_t dim, mlir::Value tap) const;
  /// `conditions` and lhs <= rhs, or lhs < rhs.
  mlir::Value andCompare(mlir::Value conditions, bool orEqual, mlir::Value lhs,
                         mlir::Value rhs);

  KernelLowering &kernel;
  llvm::SmallVector<mlir::Value> extents, window;
  llvm::SmallVector<int64_t> strides, dilations, low, high;
};

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_TILES_WINDOWEDGES_H
