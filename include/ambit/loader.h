/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads a model object by dlopen. Part of ambit/runtime.h, which includes it:
 * see there for a use. */

#ifndef AMBIT_LOADER_H
#define AMBIT_LOADER_H

#include "ambit/runtime.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* A loaded model object. */
struct ambit_library {
  void *handle;
  const struct ambit_api *api;
  const struct ambit_model *model;
};

static inline void ambit_close(struct ambit_library *library) {
  if (library->handle)
    dlclose(library->handle);
  memset(library, 0, sizeof *library);
}

/* Loads the object at `path` (a file, never searched for). On failure `library`
 * is zeroed and the reason is in `error`. */
static inline int32_t ambit_open(const char *path,
                                 struct ambit_library *library, char *error,
                                 size_t error_bytes) {
  char local[4096];
  const struct ambit_api *(*query)(void) = NULL;
  void *symbol;
  memset(library, 0, sizeof *library);
  snprintf(local, sizeof local, "%s%s", strchr(path, '/') ? "" : "./", path);
  library->handle = dlopen(local, RTLD_NOW | RTLD_LOCAL);
  if (!library->handle) {
    snprintf(error, error_bytes, "cannot load '%s': %s", path, dlerror());
    return AMBIT_BAD_OBJECT;
  }
  symbol = dlsym(library->handle, AMBIT_QUERY_SYMBOL);
  memcpy(&query, &symbol, sizeof query);
  if (query)
    library->api = query();
  if (!library->api || library->api->abi != AMBIT_ABI_VERSION) {
    if (!library->api)
      snprintf(error, error_bytes, "'%s' is not a model object: no symbol '%s'",
               path, AMBIT_QUERY_SYMBOL);
    else
      snprintf(error, error_bytes, "'%s' has runtime ABI %d, expected %d", path,
               (int)library->api->abi, AMBIT_ABI_VERSION);
    ambit_close(library);
    return AMBIT_BAD_OBJECT;
  }
  library->model = library->api->model;
  return AMBIT_OK;
}

#endif /* AMBIT_LOADER_H */
