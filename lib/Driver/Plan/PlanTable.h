// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: a plan and what it is expected to be worth, as a page.

#ifndef AMBIT_LIB_DRIVER_PLAN_PLANTABLE_H
#define AMBIT_LIB_DRIVER_PLAN_PLANTABLE_H

#include "ambit/Cost/CodeCost.h"
#include "ambit/Specialize/Estimate.h"

namespace ambit {

struct PlanTable {
  /// Of the model.
  std::string name;
  Plan plan;
  std::vector<VariantEstimate> estimates;
  /// What each adds to the object and to the time to compile it, and all
  /// together.
  std::vector<cost::CodeSize> code;
  cost::CodeSize total;
  unsigned maxVariants = 0;
  /// 0: no limit.
  uint64_t maxBytes = 0;
  VariantCosts costs;
  /// What chose the variants, and the mean microseconds of a call when there
  /// may be one variant more; nothing without a profile.
  std::optional<Traffic> traffic;
  std::optional<double> oneMore;
};

/// "12.3MB", as --max-size reads it.
std::string getBytesText(double bytes);

/// The conditions of a variant as text.
std::string getDomainText(const Plan &plan, const VariantPlan &variant);

/// A page of XHTML that needs nothing else: the space of shapes as a map (of
/// one symbol beside expected times) with each variant's box and the traffic,
/// then the table. Names are escaped.
std::string makePlanPage(const PlanTable &table);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_PLAN_PLANTABLE_H
