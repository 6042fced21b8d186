// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random modules of `graph` ops.

#ifndef AMBIT_TEST_FUZZ_GENERATOR_H
#define AMBIT_TEST_FUZZ_GENERATOR_H

#include <cstdint>
#include <map>
#include <string>

namespace ambit::fuzz {

/// The sizes that symbols take.
constexpr int64_t kSizes[] = {0, 1, 2, 3, 7, 8, 9, 16, 17, 64};

/// The text of a random module without guards: 1 to 12 forms over 1 to 3
/// symbols. The same text for the same seed on every host. Counts how often
/// each form was used.
std::string generateModule(uint64_t seed, std::map<std::string, int> &forms);

} // namespace ambit::fuzz

#endif // AMBIT_TEST_FUZZ_GENERATOR_H
