// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of one context. The thread that calls run is one of them and does
// its share of every job; the others wait for jobs until the context dies.

#ifndef AMBIT_LIB_RUNTIME_POOL_H
#define AMBIT_LIB_RUNTIME_POOL_H

#include "internal.h"

#ifdef __cplusplus
extern "C" {
#endif

// Most threads of a pool, the caller among them.
#define AMBIT_MAX_THREADS 1024

struct ambit_pool;

// Bytes of a pool of `threads`, a multiple of AMBIT_ALIGNMENT.
AMBIT_HIDDEN size_t ambit_pool_bytes(int32_t threads);
// Makes a pool in memory of that size and alignment and starts threads - 1
// workers. Returns null and sets `why` to an errno when one cannot be started;
// no thread is left then.
AMBIT_HIDDEN struct ambit_pool *ambit_pool_start(void *memory, int32_t threads,
                                                 int32_t *why);
// Ends the workers; the memory is the caller's again.
AMBIT_HIDDEN void ambit_pool_stop(struct ambit_pool *pool);
// Runs task(arg, begin, end) on pieces of [0, count), each of at least `grain`
// but for the last, and returns when all are done. Allocates nothing. It has
// the type of ambit_exec's member and expects the pool in exec->pool.
AMBIT_HIDDEN void
ambit_pool_run(struct ambit_exec *exec, int64_t count, int64_t grain,
               void (*task)(void *arg, int64_t begin, int64_t end), void *arg);

#ifdef __cplusplus
}
#endif

#endif // AMBIT_LIB_RUNTIME_POOL_H
