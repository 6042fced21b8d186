// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Input files. They are read, never mapped: a file that is cut or changed
// meanwhile gives an error, not a signal. Errors are texts without the path.

#ifndef AMBIT_FILES_INPUTFILE_H
#define AMBIT_FILES_INPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace ambit {

/// What comes through a pipe has no size of its own; more is an error.
constexpr uint64_t kMaxPipeBytes = uint64_t(1) << 30;

/// A file or pipe, open for reading. Devices and folders are refused: some
/// never end.
class InputFile {
public:
  static llvm::Expected<InputFile> open(llvm::StringRef path);
  /// As `open`, for what must be a regular file: never waits for a pipe.
  static llvm::Expected<InputFile> openRegular(llvm::StringRef path);
  InputFile(InputFile &&other);
  InputFile(const InputFile &) = delete;
  ~InputFile();

  int descriptor() const { return fd; }
  bool isPipe() const { return pipe; }
  /// Bytes when it was opened; 0 for a pipe.
  uint64_t size() const { return bytes; }
  /// The path without links; empty when the system does not tell.
  std::string realPath() const;
  /// Fills `to` from `offset` on; the file must be that long still.
  llvm::Error read(llvm::MutableArrayRef<char> to, uint64_t offset) const;
  /// Everything, with a 0 behind it; more than `atMost` bytes are an error.
  /// `name` is what the buffer is called.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  readAll(llvm::StringRef name, uint64_t atMost) const;

private:
  InputFile() = default;
  static llvm::Expected<InputFile> open(llvm::StringRef path, int flags);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  readPipe(llvm::StringRef name, uint64_t atMost) const;

  int fd = -1;
  bool pipe = false;
  uint64_t bytes = 0;
};

/// `open` and `readAll`.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef path, uint64_t atMost = UINT64_MAX);

} // namespace ambit

#endif // AMBIT_FILES_INPUTFILE_H
