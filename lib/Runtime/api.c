// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exported query symbol, its table, and the entries that only read the
// descriptor.

#include "internal.h"

static const char *model_name(const struct ambit_model *model) {
  return model->descriptor->model_name;
}

static const char *manifest(const struct ambit_model *model) {
  return model->descriptor->manifest;
}

static void counts(const struct ambit_model *model, struct ambit_counts *out) {
  out->inputs = model->descriptor->input_count;
  out->outputs = model->descriptor->output_count;
  out->symbols = model->descriptor->symbol_count;
  out->guards = model->descriptor->guard_count;
  out->variants = model->descriptor->variant_count;
}

static int32_t tensor_info(const struct ambit_desc_tensor *tensors,
                           int32_t count, int32_t index,
                           struct ambit_tensor_info *out) {
  if (index < 0 || index >= count)
    return AMBIT_INVALID_ARGUMENT;
  out->name = tensors[index].name;
  out->dtype = tensors[index].dtype;
  out->rank = tensors[index].rank;
  return AMBIT_OK;
}

static int32_t dim_info(const struct ambit_desc_tensor *tensors, int32_t count,
                        int32_t index, int32_t dim,
                        struct ambit_dim_info *out) {
  if (index < 0 || index >= count || dim < 0 || dim >= tensors[index].rank)
    return AMBIT_INVALID_ARGUMENT;
  const struct ambit_desc_dim *found = &tensors[index].dims[dim];
  out->expr = found->expr;
  out->value = found->value;
  out->symbol = (int32_t)found->symbol;
  return AMBIT_OK;
}

static int32_t input(const struct ambit_model *model, int32_t index,
                     struct ambit_tensor_info *out) {
  const struct ambit_descriptor *descriptor = model->descriptor;
  return tensor_info(descriptor->inputs, descriptor->input_count, index, out);
}

static int32_t output(const struct ambit_model *model, int32_t index,
                      struct ambit_tensor_info *out) {
  const struct ambit_descriptor *descriptor = model->descriptor;
  return tensor_info(descriptor->outputs, descriptor->output_count, index, out);
}

static int32_t input_dim(const struct ambit_model *model, int32_t index,
                         int32_t dim, struct ambit_dim_info *out) {
  const struct ambit_descriptor *descriptor = model->descriptor;
  return dim_info(descriptor->inputs, descriptor->input_count, index, dim, out);
}

static int32_t output_dim(const struct ambit_model *model, int32_t index,
                          int32_t dim, struct ambit_dim_info *out) {
  const struct ambit_descriptor *descriptor = model->descriptor;
  return dim_info(descriptor->outputs, descriptor->output_count, index, dim,
                  out);
}

static int32_t symbol(const struct ambit_model *model, int32_t index,
                      struct ambit_symbol_info *out) {
  if (index < 0 || index >= model->descriptor->symbol_count)
    return AMBIT_INVALID_ARGUMENT;
  const struct ambit_desc_symbol *found = &model->descriptor->symbols[index];
  out->name = found->name;
  out->min = found->min;
  out->max = found->max;
  out->divisor = found->divisor;
  out->input = found->input;
  out->dim = found->dim;
  out->element = found->element;
  out->definition = found->definition;
  return AMBIT_OK;
}

static int32_t guard(const struct ambit_model *model, int32_t index,
                     struct ambit_guard_info *out) {
  if (index < 0 || index >= model->descriptor->guard_count)
    return AMBIT_INVALID_ARGUMENT;
  const struct ambit_desc_guard *found = &model->descriptor->guards[index];
  out->text = found->text;
  out->origin = found->origin;
  out->guard_class = found->guard_class;
  return AMBIT_OK;
}

static int32_t variant(const struct ambit_model *model, int32_t index,
                       struct ambit_variant_info *out) {
  if (index < 0 || index >= model->descriptor->variant_count)
    return AMBIT_INVALID_ARGUMENT;
  const struct ambit_desc_variant *found = &model->descriptor->variants[index];
  out->name = found->name;
  out->kind = found->kind;
  out->domain = found->domain;
  return AMBIT_OK;
}

static const char *last_error(const struct ambit_context *context) {
  return context->error;
}

static int32_t last_variant(const struct ambit_context *context) {
  return context->last_variant;
}

__attribute__((visibility("default"))) const struct ambit_api *
ambit_query_v1(void) {
  static const struct ambit_model model = {&ambit_descriptor_instance};
  static const struct ambit_api api = {
      .abi = AMBIT_ABI_VERSION,
      .table_bytes = sizeof(struct ambit_api),
      .model = &model,
      .model_name = model_name,
      .manifest = manifest,
      .counts = counts,
      .input = input,
      .output = output,
      .input_dim = input_dim,
      .output_dim = output_dim,
      .symbol = symbol,
      .guard = guard,
      .variant = variant,
      .missing_isa = ambit_missing_isa,
      .context_create = ambit_context_create,
      .context_destroy = ambit_context_destroy,
      .last_error = last_error,
      .last_variant = last_variant,
      .symbol_values = ambit_symbol_values,
      .guard_holds = ambit_guard_holds,
      .select = ambit_select,
      .admits = ambit_admits,
      .explain = ambit_explain,
      .output_shapes = ambit_output_shapes,
      .workspace_bytes = ambit_workspace_bytes,
      .reserve = ambit_reserve,
      .reserve_bytes = ambit_reserve_bytes,
      .run = ambit_run,
      .run_owned = ambit_run_owned,
      .profile = ambit_profile_switch,
      .profile_json = ambit_profile_json,
  };
  return &api;
}
