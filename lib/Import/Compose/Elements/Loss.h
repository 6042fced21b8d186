// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses of a classification.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_LOSS_H
#define AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_LOSS_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// What becomes of the losses of all places.
struct LossSpec {
  enum class Reduction {
    None, // they stay
    Sum,
    Mean, // the sum by the sum of their weights
  };
  Reduction reduction = Reduction::Mean;
  /// A class that costs nothing and weighs nothing.
  std::optional<int64_t> ignored;
};

/// -scores[n, target[n, ...], ...] * weights[target[n, ...]] for scores
/// [N, C, ...], integer targets [N, ...] and weights [C], which may be null for
/// ones. 16-bit floats are computed in f32. A target outside of the classes is
/// an error while the model runs.
Value likelihoodLoss(ValueBuilder &b, Value scores, Value target, Value weights,
                     const LossSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_LOSS_H
