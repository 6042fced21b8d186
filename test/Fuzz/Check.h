// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a module in several ways and compares what the objects do with the
// reference and with each other.

#ifndef AMBIT_TEST_FUZZ_CHECK_H
#define AMBIT_TEST_FUZZ_CHECK_H

#include "../Conformance/Runner.h"

namespace ambit::fuzz {

struct CheckOptions {
  /// Folder for modules and objects.
  std::string scratch;
  /// Decides sizes and variants.
  uint64_t seed = 0;
  /// Sizes at which objects run.
  int64_t shapes = 10;
  /// Sizes for which the module is also compiled without symbols.
  int64_t statics = 1;
  /// All variants beside the generic one are padded, instead of every other.
  bool padded = false;
};

/// What a case that passed has to tell.
struct CaseFacts {
  /// CPU time, which other work on the machine does not lengthen.
  double compileSeconds = 0;
  int64_t ran = 0, refused = 0;
};

/// The detail of a failure starts with its kind and a colon: "wrong", "bits",
/// "admits", "refuses", "compile", "load", "infer", "parse".
conformance::Report checkModule(const std::string &text,
                                const CheckOptions &options, CaseFacts &facts);

} // namespace ambit::fuzz

#endif // AMBIT_TEST_FUZZ_CHECK_H
