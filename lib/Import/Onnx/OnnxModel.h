// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ONNX file in memory: parsed, its versions checked, and its external data
// within reach.

#ifndef AMBIT_LIB_IMPORT_ONNX_ONNXMODEL_H
#define AMBIT_LIB_IMPORT_ONNX_ONNXMODEL_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>

#ifndef ONNX_ML
#define ONNX_ML
#endif
#include <onnx/onnx_pb.h>

namespace ambit::onnx_import {

/// The opsets that the converters know.
constexpr int64_t kMinOpset = 7, kMaxOpset = 22;

/// True for the two spellings of ONNX's own domain.
inline bool isDefaultDomain(llvm::StringRef domain) {
  return domain.empty() || domain == "ai.onnx";
}

/// Bytes and what keeps them alive.
struct SharedBytes {
  llvm::ArrayRef<char> bytes;
  std::shared_ptr<void> owner;
};

/// A parsed model. Tensors refer to its bytes instead of copying them, so it is
/// held by shared pointers.
class OnnxModel : public std::enable_shared_from_this<OnnxModel> {
public:
  /// Reads and checks a file; null after an error.
  static std::shared_ptr<OnnxModel> read(llvm::StringRef path,
                                         mlir::MLIRContext &context);

  const onnx::ModelProto &proto() const { return model; }
  const onnx::GraphProto &graph() const { return model.graph(); }
  /// The version of ONNX's own operators that the model imports.
  int64_t opset() const { return defaultOpset; }

  /// The place of the file itself.
  mlir::Location loc() const { return fileLoc; }
  /// The place of a node or tensor in the file.
  mlir::Location locOf(llvm::StringRef name) const;

  /// `length` bytes from `offset` on of a file beside the model (all of the
  /// rest for length -1). Emits an error at `loc` when the path leaves the
  /// model's folder or the file is too short.
  mlir::FailureOr<SharedBytes> readExternal(llvm::StringRef location,
                                            int64_t offset, int64_t length,
                                            mlir::Location loc);

private:
  OnnxModel(llvm::StringRef path, mlir::Location fileLoc)
      : path(path), fileLoc(fileLoc) {}
  mlir::LogicalResult parse();
  mlir::LogicalResult checkVersions();

  std::string path;
  mlir::Location fileLoc;
  onnx::ModelProto model;
  int64_t defaultOpset = 0;
  std::map<std::string, std::shared_ptr<llvm::MemoryBuffer>> externalFiles;
};

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_ONNXMODEL_H
