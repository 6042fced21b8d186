// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From observed shapes to the boxes of variants.

#include "PlanTraffic.h"
#include "ChooseBuckets.h"
#include "TrafficGrid.h"
#include "llvm/ADT/STLExtras.h"

using namespace ambit;
using namespace ambit::planning;
using llvm::ArrayRef;

namespace {
class TrafficPlanner {
public:
  explicit TrafficPlanner(const PlanInput &input);
  TrafficPlan plan(size_t most);

private:
  void findVarying();
  Shape shapeOf(ArrayRef<int64_t> varyingSizes) const;
  void widen(TrafficBox &box, ArrayRef<TrafficBox> others) const;
  Cell makeCell(const TrafficBox &box) const;
  TrafficReport report(const TrafficChoice &choice) const;

  const Domain &model;
  const Traffic &traffic;
  const VariantCosts &costs;
  /// Every variant bounds all symbols that inputs give.
  SymbolSet fixed;
  TimesOf timesOf;
  /// Rows in the domain, and the calls of the others.
  std::vector<const Traffic::Row *> rows;
  int64_t outside = 0;
  /// Symbols with more than one size, by their number in the traffic.
  std::vector<size_t> varying;
  std::vector<WeightedShape> shapes;
};
} // namespace

TrafficPlanner::TrafficPlanner(const PlanInput &input)
    : model(input.model), traffic(*input.options.traffic),
      costs(input.options.costs) {
  for (const Traffic::Row &row : traffic.rows) {
    Shape shape;
    for (auto [symbol, size] : llvm::zip_equal(traffic.symbols, row.sizes))
      shape[symbol] = size;
    for (const auto &[symbol, expr] : input.definitions)
      if (std::optional<int64_t> value = expr.evaluate(shape))
        shape[symbol] = *value;
    if (model.contains(shape))
      rows.push_back(&row);
    else
      outside += row.count;
  }
  fixed.insert(traffic.symbols.begin(), traffic.symbols.end());
  timesOf = [this](ArrayRef<int64_t> sizes) {
    return this->costs.times(shapeOf(sizes), fixed);
  };
  findVarying();
  for (const Traffic::Row *row : rows) {
    WeightedShape shape{{}, double(row->count), 0, 0};
    for (size_t symbol : varying)
      shape.sizes.push_back(row->sizes[symbol]);
    BodyTimes times = timesOf(shape.sizes);
    shape.generic = times.generic;
    shape.exact = times.exact;
    shape.padding = times.padding;
    shapes.push_back(std::move(shape));
  }
}

void TrafficPlanner::findVarying() {
  for (size_t symbol = 0; symbol < traffic.symbols.size(); ++symbol)
    if (llvm::any_of(rows, [&](const Traffic::Row *row) {
          return row->sizes[symbol] != rows.front()->sizes[symbol];
        }))
      varying.push_back(symbol);
}

Shape TrafficPlanner::shapeOf(ArrayRef<int64_t> varyingSizes) const {
  Shape shape;
  for (auto [symbol, size] :
       llvm::zip_equal(traffic.symbols, rows.front()->sizes))
    shape[symbol] = size;
  for (auto [symbol, size] : llvm::zip_equal(varying, varyingSizes))
    shape[traffic.symbols[symbol]] = size;
  return shape;
}

/// Whether a box meets none of the others but single shapes, which come first.
static bool isApart(const TrafficBox &box, ArrayRef<TrafficBox> others) {
  return llvm::all_of(others, [&](const TrafficBox &other) {
    if (other.isPoint())
      return true;
    for (size_t i = 0; i < box.low.size(); ++i)
      if (box.top[i] < other.low[i] || box.low[i] > other.top[i])
        return true;
    return false;
  });
}

/// Lets a box reach down, one symbol after the other, to sizes that did not
/// occur, by as much again as it is high, where that pays and no other box is:
/// tomorrow's shapes are near today's.
void TrafficPlanner::widen(TrafficBox &box, ArrayRef<TrafficBox> others) const {
  double padded = timesOf(box.top).padded();
  for (auto [index, symbol] : llvm::enumerate(varying)) {
    SymbolRange declared = model.range(traffic.symbols[symbol]);
    int64_t reach = box.top[index] - box.low[index];
    // A size that never varied stays one.
    if (reach == 0)
      continue;
    TrafficBox wider = box;
    int64_t &low = wider.low[index];
    low = low - declared.min < reach ? declared.min : low - reach;
    low += (declared.divisor - low % declared.divisor) % declared.divisor;
    if (isApart(wider, others) && padded < costs.generic(shapeOf(wider.low)))
      box = std::move(wider);
  }
}

Cell TrafficPlanner::makeCell(const TrafficBox &box) const {
  Cell cell;
  for (auto [symbol, size] :
       llvm::zip_equal(traffic.symbols, rows.front()->sizes))
    cell.box[symbol] = {size, size, 1};
  for (auto [index, symbol] : llvm::enumerate(varying)) {
    const std::string &name = traffic.symbols[symbol];
    SymbolRange &range = cell.box[name];
    range.min = box.low[index];
    range.max = box.top[index];
    if (!isPoint(range))
      range.divisor = model.range(name).divisor;
  }
  if (!box.isPoint())
    cell.way = BucketKind::Way::Padded;
  return cell;
}

TrafficReport TrafficPlanner::report(const TrafficChoice &choice) const {
  TrafficReport report;
  report.outside = outside;
  report.shapes = shapes.size();
  std::vector<int64_t> greatest;
  for (size_t symbol : varying)
    greatest.push_back(model.range(traffic.symbols[symbol]).max);
  TrafficChoice powers = choosePowersOfTwo(shapes, greatest, timesOf);
  report.powersOfTwo = powers.time;
  report.powerVariants = powers.boxes.size();
  for (const Traffic::Row *row : rows)
    report.calls += row->count;
  for (const WeightedShape &shape : shapes) {
    report.generic += shape.weight * shape.generic;
    report.optimum += shape.weight * std::min(shape.generic, shape.exact);
    report.optimumVariants += shape.exact < shape.generic;
  }
  report.chosen = choice.time;
  for (double *time :
       {&report.generic, &report.powersOfTwo, &report.optimum, &report.chosen})
    *time /= double(std::max<int64_t>(report.calls, 1));
  return report;
}

TrafficPlan TrafficPlanner::plan(size_t most) {
  TrafficPlan result;
  if (rows.empty()) {
    result.report.outside = outside;
    return result;
  }
  // Without symbols there is one body, whatever it is called.
  TrafficChoice choice =
      chooseBoxes(shapes, timesOf, traffic.symbols.empty() ? 0 : most);
  std::vector<TrafficBox> &boxes = choice.boxes;
  for (size_t i = 0; i < boxes.size(); ++i) {
    // Not in its own way; whatever was made wider before is.
    TrafficBox box = std::exchange(boxes[i], TrafficBox());
    if (!box.isPoint())
      widen(box, boxes);
    result.cells.push_back(makeCell(box));
    boxes[i] = std::move(box);
  }
  result.report = report(choice);
  return result;
}

TrafficPlan planning::planTraffic(const PlanInput &input, size_t most) {
  return TrafficPlanner(input).plan(most);
}
