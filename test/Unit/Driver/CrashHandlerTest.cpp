// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a dying process says and the code it leaves.

#include "ambit/Driver/CrashHandler.h"
#include "ambit/Driver/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include <catch2/catch.hpp>
#include <csignal>
#include <functional>
#include <new>
#include <sys/wait.h>
#include <unistd.h>

using namespace ambit;

/// Runs `body` in a child that has the handler; returns its exit code.
static int exitCodeOf(std::function<void()> body, std::string &err) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    static const char *const argv[] = {"ambit", "compile", "m.onnx"};
    // Catch2's handlers would run first.
    for (int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGINT,
                       SIGHUP, SIGPIPE, SIGQUIT})
      std::signal(number, SIG_DFL);
    installCrashHandler(3, argv);
    body();
    _exit(0);
  }
  close(ends[1]);
  char buffer[512];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    err.append(buffer, count);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("a crash is our bug and says how to report it") {
  std::string err;
  CHECK(exitCodeOf([] { std::raise(SIGSEGV); }, err) == ExitBug);
  CHECK(err.find("this is a bug in ambit") != std::string::npos);
  CHECK(err.find("ambit compile m.onnx") != std::string::npos);
  CHECK(exitCodeOf([] { std::abort(); }, err) == ExitBug);
}

TEST_CASE("a fatal error of LLVM is our bug") {
  std::string err;
  CHECK(exitCodeOf([] { llvm::report_fatal_error("cannot select"); }, err) ==
        ExitBug);
  CHECK(err.find("internal error: cannot select") != std::string::npos);
}

TEST_CASE("who is asked to end exits with the signal's number") {
  std::string err;
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT})
    CHECK(exitCodeOf([=] { std::raise(number); }, err) == ExitSignal + number);
  CHECK(err.empty());
}

TEST_CASE("limits are the environment's") {
  std::string err;
  CHECK(exitCodeOf([] { std::raise(SIGXCPU); }, err) == ExitFailure);
  CHECK(err == "ambit: error: the limit of processor time is reached\n");
  CHECK(exitCodeOf([] { std::raise(SIGXFSZ); }, err) == ExitSuccess);
}

TEST_CASE("out of memory is the environment's fault") {
  std::string err;
  CHECK(exitCodeOf([] { ::operator delete(::operator new(size_t(1) << 62)); },
                   err) == ExitFailure);
  CHECK(err == "ambit: error: out of memory\n");
}
