// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search over grids. Lines come from dynamic programs over each symbol
// alone; what is good in one symbol is good enough to choose from in several,
// and the choice is made on the joint shapes.

#include "TrafficGrid.h"
#include "SizeSegments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

using namespace ambit;
using namespace ambit::planning;

/// A box must save this part of all time to be made; and all the boxes that are
/// left out may not save more than the other.
constexpr double kLeastOfTime = 0.001;
constexpr double kWorthwhile = 0.001;
/// Up to so many shapes every choice is trimmed before it is compared.
constexpr size_t kFewShapes = 4000;
constexpr size_t kMostCells = 4096;
/// Grids that are tried again when hot shapes are taken out.
constexpr size_t kBestGrids = 6;

namespace {
/// One division of a symbol's sizes, in order, into intervals.
struct Lines {
  /// The interval of each size, by the size's rank.
  std::vector<uint32_t> interval;
  uint32_t count = 0;
};

/// A symbol that varies.
struct Axis {
  std::vector<int64_t> sizes; // in order
  std::vector<uint32_t> rank; // of each shape
  std::vector<Lines> choices;
};

/// Shapes of one cell.
struct GridCell {
  std::vector<size_t> shapes;
  TrafficBox box;
  double saving = 0;
};

class GridSearch {
public:
  GridSearch(llvm::ArrayRef<WeightedShape> shapes, const TimesOf &timesOf,
             size_t most)
      : shapes(shapes), timesOf(timesOf), most(most),
        isOut(shapes.size(), false) {}
  TrafficChoice run();

private:
  using Grid = llvm::SmallVector<size_t>; // a choice of each axis
  void addAxes();
  void addChoices(size_t axis);
  std::vector<Grid> listGrids() const;
  std::vector<GridCell> fillCells(const Grid &grid) const;
  void setBox(GridCell &cell) const;
  void trim(GridCell &cell) const;
  std::vector<GridCell> keepBest(std::vector<GridCell> cells,
                                 size_t count) const;
  double timeOf(llvm::ArrayRef<GridCell> cells) const;
  std::vector<size_t> findHot() const;
  void takeOut(llvm::ArrayRef<size_t> hot);
  std::vector<GridCell> choose(const Grid &grid, size_t count,
                               bool trims) const;

  llvm::ArrayRef<WeightedShape> shapes;
  const TimesOf &timesOf;
  size_t most;
  double least = 0;
  /// Shapes that have variants of their own.
  std::vector<bool> isOut;
  std::vector<Axis> axes;
};
} // namespace

static Lines makeLines(llvm::ArrayRef<Segment> segments, size_t sizes) {
  Lines lines{std::vector<uint32_t>(sizes, 0), uint32_t(segments.size())};
  for (auto [index, segment] : llvm::enumerate(segments))
    for (size_t i = segment.first; i <= segment.last; ++i)
      lines.interval[i] = uint32_t(index);
  return lines;
}

static Lines makePowers(llvm::ArrayRef<int64_t> sizes) {
  Lines lines{std::vector<uint32_t>(sizes.size()), 0};
  uint64_t power = 0;
  for (auto [index, size] : llvm::enumerate(sizes)) {
    uint64_t own = llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(size, 1)));
    lines.count += index == 0 || own != power;
    power = own;
    lines.interval[index] = lines.count - 1;
  }
  return lines;
}

void GridSearch::addAxes() {
  axes.resize(shapes.front().sizes.size());
  for (auto [index, axis] : llvm::enumerate(axes)) {
    for (const WeightedShape &shape : shapes)
      axis.sizes.push_back(shape.sizes[index]);
    llvm::sort(axis.sizes);
    axis.sizes.erase(llvm::unique(axis.sizes), axis.sizes.end());
    for (const WeightedShape &shape : shapes)
      axis.rank.push_back(llvm::lower_bound(axis.sizes, shape.sizes[index]) -
                          axis.sizes.begin());
  }
  for (size_t axis = 0; axis < axes.size(); ++axis)
    addChoices(axis);
}

/// The best divisions of one symbol, with the others as they are on average.
void GridSearch::addChoices(size_t index) {
  static constexpr size_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  Axis &axis = axes[index];
  std::vector<WeightedSize> sizes(
      axis.sizes.size(), {0, 0, std::numeric_limits<double>::infinity()});
  std::vector<double> mean(axes.size());
  double weight = 0;
  for (auto [shape, rank] : llvm::zip_equal(shapes, axis.rank)) {
    sizes[rank].weight += shape.weight;
    weight += shape.weight;
    for (size_t i = 0; i < mean.size(); ++i)
      mean[i] += shape.weight * double(shape.sizes[i]);
  }
  std::vector<int64_t> middle;
  for (double sum : mean)
    middle.push_back(std::llround(sum / weight));
  for (auto [size, weighted] : llvm::zip_equal(axis.sizes, sizes)) {
    middle[index] = size;
    BodyTimes times = timesOf(middle);
    weighted.exact = times.exact;
    weighted.padding = times.padding;
  }
  std::vector<Segmentation> found = findSegmentations(sizes, counts[9]);
  // With more symbols there are more grids: fewer choices of each.
  size_t step = axes.size() <= 2 ? 1 : axes.size() == 3 ? 2 : 4;
  for (size_t i = 0; i < std::size(counts); i += step)
    if (counts[i] < found.size())
      axis.choices.push_back(
          makeLines(found[counts[i]].segments, axis.sizes.size()));
  axis.choices.push_back(makePowers(axis.sizes));
}

