// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size that two dims broadcast to.

#ifndef AMBIT_LIB_SHAPE_BROADCASTDIMS_H
#define AMBIT_LIB_SHAPE_BROADCASTDIMS_H

#include "ambit/Dialect/Graph/IR/ShapeContext.h"

namespace ambit {

/// One dim of multidirectional broadcasting. Whether the two agree (equal, or
/// either is 1) is for others to check; where they do, this is the result.
Expr broadcastDims(Expr lhs, Expr rhs, graph::ShapeContext &context);

/// Requires of every two sizes that they are equal or one of them is 1; an
/// error at `loc` beginning with `what` when they never are. Guards about the
/// sizes themselves are easier to read than those about what they broadcast to.
mlir::LogicalResult requireBroadcast(llvm::ArrayRef<Expr> sizes,
                                     mlir::Location loc,
                                     const llvm::Twine &what,
                                     graph::ShapeContext &context);

} // namespace ambit

#endif // AMBIT_LIB_SHAPE_BROADCASTDIMS_H
