// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the dims of images and filters stand in the types of `graph.conv` and
// `graph.window`. This is their meaning; how their elements lie in memory is
// the business of code generation.

#ifndef AMBIT_DIALECT_GRAPH_IR_IMAGEDIMS_H
#define AMBIT_DIALECT_GRAPH_IR_IMAGEDIMS_H

#include "llvm/ADT/ArrayRef.h"

namespace ambit::graph {

/// Images are [batch, channels, spatial...].
constexpr unsigned kBatchDim = 0, kChannelDim = 1, kFirstSpatialDim = 2;
/// Filters are [output channels, input channels of a group, window...].
constexpr unsigned kOutputDim = 0, kInputDim = 1, kFirstWindowDim = 2;

/// The dims, or what there is for each dim, of an image that are spatial.
template <typename T> llvm::ArrayRef<T> spatialOf(llvm::ArrayRef<T> image) {
  return image.drop_front(kFirstSpatialDim);
}
/// The others: batch and channels.
template <typename T> llvm::ArrayRef<T> planesOf(llvm::ArrayRef<T> image) {
  return image.take_front(kFirstSpatialDim);
}
/// The window of a filter.
template <typename T> llvm::ArrayRef<T> windowOf(llvm::ArrayRef<T> filter) {
  return filter.drop_front(kFirstWindowDim);
}

} // namespace ambit::graph

#endif // AMBIT_DIALECT_GRAPH_IR_IMAGEDIMS_H
