// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that a model computes: following a value back to the shapes that it
// comes from.

#ifndef AMBIT_SHAPE_FOLLOWSIZES_H
#define AMBIT_SHAPE_FOLLOWSIZES_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

namespace ambit {

/// Why the elements of a value are not known as expressions.
struct SizeObstacle {
  /// They come from data, so that nothing helps.
  bool isData = false;
  /// Otherwise, the op that is no expression of the sizes.
  mlir::Operation *op = nullptr;
};

/// The elements of a value that decides a size, as expressions. What
/// `getKnownElements` gives stands in the op itself; here the ops that compute
/// the value are followed too, through floats (while these are exact, or their
/// rounding cannot be seen), comparisons, choices and branches of an `If`. What
/// that needs of the sizes (a divisor that is not 0, a number below 2^24)
/// becomes a guard.
std::optional<llvm::SmallVector<Expr>> followSizes(mlir::Value value,
                                                   graph::ShapeContext &context,
                                                   SizeObstacle &obstacle);

/// A bool of one element as an expression that is 0 or 1, when it is known from
/// sizes. Nothing is required of them.
std::optional<Expr> followCondition(mlir::Value condition,
                                    graph::ShapeContext &context);

/// The relation between sizes that a bool of one element is, when it is one:
/// the form in which to require it. Nothing is required here.
std::optional<Relation> followRelation(mlir::Value condition,
                                       graph::ShapeContext &context);

} // namespace ambit

#endif // AMBIT_SHAPE_FOLLOWSIZES_H
