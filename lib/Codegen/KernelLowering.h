// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: how one kernel function becomes loops. A kernel is a private
// function of `graph` ops: at most one root (contract, conv, window, reduce,
// softmax, ...), elementwise and index-mapping ops before it, elementwise ops
// after it, and one result. Tensors from outside are its arguments; they and
// the result live in flat buffers.

#ifndef AMBIT_LIB_CODEGEN_KERNELLOWERING_H
#define AMBIT_LIB_CODEGEN_KERNELLOWERING_H

#include "ambit/Codegen/VectorTarget.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace ambit {

/// How many elements code computes at once: consecutive ones along the last dim
/// of the tensor at hand.
struct Lanes {
  /// 1 means scalar code, without vectors.
  int64_t count = 1;
  /// vector<count x i1>; null when every lane is active.
  mlir::Value mask;
};

/// A position along one dim: that of lane l is base + l * stride, or the l-th
/// element of `vector` (vector<count x index>) when that is set.
struct LaneIndex {
  LaneIndex() = default;
  LaneIndex(mlir::Value base, int64_t stride = 0)
      : base(base), stride(stride) {}
  mlir::Value base;
  int64_t stride = 0;
  mlir::Value vector;
};

/// The state of lowering one kernel: where code goes, what the kernel's sizes
/// and buffers are in that code. Code is inserted at `b`.
class KernelLowering {
public:
  KernelLowering(mlir::func::FuncOp source, mlir::func::FuncOp target,
                 llvm::ArrayRef<Expr> sizes, const VectorTarget &vectors);

  mlir::OpBuilder b;
  mlir::Location loc;
  const VectorTarget &vectors;

