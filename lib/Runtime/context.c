// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts and their memory: one allocation for the context itself, sized by
// the descriptor, and blocks that only grow.

#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *default_allocate(void *user, size_t alignment, size_t bytes) {
  (void)user;
  return aligned_alloc(alignment, bytes);
}

static void default_release(void *user, void *data, size_t bytes) {
  (void)user, (void)bytes;
  free(data);
}

static int64_t round_up(int64_t bytes) {
  return (bytes + AMBIT_ALIGNMENT - 1) / AMBIT_ALIGNMENT * AMBIT_ALIGNMENT;
}

// What the checks at entry rely on.
static const char *find_fault(const struct ambit_descriptor *descriptor) {
  if (descriptor->version != AMBIT_DESCRIPTOR_VERSION)
    return "the model's tables have another version than its runtime";
  for (int32_t s = 0; s < descriptor->symbol_count; ++s) {
    const struct ambit_desc_symbol *symbol = &descriptor->symbols[s];
    if (symbol->input == -1 && symbol->dim == -1 && symbol->element == -1 &&
        (!symbol->definition || descriptor->define_symbols))
      continue;
    if (symbol->input < 0 || symbol->input >= descriptor->input_count)
      return "a symbol of the model belongs to no input";
    if (symbol->element < 0 &&
        (symbol->dim < 0 ||
         symbol->dim >= descriptor->inputs[symbol->input].rank))
      return "a symbol of the model is no dim of an input";
    if (symbol->scale == 0)
      return "a symbol of the model has the scale 0";
  }
  for (int32_t i = 0; i < descriptor->input_count; ++i)
    for (int32_t d = 0; d < descriptor->inputs[i].rank; ++d)
      if (descriptor->inputs[i].dims[d].symbol >= descriptor->symbol_count)
        return "an input dim of the model is no symbol that it has";
  return NULL;
}

static void set_error(char *error, size_t error_bytes, const char *text,
                      const char *detail) {
  if (error && error_bytes)
    snprintf(error, error_bytes, text, detail);
}

// Reads as many bytes of the options as the caller knows.
static int read_options(const struct ambit_context_options *given,
                        struct ambit_context_options *options) {
  memset(options, 0, sizeof *options);
  if (given) {
    size_t known = given->struct_bytes;
    memcpy(options, given, known < sizeof *options ? known : sizeof *options);
  }
  if (!options->allocate != !options->release)
    return 0;
  if (!options->allocate) {
    options->allocate = default_allocate;
    options->release = default_release;
  }
  return 1;
}

// A context with its arrays behind it, in one allocation; null without memory.
static struct ambit_context *
allocate_context(const struct ambit_descriptor *descriptor,
                 const struct ambit_context_options *options) {
  size_t words = (size_t)descriptor->symbol_count + descriptor->input_count +
                 2 * (size_t)descriptor->output_count;
  for (int32_t i = 0; i < descriptor->input_count; ++i)
    words += (size_t)descriptor->inputs[i].rank;
  for (int32_t i = 0; i < descriptor->output_count; ++i)
    words += (size_t)descriptor->outputs[i].rank;
  size_t head = (size_t)round_up(sizeof(struct ambit_context));
  size_t bytes = (size_t)round_up((int64_t)(head + words * sizeof(int64_t)));
  struct ambit_context *context =
      options->allocate(options->user, AMBIT_ALIGNMENT, bytes);
  if (!context)
    return NULL;
  memset(context, 0, bytes);
  context->descriptor = descriptor;
  context->options = *options;
  context->context_bytes = bytes;
  context->last_variant = -1;
  char *tail = (char *)context + head;
  context->input_data = (const void **)tail;
  tail += sizeof(void *) * (size_t)descriptor->input_count;
  context->output_data = (void **)tail;
  tail += sizeof(void *) * (size_t)descriptor->output_count;
  context->symbols = (int64_t *)tail;
  context->output_bytes = context->symbols + descriptor->symbol_count;
  context->input_dims = context->output_bytes + descriptor->output_count;
  context->output_dims = context->input_dims;
  for (int32_t i = 0; i < descriptor->input_count; ++i)
    context->output_dims += descriptor->inputs[i].rank;
  return context;
}

int32_t ambit_context_create(const struct ambit_model *model,
                             const struct ambit_context_options *given,
                             struct ambit_context **out, char *error,
                             size_t error_bytes) {
  struct ambit_context_options options;
  *out = NULL;
  set_error(error, error_bytes, "%s", "");
  if (!read_options(given, &options)) {
    set_error(error, error_bytes, "%s",
              "one of allocate and release is null, expected both or neither");
    return AMBIT_INVALID_ARGUMENT;
  }
  const char *missing = ambit_missing_isa(model);
  if (missing) {
    set_error(error, error_bytes,
              "this CPU lacks '%s', which the model was compiled for", missing);
    return AMBIT_UNSUPPORTED_CPU;
  }
  const char *fault = find_fault(model->descriptor);
  if (fault) {
    set_error(error, error_bytes, "%s", fault);
    return AMBIT_BAD_OBJECT;
  }
  struct ambit_context *context = allocate_context(model->descriptor, &options);
  if (!context) {
    set_error(error, error_bytes, "%s", "out of memory for a context");
    return AMBIT_OUT_OF_MEMORY;
  }
  int32_t status = ambit_start_threads(context, error, error_bytes);
  if (status != AMBIT_OK) {
    options.release(options.user, context, context->context_bytes);
    return status;
  }
  status = ambit_profile_start(context);
  if (status != AMBIT_OK) {
    set_error(error, error_bytes, "%s", context->error);
    ambit_context_destroy(context);
    return status;
  }
  *out = context;
  return AMBIT_OK;
}

void ambit_context_destroy(struct ambit_context *context) {
  if (!context)
    return;
  struct ambit_context_options options = context->options;
  ambit_stop_threads(context);
  ambit_profile_finish(context);
  struct ambit_block blocks[] = {context->arena, context->outputs};
  for (int i = 0; i < 2; ++i)
    if (blocks[i].data)
      options.release(options.user, blocks[i].data, (size_t)blocks[i].bytes);
  options.release(options.user, context, context->context_bytes);
}

int32_t ambit_grow(struct ambit_context *context, struct ambit_block *block,
                   int64_t bytes, const char *purpose) {
  if (bytes <= block->bytes)
    return AMBIT_OK;
  if (bytes > INT64_MAX - AMBIT_ALIGNMENT)
    return ambit_fail(context, AMBIT_OVERFLOW,
                      "size of the %s overflows 64 bits", purpose);
  struct ambit_context_options *options = &context->options;
  if (block->data)
    options->release(options->user, block->data, (size_t)block->bytes);
  block->bytes = 0;
  bytes = round_up(bytes);
  block->data =
      options->allocate(options->user, AMBIT_ALIGNMENT, (size_t)bytes);
  if (!block->data)
    return ambit_fail(context, AMBIT_OUT_OF_MEMORY,
                      "out of memory: the %s needs %lld bytes", purpose,
                      (long long)bytes);
  block->bytes = bytes;
  return AMBIT_OK;
}

int32_t ambit_reserve_bytes(struct ambit_context *context, int64_t bytes) {
  context->error[0] = 0;
  if (bytes < 0)
    return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                      "workspace of %lld bytes, expected at least 0",
                      (long long)bytes);
  return ambit_grow(context, &context->arena, bytes, "workspace");
}
