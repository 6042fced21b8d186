// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Following small tensors as dim expressions through shape computations.

#ifndef AMBIT_SHAPE_FOLLOWVALUES_H
#define AMBIT_SHAPE_FOLLOWVALUES_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

namespace ambit {

/// Tensors with more elements are not followed.
constexpr int64_t kMaxFollowedElements = 64;

/// The elements of a value in row-major order, when each is known as an
/// expression: constants with integral values, `graph.dims`, and inputs whose
/// elements are symbols (`sym::kElements`).
std::optional<llvm::SmallVector<Expr>> getKnownElements(mlir::Value value);

/// The elements of an op's result when its operands are known. Integer
/// arithmetic is exact (no wrap-around: an expression that overflows is not
/// followed); float arithmetic is followed where it is exact on integers.
/// Comparisons are followed only when the prover decides them.
std::optional<llvm::SmallVector<Expr>> followOp(mlir::Operation *op,
                                                graph::ShapeContext &context);

} // namespace ambit

#endif // AMBIT_SHAPE_FOLLOWVALUES_H
