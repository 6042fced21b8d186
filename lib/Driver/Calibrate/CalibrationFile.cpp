// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes measured rates.

#include "CalibrationFile.h"
#include "ambit/Files/InputFile.h"
#include "ambit/Files/Json.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include <cmath>
#include <fstream>

using namespace mlir;
using namespace ambit;

constexpr uint64_t kMostBytes = 1 << 20;

namespace {
/// A number of the file and where it belongs.
struct Field {
  StringRef name;
  double *value;
  double least;
};
} // namespace

/// Every number, in the order of the file. What is multiplied must not be
/// nothing; a gain may be.
static SmallVector<Field> getFields(cost::Rates &rates) {
  return {{"ticks_per_microsecond", &rates.ticksPerMicrosecond, 1e-3},
          {"product", &rates.product.exact, 1e-3},
          {"product_symbolic", &rates.product.extra, 0},
          {"window", &rates.window.exact, 1e-3},
          {"window_symbolic", &rates.window.extra, 0},
          {"elements", &rates.elements.exact, 1e-3},
          {"elements_symbolic", &rates.elements.extra, 0},
          {"launch", &rates.launch.exact, 0},
          {"launch_symbolic", &rates.launch.extra, 0},
          {"fetch_rows", &rates.fetchRows.exact, 0},
          {"fetch_rows_symbolic", &rates.fetchRows.extra, 0},
          {"matrix_symbolic", &rates.matrix, 0},
          {"copy", &rates.copy, 0},
          {"tail", &rates.tail, 0}};
}

std::string ambit::getProcessorName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (StringRef(line).starts_with("model name"))
      return StringRef(line).split(':').second.trim().str();
  return llvm::sys::getHostCPUName().str();
}

std::string ambit::getStoredCalibration() {
  SmallString<128> path;
  if (!llvm::sys::path::cache_directory(path))
    return "";
  std::string name = "calibration-";
  for (char c : llvm::sys::getHostCPUName().str() + "-" + getProcessorName())
    name += llvm::isAlnum(c) ? llvm::toLower(c) : '-';
  llvm::sys::path::append(path, "ambit", name + ".json");
  return path.str().str();
}

std::string ambit::writeCalibration(const cost::Rates &rates,
                                    StringRef processor) {
  cost::Rates copy = rates;
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "{\n  \"ambit_calibration\": 1,\n  \"processor\": "
      << llvm::json::Value(llvm::json::fixUTF8(processor));
  for (const Field &field : getFields(copy))
    out << ",\n  \"" << field.name << llvm::format("\": %.6g", *field.value);
  out << "\n}\n";
  return text;
}

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static llvm::Expected<cost::Rates> parseRates(StringRef text) {
  llvm::Expected<llvm::json::Value> json = parseJson(text);
  if (!json) {
    llvm::consumeError(json.takeError());
    return fail("it is no JSON");
  }
  const llvm::json::Object *object = json->getAsObject();
  if (!object || object->getInteger("ambit_calibration") != 1)
    return fail("it is no calibration of version 1");
  cost::Rates rates;
  for (const Field &field : getFields(rates)) {
    std::optional<double> value = object->getNumber(field.name);
    if (!value || !std::isfinite(*value) || *value < field.least ||
        *value > 1e12)
      return fail("'" + field.name + "' is no number from " +
                  llvm::Twine(field.least == 0 ? "0" : "0.001") + " to 1e12");
    *field.value = *value;
  }
  return rates;
}

FailureOr<cost::Rates> ambit::getRates(const VariantOptions &options,
                                       MLIRContext *context) {
  if (options.calibration.empty())
    return cost::Rates();
  bool isStored = options.calibration == "cpu";
  std::string path = isStored ? getStoredCalibration() : options.calibration;
  Location loc = FileLineColLoc::get(context, path, 0, 0);
  auto buffer = readInput(path, kMostBytes);
  if (!buffer)
    return emitError(loc) << "cannot read the calibration: "
                          << llvm::toString(buffer.takeError())
                          << (isStored ? "; 'ambit calibrate' makes one" : "");
  llvm::Expected<cost::Rates> rates = parseRates((*buffer)->getBuffer());
  if (rates)
    return *rates;
  emitWarning(loc) << "the calibration is damaged: "
                   << llvm::toString(rates.takeError())
                   << "; built-in rates are used, 'ambit calibrate"
                   << (isStored ? "" : " -o FILE") << "' makes a new one";
  return cost::Rates();
}
