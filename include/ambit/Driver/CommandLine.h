// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of `ambit`: from words to option structs, and the main.

#ifndef AMBIT_DRIVER_COMMANDLINE_H
#define AMBIT_DRIVER_COMMANDLINE_H

#include "ambit/Driver/Options.h"
#include "llvm/Support/raw_ostream.h"
#include <variant>

namespace ambit {

/// What the process tells its caller.
enum ExitCode : int {
  ExitSuccess = 0,
  /// The model, the environment or the host is at fault.
  ExitFailure = 1,
  /// The command line is at fault.
  ExitUsage = 2,
  /// Ambit is at fault.
  ExitBug = 70,
  /// Ended by a signal, whose number is added: 130 for an interrupt.
  ExitSignal = 128
};

/// A command line that was understood: one verb with its options, or an exit
/// code when nothing is left to do (help was printed, or an error).
using Command =
    std::variant<ExitCode, CompileOptions, ShapesOptions, PlanVerbOptions,
                 InspectOptions, RunOptions, ProfileOptions, CalibrateOptions>;

/// Reads the command line. Help goes to `out`, usage errors to `err`.
Command parseCommandLine(llvm::ArrayRef<const char *> argv,
                         llvm::raw_ostream &out, llvm::raw_ostream &err);

/// The candidate that `text` was probably meant to be, or "".
llvm::StringRef closestName(llvm::StringRef text,
                            llvm::ArrayRef<std::string> candidates);

/// The whole of `ambit`: parses, installs the handlers, runs the verb.
int ambitMain(int argc, char **argv);

} // namespace ambit

#endif // AMBIT_DRIVER_COMMANDLINE_H
