// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order among elements, and a stable merge sort of positions.

#include "library.h"

static uint64_t float_key(uint64_t bits, int width, int mantissa) {
  uint64_t sign = (uint64_t)1 << (width - 1), magnitude = bits & (sign - 1);
  uint64_t infinity = (sign - 1) >> mantissa << mantissa;
  if (magnitude > infinity)
    return UINT64_MAX;
  if (magnitude == 0)
    return sign;
  return bits & sign ? sign - magnitude : sign + magnitude;
}

uint64_t ambit_key(const void *data, int64_t dtype, int64_t at) {
  const uint64_t top = (uint64_t)1 << 63;
  switch (dtype) {
  case AMBIT_FLOAT32:
    return float_key(((const uint32_t *)data)[at], 32, 23);
  case AMBIT_FLOAT64:
    return float_key(((const uint64_t *)data)[at], 64, 52);
  case AMBIT_FLOAT16:
    return float_key(((const uint16_t *)data)[at], 16, 10);
  case AMBIT_BFLOAT16:
    return float_key(((const uint16_t *)data)[at], 16, 7);
  case AMBIT_INT8:
    return (uint64_t)(int64_t)((const int8_t *)data)[at] ^ top;
  case AMBIT_INT16:
    return (uint64_t)(int64_t)((const int16_t *)data)[at] ^ top;
  case AMBIT_INT32:
    return (uint64_t)(int64_t)((const int32_t *)data)[at] ^ top;
  case AMBIT_INT64:
    return (uint64_t)((const int64_t *)data)[at] ^ top;
  case AMBIT_UINT16:
    return ((const uint16_t *)data)[at];
  case AMBIT_UINT32:
    return ((const uint32_t *)data)[at];
  case AMBIT_UINT64:
    return ((const uint64_t *)data)[at];
  default: // bool, uint8
    return ((const uint8_t *)data)[at];
  }
}

static void merge(const int64_t *from, int64_t *to, int64_t begin,
                  int64_t middle, int64_t end,
                  int (*compare)(const void *, int64_t, int64_t),
                  const void *context) {
  int64_t left = begin, right = middle;
  for (int64_t at = begin; at < end; ++at) {
    int takes_left =
        right == end ||
        (left < middle && compare(context, from[left], from[right]) <= 0);
    to[at] = takes_left ? from[left++] : from[right++];
  }
}

void ambit_sort(int64_t *order, int64_t *spare, int64_t count,
                int (*compare)(const void *, int64_t, int64_t),
                const void *context) {
  int64_t *from = order, *to = spare;
  for (int64_t i = 0; i < count; ++i)
    order[i] = i;
  for (int64_t width = 1; width < count; width *= 2) {
    for (int64_t begin = 0; begin < count; begin += 2 * width) {
      int64_t middle = begin + width < count ? begin + width : count;
      int64_t end = middle + width < count ? middle + width : count;
      merge(from, to, begin, middle, end, compare, context);
    }
    int64_t *swapped = from;
    from = to;
    to = swapped;
  }
  for (int64_t i = 0; from != order && i < count; ++i)
    order[i] = from[i];
}
