// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From objects and weights to files: the in-process link of a self-contained
// shared object.

#ifndef AMBIT_EMIT_LINK_H
#define AMBIT_EMIT_LINK_H

#include "ambit/Emit/Emit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ambit {

class OutputFile;

/// Constant data behind the hidden symbol `ambit_weights`: chunks at ascending
/// offsets, zeros between them. The bytes are borrowed and written straight to
/// a file, never copied into LLVM.
struct WeightSection {
  struct Chunk {
    uint64_t offset;
    llvm::ArrayRef<char> bytes;
  };
  uint64_t size = 0;
  uint64_t alignment = 64;
  std::vector<Chunk> chunks;
};

/// Links objects and weights to a shared object that exports the query symbol
/// alone and needs libc and libm alone; it ends with a checksum. Local symbols
/// stay unless it is stripped. A reference to
/// anything else is an InternalError that names it. Safe to call from several
/// threads; links run one at a time.
llvm::Error linkSharedObject(llvm::ArrayRef<std::string> objects,
                             const WeightSection &weights, OutputFile &output,
                             llvm::StringRef soname, bool strip = false);

/// prepareModule, emitObjects and linkSharedObject with the runtime.
llvm::Error emitSharedObject(llvm::Module &module, const WeightSection &weights,
                             OutputFile &output, llvm::StringRef soname,
                             const EmitOptions &options);

/// The same to a file, which is the soname.
llvm::Error emitSharedObject(llvm::Module &module, const WeightSection &weights,
                             llvm::StringRef path, const EmitOptions &options);

/// Writes the weights as a relocatable object, for `--emit=obj`.
llvm::Error writeWeightObject(const WeightSection &weights,
                              llvm::StringRef path);

} // namespace ambit

#endif // AMBIT_EMIT_LINK_H
