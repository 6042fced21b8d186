// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters of single elements, of slices, and of rows into a cache.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SCATTER_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SCATTER_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// data with element [i with i[axis] replaced by indices[i]] combined with
/// updates[i]. A negative index counts from the end; equal ones take effect in
/// row-major order.
Value scatterElements(ValueBuilder &b, Value data, Value indices, Value updates,
                      int64_t axis, ambit::graph::ScatterKind kind);

/// Indices [outer..., k] name slices of the data, which are combined with
/// updates [outer..., data dims from k on].
Value scatterND(ValueBuilder &b, Value data, Value indices, Value updates,
                ambit::graph::ScatterKind kind);

/// cache[b, ..., start[b] + i, ...] = update[b, ..., i, ...] along `axis`, for
/// starts that are not negative; null starts are 0. Positions past the end are
/// an error or, in a ring, begin again at 0.
Value writeCache(ValueBuilder &b, Value cache, Value update, Value starts,
                 int64_t axis, bool isRing);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SCATTER_H
