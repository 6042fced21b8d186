// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hand-written model for the tests of the runtime: what the compiler emits
// for y[batch, 2*seq] = [ids | mask] with `batch`, `seq` symbolic.
//
//   ids   int64   [batch, seq]        batch in 1..8 and even unless 1 (a guard)
//   mask  float32 [batch, seq, 4]     seq in 1..512
//   y     float32 [batch, 2*seq]      y[b, i] = ids, y[b, seq + i] = mask[..,
//   0] total int64   []                  the sum of ids
//
// Variants: exact_seq_128, range_seq_16 (seq <= 16), generic.

#ifndef AMBIT_TEST_UNIT_RUNTIME_TESTMODEL_H
#define AMBIT_TEST_UNIT_RUNTIME_TESTMODEL_H

#include "internal.h"
#include <string>
#include <vector>

/// The table of the object under test.
inline const ambit_api &api() { return *ambit_query_v1(); }

/// A context that destroys itself; fails the test when it cannot be made.
struct Context {
  ambit_context *handle = nullptr;
  std::string why;
  int32_t status;
  explicit Context(const ambit_context_options *options = nullptr,
                   const ambit_model *model = nullptr);
  ~Context() { api().context_destroy(handle); }
  Context(const Context &) = delete;
  operator ambit_context *() const { return handle; }
  std::string error() const { return api().last_error(handle); }
};

/// Inputs of the model with data; change what the test is about.
struct Inputs {
  int64_t idsDims[2], maskDims[3];
  std::vector<int64_t> ids;
  std::vector<float> mask;
  ambit_tensor tensors[2];
  Inputs(int64_t batch, int64_t seq);
  operator const ambit_tensor *() const { return tensors; }
};

/// Buffers for the outputs of one shape.
struct Outputs {
  int64_t yDims[2] = {-1, -1};
  std::vector<float> y;
  int64_t total = -1;
  ambit_tensor tensors[2];
  Outputs(int64_t batch, int64_t seq);
  operator ambit_tensor *() { return tensors; }
};

#endif // AMBIT_TEST_UNIT_RUNTIME_TESTMODEL_H
