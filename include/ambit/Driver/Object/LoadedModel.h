// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled model, loaded into this process through ambit/runtime.h.

#ifndef AMBIT_DRIVER_OBJECT_LOADEDMODEL_H
#define AMBIT_DRIVER_OBJECT_LOADEDMODEL_H

#include "ambit/Driver/Object/TensorFile.h"
#include <optional>

namespace ambit {

/// Owns a loaded object and one context. Not thread-safe.
class LoadedModel {
public:
  /// Loads an object whose runs will use that many threads.
  static llvm::Expected<LoadedModel> open(llvm::StringRef path,
                                          int32_t threads = 1);
  LoadedModel(LoadedModel &&other);
  LoadedModel(const LoadedModel &) = delete;
  ~LoadedModel();

  const ambit_api &api() const { return *library.api; }
  const ambit_model *model() const { return library.model; }
  const ambit_counts &counts() const { return sizes; }

  ambit_tensor_info input(int32_t index) const;
  ambit_tensor_info output(int32_t index) const;
  std::vector<ambit_dim_info> inputDims(int32_t index) const;
  std::vector<ambit_dim_info> outputDims(int32_t index) const;
  ambit_symbol_info symbol(int32_t index) const;
  ambit_guard_info guard(int32_t index) const;
  ambit_variant_info variant(int32_t index) const;

  /// Runs the model. The inputs are in the model's order and are only read.
  llvm::Expected<std::vector<TensorData>> run(std::vector<TensorData> &inputs);
  /// The values of the symbols for these inputs, in the order of the symbols;
  /// -1 for what depends on data.
  llvm::Expected<std::vector<int64_t>>
  symbolValues(std::vector<TensorData> &inputs);
  /// Why these inputs take the variant that they take.
  llvm::Expected<std::string> explain(std::vector<TensorData> &inputs);
  /// The variant that these inputs take; nothing when the model refuses them.
  /// Only their types and dims are read, and the data that gives sizes.
  llvm::Expected<std::optional<int32_t>>
  select(std::vector<TensorData> &inputs);
  /// Index of the variant that the last run took.
  int32_t lastVariant() const;

private:
  LoadedModel() = default;
  llvm::Error createContext();
  llvm::Error lastError() const;

  ambit_library library = {};
  ambit_counts sizes = {};
  int32_t threads = 1;
  ambit_context *context = nullptr;
};

} // namespace ambit

#endif // AMBIT_DRIVER_OBJECT_LOADEDMODEL_H
