// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an LLVM module to machine code: the runtime is joined with it, the
// module optimized, and objects or text come out. Everything here is
// deterministic and independent of the build host unless the target CPU is
// "native".
//
// A host problem (a path, memory) is a plain Error; InternalError is our fault.

#ifndef AMBIT_EMIT_EMIT_H
#define AMBIT_EMIT_EMIT_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace ambit {

class ObjectCache;

struct EmitOptions {
  std::string targetTriple = "x86_64-unknown-linux-gnu";
  /// An LLVM CPU name, or "native" for this machine's CPU and features.
  std::string targetCpu = "x86-64-v3";
  /// 0 to 3; 2 is what is measured.
  int optLevel = 2;
  /// Parts the module is cut into and compiled in parallel. Part of the result,
  /// so never derived from the host.
  unsigned units = 256;
  /// Where compiled parts are kept and looked for; null: nowhere. Never changes
  /// the result.
  ObjectCache *cache = nullptr;
  /// Leaves out the names of kernels, which profilers and debuggers show.
  bool strip = false;
  /// Size of the weight section; from 1 GiB on code addresses it with 64 bits.
  uint64_t weightBytes = 0;
};

/// A fault of Ambit itself, as opposed to the user's or the host's.
class InternalError : public llvm::ErrorInfo<InternalError> {
public:
  static char ID;
  explicit InternalError(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string text;
};

/// Features beyond baseline x86-64 that code for these options may use, by
/// LLVM's names and in the runtime's order: the `isa` table of the descriptor.
/// An unknown CPU or triple is an error that lists the known ones.
llvm::Expected<std::vector<std::string>>
requiredIsa(const EmitOptions &options);

/// CPU names that --target-cpu takes for the triple, without "native".
std::vector<std::string> knownCpus(llvm::StringRef targetTriple);

/// Sets triple, layout and CPU on a compiled module, hides what it defines and
/// verifies it. The module must define `ambit_descriptor_instance`; it may
/// declare `ambit_weights` and functions of the runtime.
llvm::Error prepareModule(llvm::Module &module, const EmitOptions &options);
/// The runtime as an object file, for a link with what a prepared module
/// becomes.
llvm::StringRef getRuntimeObject();
/// Prepares a module and links the runtime into it, as bitcode: hides
/// everything but the query symbol.
llvm::Error linkRuntime(llvm::Module &module, const EmitOptions &options);

/// Runs LLVM's pipeline over the whole module; for the textual outputs.
llvm::Error optimize(llvm::Module &module, const EmitOptions &options);

/// The module as LLVM assembly.
std::string emitLLVM(const llvm::Module &module);
/// Machine assembly or one object. Code generation changes the module, which
/// must not be used afterwards.
llvm::Expected<std::string> emitAssembly(llvm::Module &module,
                                         const EmitOptions &options);
llvm::Expected<std::string> emitObject(llvm::Module &module,
                                       const EmitOptions &options);
/// Cuts the module (not yet optimized) into options.units parts, optimizes and
/// compiles them in parallel. The module must not be used afterwards.
llvm::Expected<std::vector<std::string>>
emitObjects(llvm::Module &module, const EmitOptions &options);

} // namespace ambit

#endif // AMBIT_EMIT_EMIT_H
