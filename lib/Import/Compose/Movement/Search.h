// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What looks for something in the data; results have sizes that only a run
// knows.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SEARCH_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SEARCH_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// The indices of the elements that are not 0: [rank, count].
Value nonZero(ValueBuilder &b, Value x);
/// The slices along `axis` at the positions where `condition`, of rank 1, is
/// true. It may be shorter than the dim.
Value compress(ValueBuilder &b, Value x, Value condition, int64_t axis);
/// x as one dim.
Value flatten(ValueBuilder &b, Value x);

/// The slices along an axis, or the elements, that differ.
struct UniqueResults {
  Value values;
  /// For each of them the position of the first that is equal to it.
  Value first;
  /// By position the number of its equal, and how many there are of each; null
  /// unless asked for.
  Value inverse, counts;
};
struct UniqueSpec {
  /// Absent for elements.
  std::optional<int64_t> axis;
  bool isSorted = true, wantsInverse = false, wantsCounts = false;
};
UniqueResults unique(ValueBuilder &b, Value x, const UniqueSpec &spec);

/// Boxes [batch, n, 4] by scores [batch, classes, n]: what is left of boxes
/// that overlap. The limits are scalars of i64, f32 and f32.
Value suppressNonMaxima(ValueBuilder &b, Value boxes, Value scores, Value most,
                        Value iou, Value least, bool isCenter);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_SEARCH_H
