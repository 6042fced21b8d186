// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ambit-conformance: runs cases in ONNX's layout and sums up.

#include "Expectations.h"
#include "Page.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Driver/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace ambit;
using namespace ambit::conformance;
using Json = nlohmann::ordered_json;

namespace {
struct Arguments {
  std::vector<std::string> folders, compileArguments;
  std::string listFile, below, jsonFile, filter, mode = "dynamic";
  std::string expectations, writtenExpectations, page;
  Settings settings;
  unsigned jobs = 2, timeout = 120;
  int atLeast = 0;
  bool quiet = false;
};

/// What ctest takes for "skipped".
constexpr int kExitSkipped = 77;

/// Counts and JSON over a whole run.
class Summary {
public:
  explicit Summary(const Arguments &arguments, Expectations &expectations)
      : arguments(arguments), expectations(expectations) {}

  void add(llvm::StringRef folder, const Report &report);
  /// Prints the totals and writes the JSON; the exit code of the program.
  int finish();

private:
  void print(llvm::StringRef name, const Report &report);

  const Arguments &arguments;
  Expectations &expectations;
  std::map<Status, int> counts;
  int unexpected = 0;
  int64_t symbolicDims = 0, totalDims = 0;
  Json cases = Json::array();
};
} // namespace

void Summary::print(llvm::StringRef name, const Report &report) {
  llvm::outs() << statusName(report.status) << ' ' << name << ": ";
  if (report.status == Status::Pass)
    llvm::outs() << report.dataSets << " data sets, " << report.symbolicDims
                 << " of " << report.totalDims << " input dims symbolic"
                 << (report.fixedInputs
                         ? ", " + std::to_string(report.fixedInputs) + " fixed"
                         : "")
                 << '\n';
  else
    llvm::outs() << report.detail << '\n';
}

void Summary::add(llvm::StringRef folder, const Report &report) {
  llvm::StringRef name = llvm::sys::path::filename(folder.rtrim('/'));
  ++counts[report.status];
  symbolicDims += report.symbolicDims;
  totalDims += report.totalDims;
  cases.push_back({{"name", name.str()},
                   {"folder", folder.str()},
                   {"status", statusName(report.status).str()},
                   {"detail", report.detail},
                   {"data_sets", report.dataSets},
                   {"symbolic_dims", report.symbolicDims},
                   {"total_dims", report.totalDims},
                   {"fixed_inputs", report.fixedInputs},
                   {"seconds", report.seconds}});
  std::string surprise;
  if (!arguments.writtenExpectations.empty())
    expectations.add(name, arguments.mode, report);
  else if (!arguments.expectations.empty())
    surprise = expectations.check(name, arguments.mode, report);
  bool isQuiet = arguments.quiet && (report.status == Status::Pass ||
                                     (report.status == Status::Unsupported &&
                                      !arguments.expectations.empty()));
  if (!isQuiet || !surprise.empty())
    print(name, report);
  if (!surprise.empty()) {
    ++unexpected;
    llvm::outs() << "unexpected " << name << ": " << surprise << '\n';
  }
  llvm::outs().flush();
}

int Summary::finish() {
  int failures = 0;
  Json totals;
  for (Status status : {Status::Pass, Status::Fail, Status::Crash,
                        Status::Timeout, Status::Unsupported}) {
    if (status != Status::Pass && status != Status::Unsupported)
      failures += counts[status];
    totals[statusName(status).str()] = counts[status];
    llvm::outs() << statusName(status) << ": " << counts[status] << "  ";
  }
  llvm::outs() << "(" << symbolicDims << " of " << totalDims
               << " input dims symbolic)\n";
  if (!arguments.jsonFile.empty())
    std::ofstream(arguments.jsonFile)
        << Json{{"mode", arguments.mode}, {"totals", totals}, {"cases", cases}}
               .dump(1)
        << '\n';
  if (unexpected) {
    printError(llvm::errs(), llvm::Twine(unexpected) + " cases are not as " +
                                 arguments.expectations + " says");
    ++failures;
  }
  if (counts[Status::Pass] < arguments.atLeast) {
    printError(llvm::errs(), "only " + llvm::Twine(counts[Status::Pass]) +
                                 " cases pass, expected at least " +
                                 llvm::Twine(arguments.atLeast));
    return ExitFailure;
  }
  return failures ? ExitFailure : ExitSuccess;
}

