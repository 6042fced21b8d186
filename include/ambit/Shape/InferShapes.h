// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape inference over a function: the shape rules applied in order.

#ifndef AMBIT_SHAPE_INFERSHAPES_H
#define AMBIT_SHAPE_INFERSHAPES_H

#include "ambit/Dialect/Graph/IR/ShapeContext.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ambit {

/// The model's function `@main`; an error when the module has none with a body.
mlir::FailureOr<mlir::func::FuncOp> getMain(mlir::ModuleOp module);

/// Recomputes every result type from the operands' types by the shape rules, in
/// the context's domain, replaces followed values by `graph.dims`, and updates
/// the function's result types. The function is a single block of `graph` ops.
llvm::LogicalResult inferShapes(mlir::func::FuncOp function,
                                graph::ShapeContext &context);

/// A sink that records each new condition as a `sym.guard` of the module, once,
/// at the location of the op it came from.
graph::ShapeContext::GuardSink makeGuardSink(mlir::ModuleOp module);

} // namespace ambit

#endif // AMBIT_SHAPE_INFERSHAPES_H
