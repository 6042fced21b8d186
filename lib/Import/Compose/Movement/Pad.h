// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding and cutting at both ends of dims.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_PAD_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_PAD_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// By dim how many elements are added before and after it; negative amounts
/// cut.
struct PadSpec {
  SmallVector<Expr> low, high;
  ambit::graph::PadMode mode = ambit::graph::PadMode::Constant;
};

/// `fill`, of rank 0, is what Constant adds; other modes repeat what a dim
/// holds, as often as it takes.
Value padOrCut(ValueBuilder &b, Value x, Value fill, const PadSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_PAD_H
