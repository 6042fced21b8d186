// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: what a compilation leaves behind of each phase: IR dumps and times.

#ifndef AMBIT_LIB_DRIVER_PHASELOG_H
#define AMBIT_LIB_DRIVER_PHASELOG_H

#include "ambit/Driver/Options.h"
#include "mlir/IR/BuiltinOps.h"
#include <chrono>

namespace ambit {

/// Serves --dump-ir and --time-report.
class PhaseLog {
public:
  explicit PhaseLog(const CompileOptions &options) : options(options) {}

  void begin(Phase phase);
  void end(Phase phase);
  /// Writes DIR/NN-phase.mlir; large constants are elided.
  mlir::LogicalResult dump(Phase phase, mlir::ModuleOp module);
  /// Prints a line per phase and the total.
  void report(llvm::raw_ostream &out) const;

private:
  const CompileOptions &options;
  std::chrono::steady_clock::time_point start;
  std::vector<std::pair<Phase, double>> seconds;
};

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_PHASELOG_H
