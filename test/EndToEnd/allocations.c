// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts allocations during runs after the first: the program's own malloc and
// its kin stand before libc's, for the model object as well.
//
//   allocations libmodel.so ROWS   runs zeros, every symbol being ROWS

#include "ambit/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *data, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static int counting;
static int allocations;

void *malloc(size_t bytes) {
  allocations += counting;
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  allocations += counting;
  return __libc_calloc(count, bytes);
}
void *realloc(void *data, size_t bytes) {
  allocations += counting;
  return __libc_realloc(data, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  allocations += counting;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void **data, size_t alignment, size_t bytes) {
  allocations += counting;
  *data = __libc_memalign(alignment, bytes);
  return *data ? 0 : 12;
}

enum { kMaxTensors = 16, kMaxRank = 8 };

static int64_t dims[kMaxTensors][kMaxRank];

// Shapes and zeroed data for every input; returns their number, or -1.
static int make_inputs(const struct ambit_library *lib, int64_t rows,
                       struct ambit_tensor *inputs) {
  const struct ambit_api *api = lib->api;
  int count = 0;
  struct ambit_tensor_info info;
  for (;
       count < kMaxTensors && api->input(lib->model, count, &info) == AMBIT_OK;
       ++count) {
    int64_t bytes = 8;
    for (int32_t d = 0; d < info.rank; ++d) {
      struct ambit_dim_info dim;
      if (d >= kMaxRank ||
          api->input_dim(lib->model, count, d, &dim) != AMBIT_OK)
        return -1;
      dims[count][d] = dim.value < 0 ? rows : dim.value;
      bytes *= dims[count][d];
    }
    inputs[count].data = calloc(1, (size_t)bytes);
    inputs[count].bytes = bytes;
    inputs[count].dtype = info.dtype;
    inputs[count].rank = info.rank;
    inputs[count].dims = dims[count];
  }
  return count;
}

static int fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  return 1;
}

int main(int argc, char **argv) {
  struct ambit_library lib;
  char why[512];
  if (argc != 3)
    return fail("usage: allocations libmodel.so ROWS");
  if (ambit_open(argv[1], &lib, why, sizeof why) != AMBIT_OK)
    return fail(why);
  struct ambit_tensor inputs[kMaxTensors], outputs[kMaxTensors];
  memset(outputs, 0, sizeof outputs);
  int count = make_inputs(&lib, atoll(argv[2]), inputs);
  struct ambit_tensor_info info;
  int results = 0;
  while (results < kMaxTensors &&
         lib.api->output(lib.model, results, &info) == AMBIT_OK)
    ++results;
  struct ambit_context *context;
  if (count < 0 || lib.api->context_create(lib.model, NULL, &context, why,
                                           sizeof why) != AMBIT_OK)
    return fail(why);
  for (int run = 0; run < 5; ++run) {
    counting = run > 0;
    int32_t status =
        lib.api->run_owned(context, inputs, count, outputs, results);
    counting = 0;
    if (status != AMBIT_OK)
      return fail(lib.api->last_error(context));
  }
  printf("allocations after the first run: %d\n", allocations);
  lib.api->context_destroy(context);
  for (int i = 0; i < count; ++i)
    free(inputs[i].data);
  ambit_close(&lib);
  return allocations != 0;
}
