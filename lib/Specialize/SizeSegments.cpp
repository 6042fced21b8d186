// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dynamic program over one symbol. Let W(i) be the weight of the first i
// sizes. A segment over sizes i+1 to j takes exact(j) * (W(j) - W(i)), so the
// best that ends at j is the least of the lines best(i) - W(i) * x at
// x = exact(j): slopes fall with i, and their lower envelope is a stack.

#include "SizeSegments.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdint>

using namespace ambit;
using namespace ambit::planning;

namespace {
/// best - weight * x, where `weight` is that of the sizes before a segment.
struct Line {
  double best, weight;
  size_t begin;
  double at(double x) const { return best - weight * x; }
};

/// The least of lines that are added with growing weights.
class Envelope {
public:
  void add(Line line) {
    // Of parallel lines the lower one stays.
    if (!lines.empty() && lines.back().weight == line.weight) {
      if (lines.back().best <= line.best)
        return;
      lines.pop_back();
    }
    while (lines.size() > 1 && cross(lines[lines.size() - 2], line) <=
                                   cross(lines[lines.size() - 2], lines.back()))
      lines.pop_back();
    lines.push_back(line);
  }
  const Line &find(double x) const {
    // Later lines are steeper: they are the least for larger x.
    size_t low = 0, high = lines.size() - 1;
    while (low < high) {
      size_t middle = (low + high) / 2;
      if (lines[middle + 1].at(x) < lines[middle].at(x))
        low = middle + 1;
      else
        high = middle;
    }
    return lines[low];
  }

private:
  static double cross(const Line &lhs, const Line &rhs) {
    return (rhs.best - lhs.best) / (rhs.weight - lhs.weight);
  }
  std::vector<Line> lines;
};

/// How the best for the first sizes ends: with a segment that begins there, or,
/// where that is NONE, with a size outside.
constexpr uint32_t kOutside = UINT32_MAX;
using Ends = std::vector<uint32_t>;
} // namespace

/// One more segment: from the best times of the first sizes to new ones.
static Ends improve(llvm::ArrayRef<WeightedSize> sizes,
                    llvm::ArrayRef<double> weights, std::vector<double> &best) {
  std::vector<double> next(best.size());
  Ends ends(best.size(), kOutside);
  Envelope envelope;
  next[0] = 0;
  for (size_t j = 1; j < best.size(); ++j) {
    const WeightedSize &size = sizes[j - 1];
    if (best[j - 1] < std::numeric_limits<double>::infinity())
      envelope.add({best[j - 1], weights[j - 1], j - 1});
    next[j] = next[j - 1] + size.weight * size.outside;
    double padded = size.exact + size.padding;
    const Line &line = envelope.find(padded);
    double inside = line.at(padded) + padded * weights[j];
    double alone = best[j - 1] + size.weight * size.exact;
    if (std::min(inside, alone) < next[j]) {
      next[j] = std::min(inside, alone);
      ends[j] = uint32_t(alone <= inside ? j - 1 : line.begin);
    }
  }
  best = std::move(next);
  return ends;
}

static std::vector<Segment> trace(llvm::ArrayRef<Ends> layers) {
  std::vector<Segment> segments;
  size_t layer = layers.size(), end = layers.front().size() - 1;
  while (layer != 0 && end != 0) {
    uint32_t begin = layers[layer - 1][end];
    if (begin == kOutside) {
      --end;
      continue;
    }
    segments.push_back({begin, end - 1});
    end = begin;
    --layer;
  }
  std::reverse(segments.begin(), segments.end());
  return segments;
}

std::vector<Segmentation>
planning::findSegmentations(llvm::ArrayRef<WeightedSize> sizes, size_t most) {
  std::vector<double> weights{0}, best{0};
  for (const WeightedSize &size : sizes) {
    weights.push_back(weights.back() + size.weight);
    best.push_back(best.back() + size.weight * size.outside);
  }
  std::vector<Segmentation> all{{{}, best.back()}};
  std::vector<Ends> layers;
  for (size_t k = 1; k <= most && k <= sizes.size(); ++k) {
    layers.push_back(improve(sizes, weights, best));
    if (!(best.back() < all.back().time))
      break;
    all.push_back({trace(layers), best.back()});
  }
  return all;
}
