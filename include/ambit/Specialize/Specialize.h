// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function per variant: symbols bound, types inferred again.

#ifndef AMBIT_SPECIALIZE_SPECIALIZE_H
#define AMBIT_SPECIALIZE_SPECIALIZE_H

#include "ambit/Specialize/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ambit {

/// Replaces `@main` by one function for each variant of the plan, in which
/// symbols of one size are constants and every expression is simplified for the
/// variant's domain, and appends the `dispatch.model` that describes them. The
/// functions have the attributes `ambit.variant` (the kind) and `ambit.domain`.
mlir::LogicalResult specialize(mlir::ModuleOp module, const Plan &plan);

/// The shapes that a variant's function runs for: its own ranges, and the
/// guards of its module. The domain of the module when the function is no
/// variant.
Domain domainOf(mlir::func::FuncOp variant);

} // namespace ambit

#endif // AMBIT_SPECIALIZE_SPECIALIZE_H
