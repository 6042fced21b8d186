// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's non-maximum suppression: for each class of each batch, boxes by
// falling score, of which one is kept unless it overlaps too much with one that
// was kept before.

#include "library.h"

struct box {
  float low[2], high[2];
};

static struct box read_box(const struct ambit_nms_call *nms, int64_t batch,
                           int64_t index) {
  const float *at = nms->boxes + (batch * nms->box_count + index) * 4;
  struct box box;
  for (int d = 0; d < 2; ++d) {
    float low = nms->is_center ? at[d] - at[d + 2] / 2.0f : at[d];
    float high = nms->is_center ? at[d] + at[d + 2] / 2.0f : at[d + 2];
    // Corners come in either order.
    box.low[d] = low < high ? low : high;
    box.high[d] = low < high ? high : low;
  }
  return box;
}

static float area(const struct box *box) {
  return (box->high[0] - box->low[0]) * (box->high[1] - box->low[1]);
}

static int overlaps(const struct box *a, const struct box *b, float threshold) {
  struct box shared;
  for (int d = 0; d < 2; ++d) {
    shared.low[d] = a->low[d] > b->low[d] ? a->low[d] : b->low[d];
    shared.high[d] = a->high[d] < b->high[d] ? a->high[d] : b->high[d];
    if (!(shared.low[d] < shared.high[d]))
      return 0;
  }
  float intersection = area(&shared), whole = area(a) + area(b) - intersection;
  return whole > 0.0f && intersection / whole > threshold;
}

struct scores {
  const float *values;
};

static int compare_scores(const void *context, int64_t a, int64_t b) {
  const float *scores = ((const struct scores *)context)->values;
  uint64_t x = ambit_key(scores, AMBIT_FLOAT32, a);
  uint64_t y = ambit_key(scores, AMBIT_FLOAT32, b);
  return x == y ? 0 : x > y ? -1 : 1;
}

// Appends what is kept of one class to `kept`, which holds `found` rows.
static int64_t search_class(const struct ambit_nms_call *nms, int64_t batch,
                            int64_t class_index, int64_t *kept, int64_t found) {
  int64_t count = nms->box_count, first = found;
  int64_t *order = nms->call.scratch;
  struct scores scores = {nms->scores +
                          (batch * nms->classes + class_index) * count};
  ambit_sort(order, order + count, count, compare_scores, &scores);
  for (int64_t i = 0; i < count && found - first < *nms->most; ++i) {
    // False for NaN too.
    if (!(scores.values[order[i]] > *nms->score_threshold))
      continue;
    struct box box = read_box(nms, batch, order[i]);
    int is_kept = 1;
    for (int64_t k = first; is_kept && k < found; ++k) {
      struct box other = read_box(nms, batch, kept[3 * k + 2]);
      is_kept = !overlaps(&other, &box, *nms->iou_threshold);
    }
    if (!is_kept)
      continue;
    kept[3 * found] = batch;
    kept[3 * found + 1] = class_index;
    kept[3 * found + 2] = order[i];
    ++found;
  }
  return found;
}

int64_t ambit_nms_find(const void *block) {
  const struct ambit_nms_call *nms = block;
  int64_t *kept = (int64_t *)nms->call.scratch + 2 * nms->box_count, found = 0;
  // Batches of nothing may be as many as fit a number.
  if (nms->box_count == 0 || nms->classes == 0 || *nms->most <= 0)
    return 0;
  for (int64_t batch = 0; batch < nms->batches; ++batch)
    for (int64_t c = 0; c < nms->classes; ++c)
      found = search_class(nms, batch, c, kept, found);
  return found;
}

void ambit_nms_write(const void *block) {
  const struct ambit_nms_call *nms = block;
  const int64_t *kept = (const int64_t *)nms->call.scratch + 2 * nms->box_count;
  for (int64_t i = 0; i < 3 * nms->call.found; ++i)
    nms->call.result[i] = kept[i];
}
