// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What options say of each symbol, checked: a list of alternatives, single
// sizes first, then intervals.

#include "PlanInternals.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace ambit;
using namespace ambit::planning;
using Way = BucketKind::Way;

using Values = std::map<std::string, std::vector<int64_t>>;

Location planning::optionLoc(MLIRContext *context, StringRef option) {
  return NameLoc::get(StringAttr::get(context, option));
}

static std::string listSymbols(const Domain &model) {
  std::vector<std::string> names;
  for (const auto &[name, range] : model.ranges())
    names.push_back("'" + name + "'");
  if (names.empty())
    return "the model has none";
  return "the model has " + llvm::join(names, ", ");
}

static LogicalResult checkValue(Location loc, const std::string &symbol,
                                const SymbolRange &range, int64_t value) {
  if (value < range.min || value > range.max)
    return emitError(loc) << "size " << value << " of '" << symbol
                          << "' is outside of its range, expected "
                          << rangeText({range.min, range.max, 1});
  if (range.divisor > 1 && value % range.divisor != 0)
    return emitError(loc) << "size " << value << " of '" << symbol
                          << "', expected a multiple of " << range.divisor;
  return success();
}

static LogicalResult checkValues(Location loc, const Domain &model,
                                 const Values &values, bool wantsOrder) {
  bool ok = true;
  for (const auto &[symbol, sizes] : values) {
    auto known = model.ranges().find(symbol);
    if (known == model.ranges().end()) {
      emitError(loc) << "no symbol is called '" << symbol << "'; "
                     << listSymbols(model);
      ok = false;
      continue;
    }
    if (sizes.empty()) {
      emitError(loc) << "no size is given for '" << symbol << "'";
      ok = false;
    }
    std::set<int64_t> seen;
    for (auto [index, size] : llvm::enumerate(sizes)) {
      ok &= succeeded(checkValue(loc, symbol, known->second, size));
      if (!seen.insert(size).second) {
        emitError(loc) << "size " << size << " of '" << symbol
                       << "' is given twice";
        ok = false;
      } else if (wantsOrder && index > 0 && size < sizes[index - 1]) {
        emitError(loc) << "sizes of '" << symbol
                       << "' are out of order: " << size << " comes after "
                       << sizes[index - 1] << ", expected increasing ones";
        ok = false;
      }
    }
  }
  return success(ok);
}

/// The interval as its variant takes it; nothing when that is no size.
static std::optional<Alternative> makeInterval(int64_t low, int64_t high,
                                               int64_t divisor,
                                               const BucketKind &kind) {
  if (kind.way == Way::Divisible &&
      __builtin_mul_overflow(divisor / std::gcd(divisor, kind.divisor),
                             kind.divisor, &divisor))
    return std::nullopt;
  std::optional<SymbolRange> range = meet({low, high, 1}, {low, high, divisor});
  if (!range)
    return std::nullopt;
  range->max -= (range->max % divisor + divisor) % divisor;
  return Alternative{*range, kind.way};
}

/// The alternatives of one symbol: sizes in order, then intervals.
static std::vector<Alternative> makeAlternatives(const SymbolRange &declared,
                                                 std::vector<int64_t> exact,
                                                 ArrayRef<int64_t> ends,
                                                 const BucketKind &kind) {
  std::vector<Alternative> intervals;
  int64_t divisor = std::max<int64_t>(declared.divisor, 1);
  int64_t low = declared.min + (divisor - declared.min % divisor) % divisor;
  for (int64_t high : ends) {
    std::optional<Alternative> interval =
        makeInterval(low, high, divisor, kind);
    low = high + divisor;
    if (!interval)
      continue;
    // An interval of one size is that size.
    if (!isPoint(interval->range))
      intervals.push_back(*interval);
    else if (!llvm::is_contained(exact, interval->range.max))
      exact.push_back(interval->range.max);
  }
  llvm::sort(exact);
  std::vector<Alternative> all;
  for (int64_t size : exact)
    all.push_back({{size, size, 1}, Way::Range});
  all.insert(all.end(), intervals.begin(), intervals.end());
  return all;
}

