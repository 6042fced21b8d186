// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `ambit calibrate`: compiles small models, times them, and solves for the
// rates of which their expected times are sums.

#include "Calibrate.h"
#include "../Model/LoadModel.h"
#include "../Model/ModelCosts.h"
#include "CalibrationFile.h"
#include "Probes.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Object/LoadedModel.h"
#include "ambit/Driver/Pipeline.h"
#include "ambit/Files/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include <array>
#include <chrono>
#include <cmath>

using namespace mlir;
using namespace ambit;

namespace {
/// The kinds of work: product, window, elements, launch, rows to fetch.
constexpr size_t kKinds = 5;
using Amounts = std::array<double, kKinds>;

/// A probe at one size: ticks of each kind, and microseconds.
struct Row {
  Amounts ticks;
  double time;
};
} // namespace

static cost::WorkRate &getRate(cost::Rates &rates, size_t kind) {
  cost::WorkRate *all[kKinds] = {&rates.product, &rates.window, &rates.elements,
                                 &rates.launch, &rates.fetchRows};
  return *all[kind];
}

/// Rates of which one is 1 and the others 0: times are ticks of that kind.
static cost::Rates makeUnit(size_t kind) {
  cost::Rates rates;
  rates.ticksPerMicrosecond = 1;
  for (size_t i = 0; i < kKinds; ++i)
    getRate(rates, i) = i == kind ? cost::WorkRate{1, 1} : cost::WorkRate{0, 0};
  return rates;
}

/// Ticks of each kind at the probe's sizes.
static FailureOr<std::vector<Row>> countTicks(ModuleOp module,
                                              const Probe &probe) {
  std::vector<Row> rows(probe.sizes.size());
  for (size_t kind = 0; kind < kKinds; ++kind) {
    FailureOr<ModelCosts> costs = ModelCosts::measure(module, makeUnit(kind));
    if (failed(costs))
      return failure();
    for (auto [row, size] : llvm::zip_equal(rows, probe.sizes)) {
      BodyTimes times = costs->times().times({{"n", size}}, {"n"});
      // An empty run counts as one tick.
      row.ticks[kind] = times.exact - 1;
    }
  }
  return rows;
}

static std::vector<TensorData> makeInputs(const LoadedModel &loaded,
                                          int64_t size) {
  TensorData data;
  data.dtype = loaded.input(0).dtype;
  int64_t elements = 1;
  for (const ambit_dim_info &dim : loaded.inputDims(0)) {
    // A symbol stays one, even of a single size.
    data.dims.push_back(dim.value < 0 ? size : dim.value);
    elements *= data.dims.back();
  }
  data.bytes.assign(size_t(elements) * sizeof(float), 0);
  return {std::move(data)};
}

/// The least of many runs, for about a tenth of a second, in microseconds.
static llvm::Expected<double> timeLibrary(StringRef path, int64_t size) {
  using Clock = std::chrono::steady_clock;
  constexpr unsigned kLeastRuns = 10;
  constexpr auto kLong = std::chrono::milliseconds(100);
  llvm::Expected<LoadedModel> loaded = LoadedModel::open(path);
  if (!loaded)
    return loaded.takeError();
  std::vector<TensorData> inputs = makeInputs(*loaded, size);
  double least = INFINITY;
  Clock::time_point end = Clock::now() + kLong;
  for (unsigned run = 0; run < kLeastRuns || Clock::now() < end; ++run) {
    Clock::time_point start = Clock::now();
    llvm::Expected<std::vector<TensorData>> outputs = loaded->run(inputs);
    std::chrono::duration<double, std::micro> elapsed = Clock::now() - start;
    if (!outputs)
      return outputs.takeError();
    least = std::min(least, elapsed.count());
  }
  return least;
}

namespace {
/// Compiles and times probes in a folder of its own.
class Calibration {
public:
  Calibration(MLIRContext &context, OutputFile folder)
      : context(context), folder(std::move(folder)) {}
  LogicalResult add(const Probe &probe);
  cost::Rates solve() const;

private:
  FailureOr<std::string> compile(const Probe &probe, StringRef model,
                                 int64_t size);
  LogicalResult report(llvm::Error error) {
    return emitError(UnknownLoc::get(&context))
           << llvm::toString(std::move(error));
  }

  MLIRContext &context;
  OutputFile folder;
  std::vector<Row> rows;
};
} // namespace

FailureOr<std::string> Calibration::compile(const Probe &probe, StringRef model,
                                            int64_t size) {
  CompileOptions options;
  options.input = model.str();
  options.output =
      folder.scratchPath(probe.name + std::to_string(size) + ".so");
  options.dims.push_back({"n", size, size, 1});
  if (failed(runCompile(options, context, llvm::nulls())))
    return failure();
  return options.output;
}

