// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The padded tensors of a function that is being padded, what is known of their
// tails, and how they and true tensors become one another.

#ifndef AMBIT_LIB_SPECIALIZE_PADDING_PADDEDTENSORS_H
#define AMBIT_LIB_SPECIALIZE_PADDING_PADDEDTENSORS_H

#include "PadTails.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Shape/GraphBuilder.h"

namespace ambit {

class PaddedTensors {
public:
  PaddedTensors(graph::ShapeContext &shapes,
                const std::map<std::string, Expr> &tops,
                FreePadding freePadding);

  graph::TailContext &getContext() { return context; }
  /// Whether each padded dim of a tensor is at least its true size, and all of
  /// it has a size in bytes.
  bool canPad(mlir::Value tensor);

  /// The padded form of a tensor of true sizes; the tensor itself where no dim
  /// is padded. Made by a `graph.pad` when no op gave it.
  mlir::FailureOr<mlir::Value> getPadded(mlir::Value tensor);
  /// The tensor with true sizes; cut out of its padded form when that is all
  /// there is.
  mlir::FailureOr<mlir::Value> getExact(mlir::Value tensor);
  /// Says that an op gives a tensor on padded sizes.
  void setPadded(mlir::Value tensor, mlir::Value padded,
                 llvm::ArrayRef<graph::Tail> tails);

  graph::Tail tailOf(mlir::Value tensor, unsigned dim);
  /// The padded form `padded` of some tensor with its tail along `dim` set to
  /// `value`. Set as near to where the tensor is computed as possible: then the
  /// kernel that computes it sets it.
  mlir::FailureOr<mlir::Value> setTail(mlir::Value padded, unsigned dim,
                                       mlir::TypedAttr value);

private:
  struct State {
    llvm::SmallVector<Expr> sizes; // the true ones
    llvm::SmallVector<graph::Tail> tails;
    /// The pad that made it, while its value is free to choose.
    graph::PadOp freePad = {};
  };

  mlir::FailureOr<mlir::Value> setTailAbove(mlir::Value padded, unsigned dim,
                                            mlir::TypedAttr value);
  mlir::FailureOr<mlir::Value> makeTail(mlir::Value padded, unsigned dim,
                                        mlir::TypedAttr value);
  mlir::Value makeScalar(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::TypedAttr value);
  mlir::Value resolve(mlir::Value padded) const;

  graph::ShapeContext &shapes;
  FreePadding freePadding;
  /// By tensors of true sizes.
  llvm::DenseMap<mlir::Value, mlir::Value> padded, exact;
  /// Those whose padded form is what an op gives.
  llvm::DenseSet<mlir::Value> isGiven;
  /// By padded tensors.
  llvm::DenseMap<mlir::Value, State> states;
  /// What took a padded tensor's place for all its users.
  llvm::DenseMap<mlir::Value, mlir::Value> replaced;
  graph::TailContext context;
};

} // namespace ambit

#endif // AMBIT_LIB_SPECIALIZE_PADDING_PADDEDTENSORS_H
