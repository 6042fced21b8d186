// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does memory grow with the number of shapes? Runs the largest, then every
// other, in one context.
//
//   many-shapes libmodel.so MOST   the two symbols of the one input take each
//                                  pair of sizes from 1 to MOST

#include "ambit/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostOutputs = 4 };

static int fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  return 1;
}

// Resident memory that is no file's, in kB; -1 where nobody tells.
static long resident(void) {
  char line[256];
  long found = -1;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "RssAnon: %ld kB", &found) == 1)
      break;
  if (status)
    fclose(status);
  return found;
}

int main(int argc, char **argv) {
  struct ambit_library lib;
  struct ambit_context *context;
  char why[512];
  if (argc != 3)
    return fail("usage: many-shapes libmodel.so MOST");
  if (ambit_open(argv[1], &lib, why, sizeof why) != AMBIT_OK ||
      lib.api->context_create(lib.model, NULL, &context, why, sizeof why) !=
          AMBIT_OK)
    return fail(why);
  int64_t most = atoll(argv[2]), dims[2], shapes = 0;
  struct ambit_tensor outputs[kMostOutputs];
  memset(outputs, 0, sizeof outputs);
  struct ambit_tensor input = {.data = calloc((size_t)(most * most), 8),
                               .bytes = most * most * 8,
                               .rank = 2,
                               .dims = dims};
  memset(input.data, 0, (size_t)input.bytes);
  struct ambit_tensor_info info;
  int results = 0;
  while (results < kMostOutputs &&
         lib.api->output(lib.model, results, &info) == AMBIT_OK)
    ++results;
  lib.api->input(lib.model, 0, &info);
  input.dtype = info.dtype;
  long largest = 0;
  for (int64_t at = most * most; at-- > 0; ++shapes) {
    dims[0] = 1 + at / most;
    dims[1] = 1 + at % most;
    if (lib.api->run_owned(context, &input, 1, outputs, results) != AMBIT_OK)
      return fail(lib.api->last_error(context));
    if (shapes == 0)
      largest = resident();
  }
  long grown = resident() - largest;
  printf("%lld shapes, %ld kB resident after the largest, %ld kB more after "
         "all\n",
         (long long)shapes, largest, grown);
  lib.api->context_destroy(context);
  free(input.data);
  ambit_close(&lib);
  return largest <= 0 || grown > 64;
}
