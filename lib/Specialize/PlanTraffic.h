// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the variants that observed shapes ask for.

#ifndef AMBIT_LIB_SPECIALIZE_PLANTRAFFIC_H
#define AMBIT_LIB_SPECIALIZE_PLANTRAFFIC_H

#include "PlanInternals.h"
#include "ambit/Specialize/Traffic.h"
#include "ambit/Specialize/VariantCosts.h"

namespace ambit::planning {

struct TrafficPlan {
  /// Single shapes before boxes that hold them.
  std::vector<Cell> cells;
  TrafficReport report;
};

/// At most `most` boxes of all symbols of the traffic, which are those of the
/// model that inputs give. The overlap of two is a single shape.
TrafficPlan planTraffic(const PlanInput &input, size_t most);

} // namespace ambit::planning

#endif // AMBIT_LIB_SPECIALIZE_PLANTRAFFIC_H
