// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: how much work a kernel is: whether threads pay, and whether there is
// any.

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

/// `value`, or 0 if any of the extents is: loops over large dims around none
/// would take long to do nothing.
mlir::Value zeroIfAny(KernelLowering &kernel, mlir::ValueRange extents,
                      mlir::Value value);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_WORKESTIMATE_H
