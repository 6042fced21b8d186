// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model object written by hand, y = 2 * x with a generic and an exact
// variant: tests `inspect` and `run` without the compiler. build-twice.sh links
// it with the runtime.

#include "internal.h"

static int32_t twice(const void *const *inputs, void *const *outputs,
                     void *arena, int64_t *symbols, struct ambit_exec *exec) {
  const float *x = inputs[0];
  float *y = outputs[0];
  for (int64_t i = 0; i < symbols[0] * symbols[1]; ++i)
    y[i] = 2 * x[i];
  (void)arena, (void)exec;
  return AMBIT_OK;
}

static int64_t workspace(const int64_t *symbols) {
  (void)symbols;
  return 0;
}

static int32_t isOne(const int64_t *symbols) { return symbols[0] == 1; }

static int32_t always(const int64_t *symbols) {
  (void)symbols;
  return 1;
}

static int32_t chooseVariant(const int64_t *symbols) {
  return symbols[0] == 1 ? 0 : 1;
}

static int32_t inputDims(const int64_t *symbols, int64_t *dims) {
  dims[0] = symbols[0];
  dims[1] = symbols[1];
  return 0;
}

static int32_t outputDims(const int64_t *symbols, int64_t *dims) {
  dims[0] = symbols[0];
  dims[1] = symbols[1];
  return 0;
}

static int32_t guardHolds(int32_t guard, const int64_t *symbols) {
  (void)guard;
  return symbols[1] <= 512;
}

static int32_t guardsFailed(const int64_t *symbols) {
  return guardHolds(0, symbols) ? -1 : 0;
}

static const struct ambit_desc_dim dims[] = {{"batch", -1, 0}, {"seq", -1, 1}};
static const struct ambit_desc_tensor inputs[] = {
    {"x", AMBIT_FLOAT32, 2, dims}};
static const struct ambit_desc_tensor outputs[] = {
    {"enc/y:0", AMBIT_FLOAT32, 2, dims}};
static const struct ambit_desc_symbol symbols[] = {
    {"batch", 1, INT64_MAX, 1, 0, 0, 1, 0, -1, 0, 0},
    {"seq", 0, 512, 1, 0, 1, 1, 0, -1, 0, 0}};
static const struct ambit_desc_guard guards[] = {
    {"seq <= 512", "option --dim", AMBIT_GUARD_RANGE}};
static const struct ambit_desc_variant variants[] = {
    {"batch_1", "exact", "batch == 1", twice, workspace, isOne, 0, 0},
    {"generic", "generic", "all declared sizes", twice, workspace, always, 0,
     0}};

const struct ambit_descriptor ambit_descriptor_instance = {
    .version = AMBIT_DESCRIPTOR_VERSION,
    .input_count = 1,
    .output_count = 1,
    .symbol_count = 2,
    .guard_count = 1,
    .variant_count = 2,
    .model_name = "twice",
    .manifest = "{\"ambit\": \"0\"}",
    .inputs = inputs,
    .outputs = outputs,
    .symbols = symbols,
    .guards = guards,
    .variants = variants,
    .guards_failed = guardsFailed,
    .select = chooseVariant,
    .input_dims = inputDims,
    .output_dims = outputDims,
    .guard_holds = guardHolds,
};
