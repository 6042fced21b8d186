// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small questions about tensors that several phases ask.

#ifndef AMBIT_DIALECT_GRAPH_IR_TENSORS_H
#define AMBIT_DIALECT_GRAPH_IR_TENSORS_H

#include "ambit/Symbolic/Expr.h"
#include "mlir/IR/Operation.h"

namespace ambit::graph {

/// The tensor whose buffer a value shares: reshapes cost nothing.
mlir::Value getStorage(mlir::Value value);

/// Bytes of a tensor in memory, as an expression. An element takes whole bytes.
Expr getByteSize(mlir::Type tensor);

/// The signless scalar type that stands for an element inside of a map's body.
mlir::Type getBodyType(mlir::Type elementType);

/// An error at the op unless the axis is one of `rank`, counted from 0.
llvm::LogicalResult checkAxis(mlir::Operation *op, int64_t axis, int64_t rank);

} // namespace ambit::graph

#endif // AMBIT_DIALECT_GRAPH_IR_TENSORS_H
