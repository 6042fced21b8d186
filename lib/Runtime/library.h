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

#ifdef __cplusplus
}
#endif

#endif // AMBIT_LIB_RUNTIME_LIBRARY_H
