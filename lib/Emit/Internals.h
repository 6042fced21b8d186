// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of lib/Emit share.

#ifndef AMBIT_LIB_EMIT_INTERNALS_H
#define AMBIT_LIB_EMIT_INTERNALS_H

#include "ambit/Emit/Link.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

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

/// The weights as an ELF relocatable object.
void writeWeights(const WeightSection &weights, llvm::raw_ostream &os);

/// An error that is the user's or the host's.
llvm::Error userError(const llvm::Twine &text);

} // namespace ambit::emit

#endif // AMBIT_LIB_EMIT_INTERNALS_H
