// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the threads of a context come from: a pool of its own, the host's, or
// nowhere.

#include "pool.h"

#include <stdio.h>

static void report(char *error, size_t error_bytes, const char *format,
                   int number) {
  if (error && error_bytes)
    snprintf(error, error_bytes, format, number);
}

int32_t ambit_start_threads(struct ambit_context *context, char *error,
                            size_t error_bytes) {
  const struct ambit_context_options *options = &context->options;
  int32_t threads = options->threads, why;
  if (threads < 0 || threads > AMBIT_MAX_THREADS) {
    report(error, error_bytes, "threads is %d, expected 0..1024", threads);
    return AMBIT_INVALID_ARGUMENT;
  }
  if (threads > 1 && options->parallel_for) {
    report(error, error_bytes,
           "threads is %d, expected 0 or 1 when parallel_for is given",
           threads);
    return AMBIT_INVALID_ARGUMENT;
  }
  if (threads < 2)
    return AMBIT_OK;
  size_t bytes = ambit_pool_bytes(threads);
  void *memory = options->allocate(options->user, AMBIT_ALIGNMENT, bytes);
  if (!memory) {
    report(error, error_bytes, "out of memory for %d threads", threads);
    return AMBIT_OUT_OF_MEMORY;
  }
  context->pool = ambit_pool_start(memory, threads, &why);
  if (context->pool)
    return AMBIT_OK;
  options->release(options->user, memory, bytes);
  report(error, error_bytes, "cannot start a thread: error %d of the system",
         why);
  return AMBIT_OUT_OF_MEMORY;
}

void ambit_stop_threads(struct ambit_context *context) {
  const struct ambit_context_options *options = &context->options;
  if (!context->pool)
    return;
  ambit_pool_stop(context->pool);
  options->release(options->user, context->pool,
                   ambit_pool_bytes(options->threads));
}

static void run_on_host(struct ambit_exec *exec, int64_t count, int64_t grain,
                        void (*task)(void *arg, int64_t begin, int64_t end),
                        void *arg) {
  const struct ambit_context_options *options = exec->pool;
  options->parallel_for(options->parallel_user, count, grain, task, arg);
}

void ambit_attach_threads(struct ambit_context *context,
                          struct ambit_exec *exec) {
  if (context->pool) {
    exec->parallel_for = ambit_pool_run;
    exec->pool = context->pool;
  } else if (context->options.parallel_for) {
    exec->parallel_for = run_on_host;
    exec->pool = &context->options;
  }
}
