// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The most dims of a tensor.

#ifndef AMBIT_SHAPE_RANK_H
#define AMBIT_SHAPE_RANK_H

#include <cstdint>

namespace ambit {

/// More dims than any model has; keeps damaged files from becoming work.
constexpr int64_t kMaxRank = 64;

} // namespace ambit

#endif // AMBIT_SHAPE_RANK_H
