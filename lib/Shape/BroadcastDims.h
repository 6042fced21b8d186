// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size that dims broadcast to.

#ifndef AMBIT_LIB_SHAPE_BROADCASTDIMS_H
#define AMBIT_LIB_SHAPE_BROADCASTDIMS_H

#include "ambit/Dialect/Graph/IR/ShapeContext.h"

namespace ambit {

/// One dim of multidirectional broadcasting: requires of the sizes that they
/// agree (any two are equal, or either is 1), with an error at `loc` beginning
/// with `what` when they never do, and returns what they broadcast to. As many
/// conditions as there are sizes: of two, that they agree; of more, that each
/// is 1 or the common size, which gets a name.
mlir::FailureOr<Expr> broadcastSizes(llvm::ArrayRef<Expr> sizes,
                                     mlir::Location loc,
                                     const llvm::Twine &what,
                                     graph::ShapeContext &context);

} // namespace ambit

#endif // AMBIT_LIB_SHAPE_BROADCASTDIMS_H
