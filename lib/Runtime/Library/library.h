// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library: functions that compiled bodies call for ops which look for
// something in the data. Each takes a block of 8-byte words that lib/Codegen
// fills in; it starts with the words of struct ambit_call. `find` says how much
// there is, the body checks that it may be that much, `write` writes as much.
// None allocates, none keeps anything between calls, and all give the same
// result for the same data on every machine.

#ifndef AMBIT_LIB_RUNTIME_LIBRARY_H
#define AMBIT_LIB_RUNTIME_LIBRARY_H

#include "internal.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ambit_call {
  int64_t found; // what `find` returned, for `write`
  void *scratch; // memory for both, aligned to 64 bytes
  int64_t *result;
};

// The positions of the elements that are not 0: result[rank, found].
struct ambit_nonzero_call {
  struct ambit_call call;
  const void *data;
  int64_t dtype, rank;
  int64_t dims[];
};
AMBIT_HIDDEN int64_t ambit_nonzero_find(const void *block);
AMBIT_HIDDEN void ambit_nonzero_write(const void *block);

// The positions of the k largest or smallest elements of each row of
// data[outer, n, inner] along n: result[outer, k, inner], the best one first,
// equal ones in their order. Scratch: k words.
struct ambit_topk_call {
  struct ambit_call call;
  const void *data;
  int64_t dtype, largest;
  int64_t outer, n, inner, k;
};
AMBIT_HIDDEN void ambit_topk_write(const void *block);

// The rows of data[n, width] that differ, by the position of the first of each:
// result[found], ordered by their values if `sorted`, else by position.
// Scratch: 2*n words.
struct ambit_unique_call {
  struct ambit_call call;
  const void *data;
  int64_t dtype, sorted;
  int64_t n, width;
};
AMBIT_HIDDEN int64_t ambit_unique_find(const void *block);
AMBIT_HIDDEN void ambit_unique_write(const void *block);
// For each row its number among those: result[n]. The same block.
AMBIT_HIDDEN void ambit_unique_inverse_write(const void *block);

// How often each number below `bins` occurs: result[bins].
struct ambit_histogram_call {
  struct ambit_call call;
  const int64_t *numbers;
  int64_t n, bins;
};
AMBIT_HIDDEN void ambit_histogram_write(const void *block);

// Non-maximum suppression as in ONNX: result[found, 3] of batch, class, box.
// The time of a class grows as boxes * (log(boxes) + what is kept, which is
// `most` at the most).
// Scratch: 2*boxes words, then 3 for each of batches*classes*boxes.
struct ambit_nms_call {
  struct ambit_call call;
  const float *boxes;  // [batches, boxes, 4]
  const float *scores; // [batches, classes, boxes]
  const int64_t *most; // boxes of a class
  const float *iou_threshold;
  const float *score_threshold;
  int64_t is_center;
  int64_t batches, classes, box_count;
};
AMBIT_HIDDEN int64_t ambit_nms_find(const void *block);
AMBIT_HIDDEN void ambit_nms_write(const void *block);

// Rows of updates[rows, width] put into data[d0, ..., dk-1, width] where
// indices[rows, k] say: result, of the data's shape. Kinds as in the dialect's
// ScatterKind. An index outside is reported and its row left out.
struct ambit_scatter_call {
  struct ambit_call call;
  const void *updates;
  const void *data;
  const int64_t *indices;
  int64_t *report; // the number of the check that failed, -1 for none; a value
  int64_t check;
  int64_t dtype, kind, index_size;
  int64_t rows;
  int64_t dims[]; // d0, ..., dk-1, width
};
AMBIT_HIDDEN void ambit_scatter_write(const void *block);

// Elements of `bits` bits, a byte each in the one and packed in the other.
struct ambit_packing_call {
  struct ambit_call call;
  const unsigned char *data;
  int64_t bits, count;
};
AMBIT_HIDDEN void ambit_pack_write(const void *block);
AMBIT_HIDDEN void ambit_unpack_write(const void *block);

// An integer that orders an element among others of its type. -0.0 equals 0.0;
// NaN equals NaN and is more than everything else.
AMBIT_HIDDEN uint64_t ambit_key(const void *data, int64_t dtype, int64_t at);

// Sorts 0..count-1 into `order`; equal ones keep their order. `compare` is
// negative when `a` comes first. `spare` has room for as many.
AMBIT_HIDDEN void ambit_sort(int64_t *order, int64_t *spare, int64_t count,
                             int (*compare)(const void *context, int64_t a,
                                            int64_t b),
                             const void *context);

#ifdef __cplusplus
}
#endif

#endif // AMBIT_LIB_RUNTIME_LIBRARY_H
