// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns crashes into a message that helps to report the bug. The handlers run
// in broken processes: they write with the `write` call and allocate nothing.

#include "ambit/Driver/CrashHandler.h"
#include "ambit/Driver/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <cstring>
#include <new>
#include <unistd.h>

using namespace ambit;

static int commandLength;
static const char *const *command;

static void say(const char *text) {
  ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  (void)written;
}

void ambit::sayHowToReport() {
  say("note: this is a bug in ambit " AMBIT_VERSION
      "; report it with the model and this command line:\nnote:  ");
  for (int i = 0; i < commandLength; ++i) {
    say(" ");
    say(command[i]);
  }
  say("\nnote: 'ambit compile --dump-ir=DIR' keeps the IR of the phases before "
      "the failure\n");
}

static void onFatalSignal(void *) {
  say("ambit: internal error: a fatal signal or a failed assertion\n");
  sayHowToReport();
  _exit(ExitBug);
}

static void onFatalError(void *, const char *reason, bool) {
  say("ambit: internal error: ");
  say(reason);
  say("\n");
  sayHowToReport();
  llvm::sys::RunInterruptHandlers();
  _exit(ExitBug);
}

static void onOutOfMemory() {
  say("ambit: error: out of memory\n");
  llvm::sys::RunInterruptHandlers();
  _exit(ExitFailure);
}

static void onBadAlloc(void *, const char *, bool) { onOutOfMemory(); }

void ambit::installCrashHandler(int argc, const char *const *argv) {
  commandLength = argc;
  command = argv;
  llvm::sys::SetInterruptFunction([] { _exit(ExitInterrupted); });
  llvm::sys::AddSignalHandler(onFatalSignal, nullptr);
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  std::set_new_handler(onOutOfMemory);
}
