// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: following one element through the scalar body of a `graph.map`.

#ifndef AMBIT_LIB_SHAPE_FOLLOWMAP_H
#define AMBIT_LIB_SHAPE_FOLLOWMAP_H

#include "SizeScalar.h"

namespace ambit {

/// What the body yields when its arguments are these scalars; nothing when some
/// step is not exact or not decided.
MaybeScalar followBody(graph::MapOp op, llvm::ArrayRef<SizeScalar> arguments,
                       SizeMath &math);

} // namespace ambit

#endif // AMBIT_LIB_SHAPE_FOLLOWMAP_H
