// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last bytes of a compiled object: a mark and a checksum of all before
// them. ELF readers ignore them, and tools that rewrite an object drop them; a
// file that was damaged on its way is found out before any of it runs.

#ifndef AMBIT_FILES_CHECKSUM_H
#define AMBIT_FILES_CHECKSUM_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ambit {

/// What to put behind these bytes.
std::string makeChecksum(llvm::StringRef bytes);

enum class ChecksumState { None, Right, Wrong };
/// Whether a file ends with a checksum, and with that of its bytes.
ChecksumState checkChecksum(llvm::StringRef file);

} // namespace ambit

#endif // AMBIT_FILES_CHECKSUM_H
