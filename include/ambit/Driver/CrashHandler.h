// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the process ends: when Ambit itself fails, when it is interrupted, and
// when its output cannot be written.

#ifndef AMBIT_DRIVER_CRASHHANDLER_H
#define AMBIT_DRIVER_CRASHHANDLER_H

namespace ambit {

/// From here on a fatal signal, a failed assertion or an LLVM fatal error says
/// how to report the bug and exits with 70; a signal that asks the process to
/// end exits with 128 and its number; running out of memory or processor time
/// exits with 1. Unfinished output files are removed. `argv` must outlive the
/// process.
void installCrashHandler(int argc, const char *const *argv);

/// Keeps files that are opened from taking the place of a standard stream that
/// is closed. To be called first.
void occupyStandardStreams();

/// Flushes stdout and stderr. Returns the exit code, which is that of a failure
/// when stdout took not everything; a closed pipe is no error to speak of.
int finishStandardStreams(int exitCode);

/// Says on stderr how to report a bug in Ambit.
void sayHowToReport();

} // namespace ambit

#endif // AMBIT_DRIVER_CRASHHANDLER_H
