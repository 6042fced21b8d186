// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a case from its folder.

#include "Case.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <onnx/onnx_pb.h>

using namespace ambit;
using namespace ambit::conformance;
using llvm::StringRef;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static bool drawsRandomly(const onnx::GraphProto &graph) {
  return llvm::any_of(graph.node(), [](const onnx::NodeProto &node) {
    StringRef type = node.op_type();
    return type.starts_with("Random") || type == "Bernoulli" ||
           type == "Multinomial";
  });
}

/// The type of each tensor of a list that the model declares.
using Declared = std::vector<int>;

static llvm::Error readModel(Case &result, Declared &inputs,
                             Declared &outputs) {
  auto buffer = llvm::MemoryBuffer::getFile(result.modelPath);
  if (!buffer)
    return makeError(result.modelPath + ": " + buffer.getError().message());
  onnx::ModelProto model;
  if (!model.ParseFromArray((*buffer)->getBufferStart(),
                            static_cast<int>((*buffer)->getBufferSize())))
    return makeError(result.modelPath + ": not an ONNX model");
  result.isRandom = drawsRandomly(model.graph());
  llvm::StringSet<> initializers;
  for (const onnx::TensorProto &tensor : model.graph().initializer())
    initializers.insert(tensor.name());
  for (const onnx::ValueInfoProto &input : model.graph().input()) {
    if (!input.type().has_tensor_type())
      return makeError("unsupported: input '" + input.name() +
                       "' is not a tensor");
    if (initializers.contains(input.name()))
      continue;
    result.inputNames.push_back(input.name());
    inputs.push_back(input.type().tensor_type().elem_type());
  }
  for (const onnx::ValueInfoProto &output : model.graph().output()) {
    if (!output.type().has_tensor_type())
      return makeError("unsupported: output '" + output.name() +
                       "' is not a tensor");
    outputs.push_back(output.type().tensor_type().elem_type());
  }
  return llvm::Error::success();
}

/// Reads `PREFIX_0.pb`, `PREFIX_1.pb`, ... until one is missing.
static llvm::Error readTensors(StringRef folder, StringRef prefix,
                               const Declared &declared,
                               std::vector<TensorData> &tensors) {
  for (unsigned index = 0;; ++index) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, prefix + "_" + llvm::Twine(index) + ".pb");
    if (!llvm::sys::fs::exists(path))
      return llvm::Error::success();
    llvm::Expected<TensorData> tensor = readTensorProto(path);
    if (!tensor)
      return makeError("unsupported: " + llvm::toString(tensor.takeError()));
    // ONNX 1.12 and older wrote the bits of bf16 as numbers, and cut off the
    // bits that a cast rounds.
    if (index < declared.size() &&
        declared[index] == onnx::TensorProto::BFLOAT16 &&
        tensor->dtype == AMBIT_UINT16) {
      if (prefix == "output")
        return makeError("unsupported: the data are bf16 cut off, a cast "
                         "rounds");
      tensor->dtype = AMBIT_BFLOAT16;
    }
    tensors.push_back(std::move(*tensor));
  }
}

static std::vector<std::string> dataSetFolders(StringRef folder) {
  std::vector<std::string> found;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator at(folder, code), end;
       !code && at != end; at.increment(code))
    if (llvm::sys::path::filename(at->path()).starts_with("test_data_set_"))
      found.push_back(at->path());
  // Directories come in no order.
  std::sort(found.begin(), found.end());
  return found;
}

llvm::Expected<Case> ambit::conformance::readCase(StringRef folder) {
  Case result;
  result.name = llvm::sys::path::filename(folder.rtrim('/')).str();
  llvm::SmallString<128> model(folder);
  llvm::sys::path::append(model, "model.onnx");
  result.modelPath = model.str().str();
  Declared inputs, outputs;
  if (llvm::Error error = readModel(result, inputs, outputs))
    return error;
  for (const std::string &path : dataSetFolders(folder)) {
    DataSet set;
    set.name = llvm::sys::path::filename(path).str();
    if (llvm::Error error = readTensors(path, "input", inputs, set.inputs))
      return error;
    if (llvm::Error error = readTensors(path, "output", outputs, set.outputs))
      return error;
    if (set.inputs.size() != result.inputNames.size())
      return makeError("unsupported: " + set.name + " has " +
                       llvm::Twine(set.inputs.size()) +
                       " inputs, the model has " +
                       llvm::Twine(result.inputNames.size()));
    result.dataSets.push_back(std::move(set));
  }
  if (result.dataSets.empty())
    return makeError(folder + ": no folder test_data_set_*");
  return result;
}
