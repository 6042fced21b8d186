// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that bodies call for ops which look for something in the data.

#include "Library/library.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

using Words = std::vector<int64_t>;

static int64_t word(const void *address) {
  return reinterpret_cast<int64_t>(address);
}

TEST_CASE("nonzero finds what is not 0", "[library]") {
  std::vector<float> data = {0, -0.0f, NAN, 5, 0, 1e-45f};
  Words result(6, -1);
  Words block = {0, 0, word(result.data()), word(data.data()), AMBIT_FLOAT32, 2,
                 2, 3};
  REQUIRE(ambit_nonzero_find(block.data()) == 3);
  block[0] = 3;
  ambit_nonzero_write(block.data());
  CHECK(result == Words{0, 1, 1, 2, 0, 2});
}

template <typename T> static void checkOrder(int32_t dtype, std::vector<T> up) {
  for (size_t i = 0; i + 1 < up.size(); ++i) {
    INFO(dtype << " " << i);
    CHECK(ambit_key(up.data(), dtype, i) < ambit_key(up.data(), dtype, i + 1));
  }
}

TEST_CASE("keys order elements of every type", "[library]") {
  float inf = INFINITY;
  checkOrder<float>(AMBIT_FLOAT32, {-inf, -2, -1e-45f, 0, 1e-45f, 1, inf, NAN});
  checkOrder<double>(AMBIT_FLOAT64, {-inf, -2, -5e-324, 0, 5e-324, inf, -NAN});
  checkOrder<uint16_t>(AMBIT_FLOAT16, {0xfc00, 0x8001, 0, 1, 0x7c00, 0xfe00});
  checkOrder<uint16_t>(AMBIT_BFLOAT16, {0xff80, 0x8001, 0, 1, 0x7f80, 0x7fc0});
  checkOrder<int8_t>(AMBIT_INT8, {-128, -1, 0, 1, 127});
  checkOrder<int16_t>(AMBIT_INT16, {-32768, -1, 0, 1, 32767});
  checkOrder<int32_t>(AMBIT_INT32, {INT32_MIN, -1, 0, 1, INT32_MAX});
  checkOrder<int64_t>(AMBIT_INT64, {INT64_MIN, -1, 0, 1, INT64_MAX});
  checkOrder<uint8_t>(AMBIT_UINT8, {0, 1, 255});
  checkOrder<uint8_t>(AMBIT_BOOL, {0, 1});
  checkOrder<uint16_t>(AMBIT_UINT16, {0, 1, 65535});
  checkOrder<uint32_t>(AMBIT_UINT32, {0, 1, UINT32_MAX});
  checkOrder<uint64_t>(AMBIT_UINT64, {0, 1, UINT64_MAX});
  float zeros[] = {0.0f, -0.0f};
  CHECK(ambit_key(zeros, AMBIT_FLOAT32, 0) ==
        ambit_key(zeros, AMBIT_FLOAT32, 1));
}

TEST_CASE("sorting keeps equal ones in order", "[library]") {
  for (int64_t count : {0, 1, 2, 3, 7, 8, 9, 100}) {
    Words order(count), spare(count);
    ambit_sort(
        order.data(), spare.data(), count,
        [](const void *, int64_t a, int64_t b) {
          return int(b % 3) - int(a % 3);
        },
        nullptr);
    for (int64_t i = 1; i < count; ++i) {
      int64_t a = order[i - 1], b = order[i];
      CHECK((a % 3 > b % 3 || (a % 3 == b % 3 && a < b)));
    }
  }
}

TEST_CASE("topk takes the best of each row", "[library]") {
  // Two rows of 5 along the middle dim of [1, 5, 2].
  std::vector<float> data = {1, 9, NAN, 9, 3, -1, 3, 9, 2, 0};
  Words scratch(3), result(6);
  Words block = {0,
                 word(scratch.data()),
                 word(result.data()),
                 word(data.data()),
                 AMBIT_FLOAT32,
                 1,
                 1,
                 5,
                 2,
                 3};
  ambit_topk_write(block.data());
  CHECK(result == Words{1, 0, 2, 1, 3, 3});
  block[5] = 0;
  ambit_topk_write(block.data());
  CHECK(result == Words{0, 2, 4, 4, 2, 0});
  block[9] = 0;
  ambit_topk_write(block.data());
}

