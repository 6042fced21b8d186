// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: whether a bucket is worth a variant, by expected times.

#ifndef AMBIT_LIB_SPECIALIZE_CHOOSEBUCKETS_H
#define AMBIT_LIB_SPECIALIZE_CHOOSEBUCKETS_H

#include "PlanInternals.h"
#include "ambit/Specialize/VariantCosts.h"

namespace ambit::planning {

struct BucketChoice {
  /// The part to be padded; a single size is exact.
  std::optional<Box> padded;
  /// Why there is none: "a bucket of seq 17..32 would save 2 %, expected at
  /// least 3 %".
  std::string reason;
};

/// The largest part of `box`, from its top down in all symbols alike, at each
/// shape of which computing the top is expected to be cheaper than the generic
/// variant. Nothing when that saves little even at the top.
BucketChoice chooseBucket(const Domain &model, const Box &box,
                          const VariantCosts &costs);

/// The part of the generic variant's time that one saves whose symbols are the
/// greatest sizes of a box, as constants.
double getSaving(const Domain &model, const Box &box,
                 const VariantCosts &costs);

/// The greatest sizes of a box; symbols that it does not bound are typical.
Shape getTop(const Domain &model, const Box &box);

/// The symbols that a box bounds.
SymbolSet symbolsOf(const Box &box);

/// "12 %".
std::string percent(double part);

} // namespace ambit::planning

#endif // AMBIT_LIB_SPECIALIZE_CHOOSEBUCKETS_H
