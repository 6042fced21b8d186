// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of compiled code, for compiles that have parts in common.

#ifndef AMBIT_EMIT_OBJECTCACHE_H
#define AMBIT_EMIT_OBJECTCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <mutex>
#include <optional>
#include <string>

namespace ambit {

struct EmitOptions;

/// Object files by what they were compiled from. An entry is a file of its own:
/// its key, the object and a checksum. It comes to its place by a rename, so
/// any number of compiles may use one folder, and entries may be deleted at any
/// time. One that is damaged counts as missing and is replaced. A folder that
/// cannot be read or written is no error: what it does not give is compiled.
/// May be used by several threads.
class ObjectCache {
public:
  /// The folder is made with the first entry.
  explicit ObjectCache(llvm::StringRef folder) : folder(folder) {}

  /// A name for what bitcode becomes with these options: a hash of both and of
  /// the versions of Ambit and LLVM.
  static std::string makeKey(llvm::ArrayRef<char> bitcode,
                             const EmitOptions &options);

  std::optional<std::string> find(llvm::StringRef key);
  void store(llvm::StringRef key, llvm::StringRef object);

  struct Counts {
    unsigned found = 0, missing = 0, damaged = 0;
  };
  Counts getCounts() const;
  /// The first thing that went wrong with the folder, with a path and the
  /// system's error; empty when nothing did.
  std::string getProblem() const;

private:
  std::string pathOf(llvm::StringRef key) const;
  void note(llvm::Error error);

  std::string folder;
  mutable std::mutex mutex;
  Counts counts;
  std::string problem;
};

} // namespace ambit

#endif // AMBIT_EMIT_OBJECTCACHE_H
