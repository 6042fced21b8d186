// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules as everybody asks them: with the check that tensors have sizes
// that can be computed with.

#ifndef AMBIT_DIALECT_GRAPH_IR_INFERTYPES_H
#define AMBIT_DIALECT_GRAPH_IR_INFERTYPES_H

#include "ambit/Dialect/Graph/IR/ShapeContext.h"
#include "mlir/IR/BuiltinTypes.h"

namespace ambit::graph {

/// Checks that the bytes of a tensor are an expression of 63 bits; dims of size
/// 0 count as 1, as at run time. Then so is every product of some of its dims,
/// which whatever comes later may form without another check. The error, in the
/// words of `emitError` followed by the shape, says that a size does not fit.
llvm::LogicalResult
checkTensorSize(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                mlir::RankedTensorType type);

/// Appends the types that the op's shape rule gives, their sizes checked.
llvm::LogicalResult
inferTypes(mlir::Operation *op, ShapeContext &context,
           llvm::SmallVectorImpl<mlir::RankedTensorType> &types);

} // namespace ambit::graph

#endif // AMBIT_DIALECT_GRAPH_IR_INFERTYPES_H
