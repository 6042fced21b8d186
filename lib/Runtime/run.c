// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run: checks on shapes, the choice of a variant, checks on memory, then the
// compiled body. Nothing is allocated once the blocks are large enough.

#include "internal.h"

#include <string.h>

static int32_t check_memory(struct ambit_context *context, const char *role,
                            const char *name, const struct ambit_tensor *tensor,
                            int64_t needed, int64_t available) {
  if (available < needed)
    return ambit_fail(context, AMBIT_BUFFER_TOO_SMALL,
                      "buffer of %s '%s' has %lld bytes, expected %lld", role,
                      name, (long long)available, (long long)needed);
  if (needed && !tensor->data)
    return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                      "data of %s '%s' is null, expected %lld bytes", role,
                      name, (long long)needed);
  return AMBIT_OK;
}

static int32_t check_alignment(struct ambit_context *context, const char *role,
                               const char *name, const void *data,
                               int32_t dtype) {
  uintptr_t unit = (uintptr_t)ambit_dtype_bits(dtype) / 8;
  if (dtype == AMBIT_COMPLEX64 || dtype == AMBIT_COMPLEX128)
    unit /= 2;
  if (unit < 2 || (uintptr_t)data % unit == 0)
    return AMBIT_OK;
  return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                    "data of %s '%s' is not aligned to %d bytes", role, name,
                    (int)unit);
}

static int overlap(const void *a, int64_t a_bytes, const void *b,
                   int64_t b_bytes) {
  uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
  return a_bytes && b_bytes && x < y + (uintptr_t)b_bytes &&
         y < x + (uintptr_t)a_bytes;
}

static int64_t input_bytes(const struct ambit_tensor *input) {
  return ambit_tensor_bytes(input->dtype, input->rank, input->dims);
}

static int32_t check_inputs(struct ambit_context *context,
                            const struct ambit_tensor *inputs) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  for (int32_t i = 0; i < descriptor->input_count; ++i) {
    const char *name = descriptor->inputs[i].name;
    int32_t status = check_memory(context, "input", name, &inputs[i],
                                  input_bytes(&inputs[i]), inputs[i].bytes);
    if (status == AMBIT_OK)
      status = check_alignment(context, "input", name, inputs[i].data,
                               inputs[i].dtype);
    if (status != AMBIT_OK)
      return status;
    context->input_data[i] = inputs[i].data;
  }
  return AMBIT_OK;
}

static int32_t check_outputs(struct ambit_context *context,
                             const struct ambit_tensor *inputs,
                             const struct ambit_tensor *outputs) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  for (int32_t i = 0; i < descriptor->output_count; ++i) {
    const char *name = descriptor->outputs[i].name;
    int64_t needed = context->output_bytes[i];
    int32_t status = check_memory(context, "output", name, &outputs[i], needed,
                                  outputs[i].bytes);
    if (status == AMBIT_OK)
      status = check_alignment(context, "output", name, outputs[i].data,
                               descriptor->outputs[i].dtype);
    if (status != AMBIT_OK)
      return status;
    for (int32_t k = 0; k < descriptor->input_count; ++k)
      if (overlap(outputs[i].data, needed, inputs[k].data,
                  input_bytes(&inputs[k])))
        return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                          "output '%s' overlaps input '%s' in memory", name,
                          descriptor->inputs[k].name);
    for (int32_t k = 0; k < i; ++k)
      if (overlap(outputs[i].data, needed, outputs[k].data,
                  context->output_bytes[k]))
        return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                          "output '%s' overlaps output '%s' in memory", name,
                          descriptor->outputs[k].name);
    context->output_data[i] = outputs[i].data;
  }
  return AMBIT_OK;
}

// Lays the outputs out in the context's own block, each on a boundary.
static int32_t own_outputs(struct ambit_context *context,
                           const struct ambit_tensor *inputs) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  for (int32_t i = 0; i < descriptor->input_count; ++i)
    if (overlap(context->outputs.data, context->outputs.bytes, inputs[i].data,
                input_bytes(&inputs[i])))
      return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                        "input '%s' lies in the outputs of this context",
                        descriptor->inputs[i].name);
  int64_t total = 0;
  for (int32_t i = 0; i < descriptor->output_count; ++i)
    if (__builtin_add_overflow(total, context->output_bytes[i], &total) ||
        __builtin_add_overflow(total, -total & (AMBIT_ALIGNMENT - 1), &total))
      return ambit_fail(context, AMBIT_OVERFLOW,
                        "size of all outputs overflows 64 bits");
  int32_t status =
      ambit_grow(context, &context->outputs, total, "memory for outputs");
  if (status != AMBIT_OK)
    return status;
  int64_t offset = 0;
  for (int32_t i = 0; i < descriptor->output_count; ++i) {
    // A zero-size output gets null: it has no place of its own.
    int64_t bytes = context->output_bytes[i];
    context->output_data[i] =
        bytes ? (char *)context->outputs.data + offset : NULL;
    offset += bytes + (-bytes & (AMBIT_ALIGNMENT - 1));
  }
  return AMBIT_OK;
}

