// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ambit-conformance: runs cases in ONNX's layout and sums up.

#include "Runner.h"
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
  std::string listFile, jsonFile, filter;
  Settings settings;
  unsigned jobs = 2, timeout = 120;
  int atLeast = 0;
  bool quiet = false;
};

/// Counts and JSON over a whole run.
class Summary {
public:
  explicit Summary(const Arguments &arguments) : arguments(arguments) {}

  void add(llvm::StringRef folder, const Report &report);
  /// Prints the totals and writes the JSON; the exit code of the program.
  int finish();

private:
  const Arguments &arguments;
  std::map<Status, int> counts;
  int64_t symbolicDims = 0, totalDims = 0;
  Json cases = Json::array();
};
} // namespace

void Summary::add(llvm::StringRef folder, const Report &report) {
  llvm::StringRef name = llvm::sys::path::filename(folder.rtrim('/'));
  ++counts[report.status];
  symbolicDims += report.symbolicDims;
  totalDims += report.totalDims;
  cases.push_back({{"name", name.str()},
                   {"status", statusName(report.status).str()},
                   {"detail", report.detail},
                   {"data_sets", report.dataSets},
                   {"symbolic_dims", report.symbolicDims},
                   {"total_dims", report.totalDims},
                   {"fixed_inputs", report.fixedInputs},
                   {"seconds", report.seconds}});
  if (report.status == Status::Pass && arguments.quiet)
    return;
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
        << Json{{"totals", totals}, {"cases", cases}}.dump(1) << '\n';
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
  std::string mode = "dynamic";
  app.add_option("CASES", arguments.folders, "folders of cases");
  app.add_option("--list", arguments.listFile, "file with a folder per line");
  app.add_option("--mode", mode,
                 "static, dynamic (in both, inputs that the graph needs as "
                 "axes or modes are fixed to the data), or declared")
      ->check(CLI::IsMember(modes));
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
  arguments.settings.mode = modes.at(mode);
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
  llvm::erase_if(arguments.folders, [&](const std::string &folder) {
    return folder.find(arguments.filter) == std::string::npos;
  });
}

int main(int argc, char **argv) {
  Arguments arguments;
  if (int code = parseArguments(argc, argv, arguments))
    return code < 0 ? ExitSuccess : code;
  if (!parseCompileOptions(arguments))
    return ExitUsage;
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
  Summary summary(arguments);
  const std::vector<std::string> &folders = arguments.folders;
  runIsolated(
      folders.size(), arguments.jobs, arguments.timeout,
      [&](size_t i) { return runCase(folders[i], arguments.settings); },
      [&](size_t i, const Report &report) { summary.add(folders[i], report); });
  llvm::sys::fs::remove_directories(scratch);
  return summary.finish();
}
