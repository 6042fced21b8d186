// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled model whose inputs, outputs and workspace end where memory ends: a
// byte read or written behind any of them is a crash.

#ifndef AMBIT_TEST_FUZZ_GUARDEDMODEL_H
#define AMBIT_TEST_FUZZ_GUARDEDMODEL_H

#include "ambit/Reference/HostTensor.h"
#include "ambit/runtime.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace ambit::fuzz {

/// Memory that ends at an inaccessible page, filled with garbage.
class GuardedBuffer {
public:
  explicit GuardedBuffer(size_t bytes);
  GuardedBuffer(GuardedBuffer &&other);
  GuardedBuffer(const GuardedBuffer &) = delete;
  ~GuardedBuffer();
  void *data() const { return start + whole - bytes; }
  size_t size() const { return bytes; }

private:
  size_t bytes, whole;
  char *start;
};

class GuardedModel {
public:
  ~GuardedModel();
  /// Loads an object; the reason on failure, or "".
  std::string open(const std::string &path);
  /// Runs the model. Results have the element types given. On failure the text
  /// of the error, which is `refused` when shapes or data are at fault.
  llvm::Expected<std::vector<reference::HostTensor>>
  run(const std::vector<reference::HostTensor> &inputs,
      llvm::ArrayRef<mlir::Type> resultTypes, bool &refused);
  int32_t lastVariant() const { return library.api->last_variant(context); }

private:
  llvm::Error failure(int32_t status, bool &refused);

  ambit_library library = {};
  ambit_context *context = nullptr;
};

} // namespace ambit::fuzz

#endif // AMBIT_TEST_FUZZ_GUARDEDMODEL_H