static int32_t run_body(struct ambit_context *context, int32_t variant) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  const struct ambit_desc_variant *body = &descriptor->variants[variant];
  struct ambit_exec exec;
  memset(&exec, 0, sizeof exec);
  exec.failed_check = -1;
  ambit_attach_threads(context, &exec);
  int32_t status = body->body(context->input_data, context->output_data,
                              context->arena.data, context->symbols, &exec);
  if (exec.failed_check >= 0 && exec.failed_check < body->check_count)
    return ambit_fail(context, AMBIT_DATA_ERROR, "%s: found %lld",
                      body->checks[exec.failed_check],
                      (long long)exec.failed_value);
  if (status != AMBIT_OK)
    return ambit_fail(context, status, "variant '%s' failed with status %d",
                      body->name, (int)status);
  context->last_variant = variant;
  return AMBIT_OK;
}

static void publish(struct ambit_context *context, struct ambit_tensor *outputs,
                    int owned) {
  ambit_publish_outputs(context, outputs);
  for (int32_t i = 0; owned && i < context->descriptor->output_count; ++i) {
    outputs[i].data = context->output_data[i];
    outputs[i].bytes = context->output_bytes[i];
  }
}

// Replaces the bounds that the buffers were checked for by what has been found.
static int32_t measure_outputs(struct ambit_context *context) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  int32_t overflow =
      descriptor->output_dims(context->symbols, context->output_dims);
  const int64_t *dims = context->output_dims;
  for (int32_t i = 0; i < descriptor->output_count; ++i) {
    const struct ambit_desc_tensor *output = &descriptor->outputs[i];
    int64_t bytes =
        overflow ? -1 : ambit_tensor_bytes(output->dtype, output->rank, dims);
    if (bytes < 0 || bytes > context->output_bytes[i]) {
      context->last_variant = -1;
      return ambit_fail(context, AMBIT_INTERNAL_ERROR,
                        "output '%s' is larger than it can be", output->name);
    }
    context->output_bytes[i] = bytes;
    dims += output->rank;
  }
  return AMBIT_OK;
}

static int32_t run(struct ambit_context *context,
                   const struct ambit_tensor *inputs, int32_t input_count,
                   struct ambit_tensor *outputs, int32_t output_count,
                   int owned) {
  int32_t variant;
  int64_t workspace;
  context->last_variant = -1;
  int32_t status = ambit_choose(context, inputs, input_count, &variant);
  if (context->profile)
    ambit_profile_count(context, status);
  if (status == AMBIT_OK)
    status = ambit_compute_outputs(context, outputs, output_count);
  if (status == AMBIT_OK)
    status = ambit_variant_workspace(context, variant, &workspace);
  if (status == AMBIT_OK)
    status = check_inputs(context, inputs);
  if (status == AMBIT_OK)
    status = owned ? own_outputs(context, inputs)
                   : check_outputs(context, inputs, outputs);
  if (status == AMBIT_OK)
    status = ambit_grow(context, &context->arena, workspace, "workspace");
  if (status != AMBIT_OK)
    return status;
  int depends_on_data = context->descriptor->output_bounds != NULL;
  if (!depends_on_data)
    publish(context, outputs, owned);
  status = run_body(context, variant);
  if (status == AMBIT_OK && depends_on_data) {
    status = measure_outputs(context);
    if (status == AMBIT_OK)
      publish(context, outputs, owned);
  }
  return status;
}

int32_t ambit_run(struct ambit_context *context,
                  const struct ambit_tensor *inputs, int32_t input_count,
                  struct ambit_tensor *outputs, int32_t output_count) {
  return run(context, inputs, input_count, outputs, output_count, 0);
}

int32_t ambit_run_owned(struct ambit_context *context,
                        const struct ambit_tensor *inputs, int32_t input_count,
                        struct ambit_tensor *outputs, int32_t output_count) {
  return run(context, inputs, input_count, outputs, output_count, 1);
}
