// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A page for people: which operators pass, by opset, element type and mode.

#ifndef AMBIT_TEST_CONFORMANCE_PAGE_H
#define AMBIT_TEST_CONFORMANCE_PAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ambit::conformance {

/// Writes a page in Markdown from summaries of runs (`--json`), one for each
/// mode. A case counts for an operator where its graph is that one node.
llvm::Error writePage(llvm::StringRef path,
                      llvm::ArrayRef<std::string> summaries);

} // namespace ambit::conformance

#endif // AMBIT_TEST_CONFORMANCE_PAGE_H
