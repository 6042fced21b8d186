// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of a compiled model in C++ clothes.

#include "ambit/Driver/Object/LoadedModel.h"
#include "CheckObject.h"
#include <utility>

using namespace ambit;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<LoadedModel> LoadedModel::open(llvm::StringRef path,
                                              int32_t threads) {
  if (llvm::Error error = checkObject(path))
    return error;
  LoadedModel result;
  result.threads = threads;
  char why[1024] = "";
  if (ambit_open(path.str().c_str(), &result.library, why, sizeof why) !=
      AMBIT_OK)
    return makeError(why);
  result.api().counts(result.model(), &result.sizes);
  return result;
}

LoadedModel::LoadedModel(LoadedModel &&other)
    : library(std::exchange(other.library, {})), sizes(other.sizes),
      threads(other.threads), context(std::exchange(other.context, nullptr)) {}

LoadedModel::~LoadedModel() {
  if (context)
    api().context_destroy(context);
  ambit_close(&library);
}

ambit_tensor_info LoadedModel::input(int32_t index) const {
  ambit_tensor_info info = {};
  api().input(model(), index, &info);
  return info;
}

ambit_tensor_info LoadedModel::output(int32_t index) const {
  ambit_tensor_info info = {};
  api().output(model(), index, &info);
  return info;
}

std::vector<ambit_dim_info> LoadedModel::inputDims(int32_t index) const {
  std::vector<ambit_dim_info> dims(input(index).rank);
  for (size_t dim = 0; dim < dims.size(); ++dim)
    api().input_dim(model(), index, dim, &dims[dim]);
  return dims;
}

std::vector<ambit_dim_info> LoadedModel::outputDims(int32_t index) const {
  std::vector<ambit_dim_info> dims(output(index).rank);
  for (size_t dim = 0; dim < dims.size(); ++dim)
    api().output_dim(model(), index, dim, &dims[dim]);
  return dims;
}

ambit_symbol_info LoadedModel::symbol(int32_t index) const {
  ambit_symbol_info info = {};
  api().symbol(model(), index, &info);
  return info;
}

ambit_guard_info LoadedModel::guard(int32_t index) const {
  ambit_guard_info info = {};
  api().guard(model(), index, &info);
  return info;
}

ambit_variant_info LoadedModel::variant(int32_t index) const {
  ambit_variant_info info = {};
  api().variant(model(), index, &info);
  return info;
}

llvm::Error LoadedModel::createContext() {
  char why[1024] = "";
  ambit_context_options options = {};
  options.struct_bytes = sizeof options;
  options.threads = threads;
  if (!context && api().context_create(model(), &options, &context, why,
                                       sizeof why) != AMBIT_OK)
    return makeError(why);
  return llvm::Error::success();
}

llvm::Error LoadedModel::lastError() const {
  return makeError(api().last_error(context));
}

static std::vector<ambit_tensor> describe(std::vector<TensorData> &tensors) {
  std::vector<ambit_tensor> result;
  for (TensorData &tensor : tensors)
    result.push_back({tensor.bytes.data(),
                      static_cast<int64_t>(tensor.bytes.size()), tensor.dtype,
                      static_cast<int32_t>(tensor.dims.size()),
                      tensor.dims.data()});
  return result;
}

llvm::Expected<std::vector<TensorData>>
LoadedModel::run(std::vector<TensorData> &inputs) {
  if (llvm::Error error = createContext())
    return error;
  std::vector<ambit_tensor> arguments = describe(inputs);
  std::vector<ambit_tensor> results(sizes.outputs, ambit_tensor{});
  if (api().run_owned(context, arguments.data(), arguments.size(),
                      results.data(), results.size()) != AMBIT_OK)
    return lastError();
  std::vector<TensorData> outputs;
  for (auto [index, result] : llvm::enumerate(results)) {
    TensorData tensor;
    tensor.name = output(index).name;
    tensor.dtype = result.dtype;
    tensor.dims.assign(result.dims, result.dims + result.rank);
    const char *data = static_cast<const char *>(result.data);
    int64_t bytes = tensorBytes(tensor.dtype, tensor.dims).value_or(0);
    tensor.bytes.assign(data, data + bytes);
    outputs.push_back(std::move(tensor));
  }
  return outputs;
}

llvm::Expected<std::vector<int64_t>>
LoadedModel::symbolValues(std::vector<TensorData> &inputs) {
  if (llvm::Error error = createContext())
    return error;
  std::vector<ambit_tensor> arguments = describe(inputs);
  std::vector<int64_t> values(sizes.symbols);
  if (api().symbol_values(context, arguments.data(), arguments.size(),
                          values.data()) != AMBIT_OK)
    return lastError();
  return values;
}

llvm::Expected<std::string>
LoadedModel::explain(std::vector<TensorData> &inputs) {
  if (llvm::Error error = createContext())
    return error;
  std::vector<ambit_tensor> arguments = describe(inputs);
  std::string text(1 << 16, '\0');
  if (api().explain(context, arguments.data(), arguments.size(), text.data(),
                    text.size()) != AMBIT_OK)
    return lastError();
  text.resize(text.find('\0'));
  return text;
}

llvm::Expected<std::optional<int32_t>>
LoadedModel::select(std::vector<TensorData> &inputs) {
  if (llvm::Error error = createContext())
    return error;
  std::vector<ambit_tensor> arguments = describe(inputs);
  int32_t variant = -1;
  int32_t status =
      api().select(context, arguments.data(), arguments.size(), &variant);
  if (status == AMBIT_OK)
    return variant;
  if (status == AMBIT_GUARD_FAILED || status == AMBIT_INVALID_ARGUMENT)
    return std::nullopt;
  return lastError();
}

int32_t LoadedModel::lastVariant() const {
  return context ? api().last_variant(context) : -1;
}
