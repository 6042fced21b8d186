// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's topk: a heap of the best k so far with the worst of them on
// top, then the heap taken apart from the end of the result.

#include "library.h"

// One row of the input: element i stands at base + i * stride.
struct row {
  const void *data;
  int64_t dtype, base, stride;
  uint64_t flip; // all ones where small elements are the better ones
};

// Whether element `a` comes before element `b`.
static int is_better(const struct row *row, int64_t a, int64_t b) {
  uint64_t x = ambit_key(row->data, row->dtype, row->base + a * row->stride);
  uint64_t y = ambit_key(row->data, row->dtype, row->base + b * row->stride);
  if (x != y)
    return (x ^ row->flip) > (y ^ row->flip);
  return a < b;
}

// Puts `entry` in at the hole on top, among `count` places.
static void sift(const struct row *row, int64_t *heap, int64_t count,
                 int64_t entry) {
  int64_t at = 0;
  for (;;) {
    int64_t child = 2 * at + 1;
    if (child >= count)
      break;
    if (child + 1 < count && is_better(row, heap[child], heap[child + 1]))
      ++child;
    if (is_better(row, heap[child], entry))
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = entry;
}

static void add(const struct row *row, int64_t *heap, int64_t count,
                int64_t entry) {
  int64_t at = count;
  for (; at > 0; at = (at - 1) / 2) {
    int64_t parent = (at - 1) / 2;
    if (!is_better(row, heap[parent], entry))
      break;
    heap[at] = heap[parent];
  }
  heap[at] = entry;
}

static void search_row(const struct ambit_topk_call *topk,
                       const struct row *row, int64_t *result) {
  int64_t *heap = topk->call.scratch, k = topk->k;
  for (int64_t i = 0; i < topk->n; ++i) {
    if (i < k)
      add(row, heap, i, i);
    else if (is_better(row, i, heap[0]))
      sift(row, heap, k, i);
  }
  for (int64_t count = k; count > 0; --count) {
    result[(count - 1) * topk->inner] = heap[0];
    sift(row, heap, count - 1, heap[count - 1]);
  }
}

void ambit_topk_write(const void *block) {
  const struct ambit_topk_call *topk = block;
  // Rows of nothing may be as many as fit a number.
  if (topk->k <= 0 || topk->inner == 0)
    return;
  for (int64_t o = 0; o < topk->outer; ++o)
    for (int64_t i = 0; i < topk->inner; ++i) {
      struct row row = {topk->data, topk->dtype, o * topk->n * topk->inner + i,
                        topk->inner, topk->largest ? 0 : UINT64_MAX};
      search_row(topk, &row, topk->call.result + o * topk->k * topk->inner + i);
    }
}
