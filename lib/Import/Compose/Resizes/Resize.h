// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resizes by scales or to sizes.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_RESIZE_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_RESIZE_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// How elements are picked, apart from sizes.
struct ResizeSpec {
  ambit::graph::ResizeMode mode = ambit::graph::ResizeMode::Nearest;
  ambit::graph::Coordinates coordinates = ambit::graph::Coordinates::HalfPixel;
  ambit::graph::Rounding rounding = ambit::graph::Rounding::RoundPreferFloor;
  /// Half pixels around the centre, which is HalfPixel for whole resized
  /// lengths; an error for others.
  bool isSymmetric = false;
  /// The dims that sizes or scales speak of, in any order.
  SmallVector<int64_t> axes;
};

/// To floor(size * scale), for a tensor of scales that are known or quotients
/// of sizes; an error when they depend on data.
Value resizeByScales(ValueBuilder &b, Value x, Value scales,
                     const ResizeSpec &spec);
Value resizeToSizes(ValueBuilder &b, Value x, ArrayRef<Expr> sizes,
                    const ResizeSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_RESIZE_H
