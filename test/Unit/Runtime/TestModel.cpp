// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables and functions that the compiler would emit for the test model.

#include "TestModel.h"
#include <catch2/catch.hpp>

enum { Batch, Seq };

static int32_t guardHolds(int32_t guard, const int64_t *s) {
  switch (guard) {
  case 0:
    return s[Seq] <= 512;
  case 1:
    return s[Batch] == 1 || s[Batch] % 2 == 0;
  default:
    return s[Batch] * s[Seq] <= 2048;
  }
}

static int32_t guardsFailed(const int64_t *s) {
  for (int32_t guard = 0; guard < 3; ++guard)
    if (!guardHolds(guard, s))
      return guard;
  return -1;
}

static int32_t selectVariant(const int64_t *s) {
  return s[Seq] == 128 ? 0 : s[Seq] <= 16 ? 1 : 2;
}

static int32_t inputDims(const int64_t *s, int64_t *dims) {
  dims[0] = dims[2] = s[Batch];
  dims[1] = dims[3] = s[Seq];
  dims[4] = 4;
  return 0;
}

static int32_t outputDims(const int64_t *s, int64_t *dims) {
  dims[0] = s[Batch];
  return __builtin_mul_overflow(s[Seq], int64_t(2), &dims[1]) ? -1 : 0;
}

static int32_t body(const void *const *inputs, void *const *outputs,
                    void *arena, int64_t *s, ambit_exec *exec) {
  auto *ids = static_cast<const int64_t *>(inputs[0]);
  auto *mask = static_cast<const float *>(inputs[1]);
  auto *y = static_cast<float *>(outputs[0]);
  int64_t sum = 0, batch = s[Batch], seq = s[Seq];
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t i = 0; i < seq; ++i) {
      int64_t id = ids[b * seq + i];
      if (id < 0) {
        exec->failed_check = 0;
        exec->failed_value = id;
        return AMBIT_DATA_ERROR;
      }
      // The arena must really be there.
      static_cast<int64_t *>(arena)[b * seq + i] = id;
      sum += id;
      y[b * 2 * seq + i] = float(id);
      y[b * 2 * seq + seq + i] = mask[(b * seq + i) * 4];
    }
  *static_cast<int64_t *>(outputs[1]) = sum;
  return AMBIT_OK;
}

static int64_t workspace(const int64_t *s) { return s[Batch] * s[Seq] * 8; }

static const ambit_desc_dim idsDims[] = {{"batch", -1, Batch},
                                         {"seq", -1, Seq}};
static const ambit_desc_dim maskDims[] = {
    {"batch", -1, Batch}, {"seq", -1, Seq}, {"4", 4, -1}};
static const ambit_desc_dim yDims[] = {{"batch", -1, Batch}, {"2*seq", -1, -1}};
static const ambit_desc_tensor inputs[] = {
    {"ids", AMBIT_INT64, 2, idsDims}, {"mask", AMBIT_FLOAT32, 3, maskDims}};
static const ambit_desc_tensor outputs[] = {{"y", AMBIT_FLOAT32, 2, yDims},
                                            {"total", AMBIT_INT64, 0, nullptr}};
static const ambit_desc_symbol symbols[] = {
    {"batch", 1, 8, 1, 0, 0, 1, 0, -1, 0, nullptr},
    {"seq", 1, 512, 1, 0, 1, 1, 0, -1, 0, nullptr}};
static const ambit_desc_guard guards[] = {
    {"seq <= 512", "option --dim", AMBIT_GUARD_RANGE},
    {"batch == 1 or batch % 2 == 0", "node 'Split_3'",
     AMBIT_GUARD_DIVISIBILITY},
    {"batch*seq <= 2048", "node 'Expand_12'", AMBIT_GUARD_RELATION}};
static const char *const checks[] = {"node 'Gather_5': index of 'ids' below 0"};
static const ambit_desc_variant variants[] = {
    {"exact_seq_128", "exact", "seq == 128", body, workspace,
     [](const int64_t *s) -> int32_t { return s[Seq] == 128; }, checks, 1},
    {"range_seq_16", "range", "seq <= 16", body, workspace,
     [](const int64_t *s) -> int32_t { return s[Seq] <= 16; }, checks, 1},
    {"generic", "generic", "all declared shapes", body, workspace,
     [](const int64_t *) -> int32_t { return 1; }, checks, 1}};
extern "C" {
extern const ambit_descriptor ambit_descriptor_instance = {
    AMBIT_DESCRIPTOR_VERSION,
    2,
    2,
    2,
    3,
    3,
    0,
    "test_model",
    "{\"model\": \"test_model\"}",
    inputs,
    outputs,
    symbols,
    guards,
    variants,
    nullptr,
    guardsFailed,
    selectVariant,
    inputDims,
    outputDims,
    guardHolds,
    nullptr,
    nullptr};
}

Context::Context(const ambit_context_options *options,
                 const ambit_model *model) {
  char text[256] = "stale";
  status = api().context_create(model ? model : api().model, options, &handle,
                                text, sizeof text);
  why = text;
  if (!model)
    REQUIRE(status == AMBIT_OK);
}

Inputs::Inputs(int64_t batch, int64_t seq)
    : idsDims{batch, seq}, maskDims{batch, seq, 4}, ids(batch * seq),
      mask(batch * seq * 4) {
  for (size_t i = 0; i < ids.size(); ++i) {
    ids[i] = int64_t(i);
    mask[4 * i] = 0.5f * float(i);
  }
  tensors[0] = {ids.data(), int64_t(ids.size()) * 8, AMBIT_INT64, 2, idsDims};
  tensors[1] = {mask.data(), int64_t(mask.size()) * 4, AMBIT_FLOAT32, 3,
                maskDims};
}

Outputs::Outputs(int64_t batch, int64_t seq) : y(batch * 2 * seq, -1) {
  tensors[0] = {y.data(), int64_t(y.size()) * 4, 0, 2, yDims};
  tensors[1] = {&total, 8, 0, 0, nullptr};
}
