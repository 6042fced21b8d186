// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One case: compile as the mode asks, run every data set, compare.

#include "Runner.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Object/LoadedModel.h"
#include "ambit/Driver/Pipeline.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include <unistd.h>

using namespace ambit;
using namespace ambit::conformance;
using llvm::StringRef;

StringRef ambit::conformance::statusName(Status status) {
  static constexpr StringRef names[] = {"pass", "fail", "unsupported", "crash",
                                        "timeout"};
  return names[static_cast<size_t>(status)];
}

/// The shapes that the mode gives the inputs.
static std::map<std::string, std::vector<std::string>>
inputShapes(const Case &subject, const DataSet &set, Mode mode) {
  std::map<std::string, std::vector<std::string>> shapes;
  if (mode == Mode::Declared)
    return shapes;
  for (auto [index, input] : llvm::enumerate(set.inputs)) {
    std::vector<std::string> &dims = shapes[subject.inputNames[index]];
    for (auto [dim, size] : llvm::enumerate(input.dims))
      dims.push_back(mode == Mode::Static ? std::to_string(size)
                                          : "in" + std::to_string(index) + "_" +
                                                std::to_string(dim));
  }
  return shapes;
}

/// What `ambit compile` prints; empty for success.
static std::string compileOnce(const CompileOptions &options) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::DialectRegistry registry;
  registerPipelineDialects(registry);
  // Cases run side by side in processes; threads would only compete.
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(&context, stream);
  if (mlir::succeeded(runCompile(options, context, stream)))
    return "";
  return text.empty() ? "failed without saying why" : text;
}

/// A float in digits that give it back.
static std::string exactText(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", number);
  return text;
}

/// The elements of a tensor as values of `--value`, for types that can be.
static std::optional<InputValue> valueOf(const TensorData &tensor) {
  switch (tensor.dtype) {
  case AMBIT_FLOAT16:
  case AMBIT_BFLOAT16:
  case AMBIT_UINT64:
    return std::nullopt;
  default:
    break;
  }
  InputValue value;
  value.isList = !tensor.dims.empty();
  bool isFloat = tensor.dtype == AMBIT_FLOAT32 || tensor.dtype == AMBIT_FLOAT64;
  for (int64_t i = 0, count = *elementCount(tensor.dims); i < count; ++i) {
    double element = elementAsDouble(tensor, i);
    value.elements.push_back(isFloat ? exactText(element)
                                     : std::to_string(int64_t(element)));
  }
  return value;
}

/// Fixes the dims that the diagnostics say must be constants, such as those of
/// a window. Whether there were any to fix.
static bool fixDims(StringRef diagnostics, const Case &subject,
                    const DataSet &set, CompileOptions &options,
                    std::set<std::string> &fixed) {
  bool isChanged = false;
  llvm::Regex named("'in([0-9]+)_([0-9]+)' is not a constant");
  llvm::SmallVector<StringRef> match;
  for (StringRef rest = diagnostics; named.match(rest, &match);
       rest = rest.substr(match[0].end() - rest.begin())) {
    size_t input = 0, dim = 0;
    match[1].getAsInteger(10, input);
    match[2].getAsInteger(10, dim);
    if (input >= set.inputs.size() || dim >= set.inputs[input].dims.size())
      continue;
    std::string size = std::to_string(set.inputs[input].dims[dim]);
    const std::string &name = subject.inputNames[input];
    isChanged |= std::exchange(options.inputShapes[name][dim], size) != size;
    fixed.insert(name);
  }
  return isChanged;
}

/// Fixes the inputs that the diagnostics ask to be fixed: first their dims,
/// then to what the data set holds. Whether there were any to fix.
static bool fixInputs(StringRef diagnostics, const Case &subject,
                      const DataSet &set, CompileOptions &options,
                      std::set<std::string> &fixed) {
  bool isChanged = false;
  constexpr StringRef flag = "fix it with --value ";
  for (size_t at = diagnostics.find(flag); at != StringRef::npos;
       at = diagnostics.find(flag, at + 1)) {
    StringRef name = diagnostics.substr(at + flag.size()).split("=").first;
    auto input = llvm::find(subject.inputNames, name);
    if (input == subject.inputNames.end())
      continue;
    const TensorData &tensor = set.inputs[input - subject.inputNames.begin()];
    std::vector<std::string> dims;
    for (int64_t size : tensor.dims)
      dims.push_back(std::to_string(size));
    if (std::exchange(options.inputShapes[name.str()], dims) != dims) {
      isChanged = true;
      fixed.insert(name.str());
    } else if (auto value = valueOf(tensor)) {
      isChanged |= options.values.emplace(name.str(), *value).second;
      fixed.insert(name.str());
    }
  }
  return isChanged;
}

/// Pads every size that is a symbol to one that is a little larger.
static void padSizes(const Case &subject, const DataSet &set,
                     CompileOptions &options) {
  constexpr int64_t kMore = 3;
  options.dims.clear();
  options.buckets.clear();
  options.fallback = false;
  options.paddingFill = FreePadding::NaN;
  for (auto [index, input] : llvm::enumerate(set.inputs))
    for (auto [text, size] : llvm::zip_equal(
             options.inputShapes[subject.inputNames[index]], input.dims))
      if (!llvm::isDigit(text.front())) {
        options.buckets[text] = {size + kMore};
        options.dims.push_back({text, 0, size + kMore});
      }
  if (!options.buckets.empty())
    options.bucketKinds[""].way = BucketKind::Way::Padded;
}

