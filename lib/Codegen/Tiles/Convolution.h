// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: what the ways to compute a convolution share.

#ifndef AMBIT_LIB_CODEGEN_TILES_CONVOLUTION_H
#define AMBIT_LIB_CODEGEN_TILES_CONVOLUTION_H

#include "Operands.h"
#include "SlidingWindow.h"
#include "ambit/Cost/Cost.h"
#include "ambit/Dialect/Graph/IR/ImageDims.h"

namespace ambit {

/// Extents and buffers of a `graph.conv`.
struct Convolution {
  explicit Convolution(KernelLowering &k);

  TileNest nest();
  /// Images, groups, blocks of channels, of rows and of columns.
  llvm::SmallVector<mlir::Value> unitExtents(TileNest &nest);

  /// Where the windows of an output row begin in the input, at channel 0 of the
  /// group.
  mlir::Value inputBase(mlir::Value image, mlir::Value group,
                        llvm::ArrayRef<mlir::Value> outer);
  /// Vectors of the input for neighbouring output columns.
  llvm::SmallVector<mlir::Value> load(mlir::Value position,
                                      llvm::ArrayRef<Lanes> lanes);

  KernelLowering &k;
  graph::ConvOp op;
  Accumulator accumulator;
  /// Channels per group in and out; the window's extents.
  mlir::Value groups, images, channels, outputs, columns;
  llvm::SmallVector<mlir::Value> window, outerExtents;
  std::optional<SlidingWindow> slider;
  int64_t rowsPerUnit;

private:
  int64_t chooseRowsPerUnit();
};

/// The output rows of a unit: a block of `rowsPerUnit` of one channel group of
/// an image.
struct ConvolutionRows {
  mlir::Value image, group, block;
};

/// Emits a unit of a depthwise convolution.
void emitDepthwise(Convolution &conv, TileNest &nest, TileFinisher &finisher,
                   const TileSpace &space, const ConvolutionRows &rows);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_TILES_CONVOLUTION_H
