// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building the decision table. Every variant is a box (one interval a symbol)
// cut by residual conditions. The ends of all boxes are the boundaries, so a
// cell lies inside of a box or outside of it, and one value of the cell tells.

#include "ambit/Dialect/Dispatch/Transforms/SelectTable.h"
#include <algorithm>

using namespace ambit;
using namespace ambit::dispatch;

using Box = std::map<std::string, Interval>;

/// The interval of every symbol; conditions of other forms go to `residual`.
static Box makeBox(llvm::ArrayRef<Condition> conditions,
                   llvm::SmallVector<Condition> &residual) {
  Box box;
  for (const Condition &condition : conditions) {
    std::optional<Bound> bound = getBound(condition);
    if (!bound) {
      residual.push_back(condition);
      continue;
    }
    Interval &interval = box[bound->symbol];
    interval.min = std::max(interval.min, bound->interval.min);
    interval.max = std::min(interval.max, bound->interval.max);
  }
  return box;
}

static std::vector<SelectTable::Axis> makeAxes(const Domain &domain,
                                               llvm::ArrayRef<Box> boxes) {
  std::map<std::string, std::set<int64_t>> ends;
  for (const Box &box : boxes)
    for (const auto &[symbol, interval] : box) {
      SymbolRange range = domain.range(symbol);
      auto add = [&, &symbol = symbol](int64_t boundary) {
        if (boundary > range.min && boundary <= range.max)
          ends[symbol].insert(boundary);
      };
      add(interval.min);
      if (interval.max < INT64_MAX)
        add(interval.max + 1);
    }
  std::vector<SelectTable::Axis> axes;
  for (const auto &[symbol, boundaries] : ends)
    axes.push_back({symbol, {boundaries.begin(), boundaries.end()}});
  return axes;
}

/// Whether a cell, given by its lowest values, lies in a box. Symbols that have
/// no axis are on one side of every end: their minimum tells.
static bool contains(const Box &box, const Domain &domain,
                     const std::map<std::string, int64_t> &lowest) {
  for (const auto &[symbol, interval] : box) {
    auto found = lowest.find(symbol);
    int64_t value =
        found == lowest.end() ? domain.range(symbol).min : found->second;
    if (value < interval.min || value > interval.max)
      return false;
  }
  return true;
}

std::optional<SelectTable> dispatch::buildSelectTable(
    const Domain &domain, llvm::ArrayRef<llvm::SmallVector<Condition>> variants,
    size_t maxCells) {
  SelectTable table;
  table.residual.resize(variants.size());
  std::vector<Box> boxes;
  for (auto [index, conditions] : llvm::enumerate(variants))
    boxes.push_back(makeBox(conditions, table.residual[index]));
  table.axes = makeAxes(domain, boxes);
  size_t cellCount = 1;
  for (const SelectTable::Axis &axis : table.axes)
    if ((cellCount *= axis.boundaries.size() + 1) > maxCells)
      return std::nullopt;

  std::map<std::vector<unsigned>, int64_t> numbers;
  for (size_t cell = 0; cell < cellCount; ++cell) {
    std::map<std::string, int64_t> lowest;
    size_t rest = cell;
    for (const SelectTable::Axis &axis : llvm::reverse(table.axes)) {
      size_t rank = rest % (axis.boundaries.size() + 1);
      rest /= axis.boundaries.size() + 1;
      lowest[axis.symbol] =
          rank ? axis.boundaries[rank - 1] : domain.range(axis.symbol).min;
    }
    std::vector<unsigned> list;
    for (unsigned variant = 0; variant < boxes.size(); ++variant) {
      if (!contains(boxes[variant], domain, lowest))
        continue;
      list.push_back(variant);
      if (table.residual[variant].empty())
        break;
    }
    int64_t value = SelectTable::kNone;
    if (!list.empty() && table.residual[list.front()].empty()) {
      value = list.front();
    } else if (!list.empty()) {
      auto [entry, isNew] =
          numbers.try_emplace(list, int64_t(table.candidates.size()));
      if (isNew)
        table.candidates.push_back(list);
      value = int64_t(variants.size()) + entry->second;
    }
    if (value > INT16_MAX)
      return std::nullopt;
    table.cells.push_back(int16_t(value));
  }
  return table;
}

int64_t
SelectTable::lookUp(const std::map<std::string, int64_t> &values) const {
  size_t cell = 0;
  for (const Axis &axis : axes) {
    size_t rank = 0;
    for (int64_t boundary : axis.boundaries)
      rank += values.at(axis.symbol) >= boundary;
    cell = cell * (axis.boundaries.size() + 1) + rank;
  }
  int16_t value = cells[cell];
  int64_t variantCount = int64_t(residual.size());
  if (value < variantCount)
    return value;
  for (unsigned variant : candidates[value - variantCount])
    if (llvm::all_of(residual[variant], [&](const Condition &condition) {
          return condition.evaluate(values) == true;
        }))
      return variant;
  return -1;
}
