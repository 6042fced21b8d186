// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes that a model is called with, and what a plan makes of them.

#ifndef AMBIT_SPECIALIZE_TRAFFIC_H
#define AMBIT_SPECIALIZE_TRAFFIC_H

#include <cstdint>
#include <string>
#include <vector>

namespace ambit {

/// How often which shapes occurred.
struct Traffic {
  struct Row {
    /// A size for each of the symbols.
    std::vector<int64_t> sizes;
    int64_t count;
  };
  std::vector<std::string> symbols;
  /// Distinct shapes with counts above 0.
  std::vector<Row> rows;
};

/// Expected mean times of a call, in microseconds, over the traffic that lies
/// in the model's domain.
struct TrafficReport {
  /// Calls in the domain, and those that are not.
  int64_t calls = 0, outside = 0;
  size_t shapes = 0;
  /// With a generic variant alone.
  double generic = 0;
  /// With a padded variant for each cell of a grid of powers of two that
  /// occurs, and their number.
  double powersOfTwo = 0;
  size_t powerVariants = 0;
  /// With an exact variant for each shape that gains from it.
  double optimum = 0;
  size_t optimumVariants = 0;
  /// With the variants of the plan.
  double chosen = 0;
};

} // namespace ambit

#endif // AMBIT_SPECIALIZE_TRAFFIC_H
