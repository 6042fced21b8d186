// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splitting, repeating, and moving blocks between dims.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_BLOCKS_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_BLOCKS_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// The parts of a dim; `sizes` add up to no more than it has. Those of a size
/// that `isWanted` does not ask for are null.
SmallVector<Value> split(ValueBuilder &b, Value x, int64_t axis,
                         ArrayRef<Expr> sizes,
                         llvm::function_ref<bool(size_t)> isWanted);

/// Repeats x `repeats[i]` times along each dim i. An error when the counts are
/// not as many as its dims.
Value tile(ValueBuilder &b, Value x, ArrayRef<Expr> repeats);

/// [N, C * block^2, H, W] to [N, C, H * block, W * block]. The channels are
/// [block, block, C], or [C, block, block] with `isDepthFirst`.
Value depthToSpace(ValueBuilder &b, Value x, int64_t block, bool isDepthFirst);
/// [N, C, H * block, W * block] to [N, block^2 * C, H, W].
Value spaceToDepth(ValueBuilder &b, Value x, int64_t block);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_BLOCKS_H
