// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ONNX file in memory: parsed, its versions checked, and its external data
// within reach.

#ifndef AMBIT_LIB_IMPORT_ONNX_ONNXMODEL_H
#define AMBIT_LIB_IMPORT_ONNX_ONNXMODEL_H

#include "Tensors/ExternalData.h"
#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include <memory>
#include <string>

#ifndef ONNX_ML
#define ONNX_ML
#endif
#include <onnx/onnx_pb.h>

namespace ambit::onnx_import {

/// The opsets that the converters know.
constexpr int64_t kMinOpset = 1, kMaxOpset = 27;

/// True for the two spellings of ONNX's own domain.
inline bool isDefaultDomain(llvm::StringRef domain) {
  return domain.empty() || domain == "ai.onnx";
}

/// A parsed model. Tensors refer to its bytes instead of copying them, so it is
/// held by shared pointers.
class OnnxModel : public std::enable_shared_from_this<OnnxModel> {
public:
  /// Reads and checks a file; null after an error. External data may also lie
  /// in `externalDataDirs`.
  static std::shared_ptr<OnnxModel>
  read(llvm::StringRef path, llvm::ArrayRef<std::string> externalDataDirs,
       mlir::MLIRContext &context);

  const onnx::ModelProto &proto() const { return model; }
  const onnx::GraphProto &graph() const { return model.graph(); }
  /// The version of ONNX's own operators that the model imports; 0 for none.
  int64_t opset() const { return defaultOpset; }

  /// The place of the file itself.
  mlir::Location loc() const { return fileLoc; }
  /// The place of a node in the file.
  mlir::Location locOf(llvm::StringRef node) const;
  /// The place of something else: "input", "initializer".
  mlir::Location locOf(llvm::StringRef kind, llvm::StringRef name) const;

  /// Where tensors find what is not in the model's own file.
  ExternalData &externalData() { return external; }

private:
  OnnxModel(llvm::StringRef path, llvm::ArrayRef<std::string> externalDataDirs,
            mlir::Location fileLoc)
      : path(path), fileLoc(fileLoc), external(path, externalDataDirs) {}
  mlir::LogicalResult parse();
  mlir::LogicalResult checkVersions();

  std::string path;
  mlir::Location fileLoc;
  onnx::ModelProto model;
  int64_t defaultOpset = 0;
  ExternalData external;
};

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_ONNXMODEL_H
