// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: what the variants of a model are expected to take.

#ifndef AMBIT_LIB_DRIVER_MODEL_MODELCOSTS_H
#define AMBIT_LIB_DRIVER_MODEL_MODELCOSTS_H

#include "ambit/Specialize/VariantCosts.h"
#include "mlir/IR/BuiltinOps.h"

namespace ambit {

/// Runs the phases up to `kernels` on a copy of a module with inferred shapes,
/// for a generic variant alone, and adds up its kernels. No code is generated.
/// Sizes that only a run knows count as typical ones.
mlir::FailureOr<VariantCosts> measureCosts(mlir::ModuleOp module);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_MODEL_MODELCOSTS_H