/// Compiles to `path`; returns the first line of the diagnostics, or "". Inputs
/// that the graph needs as axes or modes are fixed, unless a model is taken as
/// it is declared: those for which the compiler says so.
static std::string compile(const Case &subject, const DataSet &set,
                           const Settings &settings, StringRef path,
                           int64_t &fixedInputs) {
  CompileOptions options = settings.compile;
  options.input = subject.modelPath;
  options.output = path.str();
  options.inputShapes = inputShapes(subject, set, settings.mode);
  std::string text;
  std::set<std::string> fixed;
  do {
    if (settings.mode == Mode::Bucketed)
      padSizes(subject, set, options);
    text = compileOnce(options);
  } while (!text.empty() && settings.mode != Mode::Declared &&
           (fixDims(text, subject, set, options, fixed) ||
            fixInputs(text, subject, set, options, fixed)));
  fixedInputs = fixed.size();
  return StringRef(text).split('\n').first.str();
}

static void countDims(const LoadedModel &loaded, Report &report) {
  for (int32_t i = 0; i < loaded.counts().inputs; ++i) {
    for (const ambit_dim_info &dim : loaded.inputDims(i)) {
      ++report.totalDims;
      report.symbolicDims += dim.value < 0;
    }
  }
}

/// A mode must test what it says it tests.
static std::string checkMode(const Report &report, Mode mode) {
  if (mode == Mode::Static && report.symbolicDims)
    return "static mode left " + std::to_string(report.symbolicDims) +
           " input dims symbolic";
  bool isDynamic = mode == Mode::Dynamic || mode == Mode::Bucketed;
  if (isDynamic && report.totalDims && !report.symbolicDims)
    return "dynamic mode made every input dim static";
  return "";
}

/// With `isRandom`, only the types and sizes of outputs are compared.
static std::string runDataSet(LoadedModel &loaded, const DataSet &set,
                              Tolerance tolerance, bool isRandom) {
  std::vector<TensorData> inputs = set.inputs;
  llvm::Expected<std::vector<TensorData>> outputs = loaded.run(inputs);
  std::vector<TensorData> expected = set.outputs;
  if (outputs && isRandom)
    for (auto [actual, wanted] : llvm::zip(*outputs, expected))
      if (actual.dtype == wanted.dtype && actual.dims == wanted.dims)
        wanted.bytes = actual.bytes;
  std::string problem = outputs ? compareOutputs(*outputs, expected, tolerance)
                                : llvm::toString(outputs.takeError());
  return problem.empty() ? "" : set.name + ": " + problem;
}

static double numberOf(StringRef text) {
  double number = text == "true";
  text.getAsDouble(number);
  return number;
}

/// Whether the data set has the values that the options of `ambit compile` give
/// inputs: the object is for no others.
static bool hasGivenValues(const Case &subject, const DataSet &set,
                           const Settings &settings) {
  for (auto [index, name] : llvm::enumerate(subject.inputNames)) {
    auto given = settings.compile.values.find(name);
    if (given == settings.compile.values.end())
      continue;
    const TensorData &tensor = set.inputs[index];
    int64_t count = given->second.elements.size();
    if (elementCount(tensor.dims) != count)
      return false;
    for (int64_t i = 0; i < count; ++i)
      if (elementAsDouble(tensor, i) != numberOf(given->second.elements[i]))
        return false;
  }
  return true;
}

static Report runAll(const Case &subject, const Settings &settings) {
  Report report;
  auto fail = [&](Status status, std::string detail) {
    report.status = status;
    report.detail = std::move(detail);
    return report;
  };
  std::optional<LoadedModel> loaded;
  for (const DataSet &set : subject.dataSets) {
    if (!hasGivenValues(subject, set, settings))
      continue;
    if (!loaded || settings.mode == Mode::Static ||
        settings.mode == Mode::Bucketed) {
      // A new name each time: the loader may remember the old one.
      std::string path = settings.scratch + "/" + subject.name + "-" +
                         std::to_string(getpid()) + "-" + set.name + ".so";
      std::string problem =
          compile(subject, set, settings, path, report.fixedInputs);
      if (!problem.empty())
        return fail(Status::Unsupported, problem);
      llvm::Expected<LoadedModel> opened = LoadedModel::open(path);
      llvm::sys::fs::remove(path);
      if (!opened)
        return fail(Status::Fail, llvm::toString(opened.takeError()));
      loaded.emplace(std::move(*opened));
      report.symbolicDims = report.totalDims = 0;
      countDims(*loaded, report);
      if (problem = checkMode(report, settings.mode); !problem.empty())
        return fail(report.fixedInputs ? Status::Unsupported : Status::Fail,
                    problem);
    }
    std::string problem =
        runDataSet(*loaded, set, settings.tolerance, subject.isRandom);
    if (!problem.empty())
      return fail(Status::Fail, problem);
    ++report.dataSets;
    if (settings.mode == Mode::Bucketed &&
        StringRef(loaded->variant(loaded->lastVariant()).kind) != "padded")
      return fail(Status::Unsupported, "nothing of it can be padded");
  }
  if (subject.isRandom)
    return fail(Status::Unsupported,
                "types and sizes agree; the values are draws of another "
                "random generator");
  if (report.dataSets == 0)
    return fail(Status::Unsupported, "no data set has the values of --value");
  return report;
}

Report ambit::conformance::runCase(StringRef folder, const Settings &settings) {
  llvm::Expected<Case> subject = readCase(folder);
  if (!subject) {
    Report report;
    StringRef detail = report.detail = llvm::toString(subject.takeError());
    bool unsupported = detail.consume_front("unsupported: ");
    report.status = unsupported ? Status::Unsupported : Status::Fail;
    report.detail = detail.str();
    return report;
  }
  return runAll(*subject, settings);
}
