// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: windows that slide over the spatial dims of [N, C, spatial...].

#ifndef AMBIT_LIB_CODEGEN_TILES_SLIDINGWINDOW_H
#define AMBIT_LIB_CODEGEN_TILES_SLIDINGWINDOW_H

#include "TileNest.h"
#include <optional>

namespace ambit {

/// Which elements of the input lie under a window. Padding before the input
/// makes positions negative; `WindowEdges` says which lie inside.
struct SlidingWindow {
  SlidingWindow(KernelLowering &kernel, mlir::Value input,
                mlir::ValueRange window, llvm::ArrayRef<int64_t> strides,
                llvm::ArrayRef<int64_t> dilations, llvm::ArrayRef<int64_t> low);

  /// Elements of the input between neighbours along the channels.
  mlir::Value planeSize() { return channelPitch; }
  /// Where the windows of an output row begin in a channel of the input;
  /// `outer` is the row's index in all spatial dims but the last.
  mlir::Value rowStart(llvm::ArrayRef<mlir::Value> outer);
  /// Elements of the input between neighbours along spatial dim `dim`.
  mlir::Value pitchOf(size_t dim) { return pitches[dim]; }

  /// How many vectors of columns a tile should have at most: unrolled windows
  /// are long, and their loads rather than the latency of sums are the limit.
  int64_t mostVectors() const;

  /// Called with an element's position relative to the window's first element,
  /// its number in the window, and the sums so far; returns the next sums.
  using Tap = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value position, mlir::Value number, mlir::ValueRange sums)>;
  /// Visits the elements of the window in ascending order; small constant
  /// windows are unrolled.
  llvm::SmallVector<mlir::Value> forEachTap(mlir::ValueRange sums, Tap tap);

private:
  /// The window's size when it is unrolled.
  std::optional<int64_t> unrolledTaps() const;
  llvm::SmallVector<mlir::Value> visit(size_t dim, mlir::Value position,
                                       mlir::Value number, bool isUnrolled,
                                       mlir::ValueRange sums, Tap tap);

  KernelLowering &kernel;
  llvm::SmallVector<mlir::Value> window;
  llvm::SmallVector<int64_t> strides, dilations, low;
  /// Elements between neighbours along each spatial dim.
  llvm::SmallVector<mlir::Value> pitches;
  mlir::Value channelPitch;
};

/// Calls `body` with the index (in the outer spatial dims) of each output row
/// of a block of `rowsPerBlock`.
void forEachOuterRow(
    KernelLowering &kernel, mlir::ValueRange outerExtents, mlir::Value block,
    int64_t rowsPerBlock,
    llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);

/// An error at a conv or window that still has padding or `ceil` that
/// graph-expand-padding removes; success for any other op and for null.
llvm::LogicalResult checkNoPadding(mlir::Operation *op);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_TILES_SLIDINGWINDOW_H
