// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the passes of phases that more than a compilation runs.

#ifndef AMBIT_LIB_DRIVER_PHASEPASSES_H
#define AMBIT_LIB_DRIVER_PHASEPASSES_H

#include "mlir/Pass/PassManager.h"

namespace ambit {

/// The phase `simplify`.
void buildSimplify(mlir::OpPassManager &manager);
/// The phase `kernels`.
void buildKernels(mlir::OpPassManager &manager);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_PHASEPASSES_H
