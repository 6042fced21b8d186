// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds `graph` ops with inferred types: what importers and rewrites call.

#ifndef AMBIT_SHAPE_GRAPHBUILDER_H
#define AMBIT_SHAPE_GRAPHBUILDER_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/IR/Builders.h"

namespace ambit {

/// Creates `graph` ops whose result types come from their shape rules, and
/// follows small integer tensors: an op whose result is known as dim
/// expressions becomes `graph.dims`. Every method returns failure after an
/// error was emitted at the builder's location.
class GraphBuilder {
public:
  GraphBuilder(mlir::OpBuilder &builder, graph::ShapeContext &context)
      : builder(builder), context(context), loc(builder.getUnknownLoc()) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  graph::ShapeContext &getContext() { return context; }
  void setLoc(mlir::Location newLoc) { loc = newLoc; }
  mlir::Location getLoc() const { return loc; }

  /// Creates OpT, which has one result, from its arguments after the result
  /// type; the rule gives the type. For ops with a free element type (map,
  /// dims, constant) use the named methods below.
  template <typename OpT, typename... Args>
  mlir::FailureOr<mlir::Value> create(Args &&...args) {
    auto op =
        builder.create<OpT>(loc, placeholder(), std::forward<Args>(args)...);
    return finish(op);
  }

  /// Gives an op that was built with placeholders the types that its rule
  /// infers, one for each result.
  llvm::LogicalResult inferResults(mlir::Operation *op);
  /// A type for a result until its op is complete.
  mlir::RankedTensorType placeholder() {
    return placeholder(builder.getF32Type());
  }

  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                              mlir::ValueRange)>;
  /// An elementwise op over inputs of one shape. `elementType` is that of the
  /// result (it may be unsigned; the body works on signless scalars).
  mlir::FailureOr<mlir::Value> map(mlir::ValueRange inputs,
                                   mlir::Type elementType, Body body);
  /// As `map`, after broadcasting the inputs to their common shape.
  mlir::FailureOr<mlir::Value> broadcastMap(mlir::ValueRange inputs,
                                            mlir::Type elementType, Body body);

  /// The common shape of multidirectional broadcasting. Two dims that are not
  /// known to agree give a guard (equal, or either is 1) and the expression
  /// max(a, b) * min(1, a, b).
  mlir::FailureOr<llvm::SmallVector<Expr>>
  broadcastShapes(llvm::ArrayRef<llvm::SmallVector<Expr>> shapes);

  mlir::FailureOr<mlir::Value> broadcast(mlir::Value input,
                                         llvm::ArrayRef<Expr> shape);
  mlir::FailureOr<mlir::Value> reshape(mlir::Value input,
                                       llvm::ArrayRef<Expr> shape);
  mlir::FailureOr<mlir::Value> transpose(mlir::Value input,
                                         llvm::ArrayRef<int64_t> permutation);
  mlir::FailureOr<mlir::Value> reduce(mlir::Value input,
                                      llvm::ArrayRef<int64_t> dims,
                                      graph::ReduceKind kind, bool keepDims);
  /// Converts elements: floats to integers truncate and saturate, NaN to 0;
  /// anything to bool compares with 0.
  mlir::FailureOr<mlir::Value> cast(mlir::Value input, mlir::Type elementType);

  mlir::Value constant(mlir::ElementsAttr value);
  /// A rank-0 constant; the number is converted to the element type.
  mlir::Value scalar(double value, mlir::Type elementType);
  /// Dim expressions as a tensor of rank 1 (or 0 with `isScalar`).
  mlir::FailureOr<mlir::Value> dims(llvm::ArrayRef<Expr> values,
                                    mlir::Type elementType,
                                    bool isScalar = false);

  sym::ShapeAttr shapeAttr(llvm::ArrayRef<Expr> dims) {
    return sym::ShapeAttr::get(builder.getContext(), dims);
  }

  /// Emits an error at the current location.
  mlir::InFlightDiagnostic emitError() { return mlir::emitError(loc); }

private:
  mlir::RankedTensorType placeholder(mlir::Type elementType) {
    return mlir::RankedTensorType::get({}, elementType);
  }
  mlir::FailureOr<mlir::Value> finish(mlir::Operation *op);

  mlir::OpBuilder &builder;
  graph::ShapeContext &context;
  mlir::Location loc;
};

/// The dims of a value's type as expressions.
inline llvm::SmallVector<Expr> dimsOf(mlir::Value value) {
  return sym::getDims(value.getType());
}
/// The element type of a tensor value.
inline mlir::Type elementTypeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}
/// The rank of a tensor value.
inline int64_t rankOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getRank();
}

} // namespace ambit

#endif // AMBIT_SHAPE_GRAPHBUILDER_H
