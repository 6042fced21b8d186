// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions beyond the kinds that are ops.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_REDUCTION_H
#define AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_REDUCTION_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// Which dims, in ascending order, become one element, and whether they stay as
/// 1.
struct ReduceSpec {
  SmallVector<int64_t> dims;
  bool keepDims = true;
};

enum class Reduction {
  Sum,
  Product,
  Max, // also of bools
  Min,
  Mean,
  L1,        // sum |x|
  L2,        // sqrt(sum x^2)
  SumSquare, // sum x^2
  LogSum,    // log(sum x)
  LogSumExp, // log(sum exp(x)), without overflow
};

/// The result has the element type of x. Roots and logarithms of integers are
/// those of the number, and truncate.
Value reduction(ValueBuilder &b, Value x, Reduction kind,
                const ReduceSpec &spec);

/// The position of the first (or last) extreme along an axis.
Value argExtreme(ValueBuilder &b, Value x, ambit::graph::ReduceKind kind,
                 int64_t axis, bool isLast, bool keepDims);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_REDUCTION_H
