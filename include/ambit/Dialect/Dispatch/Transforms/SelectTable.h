// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decision table that chooses a variant: plain data, no IR.

#ifndef AMBIT_DIALECT_DISPATCH_TRANSFORMS_SELECTTABLE_H
#define AMBIT_DIALECT_DISPATCH_TRANSFORMS_SELECTTABLE_H

#include "ambit/Symbolic/LinearForm.h"
#include <vector>

namespace ambit::dispatch {

/// Symbols cut the space of shapes into cells: along each axis, a value lies in
/// the cell whose number is the count of boundaries at or below it.
struct SelectTable {
  struct Axis {
    std::string symbol;
    std::vector<int64_t> boundaries; // strictly increasing
  };
  std::vector<Axis> axes;
  /// Row-major over the axes. kNone: no variant. Below the number of variants:
  /// that variant. Above: the candidates of number cell - (number of variants),
  /// to be tried in order.
  std::vector<int16_t> cells;
  static constexpr int16_t kNone = -1;
  std::vector<std::vector<unsigned>> candidates;
  /// Per variant, the conditions that cells do not decide. A candidate without
  /// any is always taken.
  std::vector<llvm::SmallVector<Condition>> residual;

  /// The first variant that admits these values, or -1.
  int64_t lookUp(const std::map<std::string, int64_t> &values) const;
};

/// Builds the table for variants in order of priority, each the conjunction of
/// its conditions. Nothing when it would have more than `maxCells` cells.
std::optional<SelectTable>
buildSelectTable(const Domain &domain,
                 llvm::ArrayRef<llvm::SmallVector<Condition>> variants,
                 size_t maxCells);

} // namespace ambit::dispatch

#endif // AMBIT_DIALECT_DISPATCH_TRANSFORMS_SELECTTABLE_H
