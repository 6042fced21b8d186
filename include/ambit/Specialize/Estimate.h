// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a plan is expected to be worth.

#ifndef AMBIT_SPECIALIZE_ESTIMATE_H
#define AMBIT_SPECIALIZE_ESTIMATE_H

#include "ambit/Specialize/Plan.h"

namespace ambit {

/// A variant beside the generic one.
struct VariantEstimate {
  /// The greatest sizes that it takes; a symbol that it does not bound is
  /// typical.
  Shape top;
  /// Microseconds at the top: its own, and those of the generic variant.
  double time = 0, generic = 0;
  /// The part of its own time that goes into padding at the middle of its box.
  double padding = 0;
};

VariantEstimate estimate(const Plan &plan, const VariantPlan &variant,
                         const VariantCosts &costs);

} // namespace ambit

#endif // AMBIT_SPECIALIZE_ESTIMATE_H
