// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From rules such as "powers of two" to the ends of intervals.

#include "ambit/Specialize/Buckets.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ambit;
using Rule = BucketEnds::Rule;

/// `value` rounded up to a multiple; `most` where that is beyond it.
static int64_t roundUp(int64_t value, int64_t multiple, int64_t most) {
  int64_t rest = value % multiple;
  int64_t missing = rest == 0 ? 0 : rest > 0 ? multiple - rest : -rest;
  return value > most - missing ? most : value + missing;
}

/// The end after `end`; at least `most` when there is none below.
static int64_t findNext(const BucketEnds &ends, int64_t end, int64_t most) {
  switch (ends.rule) {
  case Rule::PowersOfTwo: {
    int64_t power = 1;
    while (power <= end && power <= most / 2)
      power *= 2;
    return power > end ? power : most;
  }
  case Rule::Steps: {
    int64_t next = roundUp(end, ends.step, most);
    if (next > end)
      return next;
    return end > most - ends.step ? most : end + ends.step;
  }
  case Rule::Geometric: {
    if (end < 1)
      return 1;
    double next = std::ceil(double(end) * ends.ratio);
    // The product is greater, but need not be after rounding.
    return next >= double(most) ? most : std::max(int64_t(next), end + 1);
  }
  case Rule::Listed:
    break;
  }
  llvm_unreachable("listed sizes follow no rule");
}

/// The rule as it is written on the command line.
static std::string describe(const BucketEnds &ends) {
  std::string text;
  llvm::raw_string_ostream out(text);
  switch (ends.rule) {
  case Rule::PowersOfTwo:
    out << "pow2";
    break;
  case Rule::Steps:
    out << "step:" << ends.step;
    break;
  case Rule::Geometric:
    out << "geometric:" << llvm::format("%g", ends.ratio);
    break;
  case Rule::Listed:
    break;
  }
  return text;
}

llvm::Expected<std::vector<int64_t>>
ambit::expandEnds(const BucketEnds &ends, llvm::StringRef symbol,
                  const SymbolRange &range) {
  if (ends.rule == Rule::Listed)
    return ends.sizes;
  auto fail = [](const llvm::Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  };
  std::string rule = describe(ends);
  if (range.max == Interval::kMax)
    return fail("'" + symbol + "' has no upper bound, which '" + rule +
                "' needs; give one with --dim " + symbol + "=LO..HI");
  if (range.min == Interval::kMin)
    return fail("'" + symbol + "' has no lower bound, which '" + rule +
                "' needs; give one with --dim " + symbol + "=LO..HI");
  int64_t divisor = std::max<int64_t>(range.divisor, 1);
  int64_t first = roundUp(range.min, divisor, range.max);
  int64_t last = range.max - (range.max % divisor + divisor) % divisor;
  std::vector<int64_t> sizes;
  int64_t end = std::max<int64_t>(first - 1, 0);
  if (ends.rule == Rule::Geometric && first >= 1)
    sizes.push_back(end = first);
  while (sizes.empty() || sizes.back() < last) {
    end = roundUp(findNext(ends, end, last), divisor, last);
    sizes.push_back(end);
    if (sizes.size() > kMostBuckets)
      return fail("'" + rule + "' makes more than " +
                  llvm::Twine(kMostBuckets) + " intervals of '" + symbol +
                  "'; give larger ones");
  }
  return sizes;
}