/// The ends of all intervals, from lists and rules.
static FailureOr<Values> findEnds(Location loc, const Domain &model,
                                  const PlanOptions &options) {
  Values all;
  bool ok = true;
  for (const auto &[symbol, ends] : options.buckets) {
    // A symbol that the model does not have is reported with the others.
    all[symbol] = ends.sizes;
    if (!model.ranges().count(symbol))
      continue;
    auto sizes = expandEnds(ends, symbol, model.range(symbol));
    if (sizes)
      all[symbol] = std::move(*sizes);
    else {
      emitError(loc) << llvm::toString(sizes.takeError());
      ok = false;
    }
  }
  if (!ok || failed(checkValues(loc, model, all, true)))
    return failure();
  return all;
}

static BucketKind getKind(const PlanOptions &options, StringRef symbol) {
  auto own = options.kinds.find(symbol.str());
  auto common = options.kinds.find("");
  if (own != options.kinds.end())
    return own->second;
  return common == options.kinds.end() ? BucketKind() : common->second;
}

static LogicalResult checkKinds(Location loc, const PlanOptions &options) {
  for (const auto &[symbol, kind] : options.kinds) {
    if (!symbol.empty() && !options.buckets.count(symbol))
      return emitError(loc) << "'" << symbol << "' has no buckets; give "
                            << "--bucket " << symbol << "=...";
  }
  const std::string *padded = nullptr, *other = nullptr;
  for (const auto &[symbol, ends] : options.buckets) {
    Way way = getKind(options, symbol).way;
    if (way == Way::Padded)
      padded = &symbol;
    // What chooses by itself goes along.
    else if (way != Way::Auto)
      other = &symbol;
  }
  if (padded && other)
    return emitError(loc)
           << "'" << *padded << "' is padded and '" << *other
           << "' is not, expected one kind: a padded variant computes each "
              "symbol that it bounds as its greatest size";
  return success();
}

/// Refuses more combinations than there may be variants.
static LogicalResult checkCount(Location loc, const Alternatives &alternatives,
                                const PlanOptions &options) {
  uint64_t count = alternatives.empty() ? 0 : 1;
  for (const auto &[symbol, choices] : alternatives)
    count = llvm::SaturatingMultiply<uint64_t>(count, choices.size());
  count = llvm::SaturatingAdd<uint64_t>(count, options.fallback);
  if (count <= options.maxVariants)
    return success();
  return emitError(loc) << count << " variants are asked for, at most "
                        << options.maxVariants
                        << " are allowed; give fewer sizes to --exact and "
                           "--bucket, or raise this limit";
}

FailureOr<Alternatives>
planning::collectAlternatives(MLIRContext *context, const Domain &model,
                              const PlanOptions &options) {
  bool exactOk = succeeded(
      checkValues(optionLoc(context, "--exact"), model, options.exact, false));
  FailureOr<Values> ends =
      findEnds(optionLoc(context, "--bucket"), model, options);
  bool kindsOk =
      succeeded(checkKinds(optionLoc(context, "--bucket-kind"), options));
  if (!exactOk || failed(ends) || !kindsOk)
    return failure();
  Alternatives all;
  for (const auto &[symbol, range] : model.ranges()) {
    auto exact = options.exact.find(symbol);
    auto buckets = ends->find(symbol);
    if (exact == options.exact.end() && buckets == ends->end())
      continue;
    std::vector<Alternative> choices = makeAlternatives(
        range,
        exact == options.exact.end() ? std::vector<int64_t>() : exact->second,
        buckets == ends->end() ? ArrayRef<int64_t>()
                               : ArrayRef<int64_t>(buckets->second),
        getKind(options, symbol));
    // Intervals without a multiple leave nothing.
    if (!choices.empty())
      all[symbol] = std::move(choices);
  }
  if (failed(checkCount(optionLoc(context, "--max-variants"), all, options)))
    return failure();
  return all;
}
