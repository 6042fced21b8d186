// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The normalization of a sum, as transformers have it after each layer.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_SKIPNORM_H
#define AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_SKIPNORM_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

struct SkipNormInputs {
  Value x;
  /// Added to x; either may be null. They broadcast to it.
  Value skip, bias;
  /// Of the last dim; the shift may be null.
  Value scale, shift;
};

struct SkipNormResults {
  Value result;
  /// The sum that was normalized, of the type of x.
  Value sum;
  /// f32 or wider; the mean is null where there is none.
  Value mean, inverse;
};

/// Over the last dim, by mean and variance, or with `isByRoot` by the root of
/// the mean square. 16-bit floats are computed in f32.
SkipNormResults skipNorm(ValueBuilder &b, const SkipNormInputs &inputs,
                         double epsilon, bool isByRoot);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_SKIPNORM_H
