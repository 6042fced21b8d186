// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which convolutions have a lowering of their own.

#ifndef AMBIT_KERNEL_DEPTHWISE_H
#define AMBIT_KERNEL_DEPTHWISE_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

namespace ambit {

/// Windows of at most this many elements become straight code.
constexpr int64_t kMostUnrolledTaps = 25;

/// Whether a convolution of [N, C, H, W] has a filter of its own for each
/// channel, whose window is unrolled. Such a convolution is lowered with its
/// padding, by rows of one channel.
bool isDepthwise(graph::ConvOp op);

} // namespace ambit

#endif // AMBIT_KERNEL_DEPTHWISE_H
