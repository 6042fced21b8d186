// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums and products along an axis.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_CUMULATIVE_H
#define AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_CUMULATIVE_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// Which elements come together in each place along `axis`: all up to it, or
/// from it on when reversed; without its own when exclusive.
struct CumulativeSpec {
  int64_t axis = 0;
  bool isProduct = false, isExclusive = false, isReversed = false;
};

/// The result has the shape and the element type of x. An error for bools and
/// for an axis that x does not have.
Value cumulate(ValueBuilder &b, Value x, const CumulativeSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_CUMULATIVE_H
