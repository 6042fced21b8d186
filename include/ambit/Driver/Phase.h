// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases of a compilation, in order. This one enum drives --stop-after, the
// numbers of dumped files, time reports and the help text.

#ifndef AMBIT_DRIVER_PHASE_H
#define AMBIT_DRIVER_PHASE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace ambit {

enum class Phase {
  Import,
  Infer,
  Simplify,
  Plan,
  Specialize,
  Kernels,
  Lower,
  Dispatch,
  Emit
};

/// Every phase in the order of execution.
llvm::ArrayRef<Phase> allPhases();
/// The name used on the command line and in dumped files: "import".
llvm::StringRef phaseName(Phase phase);
/// One line for the help: what the phase does.
llvm::StringRef phaseSummary(Phase phase);
/// The phase of that name, or nothing.
std::optional<Phase> parsePhase(llvm::StringRef name);

} // namespace ambit

#endif // AMBIT_DRIVER_PHASE_H
