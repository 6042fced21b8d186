// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's nonzero: counts, then writes one column for each element that
// is not 0, in row-major order.

#include "library.h"

// Whether the element's bits say 0; a float may have a sign.
static int is_zero(const void *data, int64_t dtype, int64_t at) {
  int is_float = dtype == AMBIT_FLOAT32 || dtype == AMBIT_FLOAT64 ||
                 dtype == AMBIT_FLOAT16 || dtype == AMBIT_BFLOAT16;
  switch (ambit_dtype_bits((int32_t)dtype)) {
  case 8:
    return ((const uint8_t *)data)[at] == 0;
  case 16:
    return (uint16_t)(((const uint16_t *)data)[at] << is_float) == 0;
  case 32:
    return ((const uint32_t *)data)[at] << is_float == 0;
  default:
    return ((const uint64_t *)data)[at] << is_float == 0;
  }
}

static int64_t count_elements(const struct ambit_nonzero_call *nonzero) {
  int64_t count = 1;
  // The others may overflow where one is 0.
  for (int64_t i = 0; i < nonzero->rank; ++i)
    if (nonzero->dims[i] == 0)
      return 0;
  for (int64_t i = 0; i < nonzero->rank; ++i)
    count *= nonzero->dims[i];
  return count;
}

int64_t ambit_nonzero_find(const void *block) {
  const struct ambit_nonzero_call *nonzero = block;
  int64_t found = 0;
  for (int64_t i = 0, count = count_elements(nonzero); i < count; ++i)
    found += !is_zero(nonzero->data, nonzero->dtype, i);
  return found;
}

void ambit_nonzero_write(const void *block) {
  const struct ambit_nonzero_call *nonzero = block;
  int64_t column = 0, found = nonzero->call.found;
  int64_t *result = nonzero->call.result;
  for (int64_t i = 0; column < found; ++i) {
    if (is_zero(nonzero->data, nonzero->dtype, i))
      continue;
    int64_t rest = i;
    for (int64_t d = nonzero->rank; d-- > 0; rest /= nonzero->dims[d])
      result[d * found + column] = rest % nonzero->dims[d];
    ++column;
  }
}
