// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the planner knows of the time that variants take.

#ifndef AMBIT_SPECIALIZE_VARIANTCOSTS_H
#define AMBIT_SPECIALIZE_VARIANTCOSTS_H

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace ambit {

/// A size for each symbol that inputs give.
using Shape = std::map<std::string, int64_t>;

/// Symbols by name.
using SymbolSet = std::set<std::string>;

/// Expected microseconds at a shape, above 0. A range or divisible variant
/// takes what a generic one does; a padded one what an exact one does at the
/// greatest sizes of its box, and what padding adds to that.
struct BodyTimes {
  double generic = 0, exact = 0, padding = 0;

  double padded() const { return exact + padding; }
};

/// The expected times of a model at a shape; those of an exact variant depend
/// on which symbols it fixes.
struct VariantCosts {
  std::function<BodyTimes(const Shape &, const SymbolSet &fixed)> times;

  double generic(const Shape &shape) const { return times(shape, {}).generic; }
  explicit operator bool() const { return bool(times); }
};

/// A bucket that saves less than this part of the generic variant's time is not
/// worth its code.
constexpr double kLeastSaving = 0.03;

} // namespace ambit

#endif // AMBIT_SPECIALIZE_VARIANTCOSTS_H
