// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares outputs with what was expected.

#include "Case.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ambit;
using namespace ambit::conformance;

static std::string shapeText(const TensorData &tensor) {
  std::string text = dtypeName(tensor.dtype) + "[";
  for (size_t i = 0; i < tensor.dims.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.dims[i]);
  return text + "]";
}

static bool isFloat(int32_t dtype) {
  return dtype == AMBIT_FLOAT32 || dtype == AMBIT_FLOAT64 ||
         dtype == AMBIT_FLOAT16 || dtype == AMBIT_BFLOAT16 ||
         (dtype >= AMBIT_FLOAT8E4M3FN && dtype <= AMBIT_FLOAT8E5M2FNUZ);
}

static bool isClose(double actual, double expected, Tolerance tolerance) {
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) && std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual))
    return actual == expected;
  return std::fabs(actual - expected) <=
         tolerance.absolute + tolerance.relative * std::fabs(expected);
}

/// Row-major index as text: "[0, 3]".
static std::string indexText(int64_t index, llvm::ArrayRef<int64_t> dims) {
  std::string text;
  for (int64_t dim : llvm::reverse(dims)) {
    text = std::to_string(index % dim) + (text.empty() ? "" : ", ") + text;
    index /= dim;
  }
  return "[" + text + "]";
}

static std::string compareElements(const TensorData &actual,
                                   const TensorData &expected,
                                   Tolerance tolerance) {
  if (!isFloat(actual.dtype) && actual.bytes == expected.bytes)
    return "";
  int64_t count = elementCount(actual.dims).value_or(0);
  int64_t wrong = 0, worst = -1;
  double worstError = -1;
  for (int64_t i = 0; i < count; ++i) {
    double a = elementAsDouble(actual, i), e = elementAsDouble(expected, i);
    if (isFloat(actual.dtype) ? isClose(a, e, tolerance) : a == e)
      continue;
    ++wrong;
    double error = std::fabs(a - e);
    if (worst < 0 || error > worstError || std::isnan(error)) {
      worst = i;
      worstError = error;
    }
  }
  if (wrong == 0)
    return isFloat(actual.dtype) ? "" : "bytes differ";
  std::string text;
  llvm::raw_string_ostream(text)
      << wrong << " of " << count << " elements differ, worst at "
      << indexText(worst, actual.dims) << ": " << elementAsDouble(actual, worst)
      << ", expected " << elementAsDouble(expected, worst);
  return text;
}

std::string
ambit::conformance::compareOutputs(const std::vector<TensorData> &actual,
                                   const std::vector<TensorData> &expected,
                                   Tolerance tolerance) {
  if (actual.size() != expected.size())
    return std::to_string(actual.size()) + " outputs, expected " +
           std::to_string(expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    std::string place = "output '" + actual[i].name + "': ";
    if (actual[i].dtype != expected[i].dtype ||
        actual[i].dims != expected[i].dims)
      return place + shapeText(actual[i]) + ", expected " +
             shapeText(expected[i]);
    std::string text = compareElements(actual[i], expected[i], tolerance);
    if (!text.empty())
      return place + text;
  }
  return "";
}
