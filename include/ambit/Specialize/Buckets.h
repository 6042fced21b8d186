// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buckets as they are asked for: where the intervals of a symbol end, and what
// a variant makes of them. Plain data, shared by command line and planner.

#ifndef AMBIT_SPECIALIZE_BUCKETS_H
#define AMBIT_SPECIALIZE_BUCKETS_H

#include "ambit/Symbolic/Domain.h"
#include "llvm/Support/Error.h"
#include <initializer_list>
#include <vector>

namespace ambit {

/// Where the intervals of one symbol end: at sizes that are listed, or by a
/// rule over the symbol's declared range.
struct BucketEnds {
  enum class Rule { Listed, PowersOfTwo, Steps, Geometric };

  BucketEnds() = default;
  BucketEnds(std::initializer_list<int64_t> sizes) : sizes(sizes) {}

  Rule rule = Rule::Listed;
  /// Listed: increasing.
  std::vector<int64_t> sizes;
  /// Steps: at each multiple of this, at least 1.
  int64_t step = 0;
  /// Geometric: each end is this times the one before, more than 1.
  double ratio = 0;
};

/// What a variant makes of an interval.
struct BucketKind {
  enum class Way {
    /// Computes each size as it is.
    Range,
    /// Computes each size as the greatest of the interval.
    Padded,
    /// Takes the multiples of `divisor` only.
    Divisible,
    /// Pads the part of the interval where that is expected to pay.
    Auto,
  };
  Way way = Way::Range;
  int64_t divisor = 1;
};

/// Which padded variants share one body, to which the sizes that they are
/// padded to are parameters.
enum class Sharing {
  /// Those for which constants are expected to save too little, if they are
  /// many.
  Auto,
  /// All that bound the same symbols.
  Always,
  Never,
};

/// The size of a symbol that stands for all where nothing bounds it further:
/// the geometric mean of its range.
int64_t getTypicalSize(const SymbolRange &range);

/// The most intervals that one symbol may have.
constexpr size_t kMostBuckets = 4096;

/// The ends in increasing order. Those of a rule are rounded up to the range's
/// divisor, and the last is the greatest size of the range. An error says what
/// is missing: an upper bound, or a coarser rule.
llvm::Expected<std::vector<int64_t>> expandEnds(const BucketEnds &ends,
                                                llvm::StringRef symbol,
                                                const SymbolRange &range);

} // namespace ambit

#endif // AMBIT_SPECIALIZE_BUCKETS_H
