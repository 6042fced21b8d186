// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampling between elements, at coordinates that are data.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SAMPLING_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SAMPLING_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// Coordinates from -1 to 1 span a dim between the centres of its first and
/// last element (`alignsCorners`), or between their outer edges.
struct SampleSpec {
  enum class Mode { Nearest, Linear, Cubic };
  /// What is outside: 0, the element at the border, or the mirrored elements.
  enum class Outside { Zeros, Border, Reflection };
  Mode mode = Mode::Linear;
  Outside outside = Outside::Zeros;
  bool alignsCorners = false;
  /// Coordinates count elements instead; 0 is the centre of the first.
  bool isInElements = false;
};

/// x [N, C, spatial...] at grid [N, places..., coordinates], of which the first
/// coordinate is that of the last dim: [N, C, places...]. Cubic takes two
/// spatial dims.
Value gridSample(ValueBuilder &b, Value x, Value grid, const SampleSpec &spec);

/// For every place of the spatial dims of `sizes`, [N, C, spatial...], its
/// coordinates under theta [N, r, r + 1]: [N, spatial..., r].
Value affineGrid(ValueBuilder &b, Value theta, ArrayRef<Expr> sizes,
                 bool alignsCorners);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SAMPLING_H
