// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions of a resize as fractions of integers. Computed in floats, a
// position that is a tie between two elements, or one of the elements, comes
// out a little beside it, and nearest takes the wrong one.

#include "ambit/Dialect/Graph/IR/ResizePosition.h"
#include <cmath>
#include <numeric>

using namespace ambit;
using namespace ambit::graph;

std::optional<ScaleFraction> ScaleFraction::of(float scale) {
  constexpr int kMaxExponent = 30;
  if (!(scale >= std::ldexp(1.0f, -kMaxExponent)) ||
      scale > std::ldexp(1.0f, kMaxExponent))
    return std::nullopt;
  ScaleFraction fraction;
  double over = scale;
  while (std::trunc(over) != over) {
    over *= 2;
    fraction.under *= 2;
  }
  fraction.over = int64_t(over);
  return fraction;
}

/// Divides by what all three have in common, or, when the start may be rounded
/// down with the fraction, by what the other two have.
static void reduce(ResizePosition &position, bool roundsDown) {
  std::optional<int64_t> step = position.step.constant();
  std::optional<int64_t> start = position.start.constant();
  std::optional<int64_t> divisor = position.divisor.constant();
  if (!step || !start || !divisor || *divisor <= 0)
    return;
  int64_t common = std::gcd(*step, *divisor);
  if (!roundsDown)
    common = std::gcd(common, *start);
  position.step = Expr(*step / common);
  position.start = Expr::floorDiv(position.start, common);
  position.divisor = Expr(*divisor / common);
}

ResizePosition ResizePosition::of(ResizeOp op, int64_t dim, Expr from,
                                  Expr to) {
  // The scale is over / under.
  Expr over = to, under = from;
  std::optional<ScaleFraction> scale;
  if (op.getScales())
    scale = ScaleFraction::of((*op.getScales())[dim]);
  if (scale) {
    over = scale->over;
    under = scale->under;
  }
  ResizePosition position;
  switch (op.getCoordinates()) {
  case Coordinates::Asymmetric:
    position = {under, 0, over, std::nullopt};
    break;
  case Coordinates::PytorchHalfPixel:
    position.moves = Relation{Relation::Kind::GT, to, Expr(1)};
    [[fallthrough]];
  case Coordinates::HalfPixel:
    // (i + 1/2) / scale - 1/2
    position.step = Expr(2) * under;
    position.start = under - over;
    position.divisor = Expr(2) * over;
    break;
  case Coordinates::AlignCorners:
    // i * (from - 1) / (length - 1), with a length of from * scale
    position.step = scale ? (from - 1) * under : from - 1;
    position.divisor = scale ? from * over - under : to - 1;
    position.moves = Relation{Relation::Kind::GT, position.divisor, Expr(0)};
    break;
  }
  reduce(position, /*roundsDown=*/false);
  return position;
}

ResizePosition ResizePosition::nearest(Rounding rounding) const {
  ResizePosition rounded = *this;
  switch (rounding) {
  case Rounding::Floor:
    break;
  case Rounding::Ceil:
    rounded.start = start + divisor - 1;
    break;
  case Rounding::RoundPreferFloor: // ceil(x - 1/2)
    rounded = {Expr(2) * step, Expr(2) * start + divisor - 1, Expr(2) * divisor,
               moves};
    break;
  case Rounding::RoundPreferCeil: // floor(x + 1/2)
    rounded = {Expr(2) * step, Expr(2) * start + divisor, Expr(2) * divisor,
               moves};
    break;
  }
  reduce(rounded, /*roundsDown=*/true);
  return rounded;
}

int64_t graph::maxResizedExtent(Coordinates coordinates, ScaleFraction scale) {
  // Only there are scale and size multiplied. Rounding doubles the product.
  if (coordinates != Coordinates::AlignCorners || scale.isWhole())
    return kMaxExtent;
  return (int64_t(1) << 60) / std::max(scale.over, scale.under);
}
