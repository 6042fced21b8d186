// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a bucket is worth a variant: one that is computed as its
// greatest size pays where that is cheaper than the generic variant at the size
// itself.

#include "ChooseBuckets.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ambit;
using namespace ambit::planning;

/// `value` rounded up to a size of the range.
static int64_t fit(const SymbolRange &range, double value) {
  int64_t divisor = std::max<int64_t>(range.divisor, 1);
  double steps = std::ceil((value - double(range.min)) / double(divisor));
  double size = double(range.min) + std::max(steps, 0.0) * double(divisor);
  return size >= double(range.max) ? range.max : int64_t(size);
}

int64_t ambit::getTypicalSize(const SymbolRange &range) {
  // What has no bound is seldom more than this many times the least.
  constexpr int64_t kUsual = 64;
  double low = std::max<int64_t>(range.min, 1);
  double high = range.max == Interval::kMax ? low * kUsual : double(range.max);
  return fit(range, std::sqrt(low * std::max(high, low)));
}

Shape planning::getTop(const Domain &model, const Box &box) {
  Shape top;
  for (const auto &[symbol, range] : model.ranges())
    top[symbol] = getTypicalSize(range);
  for (const auto &[symbol, range] : box)
    top[symbol] = range.max;
  return top;
}

SymbolSet planning::symbolsOf(const Box &box) {
  SymbolSet symbols;
  for (const auto &[symbol, range] : box)
    symbols.insert(symbol);
  return symbols;
}

/// The box shrunk towards its top: all of it at 1, the top alone at 0.
static Box shrink(const Box &box, double part) {
  Box result = box;
  for (auto &[symbol, range] : result)
    range.min = fit(range, double(range.max) -
                               part * (double(range.max) - double(range.min)));
  return result;
}

/// The least sizes of a box, the others as at its top.
static Shape getBottom(const Domain &model, const Box &box) {
  Shape bottom = getTop(model, box);
  for (const auto &[symbol, range] : box)
    bottom[symbol] = range.min;
  return bottom;
}

static std::string describeBox(const Box &box) {
  std::vector<std::string> parts;
  for (const auto &[symbol, range] : box)
    parts.push_back(symbol + " " +
                    (isPoint(range) ? std::to_string(range.min)
                                    : rangeText({range.min, range.max, 1})));
  return llvm::join(parts, ", ");
}

std::string planning::percent(double part) {
  return std::to_string(std::lround(100 * part)) + " %";
}

double planning::getSaving(const Domain &model, const Box &box,
                           const VariantCosts &costs) {
  BodyTimes times = costs.times(getTop(model, box), symbolsOf(box));
  return 1 - times.exact / times.generic;
}

BucketChoice planning::chooseBucket(const Domain &model, const Box &box,
                                    const VariantCosts &costs) {
  Shape top = getTop(model, box);
  BodyTimes times = costs.times(top, symbolsOf(box));
  double saving = getSaving(model, box, costs);
  if (!(saving >= kLeastSaving)) {
    double less = std::min(std::max(saving, 0.0), kLeastSaving - 0.01);
    return {std::nullopt, "a bucket of " + describeBox(box) + " would save " +
                              percent(less) + ", expected at least " +
                              percent(kLeastSaving)};
  }
  // The top alone is not padded.
  if (times.padded() > (1 - kLeastSaving) * times.generic)
    return {shrink(box, 0), ""};
  auto pays = [&](double part) {
    return times.padded() < costs.generic(getBottom(model, shrink(box, part)));
  };
  if (pays(1))
    return {box, ""};
  // The greatest part that pays; times grow with sizes.
  double low = 0, high = 1;
  for (unsigned step = 0; step < 60; ++step) {
    double middle = (low + high) / 2;
    (pays(middle) ? low : high) = middle;
  }
  return {shrink(box, low), ""};
}
