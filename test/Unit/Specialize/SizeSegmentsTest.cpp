// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dynamic program finds what trying everything finds.

#include "SizeSegments.h"
#include <catch2/catch.hpp>
#include <limits>
#include <random>

using namespace ambit::planning;

/// What a choice of segments takes, from its definition.
static double timeOf(const std::vector<WeightedSize> &sizes,
                     const std::vector<Segment> &segments) {
  double time = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    double each = sizes[i].outside;
    for (const Segment &segment : segments)
      if (segment.first <= i && i <= segment.last)
        each = sizes[segment.last].exact;
    time += sizes[i].weight * each;
  }
  return time;
}

/// Tries all segmentations with at most `most` segments.
static double tryAll(const std::vector<WeightedSize> &sizes, size_t most,
                     size_t from, std::vector<Segment> &chosen) {
  double best = timeOf(sizes, chosen);
  if (chosen.size() == most)
    return best;
  for (size_t first = from; first < sizes.size(); ++first)
    for (size_t last = first; last < sizes.size(); ++last) {
      chosen.push_back({first, last});
      best = std::min(best, tryAll(sizes, most, last + 1, chosen));
      chosen.pop_back();
    }
  return best;
}

TEST_CASE("as good as trying everything, for times of any kind") {
  std::mt19937 random(7);
  for (unsigned trial = 0; trial < 300; ++trial) {
    std::vector<WeightedSize> sizes(1 + random() % 8);
    double time = 1;
    for (WeightedSize &size : sizes) {
      // Mostly growing, some times not; some weights are 0.
      time = random() % 5 ? time + random() % 7 : 1 + random() % 20;
      size = {double(random() % 6), time,
              time * (1 + double(random() % 100) / 80)};
    }
    for (size_t most = 0; most <= 3; ++most) {
      std::vector<Segment> chosen;
      double expected = tryAll(sizes, most, 0, chosen);
      std::vector<Segmentation> found = findSegmentations(sizes, most);
      REQUIRE(found.size() <= most + 1);
      const Segmentation &best = found.back();
      CHECK(best.time == Approx(expected));
      CHECK(timeOf(sizes, best.segments) == Approx(expected));
      CHECK(best.segments.size() <= most);
    }
  }
}

TEST_CASE("every size in a segment, when none may be outside") {
  double never = std::numeric_limits<double>::infinity();
  std::vector<WeightedSize> sizes{
      {1, 1, never}, {1, 2, never}, {5, 10, never}, {1, 11, never}};
  std::vector<Segmentation> found = findSegmentations(sizes, 4);
  REQUIRE(found.size() == 5);
  CHECK(found[1].time == 8 * 11);
  CHECK(found[2].segments[0].last == 1);
  CHECK(found[2].segments[1].last == 3);
  CHECK(found[2].time == 2 * 2 + 6 * 11);
  CHECK(found[4].time == 1 + 2 + 50 + 11);
}

TEST_CASE("no segment is made that improves nothing") {
  std::vector<WeightedSize> sizes{{1, 10, 10}, {1, 20, 19}};
  CHECK(findSegmentations(sizes, 5).size() == 1);
  sizes.push_back({3, 20, 30});
  std::vector<Segmentation> found = findSegmentations(sizes, 5);
  REQUIRE(found.size() == 2);
  REQUIRE(found[1].segments.size() == 1);
  CHECK(found[1].segments[0].first == 2);
}

TEST_CASE("a segment of several sizes takes its padding, too") {
  // Together they would take 22 and 2 * 9, more than outside.
  std::vector<WeightedSize> sizes{{1, 10, 20, 9}, {1, 11, 19, 9}};
  std::vector<Segmentation> found = findSegmentations(sizes, 2);
  REQUIRE(found.size() == 3);
  CHECK(found[1].time == 29);
  CHECK(found[2].time == 21);
  sizes[1].padding = 2;
  CHECK(findSegmentations(sizes, 1).back().time == 26);
}
