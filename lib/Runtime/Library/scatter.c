// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's scatter: a copy of the data, then row after row.

#include "library.h"

enum { REPLACE, ADD, MULTIPLY, MAX, MIN };

// Combines `count` elements of `from` with those of `to`. WIDE is the type in
// which sums and products wrap around; NaN wins every comparison.
#define COMBINE(NAME, T, WIDE)                                                 \
  static void NAME(int64_t kind, void *to, const void *from, int64_t count) {  \
    T *old = to;                                                               \
    const T *added = from;                                                     \
    for (int64_t i = 0; i < count; ++i) {                                      \
      T a = old[i], b = added[i];                                              \
      if (kind == ADD)                                                         \
        old[i] = (T)((WIDE)a + (WIDE)b);                                       \
      else if (kind == MULTIPLY)                                               \
        old[i] = (T)((WIDE)a * (WIDE)b);                                       \
      else if (kind == MAX)                                                    \
        old[i] = b > a || b != b ? b : a;                                      \
      else                                                                     \
        old[i] = b < a || b != b ? b : a;                                      \
    }                                                                          \
  }
COMBINE(combine_f32, float, float)
COMBINE(combine_f64, double, double)
COMBINE(combine_i8, int8_t, uint32_t)
COMBINE(combine_u8, uint8_t, uint32_t)
COMBINE(combine_i16, int16_t, uint32_t)
COMBINE(combine_u16, uint16_t, uint32_t)
COMBINE(combine_i32, int32_t, uint32_t)
COMBINE(combine_u32, uint32_t, uint32_t)
COMBINE(combine_i64, int64_t, uint64_t)
COMBINE(combine_u64, uint64_t, uint64_t)

typedef void (*combine_fn)(int64_t kind, void *to, const void *from,
                           int64_t count);

static combine_fn combine_of(int64_t dtype) {
  switch (dtype) {
  case AMBIT_FLOAT32:
    return combine_f32;
  case AMBIT_FLOAT64:
    return combine_f64;
  case AMBIT_INT8:
    return combine_i8;
  case AMBIT_UINT8:
    return combine_u8;
  case AMBIT_INT16:
    return combine_i16;
  case AMBIT_UINT16:
    return combine_u16;
  case AMBIT_INT32:
    return combine_i32;
  case AMBIT_UINT32:
    return combine_u32;
  case AMBIT_INT64:
    return combine_i64;
  default:
    return combine_u64;
  }
}

// The row that an index names; -1, and a report, when it is outside.
static int64_t find_row(const struct ambit_scatter_call *scatter,
                        const int64_t *index) {
  int64_t row = 0;
  for (int64_t c = 0; c < scatter->index_size; ++c) {
    int64_t number = index[c], extent = scatter->dims[c];
    if (number < -extent || number >= extent) {
      if (scatter->report[0] < 0) {
        scatter->report[0] = scatter->check;
        scatter->report[1] = number;
      }
      return -1;
    }
    row = row * extent + (number < 0 ? number + extent : number);
  }
  return row;
}

void ambit_scatter_write(const void *block) {
  const struct ambit_scatter_call *scatter = block;
  int64_t k = scatter->index_size, width = scatter->dims[k];
  // Elements inside of a model take a byte at least.
  int64_t bits = ambit_dtype_bits((int32_t)scatter->dtype);
  int64_t bytes = bits < 8 ? 1 : bits / 8, total = width;
  for (int64_t c = 0; c < k; ++c)
    if (scatter->dims[c] == 0)
      total = 0;
  for (int64_t c = 0; c < k && total; ++c)
    total *= scatter->dims[c];
  char *result = (char *)scatter->call.result;
  const char *updates = scatter->updates;
  __builtin_memcpy(result, scatter->data, (size_t)(total * bytes));
  combine_fn combine = combine_of(scatter->dtype);
  int64_t row_bytes = width * bytes;
  for (int64_t i = 0; i < scatter->rows; ++i) {
    int64_t row = find_row(scatter, scatter->indices + i * k);
    if (row < 0)
      continue;
    char *to = result + row * row_bytes;
    const char *from = updates + i * row_bytes;
    if (scatter->kind == REPLACE)
      __builtin_memcpy(to, from, (size_t)row_bytes);
    else
      combine(scatter->kind, to, from, width);
  }
}
