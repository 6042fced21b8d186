// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ambit-mutate: damages copies of models (byte flips and truncations, seeded)
// and imports them. Whatever the damage, the result is a model or a diagnostic
// that blames the model; an internal error, a crash, a hang or a hunger for
// memory is a failure.

#include "Runner.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Pipeline.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <random>
#include <sys/resource.h>

using namespace ambit;
using namespace ambit::conformance;

namespace {
struct Arguments {
  std::vector<std::string> models;
  std::string keep, lastPhase = "simplify";
  size_t count = 1000, only = SIZE_MAX;
  uint64_t seed = 1;
  unsigned jobs = 2, timeout = 10, megabytes = 2048;
};
} // namespace

/// The same damage for the same number, whatever else is run.
static std::string mutate(llvm::StringRef original, uint64_t seed,
                          size_t number) {
  std::mt19937_64 random(seed * 1000003 + number);
  std::string bytes = original.str();
  if (bytes.empty())
    return bytes;
  if (random() % 4 == 0)
    bytes.resize(random() % bytes.size());
  // Half of the flips go to the first kilobytes and the last, where structure
  // is denser than in weights.
  for (size_t flips = size_t(1) << random() % 5; flips > 0 && !bytes.empty();
       --flips) {
    size_t window = std::min<size_t>(bytes.size(), 4096);
    size_t at = random() % bytes.size();
    if (random() % 4 == 0)
      at = random() % window;
    else if (random() % 3 == 0)
      at = bytes.size() - 1 - random() % window;
    bytes[at] = static_cast<char>(random());
  }
  return bytes;
}

static Report importMutation(const Arguments &arguments,
                             const std::vector<std::string> &originals,
                             llvm::StringRef scratch, size_t number) {
  rlimit limit = {rlim_t(arguments.megabytes) << 20, rlim_t(arguments.megabytes)
                                                         << 20};
  setrlimit(RLIMIT_AS, &limit);
  CompileOptions options;
  options.input =
      (scratch + "/mutation-" + llvm::Twine(number) + ".onnx").str();
  options.output = "-";
  options.stopAfter = parsePhase(arguments.lastPhase);
  std::error_code code;
  llvm::raw_fd_ostream(options.input, code)
      << mutate(originals[number % originals.size()], arguments.seed, number);
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::DialectRegistry registry;
  registerPipelineDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(&context, stream);
  Report report;
  if (mlir::failed(runCompile(options, context, llvm::nulls()))) {
    bool isOurs = text.empty() || printer.blamedAmbit();
    report.status = isOurs ? Status::Fail : Status::Unsupported;
    report.detail = text.empty() ? "failed without saying why" : text;
  }
  if (report.status != Status::Fail)
    llvm::sys::fs::remove(options.input);
  return report;
}

static bool parseArguments(int argc, char **argv, Arguments &arguments,
                           int &exitCode) {
  CLI::App app("Imports damaged copies of models; fails on a crash, a hang, or "
               "too much memory.");
  app.add_option("MODELS", arguments.models, "model files")->required();
  app.add_option("--count", arguments.count, "number of copies");
  app.add_option("--only", arguments.only, "only the copy of this number");
  app.add_option("--seed", arguments.seed, "seed of the damage");
  app.add_option("--jobs", arguments.jobs, "copies at a time");
  app.add_option("--timeout", arguments.timeout, "seconds for one copy");
  app.add_option("--memory", arguments.megabytes, "MiB for one copy");
  app.add_option("--stop-after", arguments.lastPhase, "last phase to run");
  app.add_option("--keep", arguments.keep, "folder for copies that fail");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    exitCode = app.exit(error) == 0 ? ExitSuccess : ExitUsage;
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  Arguments arguments;
  int exitCode = ExitSuccess;
  if (!parseArguments(argc, argv, arguments, exitCode))
    return exitCode;
  std::vector<std::string> originals;
  for (const std::string &path : arguments.models) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) {
      printError(llvm::errs(), path + ": " + buffer.getError().message());
      return ExitFailure;
    }
    originals.push_back((*buffer)->getBuffer().str());
  }
  llvm::SmallString<128> scratch(arguments.keep);
  std::error_code code =
      arguments.keep.empty()
          ? llvm::sys::fs::createUniqueDirectory("ambit-mutate", scratch)
          : llvm::sys::fs::create_directories(arguments.keep);
  if (code) {
    printError(llvm::errs(), "no scratch folder: " + code.message());
    return ExitFailure;
  }
  bool one = arguments.only != SIZE_MAX;
  size_t first = one ? arguments.only : 0, failures = 0, accepted = 0;
  size_t count = one ? 1 : arguments.count;
  runIsolated(
      count, arguments.jobs, arguments.timeout,
      [&](size_t i) {
        return importMutation(arguments, originals, scratch, first + i);
      },
      [&](size_t i, const Report &report) {
        accepted += report.status == Status::Pass;
        if (report.status == Status::Pass ||
            report.status == Status::Unsupported)
          return;
        ++failures;
        size_t number = first + i;
        llvm::outs() << statusName(report.status) << " copy " << number
                     << " of " << arguments.models[number % originals.size()]
                     << ": " << report.detail << '\n';
      });
  llvm::outs() << count << " copies: " << accepted << " accepted, "
               << count - accepted - failures << " refused, " << failures
               << " failed\n";
  if (arguments.keep.empty())
    llvm::sys::fs::remove_directories(scratch);
  return failures ? ExitFailure : ExitSuccess;
}
