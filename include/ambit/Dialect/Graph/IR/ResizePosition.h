// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the elements of a resized dim lie in the input, as exact fractions: the
// formulas of ONNX Resize, for the evaluator and the code generator alike.

#ifndef AMBIT_DIALECT_GRAPH_IR_RESIZEPOSITION_H
#define AMBIT_DIALECT_GRAPH_IR_RESIZEPOSITION_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

namespace ambit::graph {

/// No dim of a tensor that has elements is longer: an address space of 2^47
/// bytes would not hold it.
constexpr int64_t kMaxExtent = int64_t(1) << 47;

/// A scale is an f32, thus a fraction whose denominator is a power of 2.
struct ScaleFraction {
  int64_t over = 1, under = 1;

  /// In lowest terms; nothing unless 2^-30 <= scale <= 2^30.
  static std::optional<ScaleFraction> of(float scale);
  bool isWhole() const { return under == 1; }
};

/// Element i lies at (step * i + start) / divisor, where the divisor is
/// positive; or at 0 when `moves` is there and does not hold.
struct ResizePosition {
  Expr step, start, divisor;
  std::optional<Relation> moves;

  /// Of a dim of `from` elements resized to `to`, by the op's scale for dim
  /// `dim` if it has one. `align_corners` takes the resized length for from *
  /// scale, even where that is no integer: the standard's own tests do.
  static ResizePosition of(ResizeOp op, int64_t dim, Expr from, Expr to);

  /// The position rounded: element i of the result is the element
  /// floor((step * i + start) / divisor) of the input, clamped to it.
  ResizePosition nearest(Rounding rounding) const;
};

/// How long the input may be so that no number of a position leaves 64 bits:
/// kMaxExtent and more mean that any length will do.
int64_t maxResizedExtent(Coordinates coordinates, ScaleFraction scale);

} // namespace ambit::graph

#endif // AMBIT_DIALECT_GRAPH_IR_RESIZEPOSITION_H