std::vector<GridSearch::Grid> GridSearch::listGrids() const {
  std::vector<Grid> grids(1);
  std::vector<size_t> cells{1};
  for (const Axis &axis : axes) {
    std::vector<Grid> longer;
    std::vector<size_t> counts;
    for (auto [grid, count] : llvm::zip_equal(grids, cells))
      for (size_t choice = 0; choice < axis.choices.size(); ++choice) {
        size_t product = count * axis.choices[choice].count;
        if (product > kMostCells || longer.size() > 1000)
          continue;
        longer.push_back(grid);
        longer.back().push_back(choice);
        counts.push_back(product);
      }
    grids = std::move(longer);
    cells = std::move(counts);
  }
  return grids;
}

void GridSearch::setBox(GridCell &cell) const {
  const WeightedShape &first = shapes[cell.shapes.front()];
  cell.box = {first.sizes, first.sizes};
  double generic = 0, weight = 0;
  for (size_t index : cell.shapes) {
    const WeightedShape &shape = shapes[index];
    generic += shape.weight * shape.generic;
    weight += shape.weight;
    for (size_t i = 0; i < axes.size(); ++i) {
      cell.box.low[i] = std::min(cell.box.low[i], shape.sizes[i]);
      cell.box.top[i] = std::max(cell.box.top[i], shape.sizes[i]);
    }
  }
  BodyTimes top = timesOf(cell.box.top);
  cell.saving =
      generic - weight * (cell.box.isPoint() ? top.exact : top.padded());
}

std::vector<GridCell> GridSearch::fillCells(const Grid &grid) const {
  size_t count = 1;
  std::vector<size_t> place(shapes.size(), 0);
  for (auto [axis, choice] : llvm::zip_equal(axes, grid)) {
    const Lines &lines = axis.choices[choice];
    for (size_t shape = 0; shape < shapes.size(); ++shape)
      place[shape] += count * lines.interval[axis.rank[shape]];
    count *= lines.count;
  }
  std::vector<GridCell> cells(count);
  for (size_t shape = 0; shape < shapes.size(); ++shape)
    if (!isOut[shape])
      cells[place[shape]].shapes.push_back(shape);
  llvm::erase_if(cells,
                 [](const GridCell &cell) { return cell.shapes.empty(); });
  for (GridCell &cell : cells)
    setBox(cell);
  return cells;
}

/// Leaves shapes at the edges of a cell to the generic variant where that is
/// faster: those that are small, or those that make the cell large.
void GridSearch::trim(GridCell &cell) const {
  constexpr size_t kMostEdges = 16;
  for (bool isBetter = true; isBetter;) {
    isBetter = false;
    for (size_t i = 0; i < axes.size(); ++i) {
      std::vector<int64_t> edges;
      for (size_t shape : cell.shapes)
        edges.push_back(shapes[shape].sizes[i]);
      llvm::sort(edges);
      edges.erase(llvm::unique(edges), edges.end());
      size_t step = edges.size() / kMostEdges + 1;
      GridCell best = cell;
      for (size_t at = 0; at < edges.size(); at += step)
        for (bool keepsAbove : {true, false}) {
          GridCell part;
          llvm::copy_if(
              cell.shapes, std::back_inserter(part.shapes), [&](size_t shape) {
                int64_t size = shapes[shape].sizes[i];
                return keepsAbove ? size >= edges[at] : size <= edges[at];
              });
          setBox(part);
          if (part.saving > best.saving * (1 + 1e-9))
            best = std::move(part);
        }
      isBetter |= best.saving > cell.saving;
      cell = std::move(best);
    }
  }
}

std::vector<GridCell> GridSearch::keepBest(std::vector<GridCell> cells,
                                           size_t count) const {
  llvm::erase_if(cells,
                 [&](const GridCell &cell) { return !(cell.saving > least); });
  llvm::stable_sort(cells, [](const GridCell &lhs, const GridCell &rhs) {
    return lhs.saving > rhs.saving;
  });
  if (cells.size() > count)
    cells.resize(count);
  return cells;
}

/// The time of all calls when these cells have variants.
double GridSearch::timeOf(llvm::ArrayRef<GridCell> cells) const {
  double time = 0;
  for (auto [index, shape] : llvm::enumerate(shapes))
    time += shape.weight * (isOut[index] ? shape.exact : shape.generic);
  for (const GridCell &cell : cells)
    time -= cell.saving;
  return time;
}

