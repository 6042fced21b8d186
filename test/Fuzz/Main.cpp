// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ambit-fuzz: compiles and runs random graphs, each in a process of its own,
// and fails on a wrong number, a shape that is wrongly admitted or refused, a
// crash or a hang.

#include "Check.h"
#include "Generator.h"
#include "Shrink.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Driver/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>

using namespace ambit;
using namespace ambit::fuzz;
using conformance::Report;
using conformance::Status;
using Json = nlohmann::json;

namespace {
struct Arguments {
  uint64_t seed = 1;
  size_t count = 100, slow = 0;
  unsigned jobs = 2, timeout = 120;
  bool keepGoing = false, shrinks = true, prints = false, forms = false;
  std::string folder, file;
  CheckOptions check;
};

/// What all cases together have to tell.
struct Summary {
  size_t passed = 0, failed = 0;
  int64_t ran = 0, refused = 0;
  std::map<std::string, int> forms;
  std::vector<std::pair<double, uint64_t>> compiles;
};
} // namespace

/// In the child: the facts travel as the detail of a passed case.
static Report checkText(const std::string &text, const CheckOptions &options,
                        const std::map<std::string, int> &forms) {
  CaseFacts facts;
  Report report = checkModule(text, options, facts);
  if (report.status == Status::Pass)
    report.detail =
        Json{facts.compileSeconds, facts.ran, facts.refused, forms}.dump();
  return report;
}

static std::string moduleOf(const Arguments &arguments, uint64_t seed,
                            std::map<std::string, int> &forms) {
  if (arguments.file.empty())
    return generateModule(seed, forms);
  auto buffer = llvm::MemoryBuffer::getFile(arguments.file);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

static void countFacts(Summary &summary, const Report &report, uint64_t seed) {
  ++summary.passed;
  Json json = Json::parse(report.detail, nullptr, /*allow_exceptions=*/false);
  if (!json.is_array() || json.size() != 4)
    return;
  summary.compiles.push_back({json[0].get<double>(), seed});
  summary.ran += json[1].get<int64_t>();
  summary.refused += json[2].get<int64_t>();
  for (auto &[name, count] : json[3].items())
    summary.forms[name] += count.get<int>();
}

/// "wrong", "bits", ..., or the status of a case without a detail of its own.
static std::string kindOf(const Report &report) {
  if (report.status != Status::Fail)
    return conformance::statusName(report.status).str();
  return llvm::StringRef(report.detail).split(':').first.str();
}

/// Runs the text in a process of its own.
static Report runAlone(const std::string &text, const Arguments &arguments,
                       CheckOptions options) {
  Report result;
  conformance::runIsolated(
      1, 1, arguments.timeout,
      [&](size_t) { return checkText(text, options, {}); },
      [&](size_t, const Report &report) { result = report; });
  return result;
}

/// Writes the module, and a smaller one, for a person to look at.
static void keepReproducer(const Arguments &arguments, uint64_t seed,
                           const Report &report) {
  std::string path =
      arguments.folder + "/case-" + std::to_string(seed) + ".mlir";
  // Generation itself may be what crashes.
  std::string text;
  conformance::runIsolated(
      1, 1, arguments.timeout,
      [&](size_t) {
        std::map<std::string, int> forms;
        Report made;
        made.detail = moduleOf(arguments, seed, forms);
        return made;
      },
      [&](size_t, const Report &made) {
        if (made.status == Status::Pass)
          text = made.detail;
      });
  if (text.empty())
    return;
  if (arguments.shrinks) {
    CheckOptions options = arguments.check;
    options.seed = seed;
    text = shrinkModule(text, [&](const std::string &smaller) {
      return kindOf(runAlone(smaller, arguments, options)) == kindOf(report);
    });
    llvm::outs() << "  smaller: " << runAlone(text, arguments, options).detail
                 << '\n';
  }
  std::error_code code;
  llvm::raw_fd_ostream(path, code) << text;
  llvm::outs() << "  kept in " << path << '\n';
}

static void printSummary(Summary &summary, const Arguments &arguments) {
  llvm::outs() << summary.passed + summary.failed
               << " graphs: " << summary.passed << " passed, " << summary.failed
               << " failed; " << summary.forms.size() << " forms, "
               << summary.ran << " runs compared, " << summary.refused
               << " refused by both\n";
  llvm::sort(summary.compiles, std::greater<>());
  for (size_t i = 0; i < std::min(arguments.slow, summary.compiles.size()); ++i)
    llvm::outs() << llvm::format("  %6.2f s to compile seed ",
                                 summary.compiles[i].first)
                 << summary.compiles[i].second << '\n';
  if (arguments.forms)
    for (auto &[name, count] : summary.forms)
      llvm::outs() << "  " << count << " " << name << '\n';
}

static bool parseArguments(int argc, char **argv, Arguments &arguments,
                           int &exitCode) {
  CLI::App app("Compiles and runs random graphs; fails on wrong numbers, wrong "
               "guards, crashes and hangs.");
  app.add_option("FILE", arguments.file, "a module to check instead");
  app.add_option("--seed", arguments.seed, "seed of the first graph");
  app.add_option("--count", arguments.count, "number of graphs");
  app.add_option("--jobs", arguments.jobs, "graphs at a time");
  app.add_option("--timeout", arguments.timeout, "seconds for one graph");
  app.add_option("--shapes", arguments.check.shapes, "sizes for each graph");
  app.add_flag("--padded", arguments.check.padded,
               "pad all buckets, with NaN or huge numbers where it is free");
  app.add_option("--statics", arguments.check.statics,
                 "compiles without symbols for each graph");
  app.add_option("--keep", arguments.folder, "folder for graphs that fail");
  app.add_flag("--keep-going", arguments.keepGoing, "go on after a failure");
  app.add_flag("!--no-shrink", arguments.shrinks, "keep graphs as they are");
  app.add_flag("--print", arguments.prints, "only print the graph");
  app.add_flag("--forms", arguments.forms, "say how often each form was used");
  app.add_option("--report-slow", arguments.slow,
                 "list so many of the slowest compiles");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    exitCode = app.exit(error) == 0 ? ExitSuccess : ExitUsage;
    return false;
  }
  if (!arguments.file.empty())
    arguments.count = 1;
  return true;
}