TEST_CASE("unique finds rows, their numbers and how often", "[library]") {
  std::vector<int32_t> data = {5, 1, 2, 7, 5, 1, 2, 6, 2, 7};
  Words scratch(10), result(5);
  Words block = {0,
                 word(scratch.data()),
                 word(result.data()),
                 word(data.data()),
                 AMBIT_INT32,
                 1,
                 5,
                 2};
  REQUIRE(ambit_unique_find(block.data()) == 3);
  block[0] = 3;
  ambit_unique_write(block.data());
  CHECK(Words(result.begin(), result.begin() + 3) == Words{3, 1, 0});
  ambit_unique_inverse_write(block.data());
  CHECK(result == Words{2, 1, 2, 0, 1});
  block[5] = 0;
  REQUIRE(ambit_unique_find(block.data()) == 3);
  ambit_unique_write(block.data());
  CHECK(Words(result.begin(), result.begin() + 3) == Words{0, 1, 3});
  ambit_unique_inverse_write(block.data());
  CHECK(result == Words{0, 1, 0, 2, 1});
  Words counts(3), numbers = {0, 1, 0, 2, 1, 3, -1};
  Words histogram = {0, 0, word(counts.data()), word(numbers.data()), 7, 3};
  ambit_histogram_write(histogram.data());
  CHECK(counts == Words{2, 2, 1});
}

TEST_CASE("nms keeps boxes that do not overlap", "[library]") {
  std::vector<float> boxes = {0, 0, 2, 2, 0, 1, 2, 3, 5, 5, 9, 9};
  std::vector<float> scores = {0.5f, 0.9f, NAN, 0.1f, 0.1f, 0.7f};
  int64_t most = 2;
  float iou = 0.3f, least = 0.1f;
  Words scratch(2 * 3 + 3 * 6), result(18, -1);
  Words block = {0,
                 word(scratch.data()),
                 word(result.data()),
                 word(boxes.data()),
                 word(scores.data()),
                 word(&most),
                 word(&iou),
                 word(&least),
                 0,
                 1,
                 2,
                 3};
  REQUIRE(ambit_nms_find(block.data()) == 2);
  block[0] = 2;
  ambit_nms_write(block.data());
  CHECK(Words(result.begin(), result.begin() + 7) ==
        Words{0, 0, 1, 0, 1, 2, -1});
  // They share a third of their union.
  iou = 0.4f;
  CHECK(ambit_nms_find(block.data()) == 3);
  most = 0;
  CHECK(ambit_nms_find(block.data()) == 0);
}

TEST_CASE("where there is nothing, nothing is looked for", "[library]") {
  // As many rows and batches as fit a number: a loop over them would not end.
  constexpr int64_t many = int64_t(1) << 62;
  int64_t most = 3;
  float threshold = 0.5f;
  Words scratch(8), result(8);
  auto base = [&] {
    return Words{0, word(scratch.data()), word(result.data())};
  };
  Words nms = base();
  nms.insert(nms.end(), {0, 0, word(&most), word(&threshold), word(&threshold),
                         0, many, 1, 0});
  CHECK(ambit_nms_find(nms.data()) == 0);
  Words nonzero = base();
  nonzero.insert(nonzero.end(), {0, AMBIT_FLOAT32, 3, many, many, 0});
  CHECK(ambit_nonzero_find(nonzero.data()) == 0);
  Words topk = base();
  topk.insert(topk.end(), {0, AMBIT_FLOAT32, 1, many, 5, 0, 2});
  ambit_topk_write(topk.data());
}

TEST_CASE("scatter reports the first index outside", "[library]") {
  std::vector<float> data = {1, 2, 3, 4, 5, 6}, updates = {10, 20, 30, 40};
  std::vector<float> result(6, -1);
  Words indices = {-1, 0, 2, 5}, report = {-1, -1};
  // Indices of two numbers into [3, 1, 2]; the second is outside.
  Words block = {0,
                 0,
                 word(result.data()),
                 word(updates.data()),
                 word(data.data()),
                 word(indices.data()),
                 word(report.data()),
                 7,
                 AMBIT_FLOAT32,
                 1,
                 2,
                 2,
                 3,
                 1,
                 2};
  ambit_scatter_write(block.data());
  CHECK(result == std::vector<float>{1, 2, 3, 4, 15, 26});
  CHECK(report == Words{7, 5});
  // Another failure before stays.
  report = {3, 9};
  ambit_scatter_write(block.data());
  CHECK(report == Words{3, 9});
}

TEST_CASE("packing puts the first element into the lowest bits", "[library]") {
  std::vector<unsigned char> bytes = {1, 0xff, 3, 2, 9}, packed(3), back(5);
  Words block = {0, 0, word(packed.data()), word(bytes.data()), 4, 5};
  ambit_pack_write(block.data());
  CHECK(packed == std::vector<unsigned char>{0xf1, 0x23, 0x09});
  Words reverse = {0, 0, word(back.data()), word(packed.data()), 4, 5};
  ambit_unpack_write(reverse.data());
  CHECK(back == std::vector<unsigned char>{1, 15, 3, 2, 9});
  block[4] = 2;
  ambit_pack_write(block.data());
  CHECK(packed == std::vector<unsigned char>{0xbd, 0x01, 0x09});
}
