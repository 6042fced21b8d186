// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers of single elements and of slices, by indices.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_GATHER_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_GATHER_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// Element i of the result is data[i with i[axis] replaced by indices[i]], for
/// indices of the rank of the data. A negative index counts from the end.
Value gatherElements(ValueBuilder &b, Value data, Value indices, int64_t axis);

/// x with the first `lengths[i]` elements along `axis` in reverse order, where
/// i is the index along `batchAxis`; the others stay.
Value reverseSequences(ValueBuilder &b, Value x, Value lengths, int64_t axis,
                       int64_t batchAxis);

/// Indices [batch..., outer..., k] pick slices of data[batch][k dims].
Value gatherND(ValueBuilder &b, Value data, Value indices, int64_t batchDims);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_GATHER_H
