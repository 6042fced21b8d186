// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax and its relatives, along one axis.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_SOFTMAX_H
#define AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_SOFTMAX_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// exp(x) divided by its sum along the axis, or the logarithm of that.
Value softmax(ValueBuilder &b, Value x, int64_t axis, bool isLog);
/// 1 at the first largest element along the axis, else 0.
Value hardmax(ValueBuilder &b, Value x, int64_t axis);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_SOFTMAX_H