  // Index arithmetic; folds constants.
  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value floorDiv(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mod(mlir::Value lhs, mlir::Value rhs);
  mlir::Value ceilDiv(mlir::Value lhs, mlir::Value rhs);
  mlir::Value min(mlir::Value lhs, mlir::Value rhs);
  mlir::Value max(mlir::Value lhs, mlir::Value rhs);
  /// `value`, or 0 if any of the extents is: loops over large dims around none
  /// would take long to do nothing.
  mlir::Value zeroIfAny(mlir::ValueRange extents, mlir::Value value);

  /// The value of a dim of some type in the kernel, as `index`: a constant, a
  /// size parameter, or (in attributes) an expression of them.
  mlir::Value dim(Expr expr);
  llvm::SmallVector<mlir::Value> dims(mlir::Value tensor);
  /// Elements between neighbours along each dim of a tensor in its buffer, and
  /// the position of an element. That buffers are row-major is written here.
  llvm::SmallVector<mlir::Value> strides(mlir::Value tensor);
  mlir::Value positionOf(mlir::Value tensor, llvm::ArrayRef<mlir::Value> index);
  /// The product of dims.
  mlir::Value product(mlir::ValueRange values);
  /// The multi-index of a row-major position in a box of these extents.
  llvm::SmallVector<mlir::Value> delinearize(mlir::Value position,
                                             mlir::ValueRange extents);

  /// The scalar type in registers for an element type (signless).
  mlir::Type scalarType(mlir::Type elementType);
  /// The scalar type in which many elements are added or multiplied: f32 for
  /// narrower floats, whose sums stop growing at 2048 (f16) or 256 (bf16).
  mlir::Type sumType(mlir::Type elementType);
  /// A float, or lanes of it, in another float type.
  mlir::Value convertFloat(mlir::Value value, mlir::Type scalar);
  /// `type` itself for scalar code, else a vector of it.
  mlir::Type laneType(mlir::Type scalar, Lanes lanes);
  /// A scalar repeated in every lane.
  mlir::Value splat(mlir::Value scalar, Lanes lanes);
  /// Elements as they come from a buffer, as scalars of a type or lanes of it.
  mlir::Value fromStorage(mlir::Value value, mlir::Type scalar);
  /// A number as a scalar of a float or integer type, in every lane.
  mlir::Value number(double value, mlir::Type scalar, Lanes lanes);

  /// Whether a tensor is an argument of the kernel, thus has a buffer.
  bool isExternal(mlir::Value tensor) const;
  /// The flat buffer, memref<?xT>, of an argument or of the result; elements of
  /// less than a byte, and floats of one, are i8 there.
  mlir::Value buffer(mlir::Value argument);
  mlir::Value resultBuffer() { return result; }

  /// Elements of an argument at an index with one entry per dim. Lanes at unit
  /// stride are one (masked) load; lanes that do not move, one scalar load; the
  /// rest a gather. Inactive lanes read nothing and hold 0.
  mlir::Value load(mlir::Value argument, llvm::ArrayRef<LaneIndex> index,
                   Lanes lanes);
  /// As above from a buffer with known strides: `offset` is the position of
  /// lane 0, lanes are `stride` elements apart.
  mlir::Value loadAt(mlir::Value buffer, mlir::Type elementType,
                     mlir::Value offset, int64_t stride, Lanes lanes);
  /// Stores lanes at consecutive positions of the result from `offset` on.
  void storeAt(mlir::Value buffer, mlir::Type elementType, mlir::Value value,
               mlir::Value offset, Lanes lanes);

  /// Elements of any tensor in the kernel at an index, computing what is not an
  /// argument. The root's elements must have been given by `finish`.
  mlir::Value emit(mlir::Value tensor, llvm::ArrayRef<LaneIndex> index,
                   Lanes lanes);

  /// Takes the root's elements at `index` (scalar positions; lanes along the
  /// last dim), applies the ops after the root, and stores to the result.
  void finish(mlir::Value rootElements, llvm::ArrayRef<mlir::Value> index,
              Lanes lanes);

  /// A loop over [low, high) by `step`; the body gets the induction variable
  /// with `b` inside of the loop.
  void loop(mlir::Value low, mlir::Value high, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  /// A loop that carries values; the body returns the next ones.
  llvm::SmallVector<mlir::Value>
  loop(mlir::Value low, mlir::Value high, int64_t step, mlir::ValueRange init,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                         mlir::ValueRange)>
           body);
  /// Covers [0, extent) by whole vectors, then one masked piece for what is
  /// left; the body gets the first position and its lanes. Each piece holds
  /// `count` lanes. A constant extent leaves out what cannot happen.
  void vectorLoop(mlir::Value extent, int64_t count,
                  llvm::function_ref<void(mlir::Value, Lanes)> body);
  /// Mask of the first `active` (index) of `count` lanes.
  mlir::Value maskOf(mlir::Value active, int64_t count);

  /// Records a failed check of this launch with the offending value.
  void reportFailure(mlir::Value failed, mlir::Value value);

  /// The constant behind an index value, if it is one.
  static std::optional<int64_t> constantOf(mlir::Value value);

  mlir::func::FuncOp source, target;
  /// The root op of the kernel, or null when it is elementwise throughout.
  mlir::Operation *root = nullptr;
  /// The tensor that the kernel returns.
  mlir::Value returned;

private:
  friend class ElementEmitter;
  llvm::DenseMap<const void *, mlir::Value> sizeArguments;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  mlir::Value result, failures, check;
};

/// Combines the lanes of a vector in a fixed binary tree; a scalar is its own
/// result.
mlir::Value
combineLanes(KernelLowering &kernel, mlir::Value vector,
             llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> pair);

/// Accumulates elements [0, extent) by whole vectors of `count` lanes and one
/// masked piece whose inactive lanes are `neutral`. Returns the lanes.
mlir::Value
reduceLastDim(KernelLowering &kernel, mlir::Value extent, int64_t count,
              mlir::Value init, mlir::Value neutral,
              llvm::function_ref<mlir::Value(mlir::Value, Lanes)> element,
              llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> pair);

/// A root knows how to split its work into independent units and how to compute
/// one. Units may run in any order and on any thread; each element of the
/// result belongs to one unit, and its value does not depend on the split.
struct RootLowering {
  /// The number of units, as `index`.
  mlir::Value (*countUnits)(KernelLowering &kernel);
  /// Emits the work of one unit.
  void (*emitUnit)(KernelLowering &kernel, mlir::Value unit);
};

/// The lowering of a kernel by its root op; `elementwise` for none.
RootLowering getContractLowering();
RootLowering getConvLowering();
RootLowering getWindowLowering();
RootLowering getReduceLowering();
RootLowering getArgReduceLowering();
RootLowering getSoftmaxLowering();
RootLowering getElementwiseLowering();

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_KERNELLOWERING_H
