// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: dividing shapes of several symbols into cells of a grid.

#ifndef AMBIT_LIB_SPECIALIZE_TRAFFICGRID_H
#define AMBIT_LIB_SPECIALIZE_TRAFFICGRID_H

#include "ambit/Specialize/VariantCosts.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace ambit::planning {

/// A shape of the traffic with its times.
struct WeightedShape {
  /// The sizes of the symbols that vary, in their order.
  std::vector<int64_t> sizes;
  double weight, generic, exact;
  /// What a bucket takes more, when these are its greatest sizes.
  double padding = 0;
};

/// The time of a body for these sizes of the symbols that vary.
using TimesOf = std::function<BodyTimes(llvm::ArrayRef<int64_t>)>;

/// A box of the symbols that vary, computed as its greatest sizes.
struct TrafficBox {
  std::vector<int64_t> low, top;
  bool isPoint() const { return low == top; }
};

struct TrafficChoice {
  std::vector<TrafficBox> boxes;
  /// Of all calls together; those in no box run the generic variant.
  double time = 0;
};

/// At most `most` boxes, single shapes before others that they overlap. One
/// symbol is divided exactly (SizeSegments.h); several by grids whose lines are
/// those of each symbol alone, or powers of two: cells that save nothing are
/// dropped, those that save most are kept and trimmed, hot shapes are taken
/// out. No more boxes are made than what brings the time within 0.1 % of the
/// least that was found.
TrafficChoice chooseBoxes(llvm::ArrayRef<WeightedShape> shapes,
                          const TimesOf &timesOf, size_t most);

/// Every occupied cell of the grid of powers of two, each size of a symbol
/// rounded up to one and to `greatest` at most.
TrafficChoice choosePowersOfTwo(llvm::ArrayRef<WeightedShape> shapes,
                                llvm::ArrayRef<int64_t> greatest,
                                const TimesOf &timesOf);

} // namespace ambit::planning

#endif // AMBIT_LIB_SPECIALIZE_TRAFFICGRID_H
