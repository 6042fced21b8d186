// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resizes whose elements are weighted sums of several others: cubic ones, those
// that smooth, and those that take a region of the input.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_RESIZES_RESAMPLE_H
#define AMBIT_LIB_IMPORT_COMPOSE_RESIZES_RESAMPLE_H

#include "Resize.h"

namespace ambit::compose {

/// One dim of a resampling.
struct ResampleDim {
  int64_t dim;
  /// The result's size.
  Expr size;
  ResizeScale scale;
};

/// Resamples dim after dim, in f32 for narrower floats. With a region, which is
/// [start..., end...] of these dims, result elements whose place is outside of
/// the input are `spec.extrapolation`.
Value resample(ValueBuilder &b, Value x, ArrayRef<ResampleDim> dims,
               const ResizeSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_RESIZES_RESAMPLE_H
