// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dispatch model as text, lowered, compiled in this process, and read through
// the runtime's own declaration of the descriptor.

#ifndef AMBIT_TEST_UNIT_DISPATCH_JITMODEL_H
#define AMBIT_TEST_UNIT_DISPATCH_JITMODEL_H

#include "../../../lib/Runtime/descriptor.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

class JitModel {
public:
  /// `text` is a module whose bodies are undefined; each gets one that returns
  /// 0.
  JitModel(const std::string &text, const std::vector<std::string> &bodies,
           unsigned maxCells = 16384);
  ~JitModel();

  const ambit_descriptor &operator*() const { return *descriptor; }
  const ambit_descriptor *operator->() const { return descriptor; }
  /// Values in the order of the descriptor's symbols.
  std::vector<int64_t>
  symbols(const std::map<std::string, int64_t> &values) const;

private:
  struct Jit;
  std::unique_ptr<Jit> jit;
  const ambit_descriptor *descriptor = nullptr;
};

#endif // AMBIT_TEST_UNIT_DISPATCH_JITMODEL_H
