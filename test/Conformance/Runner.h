// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a case and runs its data sets.

#ifndef AMBIT_TEST_CONFORMANCE_RUNNER_H
#define AMBIT_TEST_CONFORMANCE_RUNNER_H

#include "Case.h"
#include "ambit/Driver/Options.h"
#include <functional>

namespace ambit::conformance {

/// What becomes of the dims of the inputs.
enum class Mode {
  /// Each data set is compiled for its own sizes.
  Static,
  /// Every dim of every input is a symbol of its own; one object for all.
  Dynamic,
  /// As dynamic, and each size is padded to a larger one by the only variant,
  /// with NaN where padding should not matter. Each data set has its own.
  Bucketed,
  /// As the model says; one object for all.
  Declared
};

struct Settings {
  Mode mode = Mode::Dynamic;
  Tolerance tolerance;
  /// Options of `ambit compile` for every case; the runner fills in the rest.
  CompileOptions compile;
  /// Folder for compiled objects.
  std::string scratch;
};

enum class Status { Pass, Fail, Unsupported, Crash, Timeout };

/// "pass", "fail", ...
llvm::StringRef statusName(Status status);

struct Report {
  Status status = Status::Pass;
  /// Why, when it did not pass: one line.
  std::string detail;
  /// Of all dims of all inputs, those that the object leaves open.
  int64_t symbolicDims = 0, totalDims = 0;
  int64_t dataSets = 0;
  /// Inputs whose dims or value the graph needs, which were fixed to the data.
  int64_t fixedInputs = 0;
  double seconds = 0;
};

/// Runs a case in this process.
Report runCase(llvm::StringRef folder, const Settings &settings);

/// Calls `body` for 0 .. count-1, each in a process of its own, `jobs` at a
/// time, so that a crash or a hang is the result of one call. `done` is called
/// in order.
void runIsolated(size_t count, unsigned jobs, unsigned timeoutSeconds,
                 std::function<Report(size_t)> body,
                 std::function<void(size_t, const Report &)> done);

} // namespace ambit::conformance

#endif // AMBIT_TEST_CONFORMANCE_RUNNER_H
