// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools: what windows that slide over [N, C, spatial...] hold, as one number.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_POOL_H
#define AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_POOL_H

#include "Window.h"

namespace ambit::compose {

struct PoolSpec {
  /// The sizes of the window.
  SmallVector<int64_t> window;
  WindowSpec slide;
  /// Whether a last window may reach beyond the padding.
  bool isCeil = false;
};

/// The largest element; padding is below every element.
Value maxPool(ValueBuilder &b, Value x, const PoolSpec &spec);

/// Where the largest element of each window is, the first of equals, counted in
/// the elements of x; the spatial dims count from the last one on, or from the
/// first (`isColumnMajor`). NaN is the largest.
Value maxPoolIndices(ValueBuilder &b, Value x, const PoolSpec &spec,
                     bool isColumnMajor);

/// The mean of float elements; `countsPads` says whether padding is among them,
/// as zeros.
Value averagePool(ValueBuilder &b, Value x, const PoolSpec &spec,
                  bool countsPads);

/// (sum |x|^p)^(1/p) of float elements.
Value lpPool(ValueBuilder &b, Value x, const PoolSpec &spec, int64_t p);
/// The same over all spatial dims, which stay as 1.
Value globalLpPool(ValueBuilder &b, Value x, int64_t p);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_POOL_H
