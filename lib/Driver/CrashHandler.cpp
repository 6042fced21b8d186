// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns crashes into a message that helps to report the bug, and ends of other
// kinds into exit codes. The handlers run in broken processes: they write with
// the `write` call and allocate nothing.

#include "ambit/Driver/CrashHandler.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Files/OutputFile.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <unistd.h>
#include <vector>

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

/// Removes what the process leaves behind unfinished.
static void cleanUp() {
  llvm::sys::RunInterruptHandlers();
  removeScratchFolders();
}

static void onFatalSignal(void *) {
  cleanUp();
  say("ambit: internal error: a fatal signal or a failed assertion\n");
  sayHowToReport();
  _exit(ExitBug);
}

static void onFatalError(void *, const char *reason, bool) {
  cleanUp();
  say("ambit: internal error: ");
  say(reason);
  say("\n");
  sayHowToReport();
  _exit(ExitBug);
}

static void onOutOfMemory() {
  cleanUp();
  say("ambit: error: out of memory\n");
  _exit(ExitFailure);
}

static void onBadAlloc(void *, const char *, bool) { onOutOfMemory(); }

/// Someone wants the process to end: as a shell would report it, and silently.
static void onRequest(int number) {
  cleanUp();
  _exit(ExitSignal + number);
}

static void onCpuLimit(int) {
  cleanUp();
  say("ambit: error: the limit of processor time is reached\n");
  _exit(ExitFailure);
}

void ambit::installCrashHandler(int argc, const char *const *argv) {
  commandLength = argc;
  command = argv;
  // Who started the process may want some of these ignored.
  std::vector<std::pair<int, decltype(SIG_IGN)>> requests;
  for (int number :
       {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2}) {
    struct sigaction before;
    bool isIgnored = sigaction(number, nullptr, &before) == 0 &&
                     before.sa_handler == SIG_IGN;
    requests.emplace_back(number, isIgnored ? SIG_IGN : onRequest);
  }
  llvm::sys::AddSignalHandler(onFatalSignal, nullptr);
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  std::set_new_handler(onOutOfMemory);
  // LLVM's handlers stay for crashes only.
  for (auto [number, handler] : requests)
    std::signal(number, handler);
  std::signal(SIGXCPU, onCpuLimit);
  // A write beyond the limit of a file's size fails then, like any other.
  std::signal(SIGXFSZ, SIG_IGN);
}

/// A closed descriptor would be taken by the next file that is opened, and that
/// would get what is meant for the user. One that cannot be used reports it.
static void occupy(int descriptor, int flags) {
  if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF)
    return;
  int file = open("/dev/null", flags);
  if (file >= 0 && file != descriptor) {
    dup2(file, descriptor);
    close(file);
  }
}

void ambit::occupyStandardStreams() {
  occupy(STDIN_FILENO, O_WRONLY);
  occupy(STDOUT_FILENO, O_RDONLY);
  occupy(STDERR_FILENO, O_RDONLY);
}

static std::error_code takeError(llvm::raw_fd_ostream &stream) {
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  return code;
}

int ambit::finishStandardStreams(int exitCode) {
  std::error_code code = takeError(llvm::outs());
  if (code && code != std::errc::broken_pipe) {
    printError(llvm::errs(), "cannot write to stdout: " + code.message());
    exitCode = exitCode ? exitCode : ExitFailure;
  } else if (code && !exitCode) {
    // The reader has seen enough.
    exitCode = ExitSignal + SIGPIPE;
  }
  // Nobody is left to be told about stderr.
  takeError(llvm::errs());
  return exitCode;
}
