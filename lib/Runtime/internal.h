// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the runtime share. Everything here is hidden in a model
// object; state lives in the context, never in a global.

#ifndef AMBIT_LIB_RUNTIME_INTERNAL_H
#define AMBIT_LIB_RUNTIME_INTERNAL_H

#define AMBIT_NO_LOADER
#include "ambit/runtime.h"
#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AMBIT_HIDDEN __attribute__((visibility("hidden")))
#define AMBIT_ALIGNMENT 64

// The compiler emits the one instance of an object.
extern AMBIT_HIDDEN const struct ambit_descriptor ambit_descriptor_instance;

struct ambit_model {
  const struct ambit_descriptor *descriptor;
};

// Memory of a context that only grows; its contents do not survive growth.
struct ambit_block {
  void *data;
  int64_t bytes;
};

struct ambit_pool;
struct ambit_profile;

struct ambit_context {
  const struct ambit_descriptor *descriptor;
  struct ambit_context_options options;
  struct ambit_pool *pool; // null: none of its own
  size_t context_bytes;
  struct ambit_block arena;
  struct ambit_block outputs;    // of run_owned
  struct ambit_profile *profile; // null: shapes are not counted
  int32_t last_variant;
  // Parts of the context's own allocation, sized by the descriptor.
  int64_t *symbols;
  int64_t *input_dims;   // what they must be, input after input
  int64_t *output_dims;  // output after output; at most, until a run is over
  int64_t *output_bytes; // one per output
  const void **input_data;
  void **output_data;
  char error[1024];
};

