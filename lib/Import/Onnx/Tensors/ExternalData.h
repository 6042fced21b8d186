// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files beside a model that hold its weights. Which files those are is
// said by the model, which nobody may trust: what they resolve to, links
// followed, must lie in the model's folder or in one that the user allows.

#ifndef AMBIT_LIB_IMPORT_ONNX_TENSORS_EXTERNALDATA_H
#define AMBIT_LIB_IMPORT_ONNX_TENSORS_EXTERNALDATA_H

#include "ambit/Files/InputFile.h"
#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ambit::onnx_import {

/// Bytes and what keeps them alive.
struct SharedBytes {
  llvm::ArrayRef<char> bytes;
  std::shared_ptr<void> owner;
};

/// Reads parts of such files. A part that is asked for again is read once, and
/// no file takes more than twice its size of memory.
class ExternalData {
public:
  /// `allowed` are further folders where files may lie. `written`, a file that
  /// may be missing or "", is not read: it will be replaced.
  ExternalData(llvm::StringRef modelPath, llvm::ArrayRef<std::string> allowed,
               llvm::StringRef written);

  /// `length` bytes from `offset` on. Emits an error at `loc` when the file is
  /// not in an allowed folder, cannot be read or is too short.
  mlir::FailureOr<SharedBytes> read(llvm::StringRef location, int64_t offset,
                                    int64_t length, mlir::Location loc);

private:
  struct File {
    InputFile input;
    std::map<std::pair<int64_t, int64_t>, SharedBytes> parts;
    int64_t partBytes = 0;
    std::optional<SharedBytes> whole;
  };
  File *open(llvm::StringRef location, llvm::StringRef path,
             mlir::Location loc);
  bool isAllowed(llvm::StringRef realPath) const;
  static mlir::FailureOr<SharedBytes> readPart(const File &file,
                                               llvm::StringRef path,
                                               int64_t offset, int64_t length,
                                               mlir::Location loc);

  /// Without links, and with a '/' at the end.
  std::vector<std::string> folders;
  std::string modelFolder, written;
  bool allowsMore;
  std::map<std::string, std::unique_ptr<File>> files;
};

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_TENSORS_EXTERNALDATA_H
