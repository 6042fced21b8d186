// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalizations, written out in means and squares.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_NORMALIZATION_H
#define AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_NORMALIZATION_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// A tensor brought to mean 0 and variance 1 over some dims, and by what: the
/// mean and 1 / sqrt(variance + epsilon), with these dims as 1.
struct Standardized {
  Value result, mean, inverse;
};

/// [N, C, ...] with one element a channel of each of the others:
/// (x - mean) / sqrt(variance + epsilon) * scale + shift.
struct BatchNormValues {
  Value x, scale, shift, mean, variance;
};
/// With given statistics. Computed in the type of the variance, if that is
/// wider than that of x.
Value batchNorm(ValueBuilder &b, const BatchNormValues &values, double epsilon);

struct TrainedBatchNorm {
  Value result, mean, variance;
};
/// With the statistics of x over all dims but the channels; 16-bit floats are
/// computed in f32.
TrainedBatchNorm trainedBatchNorm(ValueBuilder &b,
                                  const BatchNormValues &values,
                                  double epsilon);
/// A running statistic after a batch: old * momentum + new * (1 - momentum).
Value keepRunning(ValueBuilder &b, Value running, Value batch, double momentum);

/// Over the dims from `axis` on. `shift` may be null.
Standardized layerNorm(ValueBuilder &b, Value x, Value scale, Value shift,
                       int64_t axis, double epsilon);
/// x / sqrt(mean(x^2) + epsilon) * scale over the dims from `axis` on; its mean
/// is null.
Standardized rmsNorm(ValueBuilder &b, Value x, Value scale, int64_t axis,
                     double epsilon);
/// Over the spatial dims of [N, C, spatial...], of which there are some; scale
/// and shift are [C].
Value instanceNorm(ValueBuilder &b, Value x, Value scale, Value shift,
                   double epsilon);
/// Over groups of channels of [N, C, ...]; scale and shift are [groups] or [C].
Value groupNorm(ValueBuilder &b, Value x, Value scale, Value shift,
                int64_t groups, bool isScaledByGroup, double epsilon);

/// x / (bias + alpha / size * sum of squares over `size` near channels)^beta.
struct LocalNormSpec {
  int64_t size = 1;
  double alpha = 1e-4, beta = 0.75, bias = 1;
};
Value localResponseNorm(ValueBuilder &b, Value x, const LocalNormSpec &spec);
/// x / (sum |x|^p)^(1/p) along an axis, for a p of 1 or 2; 0 stays 0.
Value lpNorm(ValueBuilder &b, Value x, int64_t axis, int64_t p);
/// (x - mean) / (deviation + 1e-9) over some dims.
Value meanVarianceNorm(ValueBuilder &b, Value x, ArrayRef<int64_t> dims);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_NORMALIZATION_H
