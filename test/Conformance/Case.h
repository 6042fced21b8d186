// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A conformance case: a folder in ONNX's layout, with a model and data sets.

#ifndef AMBIT_TEST_CONFORMANCE_CASE_H
#define AMBIT_TEST_CONFORMANCE_CASE_H

#include "ambit/Driver/Object/TensorFile.h"

namespace ambit::conformance {

/// One `test_data_set_*` folder: tensors in the order of the model.
struct DataSet {
  std::string name;
  std::vector<TensorData> inputs, outputs;
};

struct Case {
  /// The folder's own name.
  std::string name;
  std::string modelPath;
  /// Names of the model's inputs that are no initializers.
  std::vector<std::string> inputNames;
  std::vector<DataSet> dataSets;
  /// Whether some node draws random numbers, for which no standard says how.
  bool isRandom = false;
};

/// Reads a case. An error whose text starts with "unsupported: " is about
/// something that no compiled model can have, such as sequences.
llvm::Expected<Case> readCase(llvm::StringRef folder);

struct Tolerance {
  double relative = 1e-3, absolute = 1e-5;
};

/// What differs between the outputs, or "". Floats are equal when
/// |actual - expected| <= absolute + relative * |expected|; NaNs are equal;
/// other types must be identical.
std::string compareOutputs(const std::vector<TensorData> &actual,
                           const std::vector<TensorData> &expected,
                           Tolerance tolerance);

} // namespace ambit::conformance

#endif // AMBIT_TEST_CONFORMANCE_CASE_H