static void runAll(const Arguments &arguments, Summary &summary) {
  // A batch at a time, so that a failure can end the run.
  size_t batch = arguments.keepGoing ? arguments.count : 16;
  for (size_t done = 0; done < arguments.count; done += batch) {
    uint64_t first = arguments.seed + done;
    std::vector<std::pair<uint64_t, Report>> failures;
    conformance::runIsolated(
        std::min(batch, arguments.count - done), arguments.jobs,
        arguments.timeout,
        [&](size_t i) {
          CheckOptions options = arguments.check;
          options.seed = first + i;
          std::map<std::string, int> forms;
          std::string text = moduleOf(arguments, options.seed, forms);
          return checkText(text, options, forms);
        },
        [&](size_t i, const Report &report) {
          if (report.status == Status::Pass)
            return countFacts(summary, report, first + i);
          ++summary.failed;
          llvm::outs() << conformance::statusName(report.status) << " seed "
                       << first + i << ": " << report.detail << '\n';
          llvm::outs().flush();
          failures.push_back({first + i, report});
        });
    for (auto &[seed, report] : failures)
      keepReproducer(arguments, seed, report);
    if (!failures.empty() && !arguments.keepGoing)
      return;
  }
}

int main(int argc, char **argv) {
  Arguments arguments;
  int exitCode = ExitSuccess;
  if (!parseArguments(argc, argv, arguments, exitCode))
    return exitCode;
  if (arguments.prints) {
    std::map<std::string, int> forms;
    llvm::outs() << moduleOf(arguments, arguments.seed, forms);
    return ExitSuccess;
  }
  llvm::SmallString<128> scratch;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("ambit-fuzz", scratch)) {
    printError(llvm::errs(), "no scratch folder: " + code.message());
    return ExitFailure;
  }
  arguments.check.scratch = scratch.str().str();
  if (arguments.folder.empty())
    arguments.folder = ".";
  llvm::sys::fs::create_directories(arguments.folder);
  Summary summary;
  runAll(arguments, summary);
  printSummary(summary, arguments);
  llvm::sys::fs::remove_directories(scratch);
  return summary.failed ? ExitFailure : ExitSuccess;
}
