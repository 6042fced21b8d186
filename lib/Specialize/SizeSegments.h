// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the best division of the sizes of one symbol into segments, each of
// which is computed as its greatest size.

#ifndef AMBIT_LIB_SPECIALIZE_SIZESEGMENTS_H
#define AMBIT_LIB_SPECIALIZE_SIZESEGMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace ambit::planning {

/// A size that occurs.
struct WeightedSize {
  /// How often.
  double weight;
  /// The time of one call that computes this size.
  double exact;
  /// The time of one call of this size that is in no segment; infinity when
  /// each must be.
  double outside;
  /// What a segment of more than one size takes more, when it ends here.
  double padding = 0;
};

/// The sizes from `first` to `last`, both included, computed as `last`.
struct Segment {
  size_t first, last;
};

struct Segmentation {
  /// In increasing order.
  std::vector<Segment> segments;
  /// The time of all calls.
  double time = 0;
};

/// For each number of segments up to `most` the least time, exactly: entry k is
/// the best with at most k. `sizes` are in increasing order, times of any kind.
/// One step of the dynamic program asks, for each size, for the least of lines
/// at a point (the lines are where a segment begins), in O(log n). Entries
/// after the last that improves anything are left out.
std::vector<Segmentation> findSegmentations(llvm::ArrayRef<WeightedSize> sizes,
                                            size_t most);

} // namespace ambit::planning

#endif // AMBIT_LIB_SPECIALIZE_SIZESEGMENTS_H
