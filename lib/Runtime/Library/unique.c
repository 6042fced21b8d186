// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's unique: sorts the rows, so that equal ones are neighbours with
// the first of them in front.

#include "library.h"

static int compare_rows(const void *context, int64_t a, int64_t b) {
  const struct ambit_unique_call *unique = context;
  for (int64_t i = 0; i < unique->width; ++i) {
    uint64_t x = ambit_key(unique->data, unique->dtype, a * unique->width + i);
    uint64_t y = ambit_key(unique->data, unique->dtype, b * unique->width + i);
    if (x != y)
      return x < y ? -1 : 1;
  }
  return 0;
}

// Leaves the rows in order, and for each row the first one that is equal.
static int64_t group(const struct ambit_unique_call *unique) {
  int64_t *order = unique->call.scratch, *first = order + unique->n;
  int64_t found = 0, leader = 0;
  ambit_sort(order, first, unique->n, compare_rows, unique);
  for (int64_t p = 0; p < unique->n; ++p) {
    if (p == 0 || compare_rows(unique, leader, order[p]) != 0) {
      leader = order[p];
      ++found;
    }
    first[order[p]] = leader;
  }
  return found;
}

int64_t ambit_unique_find(const void *block) { return group(block); }

void ambit_unique_write(const void *block) {
  const struct ambit_unique_call *unique = block;
  const int64_t *order = unique->call.scratch, *first = order + unique->n;
  int64_t next = 0;
  for (int64_t p = 0; p < unique->n && next < unique->call.found; ++p) {
    int64_t row = unique->sorted ? order[p] : p;
    if (first[row] == row)
      unique->call.result[next++] = row;
  }
}

void ambit_unique_inverse_write(const void *block) {
  const struct ambit_unique_call *unique = block;
  int64_t *order = unique->call.scratch, *first = order + unique->n;
  int64_t *result = unique->call.result, next = 0;
  group(unique);
  // A leader comes before the rows that are equal to it either way.
  for (int64_t p = 0; p < unique->n; ++p) {
    int64_t row = unique->sorted ? order[p] : p;
    result[row] = first[row] == row ? next++ : result[first[row]];
  }
}

void ambit_histogram_write(const void *block) {
  const struct ambit_histogram_call *histogram = block;
  for (int64_t i = 0; i < histogram->bins; ++i)
    histogram->call.result[i] = 0;
  for (int64_t i = 0; i < histogram->n; ++i)
    if (histogram->numbers[i] >= 0 && histogram->numbers[i] < histogram->bins)
      ++histogram->call.result[histogram->numbers[i]];
}
