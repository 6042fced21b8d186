// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON from files that anyone may have written.

#ifndef AMBIT_FILES_JSON_H
#define AMBIT_FILES_JSON_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace ambit {

/// As `llvm::json::parse`, with the same kind of error for lists and objects
/// inside of each other that would take more stack than there is.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace ambit

#endif // AMBIT_FILES_JSON_H
