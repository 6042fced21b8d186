// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of feature maps, each brought to one size (He et al., Mask R-CNN,
// 2017).

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_ROIALIGN_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_ROIALIGN_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

struct RoiAlignSpec {
  int64_t height = 1, width = 1;
  /// Samples of a cell along each dim.
  int64_t samples = 1;
  /// Of coordinates in the regions to coordinates in the maps.
  double scale = 1;
  /// Pixels have their centre at one half; else regions have a size of 1 at
  /// least.
  bool isHalfPixel = true;
  /// The largest of the samples' weighted parts, in place of their mean.
  bool isMax = false;
};

/// x [batch, channels, h, w] in regions [n, 4] (x, y, x, y) of the maps
/// `batches` [n]: [n, channels, height, width].
Value roiAlign(ValueBuilder &b, Value x, Value regions, Value batches,
               const RoiAlignSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_ROIALIGN_H
