// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expected times of the variants of a plan.

#include "ambit/Specialize/Estimate.h"
#include "ChooseBuckets.h"
#include <algorithm>

using namespace ambit;
using namespace ambit::planning;

VariantEstimate ambit::estimate(const Plan &plan, const VariantPlan &variant,
                                const VariantCosts &costs) {
  VariantEstimate result;
  result.top = getTop(plan.model, variant.box);
  SymbolSet fixed = symbolsOf(variant.box);
  BodyTimes times = costs.times(result.top, fixed);
  result.generic = result.time = times.generic;
  if (variant.kind == dispatch::VariantKind::Exact)
    result.time = times.exact;
  if (variant.kind != dispatch::VariantKind::Padded)
    return result;
  // A shared body computes the same on sizes that are no constants.
  bool isShared = !variant.shares.empty();
  result.time = isShared ? times.generic + times.padding : times.padded();
  Shape middle = result.top;
  for (const auto &[symbol, range] : variant.box) {
    // An element of an input may be negative, as no size is.
    int64_t low = std::max(range.min, std::min<int64_t>(range.max, 0));
    middle[symbol] = low + (range.max - low) / 2;
  }
  // An element that is no size may make the least values the dearest ones.
  BodyTimes needed = costs.times(middle, fixed);
  double waste = 1 - (isShared ? needed.generic : needed.exact) / result.time;
  result.padding = std::max(waste, 0.0);
  return result;
}
