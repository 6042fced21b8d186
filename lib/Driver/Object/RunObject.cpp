// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `ambit run`: gathers the inputs, runs a compiled object, shows the outputs.

#include "ObjectVerbs.h"
#include "RunInputs.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Object/LoadedModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

using namespace ambit;
using Json = nlohmann::ordered_json;

namespace {
/// What the summary says about the elements of an output.
struct Statistics {
  double min = 0, max = 0, sum = 0;
  int64_t count = 0, notFinite = 0;
};

struct RunResult {
  std::vector<TensorData> outputs;
  /// Where they were written; none without --output-dir.
  std::vector<std::string> files;
  std::vector<double> microseconds;
  std::string explanation;
};
} // namespace

static Statistics summarize(const TensorData &tensor) {
  Statistics result;
  int64_t total = elementCount(tensor.dims).value_or(0);
  for (int64_t i = 0; i < total; ++i) {
    double value = elementAsDouble(tensor, i);
    if (!std::isfinite(value)) {
      ++result.notFinite;
      continue;
    }
    result.min = result.count ? std::min(result.min, value) : value;
    result.max = result.count ? std::max(result.max, value) : value;
    result.sum += value;
    ++result.count;
  }
  return result;
}

static llvm::Expected<RunResult> runAll(LoadedModel &loaded,
                                        std::vector<TensorData> &inputs,
                                        const RunOptions &options) {
  RunResult result;
  if (options.explain) {
    llvm::Expected<std::string> text = loaded.explain(inputs);
    if (!text)
      return text.takeError();
    result.explanation = std::move(*text);
  }
  for (unsigned i = 0; i < options.repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    llvm::Expected<std::vector<TensorData>> outputs = loaded.run(inputs);
    std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - start;
    if (!outputs)
      return outputs.takeError();
    result.outputs = std::move(*outputs);
    result.microseconds.push_back(elapsed.count());
  }
  return result;
}

/// ONNX names hold slashes and colons, and may be long; file names should not.
static std::string fileNameFor(llvm::StringRef name) {
  constexpr size_t kMaxLength = 200;
  std::string result;
  for (char c : name.take_front(kMaxLength))
    result += llvm::isAlnum(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  return result.empty() || result.front() == '.' ? "_" + result : result;
}

/// A path for each output. Those whose names become the same get numbers.
static std::vector<std::string>
outputPaths(const std::vector<TensorData> &outputs,
            const std::string &directory) {
  std::set<std::string> taken;
  std::vector<std::string> paths;
  for (const TensorData &output : outputs) {
    std::string stem = fileNameFor(output.name), name = stem;
    for (int number = 2; !taken.insert(name).second; ++number)
      name = stem + "-" + std::to_string(number);
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, name + ".npy");
    paths.push_back(path.str().str());
  }
  return paths;
}

static llvm::Error writeOutputs(RunResult &result,
                                const std::string &directory) {
  if (std::error_code code = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError(code, "cannot create '" + directory +
                                             "': " + code.message());
  result.files = outputPaths(result.outputs, directory);
  for (auto [path, output] : llvm::zip_equal(result.files, result.outputs))
    if (llvm::Error error = writeNpy(path, output))
      return error;
  return llvm::Error::success();
}

static void printText(const LoadedModel &loaded, const RunResult &result,
                      llvm::raw_ostream &out) {
  ambit_variant_info variant = loaded.variant(loaded.lastVariant());
  out << "variant " << loaded.lastVariant() << ": " << variant.name << " ("
      << variant.kind << ") for " << variant.domain << '\n'
      << result.explanation;
  if (!result.explanation.empty() && result.explanation.back() != '\n')
    out << '\n';
  for (auto [index, output] : llvm::enumerate(result.outputs)) {
    out << "output '" << output.name << "': " << dtypeName(output.dtype) << '[';
    for (size_t i = 0; i < output.dims.size(); ++i)
      out << (i ? ", " : "") << output.dims[i];
    out << ']';
    Statistics stats = summarize(output);
    if (stats.count)
      out << llvm::format("  min %g  max %g  mean %g", stats.min, stats.max,
                          stats.sum / stats.count);
    if (stats.notFinite)
      out << "  not finite: " << stats.notFinite;
    if (!result.files.empty())
      out << "  in " << result.files[index];
    out << '\n';
  }
  if (result.microseconds.size() == 1)
    return;
  std::vector<double> times = result.microseconds;
  std::sort(times.begin(), times.end());
  out << llvm::format("time of %zu runs: min %.1f us, median %.1f us, max %.1f "
                      "us\n",
                      times.size(), times.front(), times[times.size() / 2],
                      times.back());
}

static void printJson(const LoadedModel &loaded, const RunResult &result,
                      llvm::raw_ostream &out) {
  ambit_variant_info variant = loaded.variant(loaded.lastVariant());
  Json root = {{"variant",
                {{"index", loaded.lastVariant()},
                 {"name", variant.name},
                 {"kind", variant.kind},
                 {"domain", variant.domain}}},
               {"outputs", Json::array()},
               {"microseconds", result.microseconds}};
  if (!result.explanation.empty())
    root["explanation"] = result.explanation;
  for (auto [index, output] : llvm::enumerate(result.outputs)) {
    Statistics stats = summarize(output);
    root["outputs"].push_back({{"name", output.name},
                               {"dtype", dtypeName(output.dtype)},
                               {"dims", output.dims},
                               {"min", stats.count ? Json(stats.min) : Json()},
                               {"max", stats.count ? Json(stats.max) : Json()},
                               {"not_finite", stats.notFinite}});
    if (!result.files.empty())
      root["outputs"].back()["file"] = result.files[index];
  }
  out << root.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

ExitCode ambit::runObject(const RunOptions &options, llvm::raw_ostream &out,
                          llvm::raw_ostream &err) {
  auto fail = [&](llvm::Error error) {
    ExitCode code = error.isA<UsageError>() ? ExitUsage : ExitFailure;
    printError(err, llvm::toString(std::move(error)));
    return code;
  };
  if (llvm::sys::fs::exists(options.input) && !isObjectFile(options.input))
    return fail(llvm::make_error<UsageError>(
        "'" + options.input +
        "' is not a compiled model; 'ambit compile' makes one from an ONNX "
        "file"));
  llvm::Expected<LoadedModel> loaded =
      LoadedModel::open(options.input, static_cast<int32_t>(options.threads));
  if (!loaded)
    return fail(loaded.takeError());
  llvm::Expected<std::vector<TensorData>> inputs =
      gatherInputs(*loaded, options);
  if (!inputs)
    return fail(inputs.takeError());
  llvm::Expected<RunResult> result = runAll(*loaded, *inputs, options);
  if (!result)
    return fail(result.takeError());
  if (!options.outputDir.empty())
    if (llvm::Error error = writeOutputs(*result, options.outputDir))
      return fail(std::move(error));
  if (options.json)
    printJson(*loaded, *result, out);
  else
    printText(*loaded, *result, out);
  return ExitSuccess;
}
