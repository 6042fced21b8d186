// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ambit-halves: compiles random formulas on f16 and bf16 and on the same
// numbers in f32, and fails where a result is more than one unit in the last
// place of the narrow type away from the f32 one, or where the objects compiled
// with and without symbols differ.

#include "Composite.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Object/LoadedModel.h"
#include "ambit/Driver/Pipeline.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cmath>

using namespace ambit;
using namespace ambit::halves;
using llvm::StringRef;

namespace {
struct Arguments {
  uint64_t seed = 1;
  size_t count = 100;
  bool prints = false;
};
} // namespace

/// Compiles a model, runs it, and gives its one output. `error` says what went
/// wrong.
static std::optional<TensorData> runModel(const onnx::ModelProto &model,
                                          std::vector<TensorData> inputs,
                                          StringRef folder,
                                          std::string &error) {
  llvm::SmallString<128> path(folder), object(folder);
  llvm::sys::path::append(path, "model.onnx");
  static int number = 0; // a path that was loaded once is not loaded again
  llvm::sys::path::append(object, "m" + std::to_string(number++) + ".so");
  {
    std::error_code code;
    llvm::raw_fd_ostream file(path, code);
    file << model.SerializeAsString();
  }
  CompileOptions options;
  options.input = path.str().str();
  options.output = object.str().str();
  llvm::raw_string_ostream stream(error);
  mlir::DialectRegistry registry;
  registerPipelineDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(&context, stream);
  if (failed(runCompile(options, context, stream))) {
    error += " (does not compile)";
    return std::nullopt;
  }
  llvm::Expected<LoadedModel> loaded = LoadedModel::open(object);
  llvm::sys::fs::remove(object);
  if (!loaded) {
    error = llvm::toString(loaded.takeError());
    return std::nullopt;
  }
  llvm::Expected<std::vector<TensorData>> outputs = loaded->run(inputs);
  if (!outputs) {
    error = llvm::toString(outputs.takeError());
    return std::nullopt;
  }
  return std::move(outputs->front());
}

/// The distance of neighbours of the narrow type at a number.
static double unitAt(const llvm::fltSemantics &type, double value) {
  int digits = llvm::APFloat::semanticsPrecision(type) - 1;
  int exponent = value == 0 ? -1100 : std::ilogb(value);
  int least = llvm::APFloat::semanticsMinExponent(type);
  return std::ldexp(1.0, std::max(exponent, least) - digits);
}

/// The text of what is wrong with the narrow result, or "".
static std::string compare(const Composite &c, const TensorData &narrow,
                           const TensorData &single) {
  if (narrow.dims != single.dims)
    return "shapes differ";
  const llvm::fltSemantics &type = c.semantics();
  for (int64_t i = 0, e = *elementCount(single.dims); i < e; ++i) {
    double got = elementAsDouble(narrow, i), exact = elementAsDouble(single, i);
    double wanted = roundTo(type, exact);
    bool isSame = got == wanted || (std::isnan(got) && std::isnan(wanted));
    if (isSame || std::fabs(got - exact) <= unitAt(type, exact))
      continue;
    return "element " + std::to_string(i) + " is " + std::to_string(got) +
           ", in f32 " + std::to_string(exact);
  }
  return "";
}

/// The text of what is wrong with a formula, or "".
static std::string check(const Composite &c, StringRef folder) {
  std::string error;
  onnx::ModelProto fixed = c.narrow;
  for (auto [index, input] : llvm::enumerate(c.inputs)) {
    auto *shape = fixed.mutable_graph()
                      ->mutable_input(index)
                      ->mutable_type()
                      ->mutable_tensor_type()
                      ->mutable_shape();
    for (auto [dim, size] : llvm::enumerate(input.dims))
      shape->mutable_dim(dim)->set_dim_value(size);
  }
  std::optional<TensorData> symbolic =
      runModel(c.narrow, c.inputs, folder, error);
  std::optional<TensorData> stated = runModel(fixed, c.inputs, folder, error);
  std::optional<TensorData> single =
      runModel(c.single, c.inputs, folder, error);
  if (!symbolic || !stated || !single)
    return error;
  if (symbolic->bytes != stated->bytes)
    return "the objects with and without symbols differ";
  return compare(c, *symbolic, *single);
}

static bool parseArguments(int argc, char **argv, Arguments &arguments,
                           int &exitCode) {
  CLI::App app("Compares random formulas on 16-bit floats with f32.");
  app.add_option("--seed", arguments.seed, "seed of the first formula");
  app.add_option("--count", arguments.count, "number of formulas");
  app.add_flag("--print", arguments.prints, "show every formula");
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
  llvm::SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("ambit-halves", folder)) {
    printError(llvm::errs(), "no scratch folder: " + code.message());
    return ExitFailure;
  }
  size_t failures = 0;
  for (size_t i = 0; i < arguments.count; ++i) {
    Composite composite(arguments.seed + i);
    if (arguments.prints)
      llvm::outs() << "seed " << arguments.seed + i << ": " << composite.text()
                   << '\n';
    std::string problem = check(composite, folder);
    llvm::outs().flush();
    if (problem.empty())
      continue;
    ++failures;
    llvm::outs() << "seed " << arguments.seed + i << ": " << composite.text()
                 << ": " << problem << '\n';
  }
  llvm::sys::fs::remove_directories(folder);
  llvm::outs() << arguments.count << " formulas: " << failures << " failed\n";
  return failures ? ExitFailure : ExitSuccess;
}