LogicalResult Calibration::add(const Probe &probe) {
  std::string name = probe.name + ".mlir";
  if (llvm::Error error = folder.write(
          name, [&](llvm::raw_pwrite_stream &out) { out << probe.text; }))
    return report(std::move(error));
  ModelOptions options;
  options.input = folder.scratchPath(name);
  OwningOpRef<ModuleOp> module = loadModel(options, context);
  if (!module)
    return failure();
  FailureOr<std::vector<Row>> counted = countTicks(*module, probe);
  if (failed(counted))
    return failure();
  for (auto [row, size] : llvm::zip_equal(*counted, probe.sizes)) {
    FailureOr<std::string> library = compile(probe, options.input, size);
    if (failed(library))
      return failure();
    llvm::Expected<double> time = timeLibrary(*library, size);
    if (!time)
      return report(time.takeError());
    row.time = *time;
    rows.push_back(row);
  }
  return success();
}

/// The microseconds of a tick of each kind, none negative, with which the rows
/// come nearest to their times, each in parts of its own: coordinate descent.
static Amounts fit(llvm::ArrayRef<Row> rows) {
  constexpr unsigned kRounds = 2000;
  Amounts weights = {};
  for (unsigned round = 0; round < kRounds; ++round)
    for (size_t kind = 0; kind < kKinds; ++kind) {
      double along = 0, square = 0;
      for (const Row &row : rows) {
        double rest = row.time;
        for (size_t other = 0; other < kKinds; ++other)
          if (other != kind)
            rest -= weights[other] * row.ticks[other];
        double part = row.ticks[kind] / row.time;
        along += part * rest / row.time;
        square += part * part;
      }
      weights[kind] = square > 0 ? std::max(along / square, 0.0) : 0;
    }
  return weights;
}

/// What symbolic sizes cost more stays the same part: that is up to the code,
/// and less than what small models can tell from noise.
cost::Rates Calibration::solve() const {
  Amounts times = fit(rows);
  cost::Rates rates;
  rates.ticksPerMicrosecond = 1 / times[0];
  for (size_t kind = 0; kind < kKinds; ++kind) {
    cost::WorkRate &rate = getRate(rates, kind);
    double measured = times[kind] / times[0];
    rate = {measured, rate.extra * measured / rate.exact};
  }
  return rates;
}

static void print(const cost::Rates &rates, StringRef path,
                  llvm::raw_ostream &out) {
  cost::Rates measured = rates, builtIn;
  auto line = [&](const char *what, double value, double other) {
    out << llvm::format("  %-28s %10.4g  %10.4g\n", what, value, other);
  };
  out << getProcessorName() << '\n';
  out.indent(33) << "measured    built in\n";
  line("ticks per us", rates.ticksPerMicrosecond, builtIn.ticksPerMicrosecond);
  const char *names[kKinds] = {"product", "window", "elements", "launch",
                               "rows to fetch"};
  for (size_t kind = 0; kind < kKinds; ++kind)
    line(names[kind], getRate(measured, kind).exact,
         getRate(builtIn, kind).exact);
  if (path != "-")
    out << "written to " << path << '\n';
}

LogicalResult ambit::runCalibrate(const CalibrateOptions &options,
                                  MLIRContext &context,
                                  llvm::raw_ostream &out) {
  Location loc = optionLocation(&context, "--output");
  std::string path =
      options.output.empty() ? getStoredCalibration() : options.output;
  if (path.empty())
    return emitError(loc) << "there is no cache folder; say where to write";
  if (options.output.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(
            llvm::sys::path::parent_path(path)))
      return emitError(FileLineColLoc::get(&context, path, 0, 0))
             << "cannot create its folder: " << code.message();
  llvm::Expected<OutputFile> folder = OutputFile::createUnnamed();
  if (!folder)
    return emitError(UnknownLoc::get(&context))
           << llvm::toString(folder.takeError());
  Calibration calibration(context, std::move(*folder));
  for (const Probe &probe : makeProbes())
    if (failed(calibration.add(probe)))
      return failure();
  cost::Rates rates = calibration.solve();
  std::string text = writeCalibration(rates, getProcessorName());
  if (path == "-") {
    out << text;
    return success();
  }
  if (llvm::Error error = writeFile(path, text))
    return emitError(FileLineColLoc::get(&context, path, 0, 0))
           << llvm::toString(std::move(error));
  print(rates, path, out);
  return success();
}
