// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code generation knows of the machine's vector unit.

#ifndef AMBIT_CODEGEN_VECTORTARGET_H
#define AMBIT_CODEGEN_VECTORTARGET_H

#include <cstdint>

namespace ambit {

/// A vector register file. The defaults are AVX2's (x86-64-v3).
struct VectorTarget {
  /// Bytes in a register: 16 (SSE, NEON), 32 (AVX2), 64 (AVX-512).
  int64_t vectorBytes = 32;
  /// Number of registers: 16, or 32 with AVX-512 and NEON.
  int64_t registers = 16;

  /// Elements of `bytes` each in a register, at least 1.
  int64_t lanesFor(int64_t bytes) const {
    return vectorBytes / bytes > 0 ? vectorBytes / bytes : 1;
  }
};

} // namespace ambit

#endif // AMBIT_CODEGEN_VECTORTARGET_H