static int parseArguments(int argc, char **argv, Arguments &arguments) {
  static const std::map<std::string, Mode> modes = {
      {"static", Mode::Static},
      {"dynamic", Mode::Dynamic},
      {"bucketed", Mode::Bucketed},
      {"declared", Mode::Declared}};
  CLI::App app("Compiles and runs cases: folders with model.onnx and "
               "test_data_set_*/{input,output}_k.pb. Arguments after '--' are "
               "options of 'ambit compile'.");
  app.add_option("CASES", arguments.folders, "folders of cases");
  app.add_option("--list", arguments.listFile, "file with a folder per line");
  app.add_option("--below", arguments.below,
                 "all cases in a folder; exit code 77 where it is missing");
  app.add_option("--mode", arguments.mode,
                 "static, dynamic, bucketed (in these, inputs that the graph "
                 "needs as axes or modes are fixed to the data), or declared")
      ->check(CLI::IsMember(modes));
  app.add_option("--expectations", arguments.expectations,
                 "fail when other cases are refused, or for other reasons, "
                 "than this file says");
  app.add_option("--write-expectations", arguments.writtenExpectations,
                 "write what --expectations reads; what a file there says of "
                 "other cases and modes stays");
  app.add_option("--page", arguments.page,
                 "write a page about operators from summaries that --json "
                 "wrote, which CASES are then");
  app.add_option("--filter", arguments.filter, "only names that contain this");
  Tolerance &tolerance = arguments.settings.tolerance;
  app.add_option("--rtol", tolerance.relative, "relative tolerance");
  app.add_option("--atol", tolerance.absolute, "absolute tolerance");
  app.add_option("--jobs", arguments.jobs, "cases at a time");
  app.add_option("--timeout", arguments.timeout, "seconds for one case");
  app.add_option("--json", arguments.jsonFile, "write a summary");
  app.add_option("--at-least", arguments.atLeast, "fail when fewer cases pass");
  app.add_flag("--quiet", arguments.quiet, "do not list what passes");
  // CLI11 would give what follows '--' to the folders.
  int ours = std::find(argv, argv + argc, std::string("--")) - argv;
  arguments.compileArguments.assign(argv + std::min(ours + 1, argc),
                                    argv + argc);
  try {
    app.parse(ours, argv);
  } catch (const CLI::ParseError &error) {
    int code = app.exit(error);
    return code == 0 ? -1 : ExitUsage;
  }
  arguments.settings.mode = modes.at(arguments.mode);
  return ExitSuccess;
}

/// Reads the options of `ambit compile` as the program itself would.
static bool parseCompileOptions(Arguments &arguments) {
  std::vector<const char *> words = {"ambit", "compile", "MODEL"};
  for (const std::string &word : arguments.compileArguments)
    words.push_back(word.c_str());
  Command command = parseCommandLine(words, llvm::outs(), llvm::errs());
  auto *options = std::get_if<CompileOptions>(&command);
  if (options)
    arguments.settings.compile = *options;
  return options != nullptr;
}

static void collectFolders(Arguments &arguments) {
  std::ifstream list(arguments.listFile);
  for (std::string line; std::getline(list, line);)
    if (!line.empty())
      arguments.folders.push_back(line);
  std::vector<std::string> below;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator at(arguments.below, code), end;
       !code && at != end; at.increment(code))
    if (llvm::sys::fs::exists(at->path() + "/model.onnx"))
      below.push_back(at->path());
  // Directories come in no order.
  llvm::sort(below);
  llvm::append_range(arguments.folders, below);
  llvm::erase_if(arguments.folders, [&](const std::string &folder) {
    return folder.find(arguments.filter) == std::string::npos;
  });
}

/// The file that the run is held against, or that is written anew.
static llvm::Error readExpectations(const Arguments &arguments,
                                    Expectations &expectations) {
  if (arguments.writtenExpectations.empty())
    return arguments.expectations.empty()
               ? llvm::Error::success()
               : expectations.read(arguments.expectations);
  if (!llvm::sys::fs::exists(arguments.writtenExpectations))
    return llvm::Error::success();
  if (llvm::Error error = expectations.read(arguments.writtenExpectations))
    return error;
  for (llvm::StringRef folder : arguments.folders)
    expectations.forget(llvm::sys::path::filename(folder.rtrim('/')),
                        arguments.mode);
  return llvm::Error::success();
}

static int fail(llvm::Error error) {
  printError(llvm::errs(), llvm::toString(std::move(error)));
  return ExitFailure;
}

/// Runs the cases; the exit code of the program.
static int runCases(const Arguments &arguments) {
  Expectations expectations;
  if (llvm::Error error = readExpectations(arguments, expectations))
    return fail(std::move(error));
  Summary summary(arguments, expectations);
  const std::vector<std::string> &folders = arguments.folders;
  runIsolated(
      folders.size(), arguments.jobs, arguments.timeout,
      [&](size_t i) { return runCase(folders[i], arguments.settings); },
      [&](size_t i, const Report &report) { summary.add(folders[i], report); });
  if (!arguments.writtenExpectations.empty())
    if (llvm::Error error = expectations.write(arguments.writtenExpectations))
      return fail(std::move(error));
  return summary.finish();
}

int main(int argc, char **argv) {
  Arguments arguments;
  if (int code = parseArguments(argc, argv, arguments))
    return code < 0 ? ExitSuccess : code;
  if (!parseCompileOptions(arguments))
    return ExitUsage;
  if (!arguments.page.empty()) {
    llvm::Error error = writePage(arguments.page, arguments.folders);
    return error ? fail(std::move(error)) : ExitSuccess;
  }
  if (!arguments.below.empty() && !llvm::sys::fs::exists(arguments.below)) {
    llvm::outs() << "skipped: there is no " << arguments.below << '\n';
    return kExitSkipped;
  }
  collectFolders(arguments);
  if (arguments.folders.empty()) {
    printError(llvm::errs(), "no cases");
    return ExitUsage;
  }
  llvm::SmallString<128> scratch;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("ambit-conformance", scratch)) {
    printError(llvm::errs(), "no scratch folder: " + code.message());
    return ExitFailure;
  }
  arguments.settings.scratch = scratch.str().str();
  int code = runCases(arguments);
  llvm::sys::fs::remove_directories(scratch);
  return code;
}
