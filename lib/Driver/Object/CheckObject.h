// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at a file before the dynamic linker does, which trusts what it loads.

#ifndef AMBIT_LIB_DRIVER_OBJECT_CHECKOBJECT_H
#define AMBIT_LIB_DRIVER_OBJECT_CHECKOBJECT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ambit {

/// An error that names the file when it is no shared object for this machine,
/// when a part of it lies beyond its end, or when it is not what its checksum
/// was made of. Objects without a checksum are taken.
llvm::Error checkObject(llvm::StringRef path);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_OBJECT_CHECKOBJECT_H
