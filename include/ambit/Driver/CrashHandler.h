// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens when Ambit itself fails, or is interrupted.

#ifndef AMBIT_DRIVER_CRASHHANDLER_H
#define AMBIT_DRIVER_CRASHHANDLER_H

namespace ambit {

/// From here on a fatal signal, a failed assertion or an LLVM fatal error says
/// how to report the bug and exits with 70; an interrupt exits with 130; and
/// running out of memory exits with 1. Unfinished output files are removed.
/// `argv` must outlive the process.
void installCrashHandler(int argc, const char *const *argv);

/// Says on stderr how to report a bug in Ambit.
void sayHowToReport();

} // namespace ambit

#endif // AMBIT_DRIVER_CRASHHANDLER_H
