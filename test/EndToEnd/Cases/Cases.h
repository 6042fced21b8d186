// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runs of a model, as a text says them; Main.cpp shows the text.

#ifndef AMBIT_TEST_ENDTOEND_CASES_CASES_H
#define AMBIT_TEST_ENDTOEND_CASES_CASES_H

#include "ambit/Specialize/Buckets.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <map>
#include <string>
#include <vector>

namespace ambit {

/// A tensor as its text gives it; the model knows the type.
struct NamedValues {
  std::string name;
  std::vector<int64_t> dims;
  std::vector<double> values;
};

struct Run {
  unsigned line;
  std::vector<NamedValues> inputs, outputs;
  std::string error;
  double near = 0;
};

struct Cases {
  std::vector<std::string> options;
  std::vector<Run> runs;
  size_t statics = 1;
  /// Beside one millionth of the expected number.
  double near = 0;
  /// Of the padded objects; without any, the largest size of all runs.
  std::map<std::string, BucketEnds> padded;
  /// Runs without outputs, made on padded objects and on the generic one.
  std::vector<Run> sweeps;
};

/// Ends the program with status 1 and a message.
[[noreturn]] void fail(unsigned line, const llvm::Twine &message);

Cases readCases(llvm::StringRef text);

} // namespace ambit

#endif // AMBIT_TEST_ENDTOEND_CASES_CASES_H
