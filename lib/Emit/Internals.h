// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of lib/Emit share.

#ifndef AMBIT_LIB_EMIT_INTERNALS_H
#define AMBIT_LIB_EMIT_INTERNALS_H

#include "ambit/Emit/Link.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <optional>

namespace ambit::emit {

inline constexpr llvm::StringRef kQuerySymbol = "ambit_query_v1";
inline constexpr llvm::StringRef kDescriptorSymbol =
    "ambit_descriptor_instance";
inline constexpr llvm::StringRef kWeightSymbol = "ambit_weights";
/// From this size on the small code model's 32-bit offsets may not reach.
inline constexpr uint64_t kLargeWeights = uint64_t(1) << 30;

/// The CPU and feature string of the options; "native" is resolved.
struct TargetSpec {
  std::string cpu, features;
};
TargetSpec resolveTarget(const EmitOptions &options);

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const EmitOptions &options);

/// Optimizes and compiles a module as one object.
llvm::Expected<std::string> compileUnit(llvm::Module &module,
                                        const EmitOptions &options);

/// A file beside `path`, gone when the object dies unless it was kept; also
/// when a signal ends the process.
class ScratchFile {
public:
  static llvm::Expected<ScratchFile> create(llvm::StringRef path,
                                            llvm::StringRef suffix = "tmp");
  ScratchFile(ScratchFile &&) = default;
  ~ScratchFile();

  llvm::StringRef name() const { return file->TmpName; }
  /// Writes through a buffered stream and reports the OS error.
  llvm::Error write(llvm::function_ref<void(llvm::raw_pwrite_stream &)> body);
  /// Fails when the disk has no room for that many bytes; keeps none of them.
  llvm::Error checkRoom(uint64_t bytes);
  /// Renames the file to `path`.
  llvm::Error keep();

private:
  explicit ScratchFile(std::string path) : path(std::move(path)) {}
  std::string path;
  std::optional<llvm::sys::fs::TempFile> file;
};

/// The weights as an ELF relocatable object.
void writeWeights(const WeightSection &weights, llvm::raw_ostream &os);

llvm::Error userError(const llvm::Twine &text);
/// "what: the OS's words".
llvm::Error hostError(const llvm::Twine &what, std::error_code code);

} // namespace ambit::emit

#endif // AMBIT_LIB_EMIT_INTERNALS_H
