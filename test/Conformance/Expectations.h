// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cases do not pass in which mode, and why: a file that a run is held
// against, so that neither a new refusal nor a new pass goes unseen.

#ifndef AMBIT_TEST_CONFORMANCE_EXPECTATIONS_H
#define AMBIT_TEST_CONFORMANCE_EXPECTATIONS_H

#include "Runner.h"
#include <map>
#include <set>

namespace ambit::conformance {

/// Why a case is refused, without what is only its own: no path, no node, no
/// opset, and '*' for the names of inputs, outputs and symbols.
std::string reasonOf(llvm::StringRef detail);

/// The refusals by case and mode. The text is groups of a reason and, indented,
/// `MODE...: NAME...`; '#' begins a comment.
class Expectations {
public:
  /// Reads a file; the error names the line.
  llvm::Error read(llvm::StringRef path);
  /// What is wrong with a report that this file does not expect; else "".
  std::string check(llvm::StringRef name, llvm::StringRef mode,
                    const Report &report) const;
  /// Forgets what the file says about a case in a mode.
  void forget(llvm::StringRef name, llvm::StringRef mode);
  /// Expects what has been reported, if it is a refusal.
  void add(llvm::StringRef name, llvm::StringRef mode, const Report &report);
  llvm::Error write(llvm::StringRef path) const;

private:
  using Key = std::pair<std::string, std::string>;
  /// By name and mode. There may be more than one: suites of several versions
  /// of ONNX have cases of one name.
  std::map<Key, std::set<std::string>> reasons;
};

} // namespace ambit::conformance

#endif // AMBIT_TEST_CONFORMANCE_EXPECTATIONS_H
