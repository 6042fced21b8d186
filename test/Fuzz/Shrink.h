// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a failing module smaller.

#ifndef AMBIT_TEST_FUZZ_SHRINK_H
#define AMBIT_TEST_FUZZ_SHRINK_H

#include <functional>
#include <string>

namespace ambit::fuzz {

/// Removes outputs, ops and inputs for as long as `fails` says that what is
/// left fails in the same way. `fails` runs the module in another process.
std::string shrinkModule(std::string text,
                         const std::function<bool(const std::string &)> &fails);

} // namespace ambit::fuzz

#endif // AMBIT_TEST_FUZZ_SHRINK_H
