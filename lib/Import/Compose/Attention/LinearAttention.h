// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention as a recurrence: a matrix as state in place of a cache (Yang et
// al., Gated Delta Networks, 2024).

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ATTENTION_LINEARATTENTION_H
#define AMBIT_LIB_IMPORT_COMPOSE_ATTENTION_LINEARATTENTION_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// Queries [batch, heads, steps, keys], keys [batch, groups, steps, keys],
/// values [batch, groups, steps, width], all of one float type; `heads` is a
/// multiple of `groups`.
struct LinearAttentionInputs {
  Value queries, keys, values;
  /// [batch, groups, keys, width].
  Value state;
  /// The logarithm of what is left of the state at each step: [batch, groups,
  /// steps, keys or 1]; null for all of it.
  Value decay;
  /// [batch, groups or 1, steps, 1]: how far a step moves what the state holds
  /// for its key to its value; null adds the value.
  Value rate;
  double scale = 1;
};

/// The result [batch, heads, steps, width], and the state after all steps.
struct LinearAttention {
  Value result, state;
};
LinearAttention attendLinearly(ValueBuilder &b,
                               const LinearAttentionInputs &inputs);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ATTENTION_LINEARATTENTION_H
