// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model would do with given shapes: symbol values, guards, the variant
// and why, shapes of outputs, workspace. No data is read but elements of inputs
// that are symbols.

#include "internal.h"

#include <string.h>

static int32_t index_fault(struct ambit_context *context, const char *what,
                           int32_t index, int32_t count) {
  return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                    "%s %d asked for, the model has %d", what, (int)index,
                    (int)count);
}

int32_t ambit_symbol_values(struct ambit_context *context,
                            const struct ambit_tensor *inputs,
                            int32_t input_count, int64_t *values) {
  int32_t status = ambit_bind(context, inputs, input_count);
  if (status == AMBIT_OK && context->descriptor->symbol_count)
    memcpy(values, context->symbols,
           sizeof(int64_t) * (size_t)context->descriptor->symbol_count);
  return status;
}

int32_t ambit_guard_holds(struct ambit_context *context,
                          const struct ambit_tensor *inputs,
                          int32_t input_count, int32_t guard, int32_t *holds) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  int32_t status = ambit_bind(context, inputs, input_count);
  if (status != AMBIT_OK)
    return status;
  if (guard < 0 || guard >= descriptor->guard_count)
    return index_fault(context, "guard", guard, descriptor->guard_count);
  *holds = descriptor->guard_holds(guard, context->symbols) != 0;
  return AMBIT_OK;
}

int32_t ambit_select(struct ambit_context *context,
                     const struct ambit_tensor *inputs, int32_t input_count,
                     int32_t *variant) {
  return ambit_choose(context, inputs, input_count, variant);
}

int32_t ambit_admits(struct ambit_context *context,
                     const struct ambit_tensor *inputs, int32_t input_count,
                     int32_t variant, int32_t *admits) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  int32_t status = ambit_check(context, inputs, input_count);
  if (status != AMBIT_OK)
    return status;
  if (variant < 0 || variant >= descriptor->variant_count)
    return index_fault(context, "variant", variant, descriptor->variant_count);
  *admits = descriptor->variants[variant].admits(context->symbols) != 0;
  return AMBIT_OK;
}

int32_t ambit_explain(struct ambit_context *context,
                      const struct ambit_tensor *inputs, int32_t input_count,
                      char *text, size_t text_bytes) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  int32_t chosen = -1;
  if (text_bytes)
    text[0] = 0;
  int32_t status = ambit_choose(context, inputs, input_count, &chosen);
  if (status != AMBIT_OK || !text_bytes)
    return status;
  for (int32_t v = 0; v <= chosen; ++v) {
    const struct ambit_desc_variant *variant = &descriptor->variants[v];
    const char *verdict = "refuses, it needs ";
    if (v == chosen)
      verdict = "runs, it covers ";
    else if (variant->admits(context->symbols))
      verdict = "is passed over, though it covers ";
    ambit_append(text, text_bytes, "%s (%s) %s%s", variant->name, variant->kind,
                 verdict, variant->domain);
    ambit_append_values(text, text_bytes, context, variant->domain, " and ");
    ambit_append(text, text_bytes, "\n");
  }
  return AMBIT_OK;
}

int32_t ambit_compute_outputs(struct ambit_context *context,
                              const struct ambit_tensor *outputs,
                              int32_t output_count) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  if (output_count != descriptor->output_count || (output_count && !outputs))
    return ambit_fail(
        context, AMBIT_INVALID_ARGUMENT, "%d outputs given, expected %d",
        outputs ? (int)output_count : 0, (int)descriptor->output_count);
  for (int32_t i = 0; i < output_count; ++i)
    if (outputs[i].dims && outputs[i].rank < descriptor->outputs[i].rank)
      return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                        "room for %d dims of output '%s', expected %d",
                        (int)outputs[i].rank, descriptor->outputs[i].name,
                        (int)descriptor->outputs[i].rank);
  int32_t (*compute)(const int64_t *, int64_t *) =
      descriptor->output_bounds ? descriptor->output_bounds
                                : descriptor->output_dims;
  int32_t overflow = compute(context->symbols, context->output_dims);
  const int64_t *dims = context->output_dims;
  for (int32_t i = 0; i < output_count; ++i) {
    const struct ambit_desc_tensor *output = &descriptor->outputs[i];
    for (int32_t d = 0; d < output->rank && !overflow; ++d)
      if (dims[d] < 0)
        return ambit_fail(context, AMBIT_INTERNAL_ERROR,
                          "dim %d ('%s') of output '%s' is %lld", (int)d,
                          output->dims[d].expr, output->name,
                          (long long)dims[d]);
    int64_t bytes =
        overflow ? -1 : ambit_tensor_bytes(output->dtype, output->rank, dims);
    if (bytes < 0)
      return ambit_fail(context, AMBIT_OVERFLOW,
                        "size of %s%s%s overflows 64 bits",
                        overflow ? "an output" : "output '",
                        overflow ? "" : output->name, overflow ? "" : "'");
    context->output_bytes[i] = bytes;
    dims += output->rank;
  }
  return AMBIT_OK;
}

void ambit_publish_outputs(struct ambit_context *context,
                           struct ambit_tensor *outputs) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  int64_t *dims = context->output_dims;
  for (int32_t i = 0; i < descriptor->output_count; ++i) {
    int32_t rank = descriptor->outputs[i].rank;
    outputs[i].dtype = descriptor->outputs[i].dtype;
    outputs[i].rank = rank;
    if (!outputs[i].dims)
      outputs[i].dims = dims;
    else if (rank)
      memcpy(outputs[i].dims, dims, sizeof(int64_t) * (size_t)rank);
    dims += rank;
  }
}

int32_t ambit_output_shapes(struct ambit_context *context,
                            const struct ambit_tensor *inputs,
                            int32_t input_count, struct ambit_tensor *outputs,
                            int32_t output_count) {
  int32_t status = ambit_check(context, inputs, input_count);
  if (status == AMBIT_OK)
    status = ambit_compute_outputs(context, outputs, output_count);
  if (status != AMBIT_OK)
    return status;
  ambit_publish_outputs(context, outputs);
  for (int32_t i = 0; i < output_count; ++i)
    outputs[i].bytes = context->output_bytes[i];
  return AMBIT_OK;
}

int32_t ambit_variant_workspace(struct ambit_context *context, int32_t variant,
                                int64_t *bytes) {
  const struct ambit_desc_variant *body =
      &context->descriptor->variants[variant];
  *bytes = body->workspace(context->symbols);
  if (*bytes >= 0)
    return AMBIT_OK;
  return ambit_fail(context, AMBIT_OVERFLOW,
                    "size of the workspace overflows 64 bits in variant '%s'",
                    body->name);
}

int32_t ambit_workspace_bytes(struct ambit_context *context,
                              const struct ambit_tensor *inputs,
                              int32_t input_count, int64_t *bytes) {
  int32_t variant;
  int32_t status = ambit_choose(context, inputs, input_count, &variant);
  if (status != AMBIT_OK)
    return status;
  return ambit_variant_workspace(context, variant, bytes);
}

int32_t ambit_reserve(struct ambit_context *context,
                      const struct ambit_tensor *inputs, int32_t input_count) {
  int64_t bytes;
  int32_t status = ambit_workspace_bytes(context, inputs, input_count, &bytes);
  if (status != AMBIT_OK)
    return status;
  return ambit_grow(context, &context->arena, bytes, "workspace");
}
