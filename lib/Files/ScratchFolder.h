// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the folder that holds an output while it is made.

#ifndef AMBIT_LIB_FILES_SCRATCHFOLDER_H
#define AMBIT_LIB_FILES_SCRATCHFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace ambit {

/// Goes away with the object, whatever it holds, and in removeScratchFolders.
class ScratchFolder {
public:
  /// Makes a folder inside of `parent`. The error is the system's.
  static llvm::Expected<std::unique_ptr<ScratchFolder>>
  create(llvm::StringRef parent);
  ScratchFolder(const ScratchFolder &) = delete;
  ~ScratchFolder();

  /// A path that starts with '/' or "./" and holds no '%'.
  std::string file(llvm::StringRef name) const;

private:
  ScratchFolder() = default;

  std::string path;
  int descriptor = -1;
  size_t slot = 0;
};

} // namespace ambit

#endif // AMBIT_LIB_FILES_SCRATCHFOLDER_H
