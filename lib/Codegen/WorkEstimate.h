// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: how much work a kernel is, to decide whether threads pay.

#ifndef AMBIT_LIB_CODEGEN_WORKESTIMATE_H
#define AMBIT_LIB_CODEGEN_WORKESTIMATE_H

#include "KernelLowering.h"

namespace ambit {

/// Work is counted in ticks: one is a multiply-add of a tiled matrix product,
/// one element wide. A core of the baseline target does about this many in a
/// microsecond. An estimate that is off by a factor of two does no harm, and
/// none ever changes a result.
constexpr int64_t kTicksPerMicrosecond = 16000;

/// Emits the estimated ticks of the whole kernel, as `index`, from its sizes.
mlir::Value emitWork(KernelLowering &kernel);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_WORKESTIMATE_H
