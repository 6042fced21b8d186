// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resizes by scales or to sizes.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_RESIZES_RESIZE_H
#define AMBIT_LIB_IMPORT_COMPOSE_RESIZES_RESIZE_H

#include "ResizeScales.h"

namespace ambit::compose {

/// How elements are picked, apart from sizes.
struct ResizeSpec {
  ambit::graph::ResizeMode mode = ambit::graph::ResizeMode::Nearest;
  ambit::graph::Coordinates coordinates = ambit::graph::Coordinates::HalfPixel;
  ambit::graph::Rounding rounding = ambit::graph::Rounding::RoundPreferFloor;
  /// Half pixels around the centre, which is HalfPixel for whole resized
  /// lengths; an error for others in mode nearest.
  bool isSymmetric = false;
  /// A result of one element is made of the first one; the coordinates say so
  /// too.
  bool isFirstForOne = false;
  /// The dims that sizes or scales speak of, in any order.
  SmallVector<int64_t> axes;

  /// Cubic in place of the mode, with this factor.
  bool isCubic = false;
  double cubicFactor = -0.75;
  /// A scale below 1 takes all elements in reach into account.
  bool smooths = false;
  /// Elements outside of the input have no weight; else the border is repeated.
  bool excludesOutside = false;
  /// In place of the coordinates: the part of the input that is resized, as
  /// fractions of the axes' dims, [start..., end...]. What lies outside of the
  /// input is `extrapolation`.
  Value region;
  double extrapolation = 0;

  /// Whether `graph.resize` does not do it.
  bool needsWeights() const {
    return isCubic || region || smooths ||
           (excludesOutside && mode == ambit::graph::ResizeMode::Linear);
  }
};

/// What sizes mean: the result's, or bounds for one scale of all axes.
enum class AspectPolicy { Stretch, NotLarger, NotSmaller };

/// The axis whose size gives the one scale of all; nothing when only a run
/// tells.
std::optional<size_t> findLeadingAxis(ValueBuilder &b, Value x,
                                      ArrayRef<Expr> sizes, AspectPolicy policy,
                                      ArrayRef<int64_t> axes);

/// To floor(size * scale), one scale for each axis.
Value resizeByScales(ValueBuilder &b, Value x, ArrayRef<ResizeScale> scales,
                     const ResizeSpec &spec);
Value resizeToSizes(ValueBuilder &b, Value x, ArrayRef<Expr> sizes,
                    AspectPolicy policy, const ResizeSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_RESIZES_RESIZE_H
