// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads ONNX files.

#include "OnnxModel.h"
#include "Tensors/SparseTensors.h"
#include "mlir/IR/Diagnostics.h"
#include <climits>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

constexpr int64_t kMinIrVersion = 3, kMaxIrVersion = 13;

/// Messages within messages, three for each graph within a graph. Protobuf's
/// own limit of 100 is less than we take.
constexpr int kMaxMessageDepth = 1000;

std::shared_ptr<OnnxModel>
OnnxModel::read(StringRef path, ArrayRef<std::string> externalDataDirs,
                MLIRContext &context) {
  Location loc = FileLineColLoc::get(&context, path, 0, 0);
  std::shared_ptr<OnnxModel> model(new OnnxModel(path, externalDataDirs, loc));
  if (failed(model->parse()) || failed(model->checkVersions()) ||
      failed(densify(model->model, *model)))
    return nullptr;
  return model;
}

Location OnnxModel::locOf(StringRef node) const {
  return NameLoc::get(StringAttr::get(fileLoc.getContext(), node), fileLoc);
}

Location OnnxModel::locOf(StringRef kind, StringRef name) const {
  return locOf((kind + " '" + name + "'").str());
}

LogicalResult OnnxModel::parse() {
  auto fail = [&](const Twine &reason) {
    return emitError(fileLoc) << "cannot read '" << path << "': " << reason;
  };
  llvm::Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return fail(llvm::toString(file.takeError()));
  if (file->size() > INT_MAX)
    return emitError(fileLoc)
           << "file has " << file->size()
           << " bytes, more than the 2 GiB that a protobuf message may have; "
              "store the weights as external data";

  google::protobuf::LogSilencer silencer;
  google::protobuf::io::FileInputStream stream(file->descriptor());
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(file->isPipe() ? static_cast<int>(kMaxPipeBytes)
                                          : INT_MAX);
  coded.SetRecursionLimit(kMaxMessageDepth);
  const void *start;
  int count;
  bool isEmpty = !coded.GetDirectBufferPointer(&start, &count);
  // Writers put the IR version, field 1, first.
  bool looksLikeModel = !isEmpty && *static_cast<const char *>(start) == '\x08';
  bool isRead = !isEmpty && model.ParseFromCodedStream(&coded) &&
                coded.ConsumedEntireMessage();
  if (stream.GetErrno())
    return fail(std::generic_category().message(stream.GetErrno()));
  if (isEmpty)
    return emitError(fileLoc, "file is empty, expected an ONNX model");
  if (isRead && model.has_graph())
    return success();
  if (!isRead && looksLikeModel)
    return emitError(fileLoc)
           << "not a complete ONNX model: the file is truncated or damaged, or "
              "nested deeper than "
           << kMaxMessageDepth << " messages";
  return emitError(fileLoc, "not an ONNX model");
}

LogicalResult OnnxModel::checkVersions() {
  int64_t irVersion = model.ir_version();
  if (irVersion < kMinIrVersion || irVersion > kMaxIrVersion)
    return emitError(fileLoc)
           << "IR version " << irVersion << " is not supported, expected "
           << kMinIrVersion << " to " << kMaxIrVersion;
  for (const onnx::OperatorSetIdProto &import : model.opset_import())
    if (isDefaultDomain(import.domain())) {
      defaultOpset = import.version();
      if (defaultOpset < kMinOpset || defaultOpset > kMaxOpset)
        return emitError(fileLoc)
               << "opset " << defaultOpset << " is not supported, expected "
               << kMinOpset << " to " << kMaxOpset;
    }
  return success();
}
