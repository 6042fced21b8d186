// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What planning and proving share: boxes of symbol ranges.

#ifndef AMBIT_LIB_SPECIALIZE_PLANINTERNALS_H
#define AMBIT_LIB_SPECIALIZE_PLANINTERNALS_H

#include "ambit/Specialize/Plan.h"

namespace ambit::planning {

using Box = std::map<std::string, SymbolRange>;

/// One choice for a symbol: a size or an interval.
struct Alternative {
  SymbolRange range;
  BucketKind::Way way = BucketKind::Way::Range;
};
using Alternatives = std::map<std::string, std::vector<Alternative>>;

/// A box and what its variant makes of it.
struct Cell {
  Box box;
  BucketKind::Way way = BucketKind::Way::Range;
};

/// Checks the options and says what each symbol that they name may be. Errors
/// blame options.
mlir::FailureOr<Alternatives> collectAlternatives(mlir::MLIRContext *context,
                                                  const Domain &model,
                                                  const PlanOptions &options);

mlir::Location optionLoc(mlir::MLIRContext *context, llvm::StringRef option);

inline bool isPoint(const SymbolRange &range) { return range.min == range.max; }

/// How many symbols of a box are one size: how special it is.
inline unsigned countPoints(const Box &box) {
  return llvm::count_if(
      box, [](const auto &entry) { return isPoint(entry.second); });
}

/// "1..64", "1..", "8..64 in multiples of 8".
std::string rangeText(const SymbolRange &range);

/// The model's domain within a box.
Domain within(const Domain &model, const Box &box);

/// The box alone, without the model's guards: where the model's domain is the
/// whole, a box covers as much of it with them as without, and is cheaper.
Domain boxDomain(const Domain &model, const Box &box);

/// The sizes that two ranges share; nothing when there are none.
std::optional<SymbolRange> meet(const SymbolRange &lhs, const SymbolRange &rhs);

/// The sizes that two boxes share in every symbol; nothing when they are apart.
std::optional<Box> intersect(const Domain &model, const Box &lhs,
                             const Box &rhs);

/// The parts of earlier boxes that meet `box`.
std::vector<Domain> meeting(const Domain &model, const Box &box,
                            llvm::ArrayRef<VariantPlan> earlier);

/// "batch = 2, seq = 37".
std::string describe(const std::map<std::string, int64_t> &values);

} // namespace ambit::planning

#endif // AMBIT_LIB_SPECIALIZE_PLANINTERNALS_H
