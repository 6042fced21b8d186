// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs work in child processes. The parent has no threads, so that forking is
// safe; a child sends its report through a pipe as JSON.

#include "Runner.h"
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ambit;
using namespace ambit::conformance;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {
struct Child {
  size_t index = 0;
  pid_t process = -1;
  int pipe = -1;
  Clock::time_point start;
  std::string text;
};
} // namespace

static Child start(size_t index, const std::function<Report(size_t)> &body) {
  Child child;
  child.index = index;
  child.start = Clock::now();
  int ends[2];
  if (pipe(ends) != 0)
    return child;
  child.process = fork();
  if (child.process == 0) {
    close(ends[0]);
    Report report = body(index);
    Json json = {static_cast<int>(report.status),
                 report.detail,
                 report.symbolicDims,
                 report.totalDims,
                 report.dataSets,
                 report.fixedInputs};
    std::string text =
        json.dump(-1, ' ', false, Json::error_handler_t::replace);
    ssize_t written = write(ends[1], text.data(), text.size());
    _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  child.pipe = ends[0];
  return child;
}

/// Waits for the child, which has closed its pipe or is to be killed.
static Report finish(Child &child, bool timedOut) {
  if (timedOut)
    kill(child.process, SIGKILL);
  int status = 0;
  waitpid(child.process, &status, 0);
  close(child.pipe);
  Report report;
  report.seconds =
      std::chrono::duration<double>(Clock::now() - child.start).count();
  Json json = Json::parse(child.text, nullptr, /*allow_exceptions=*/false);
  if (timedOut) {
    report.status = Status::Timeout;
    report.detail = "ran out of time";
  } else if (json.is_array() && json.size() == 6) {
    report.status = static_cast<Status>(json[0].get<int>());
    report.detail = json[1].get<std::string>();
    report.symbolicDims = json[2].get<int64_t>();
    report.totalDims = json[3].get<int64_t>();
    report.dataSets = json[4].get<int64_t>();
    report.fixedInputs = json[5].get<int64_t>();
  } else {
    report.status = Status::Crash;
    report.detail = WIFSIGNALED(status)
                        ? std::string("signal ") + strsignal(WTERMSIG(status))
                        : "exit code " + std::to_string(WEXITSTATUS(status));
  }
  return report;
}

/// Reads what is there; true when the child has nothing more to say.
static bool readMore(Child &child) {
  char buffer[4096];
  ssize_t count = read(child.pipe, buffer, sizeof buffer);
  if (count > 0)
    child.text.append(buffer, count);
  return count <= 0;
}

void ambit::conformance::runIsolated(
    size_t count, unsigned jobs, unsigned timeoutSeconds,
    std::function<Report(size_t)> body,
    std::function<void(size_t, const Report &)> done) {
  std::vector<std::optional<Report>> reports(count);
  std::vector<Child> running;
  size_t next = 0, reported = 0;
  while (reported < count) {
    while (running.size() < jobs && next < count) {
      running.push_back(start(next, body));
      ++next;
    }
    std::vector<pollfd> waits;
    for (const Child &child : running)
      waits.push_back({child.pipe, POLLIN, 0});
    poll(waits.data(), waits.size(), /*timeout=*/100);
    for (size_t i = running.size(); i-- > 0;) {
      bool ended = waits[i].revents && readMore(running[i]);
      bool timedOut = !ended && Clock::now() - running[i].start >
                                    std::chrono::seconds(timeoutSeconds);
      if (!ended && !timedOut)
        continue;
      reports[running[i].index] = finish(running[i], timedOut);
      running.erase(running.begin() + i);
    }
    for (; reported < count && reports[reported]; ++reported)
      done(reported, *reports[reported]);
  }
}
