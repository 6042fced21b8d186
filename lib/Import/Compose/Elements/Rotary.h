// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rotary positions: pairs of features turned by an angle.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_ROTARY_H
#define AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_ROTARY_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

struct RotarySpec {
  /// How many heads x of rank 3, [batch, sequence, heads * features], has.
  /// Rank 4 is [batch, heads, sequence, features].
  int64_t heads = 0;
  /// Features from this one on stay; 0 for all of them to turn.
  int64_t turned = 0;
  /// Pairs are neighbours; else the first half is paired with the second.
  bool isInterleaved = false;
};

/// Turns each pair (x, y) of features into (x cos - y sin, x sin + y cos). The
/// tables are [positions, pairs] with places [batch, sequence] in them, or
/// [batch, sequence, pairs] where `places` is null. Places of rank 1 hold the
/// place of the first element of every sequence.
Value rotary(ValueBuilder &b, Value x, Value cos, Value sin, Value places,
             const RotarySpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_ROTARY_H
