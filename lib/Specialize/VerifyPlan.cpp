// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The proofs over a plan. Each failure names a shape that shows it.

#include "PlanInternals.h"
#include "mlir/IR/Diagnostics.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace ambit;
using namespace ambit::planning;

Domain planning::within(const Domain &model, const Box &box) {
  Domain domain = model;
  for (const auto &[symbol, range] : box)
    domain.setRange(symbol, range);
  return domain;
}

Domain planning::boxDomain(const Domain &model, const Box &box) {
  Domain domain;
  for (const auto &[symbol, range] : model.ranges())
    domain.setRange(symbol, range);
  for (const auto &[symbol, range] : box)
    domain.setRange(symbol, range);
  return domain;
}

std::optional<SymbolRange> planning::meet(const SymbolRange &lhs,
                                          const SymbolRange &rhs) {
  SymbolRange both{std::max(lhs.min, rhs.min), std::min(lhs.max, rhs.max), 1};
  // Divisors are small in practice; their product is bounded by the check.
  int64_t left = std::max<int64_t>(lhs.divisor, 1);
  int64_t right = std::max<int64_t>(rhs.divisor, 1);
  int64_t gcd = std::gcd(left, right);
  if (__builtin_mul_overflow(left / gcd, right, &both.divisor))
    both.divisor = left;
  int64_t first = both.min;
  if (int64_t rest = (first % both.divisor + both.divisor) % both.divisor)
    if (__builtin_add_overflow(first, both.divisor - rest, &first))
      return std::nullopt;
  if (first > both.max)
    return std::nullopt;
  both.min = first;
  return both;
}

std::optional<Box> planning::intersect(const Domain &model, const Box &lhs,
                                       const Box &rhs) {
  Box both;
  for (const auto &[symbol, declared] : model.ranges()) {
    auto left = lhs.find(symbol), right = rhs.find(symbol);
    if (left == lhs.end() && right == rhs.end())
      continue;
    std::optional<SymbolRange> range =
        meet(left == lhs.end() ? declared : left->second,
             right == rhs.end() ? declared : right->second);
    if (!range)
      return std::nullopt;
    both[symbol] = *range;
  }
  return both;
}

std::vector<Domain> planning::meeting(const Domain &model, const Box &box,
                                      ArrayRef<VariantPlan> earlier) {
  std::vector<Domain> parts;
  for (const VariantPlan &variant : earlier)
    if (planning::intersect(model, box, variant.box))
      parts.push_back(boxDomain(model, variant.box));
  return parts;
}

std::string planning::describe(const Shape &values) {
  std::string text;
  for (const auto &[symbol, value] : values)
    text += (text.empty() ? "" : ", ") + symbol + " = " + std::to_string(value);
  return text;
}

std::string planning::rangeText(const SymbolRange &range) {
  std::string text = std::to_string(range.min) + "..";
  if (range.max < INT64_MAX)
    text += std::to_string(range.max);
  if (range.divisor > 1)
    text += " in multiples of " + std::to_string(range.divisor);
  return text;
}

/// A variant takes only shapes that the model takes.
static LogicalResult verifyInside(Location loc, const Plan &plan,
                                  const VariantPlan &variant) {
  for (const auto &[symbol, range] : variant.box) {
    if (!plan.model.ranges().count(symbol))
      return emitError(loc) << "variant '" << variant.name << "' bounds '"
                            << symbol << "', which the model does not have";
    SymbolRange declared = plan.model.range(symbol);
    Domain own;
    own.setRange(symbol, range);
    Domain allowed;
    allowed.setRange(symbol, declared);
    bool decided = true;
    std::optional<Shape> shape = findUncovered(own, {allowed}, decided);
    if (!shape && decided)
      continue;
    InFlightDiagnostic error =
        emitError(loc) << "variant '" << variant.name << "' takes '" << symbol
                       << "' in " << rangeText(range)
                       << ", expected sizes within " << rangeText(declared);
    if (shape)
      error << ": " << describe(*shape) << " is outside";
    return error;
  }
  return success();
}

/// Where two variants overlap, the earlier one is the more special one, or
/// variants before both take what they share.
static LogicalResult verifyOrder(Location loc, const Plan &plan, size_t first,
                                 size_t second) {
  const VariantPlan &lhs = plan.variants[first];
  const VariantPlan &rhs = plan.variants[second];
  std::optional<Box> shared = planning::intersect(plan.model, lhs.box, rhs.box);
  if (!shared)
    return success();
  bool isDeliberate = countPoints(lhs.box) > countPoints(rhs.box) ||
                      (rhs.box.empty() && !lhs.box.empty());
  if (isDeliberate)
    return success();
  ArrayRef<VariantPlan> before = ArrayRef(plan.variants).take_front(first);
  bool decided = true;
  std::optional<Shape> shape =
      findUncovered(within(plan.model, *shared),
                    meeting(plan.model, *shared, before), decided);
  if (!shape && decided)
    return success();
  InFlightDiagnostic error =
      emitError(loc) << "variants '" << lhs.name << "' and '" << rhs.name
                     << "' take the same shapes and neither is more "
                        "special";
  if (shape)
    error << ": " << describe(*shape);
  return error;
}

/// Together the variants take every shape that the model takes.
static LogicalResult verifyCoverage(Location loc, const Plan &plan) {
  std::vector<Domain> parts;
  for (const VariantPlan &variant : plan.variants) {
    if (variant.box.empty())
      return success();
    parts.push_back(boxDomain(plan.model, variant.box));
  }
  bool decided = true;
  std::optional<Shape> shape = findUncovered(plan.model, parts, decided);
  if (shape)
    return emitError(loc) << "no variant takes " << describe(*shape)
                          << "; widen --bucket, narrow --dim, or keep the "
                             "generic variant";
  if (!decided)
    return emitError(loc, "it cannot be proven that the variants cover every "
                          "shape; keep the generic variant");
  return success();
}

LogicalResult ambit::verifyPlan(MLIRContext *context, const Plan &plan) {
  Location loc = NameLoc::get(StringAttr::get(context, "plan"));
  bool ok = true;
  for (const VariantPlan &variant : plan.variants)
    ok &= succeeded(verifyInside(loc, plan, variant));
  for (size_t second = 1; ok && second < plan.variants.size(); ++second)
    for (size_t first = 0; first < second; ++first)
      ok &= succeeded(verifyOrder(loc, plan, first, second));
  Location fallback = NameLoc::get(StringAttr::get(context, "--fallback"));
  return success(ok && succeeded(verifyCoverage(fallback, plan)));
}