// Records the message and returns the status.
AMBIT_HIDDEN int32_t ambit_fail(struct ambit_context *context, int32_t status,
                                const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same for text that is put together in pieces.
AMBIT_HIDDEN void ambit_append(char *text, size_t text_bytes,
                               const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Appends "batch = 2, seq = 37", the symbols that `rule` names, after `lead`.
AMBIT_HIDDEN void ambit_append_values(char *text, size_t text_bytes,
                                      const struct ambit_context *context,
                                      const char *rule, const char *lead);
AMBIT_HIDDEN const char *ambit_dtype_name(int32_t dtype);

// The value that a symbol has when its dim is `dim`; 0 when it has none.
static inline int ambit_solve(const struct ambit_desc_symbol *symbol,
                              int64_t dim, int64_t *value) {
  int64_t multiple;
  *value = dim;
  if (symbol->scale == 1 && symbol->offset == 0)
    return 1;
  if (__builtin_sub_overflow(dim, symbol->offset, &multiple) ||
      (symbol->scale == -1 && multiple == INT64_MIN) ||
      multiple % symbol->scale)
    return 0;
  *value = multiple / symbol->scale;
  return 1;
}

// The element of an input that a symbol is; 0 when the input does not hold it.
static inline int ambit_read_element(const struct ambit_desc_symbol *symbol,
                                     const struct ambit_tensor *input,
                                     int64_t *value) {
  int64_t width = ambit_dtype_bits(input->dtype) / 8;
  if (!input->data || input->bytes / width <= symbol->element)
    return 0;
  // The caller's memory need not be aligned yet: that is checked later.
  const char *at = (const char *)input->data + symbol->element * width;
  uint64_t bits = 0;
  for (int64_t i = 0; i < width; ++i)
    bits |= (uint64_t)(unsigned char)at[i] << (8 * i);
  int isUnsigned = input->dtype == AMBIT_BOOL || input->dtype == AMBIT_UINT8 ||
                   input->dtype == AMBIT_UINT16 || input->dtype == AMBIT_UINT32;
  int shift = isUnsigned ? 0 : (int)(64 - 8 * width);
  *value = (int64_t)(bits << shift) >> shift;
  if (symbol->saturates)
    *value = *value < symbol->min   ? symbol->min
             : *value > symbol->max ? symbol->max
                                    : *value;
  return 1;
}

// The value that the inputs give a symbol; 0 when they give none.
static inline int ambit_read_symbol(const struct ambit_desc_symbol *symbol,
                                    const struct ambit_tensor *inputs,
                                    int64_t *value) {
  const struct ambit_tensor *input = &inputs[symbol->input];
  if (symbol->element >= 0)
    return ambit_read_element(symbol, input, value);
  return ambit_solve(symbol, input->dims[symbol->dim], value);
}

// accept.c: whether ambit_bind has nothing to object to; fills
// context->symbols if so.
AMBIT_HIDDEN int ambit_accepts(struct ambit_context *context,
                               const struct ambit_tensor *inputs,
                               int32_t input_count);
// Makes every check on shapes up to the ranges of symbols, and fills
// context->symbols.
AMBIT_HIDDEN int32_t ambit_bind(struct ambit_context *context,
                                const struct ambit_tensor *inputs,
                                int32_t input_count);
// ambit_bind, then all guards.
AMBIT_HIDDEN int32_t ambit_check(struct ambit_context *context,
                                 const struct ambit_tensor *inputs,
                                 int32_t input_count);
// ambit_check, then the variant to run.
AMBIT_HIDDEN int32_t ambit_choose(struct ambit_context *context,
                                  const struct ambit_tensor *inputs,
                                  int32_t input_count, int32_t *variant);
// Bytes of a dense tensor; -1 when they do not fit int64_t. A zero extent does
// not hide the overflow of the others, because strides are computed from them.
AMBIT_HIDDEN int64_t ambit_tensor_bytes(int32_t dtype, int32_t rank,
                                        const int64_t *dims);
AMBIT_HIDDEN int32_t ambit_grow(struct ambit_context *context,
                                struct ambit_block *block, int64_t bytes,
                                const char *purpose);

// The entries of struct ambit_api, by the file that holds them.
// isa.c
AMBIT_HIDDEN const char *ambit_missing_isa(const struct ambit_model *model);
// context.c
AMBIT_HIDDEN int32_t ambit_context_create(
    const struct ambit_model *model,
    const struct ambit_context_options *options, struct ambit_context **out,
    char *error, size_t error_bytes);
AMBIT_HIDDEN void ambit_context_destroy(struct ambit_context *context);
AMBIT_HIDDEN int32_t ambit_reserve_bytes(struct ambit_context *context,
                                         int64_t bytes);
// threads.c: what the options of a context ask for. Start leaves nothing behind
// when it fails; attach tells a run where to find threads.
AMBIT_HIDDEN int32_t ambit_start_threads(struct ambit_context *context,
                                         char *error, size_t error_bytes);
AMBIT_HIDDEN void ambit_stop_threads(struct ambit_context *context);
AMBIT_HIDDEN void ambit_attach_threads(struct ambit_context *context,
                                       struct ambit_exec *exec);
// shapes.c
AMBIT_HIDDEN int32_t ambit_symbol_values(struct ambit_context *context,
                                         const struct ambit_tensor *inputs,
                                         int32_t input_count, int64_t *values);
AMBIT_HIDDEN int32_t ambit_guard_holds(struct ambit_context *context,
                                       const struct ambit_tensor *inputs,
                                       int32_t input_count, int32_t guard,
                                       int32_t *holds);
AMBIT_HIDDEN int32_t ambit_select(struct ambit_context *context,
                                  const struct ambit_tensor *inputs,
                                  int32_t input_count, int32_t *variant);
AMBIT_HIDDEN int32_t ambit_admits(struct ambit_context *context,
                                  const struct ambit_tensor *inputs,
                                  int32_t input_count, int32_t variant,
                                  int32_t *admits);
AMBIT_HIDDEN int32_t ambit_explain(struct ambit_context *context,
                                   const struct ambit_tensor *inputs,
                                   int32_t input_count, char *text,
                                   size_t text_bytes);
AMBIT_HIDDEN int32_t ambit_output_shapes(struct ambit_context *context,
                                         const struct ambit_tensor *inputs,
                                         int32_t input_count,
                                         struct ambit_tensor *outputs,
                                         int32_t output_count);
AMBIT_HIDDEN int32_t ambit_workspace_bytes(struct ambit_context *context,
                                           const struct ambit_tensor *inputs,
                                           int32_t input_count, int64_t *bytes);
AMBIT_HIDDEN int32_t ambit_reserve(struct ambit_context *context,
                                   const struct ambit_tensor *inputs,
                                   int32_t input_count);
// Steps of output_shapes that run shares: the first computes dims and bytes
// into the context, the second hands them out.
AMBIT_HIDDEN int32_t ambit_compute_outputs(struct ambit_context *context,
                                           const struct ambit_tensor *outputs,
                                           int32_t output_count);
AMBIT_HIDDEN void ambit_publish_outputs(struct ambit_context *context,
                                        struct ambit_tensor *outputs);
AMBIT_HIDDEN int32_t ambit_variant_workspace(struct ambit_context *context,
                                             int32_t variant, int64_t *bytes);
// profile.c: what the API switches, and what a context does at its begin and
// end for AMBIT_PROFILE. Only a context that has a profile may count; `status`
// is that of the checks at entry.
AMBIT_HIDDEN int32_t ambit_profile_switch(struct ambit_context *context,
                                          int32_t on);
AMBIT_HIDDEN int32_t ambit_profile_json(struct ambit_context *context,
                                        char *text, size_t text_bytes,
                                        size_t *needed);
AMBIT_HIDDEN int32_t ambit_profile_start(struct ambit_context *context);
AMBIT_HIDDEN void ambit_profile_finish(struct ambit_context *context);
AMBIT_HIDDEN void ambit_profile_count(struct ambit_context *context,
                                      int32_t status);
// run.c
AMBIT_HIDDEN int32_t ambit_run(struct ambit_context *context,
                               const struct ambit_tensor *inputs,
                               int32_t input_count,
                               struct ambit_tensor *outputs,
                               int32_t output_count);
AMBIT_HIDDEN int32_t ambit_run_owned(struct ambit_context *context,
                                     const struct ambit_tensor *inputs,
                                     int32_t input_count,
                                     struct ambit_tensor *outputs,
                                     int32_t output_count);

#ifdef __cplusplus
}
#endif

#endif // AMBIT_LIB_RUNTIME_INTERNAL_H
