// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices by bounds that may count from the end and reach beyond it.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SLICE_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SLICE_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// Bounds by axis. Negative ones count from the end; what lies outside is
/// clamped, and bounds of 2^31 - 1 or more, or -2^31 or less, are the ends.
struct SliceSpec {
  SmallVector<Expr> starts, ends;
  SmallVector<int64_t> axes, steps;
};

/// The elements start, start + step, ... before `end` of each axis. An error
/// for an axis that is not there or given twice, and for a step of 0.
Value slice(ValueBuilder &b, Value x, SliceSpec spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SLICE_H
