// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small questions about tensors that several phases ask.

#ifndef AMBIT_DIALECT_GRAPH_IR_TENSORS_H
#define AMBIT_DIALECT_GRAPH_IR_TENSORS_H

#include "ambit/Symbolic/Expr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace ambit::graph {

enum class ReduceKind : uint32_t;

/// The tensor whose buffer a value shares: reshapes cost nothing.
mlir::Value getStorage(mlir::Value value);

/// Bytes of a tensor in memory, as an expression. An element takes whole bytes.
Expr getByteSize(mlir::Type tensor);

/// The signless scalar type that stands for an element inside of a map's body.
mlir::Type getBodyType(mlir::Type elementType);

/// A scalar of an element type.
mlir::TypedAttr getScalar(mlir::Type elementType, double value);
/// The lowest, or the highest, number of an element type; infinite for floats.
mlir::TypedAttr getExtreme(mlir::Type elementType, bool isLowest);
/// What changes nothing when it is reduced with: 0, 1, or an extreme.
mlir::TypedAttr getNeutral(ReduceKind kind, mlir::Type elementType);

/// An error at the op unless the axis is one of `rank`, counted from 0.
llvm::LogicalResult checkAxis(mlir::Operation *op, int64_t axis, int64_t rank);

} // namespace ambit::graph

#endif // AMBIT_DIALECT_GRAPH_IR_TENSORS_H
