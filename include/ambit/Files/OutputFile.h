// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files that appear whole or not at all. Until then an output lies in a
// folder of its own, together with whatever its making needs; the folder goes
// away with the object, and also when a signal ends the process.

#ifndef AMBIT_FILES_OUTPUTFILE_H
#define AMBIT_FILES_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace ambit {

class ScratchFolder;

/// True when a path names something that a file must not replace: a device, a
/// pipe, an open descriptor such as /dev/stdout. It is written to directly.
bool isDirectOutput(llvm::StringRef path);

/// An output on its way to `path`. Links are followed: what is written is what
/// they lead to. Errors are texts that name the path.
class OutputFile {
public:
  static llvm::Expected<OutputFile> create(llvm::StringRef path);
  /// An output without a destination; its bytes are fetched with copyTo.
  static llvm::Expected<OutputFile> createUnnamed();
  OutputFile(OutputFile &&other);
  OutputFile(const OutputFile &) = delete;
  ~OutputFile();

  /// Where the output is until it is kept. Starts with '/' or "./", and holds
  /// no '%', which some of LLVM's functions would replace.
  std::string scratchPath() const { return scratchPath("output"); }
  /// A name in the same folder, for something that is not kept.
  std::string scratchPath(llvm::StringRef name) const;

  /// Writes the output, or another file of the folder, and reports the
  /// system's error.
  llvm::Error write(llvm::function_ref<void(llvm::raw_pwrite_stream &)> body) {
    return write("output", body);
  }
  llvm::Error write(llvm::StringRef name,
                    llvm::function_ref<void(llvm::raw_pwrite_stream &)> body);
  /// Adds to the end of the output.
  llvm::Error append(llvm::StringRef bytes);
  /// Fails when the disk has no room for that many bytes; keeps none of them.
  llvm::Error checkRoom(uint64_t bytes);
  llvm::Error copyTo(llvm::raw_ostream &out) const;
  /// Brings the output to its path: renamed, or copied when that is direct.
  llvm::Error keep();

private:
  OutputFile();
  static llvm::Expected<OutputFile> createIn(llvm::StringRef parent,
                                             OutputFile result);
  llvm::Error stream(llvm::StringRef name, int flags,
                     llvm::function_ref<void(llvm::raw_pwrite_stream &)> body);
  llvm::Error error(std::error_code code) const;

  std::string path;   // as the user gave it
  std::string target; // where links lead
  bool direct = false;
  /// Where a direct output goes, or -1 for `target`.
  int descriptor = -1;
  std::unique_ptr<ScratchFolder> folder;
};

/// Writes a file at once.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

/// Removes the folders of all outputs under way. Safe in a signal handler, as
/// the last thing that a process does.
void removeScratchFolders();

} // namespace ambit

#endif // AMBIT_FILES_OUTPUTFILE_H
