// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads ONNX files and the files that hold their external data.

#include "OnnxModel.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <climits>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

using namespace mlir;
using namespace ambit::onnx_import;

constexpr int64_t kMinIrVersion = 3, kMaxIrVersion = 13;

/// Messages within messages, three for each graph within a graph. Protobuf's
/// own limit of 100 is less than we take.
constexpr int kMaxMessageDepth = 1000;

std::shared_ptr<OnnxModel> OnnxModel::read(StringRef path,
                                           MLIRContext &context) {
  Location loc = FileLineColLoc::get(&context, path, 0, 0);
  std::shared_ptr<OnnxModel> model(new OnnxModel(path, loc));
  if (failed(model->parse()) || failed(model->checkVersions()))
    return nullptr;
  return model;
}

Location OnnxModel::locOf(StringRef name) const {
  return NameLoc::get(StringAttr::get(fileLoc.getContext(), name), fileLoc);
}

static std::unique_ptr<llvm::MemoryBuffer> openFile(StringRef path,
                                                    Location loc) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (file)
    return std::move(*file);
  emitError(loc) << "cannot read '" << path
                 << "': " << file.getError().message();
  return nullptr;
}

LogicalResult OnnxModel::parse() {
  std::unique_ptr<llvm::MemoryBuffer> file = openFile(path, fileLoc);
  if (!file)
    return failure();
  if (file->getBufferSize() == 0)
    return emitError(fileLoc, "file is empty, expected an ONNX model");
  if (file->getBufferSize() > INT_MAX)
    return emitError(fileLoc)
           << "file has " << file->getBufferSize()
           << " bytes, more than the 2 GiB that a protobuf message may have; "
              "store the weights as external data";

  google::protobuf::LogSilencer silencer;
  google::protobuf::io::ArrayInputStream stream(file->getBufferStart(),
                                                int(file->getBufferSize()));
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(INT_MAX);
  coded.SetRecursionLimit(kMaxMessageDepth);
  bool isRead =
      model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
  if (isRead && model.has_graph())
    return success();
  // Writers put the IR version, field 1, first.
  bool looksLikeModel = file->getBuffer().front() == '\x08';
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
    if (isDefaultDomain(import.domain()))
      defaultOpset = import.version();
  if (defaultOpset < 7 || defaultOpset > kMaxOpset)
    return emitError(fileLoc)
           << "opset " << defaultOpset << " is not supported, expected " << 7
           << " to " << kMaxOpset;
  return success();
}

/// True when a path names something inside of the folder it starts from.
static bool staysInside(StringRef location) {
  if (location.empty() || location.contains('\0') ||
      llvm::sys::path::is_absolute(location))
    return false;
  return llvm::none_of(llvm::make_range(llvm::sys::path::begin(location),
                                        llvm::sys::path::end(location)),
                       [](StringRef part) { return part == ".."; });
}

FailureOr<SharedBytes> OnnxModel::readExternal(StringRef location,
                                               int64_t offset, int64_t length,
                                               Location loc) {
  if (!staysInside(location))
    return emitError(loc) << "external data '" << location
                          << "' is not inside of the model's folder";
  SmallString<256> full(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(full, location);
  std::shared_ptr<llvm::MemoryBuffer> &file = externalFiles[location.str()];
  if (!file) {
    if (llvm::sys::fs::exists(full) && !llvm::sys::fs::is_regular_file(full))
      return emitError(loc)
             << "external data '" << full.str() << "' is not a regular file";
    file = openFile(full, loc);
  }
  if (!file)
    return failure();
  int64_t size = file->getBufferSize();
  if (offset < 0 || offset > size || length < -1 || length > size - offset)
    return emitError(loc) << "external data '" << full.str() << "' has " << size
                          << " bytes, expected " << length << " from offset "
                          << offset << " on";
  if (length == -1)
    length = size - offset;
  return SharedBytes{{file->getBufferStart() + offset, size_t(length)}, file};
}
