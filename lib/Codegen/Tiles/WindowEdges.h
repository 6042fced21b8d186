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
  /// What there is for each spatial dim, of the input and of the op.
  struct Dim {
    mlir::Value extent, window;
    int64_t stride, dilation, low, high;
  };
  WindowEdges(KernelLowering &kernel, llvm::ArrayRef<Dim> dims)
      : kernel(kernel), dims(dims) {}

  bool isPadded(size_t dim) const {
    return dims[dim].low > 0 || dims[dim].high > 0;
  }
  bool isPadded() const;

  /// The outputs of a dim whose whole window lies inside: [first, end).
  mlir::Value firstInside(size_t dim);
  mlir::Value endInside(size_t dim);
  /// Whether the windows at columns [column, end) of a row lie inside in the
  /// last dim: an i1.
  mlir::Value areColumnsInside(mlir::Value column, mlir::Value end);

  /// The lanes, of those at output columns from `column` on, for which the
  /// element `index` of the window lies inside. `outer` is the row's index in
  /// all dims but the last, or empty when its windows lie inside in these.
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
  llvm::SmallVector<Dim> dims;
};

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_TILES_WINDOWEDGES_H