/// The shapes that gain most from a variant of their own, best first.
std::vector<size_t> GridSearch::findHot() const {
  auto gain = [&](size_t index) {
    return shapes[index].weight * (shapes[index].generic - shapes[index].exact);
  };
  std::vector<size_t> hot(shapes.size());
  std::iota(hot.begin(), hot.end(), 0);
  llvm::erase_if(hot, [&](size_t index) { return !(gain(index) > least); });
  llvm::stable_sort(
      hot, [&](size_t lhs, size_t rhs) { return gain(lhs) > gain(rhs); });
  return hot;
}

std::vector<GridCell> GridSearch::choose(const Grid &grid, size_t count,
                                         bool trims) const {
  std::vector<GridCell> cells = keepBest(fillCells(grid), count);
  if (trims)
    for (GridCell &cell : cells)
      trim(cell);
  return cells;
}

TrafficChoice GridSearch::run() {
  addAxes();
  least = kLeastOfTime * timeOf({});
  bool trims = shapes.size() <= kFewShapes;
  std::vector<Grid> grids = listGrids();
  std::vector<std::pair<double, size_t>> order;
  for (auto [index, grid] : llvm::enumerate(grids))
    order.emplace_back(timeOf(choose(grid, most, false)), index);
  llvm::sort(order);
  if (order.size() > kBestGrids)
    order.resize(kBestGrids);
  std::vector<size_t> hot = findHot();
  double bestTime = timeOf({});
  size_t bestGrid = 0, bestTaken = 0;
  // One more hot shape at a time, then more.
  for (size_t taken = 0; taken <= std::min(most, hot.size());
       taken += taken / 4 + 1) {
    takeOut(llvm::ArrayRef(hot).take_front(taken));
    for (auto [unused, index] : order) {
      double time = timeOf(choose(grids[index], most - taken, trims));
      if (time >= bestTime)
        continue;
      bestTime = time;
      bestGrid = index;
      bestTaken = taken;
    }
  }
  hot.resize(bestTaken);
  takeOut(hot);
  std::vector<GridCell> cells = choose(grids[bestGrid], most - bestTaken, true);
  TrafficChoice choice{{}, timeOf(cells)};
  for (size_t shape : hot)
    choice.boxes.push_back({shapes[shape].sizes, shapes[shape].sizes});
  for (GridCell &cell : cells)
    choice.boxes.push_back(std::move(cell.box));
  return choice;
}

void GridSearch::takeOut(llvm::ArrayRef<size_t> hot) {
  isOut.assign(shapes.size(), false);
  for (size_t shape : hot)
    isOut[shape] = true;
}

/// The exact division of one symbol.
static TrafficChoice chooseSegments(llvm::ArrayRef<WeightedShape> shapes,
                                    size_t most) {
  std::vector<WeightedShape> ordered(shapes.begin(), shapes.end());
  llvm::sort(ordered, [](const WeightedShape &lhs, const WeightedShape &rhs) {
    return lhs.sizes < rhs.sizes;
  });
  std::vector<WeightedSize> sizes;
  for (const WeightedShape &shape : ordered)
    sizes.push_back({shape.weight, shape.exact, shape.generic, shape.padding});
  std::vector<Segmentation> found = findSegmentations(sizes, most);
  const Segmentation &chosen = *llvm::find_if(found, [&](const auto &few) {
    return few.time <= found.back().time * (1 + kWorthwhile);
  });
  TrafficChoice choice{{}, chosen.time};
  for (const Segment &segment : chosen.segments)
    choice.boxes.push_back(
        {ordered[segment.first].sizes, ordered[segment.last].sizes});
  return choice;
}

TrafficChoice planning::chooseBoxes(llvm::ArrayRef<WeightedShape> shapes,
                                    const TimesOf &timesOf, size_t most) {
  if (shapes.empty() || most == 0) {
    TrafficChoice none;
    for (const WeightedShape &shape : shapes)
      none.time += shape.weight * shape.generic;
    return none;
  }
  if (shapes.front().sizes.size() <= 1)
    return chooseSegments(shapes, most);
  return GridSearch(shapes, timesOf, most).run();
}

TrafficChoice planning::choosePowersOfTwo(llvm::ArrayRef<WeightedShape> shapes,
                                          llvm::ArrayRef<int64_t> greatest,
                                          const TimesOf &timesOf) {
  std::map<std::vector<int64_t>, double> cells;
  for (const WeightedShape &shape : shapes) {
    std::vector<int64_t> top;
    for (auto [size, most] : llvm::zip_equal(shape.sizes, greatest)) {
      uint64_t power = llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(size, 1)));
      top.push_back(int64_t(std::min<uint64_t>(power, most)));
    }
    cells[std::move(top)] += shape.weight;
  }
  TrafficChoice choice;
  for (auto &[top, weight] : cells) {
    choice.time += weight * timesOf(top).padded();
    choice.boxes.push_back({top, top});
  }
  return choice;
}
