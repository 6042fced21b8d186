// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scales of a resize: numbers, or quotients of sizes; and the sizes they
// give.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_RESIZES_RESIZESCALES_H
#define AMBIT_LIB_IMPORT_COMPOSE_RESIZES_RESIZESCALES_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// The scale of one dim.
struct ResizeScale {
  float number = 1;
  /// What the graph divides by what to get the scale, such as the size of
  /// another tensor by that of the input. Such a scale is the quotient itself,
  /// before it is rounded to f32: the size it gives is the dividend.
  struct SizeQuotient {
    Expr over, under;
  };
  std::optional<SizeQuotient> quotient;

  bool isOne() const { return !quotient && number == 1; }
};

/// The elements of a tensor of scales; nothing when some are neither.
std::optional<SmallVector<ResizeScale>> readResizeScales(ValueBuilder &b,
                                                         Value scales);

/// floor(extent * scale) with the exact value of the f32, under a guard where
/// that is shorter to say for sizes up to some bound. A warning when a product
/// that is rounded to f32 has another floor for some size; an error for a scale
/// that is no number to compute with.
std::optional<Expr> scaleExtent(ValueBuilder &b, Expr extent, float scale);

/// Whether extent * scale may have a fraction.
bool mayLeaveFraction(Prover &prover, Expr extent, float scale);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_RESIZES_RESIZESCALES_H
