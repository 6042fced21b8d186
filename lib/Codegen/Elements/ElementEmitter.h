// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: code for single elements (or lanes of them) of a kernel's tensors.

#ifndef AMBIT_LIB_CODEGEN_ELEMENTEMITTER_H
#define AMBIT_LIB_CODEGEN_ELEMENTEMITTER_H

#include "../KernelLowering.h"
#include "ambit/Shape/GraphBuilder.h"
#include <map>
#include <vector>

namespace ambit {

/// Computes elements of tensors in a kernel by walking from the tensor to the
/// arguments: an index-mapping op changes the index, an elementwise op applies
/// its body. What was computed once at an index is not computed again, so an
/// emitter lives only as long as its insertion point dominates its uses.
class ElementEmitter {
public:
  ElementEmitter(KernelLowering &kernel, Lanes lanes)
      : k(kernel), lanes(lanes) {}

  /// Gives the elements of the root at the index that the caller will use.
  void bind(mlir::Value tensor, mlir::Value elements) {
    bound[tensor] = elements;
  }

  mlir::Value emit(mlir::Value tensor, llvm::ArrayRef<LaneIndex> index);
  /// Elements of an argument of the kernel.
  mlir::Value load(mlir::Value argument, llvm::ArrayRef<LaneIndex> index);

private:
  using Index = llvm::SmallVector<LaneIndex>;

  mlir::Value emitOp(mlir::Operation *op, llvm::ArrayRef<LaneIndex> index);
  mlir::Value emitMap(graph::MapOp op, llvm::ArrayRef<LaneIndex> index);
  mlir::Value emitConstant(graph::ConstantOp op);
  mlir::Value emitDims(graph::DimsOp op, llvm::ArrayRef<LaneIndex> index);
  mlir::Value emitIota(graph::IotaOp op, llvm::ArrayRef<LaneIndex> index);
  mlir::Value emitBroadcast(graph::BroadcastOp op,
                            llvm::ArrayRef<LaneIndex> index);
  mlir::Value emitSlice(graph::SliceOp op, llvm::ArrayRef<LaneIndex> index);
  mlir::Value emitTranspose(graph::TransposeOp op,
                            llvm::ArrayRef<LaneIndex> index);
  mlir::Value emitGather(graph::GatherOp op, llvm::ArrayRef<LaneIndex> index);
  mlir::Value emitPad(graph::PadOp op, llvm::ArrayRef<LaneIndex> index);
  mlir::Value emitResize(graph::ResizeOp op, llvm::ArrayRef<LaneIndex> index);

  /// One tap of a resize along one dim: a position and its weight (null: 1).
  struct Tap {
    LaneIndex index;
    mlir::Value weight;
  };
  llvm::SmallVector<Tap> resizeTaps(graph::ResizeOp op, int64_t dim,
                                    LaneIndex index);
  /// The floor of a quotient, and what is left of the dividend.
  struct Quotient {
    mlir::Value floor, rest;
  };
  /// (step * index + start) / divisor of all lanes, as i64; the divisor is
  /// positive.
  Quotient divide(LaneIndex index, mlir::Value step, mlir::Value start,
                  mlir::Value divisor);
  mlir::Value realPositions(LaneIndex index);
  mlir::Value sumTaps(graph::ResizeOp op, int64_t dim, Index index);

  /// The positions of all lanes, as `index` (a vector unless scalar code).
  mlir::Value positions(LaneIndex index);
  /// The reverse: positions that may differ from lane to lane.
  LaneIndex fromPositions(mlir::Value positions);
  static bool isUniform(LaneIndex index) {
    return !index.vector && index.stride == 0;
  }
  /// An index with all lanes alike, read by scalar code.
  mlir::Value emitUniform(mlir::Value tensor, llvm::ArrayRef<LaneIndex> index);
  /// Reports those lanes that are bad, with one of the positions shown for
  /// them.
  void reportLanes(mlir::Value bad, mlir::Value shown);
  void reportZero(mlir::Value isZero);
  void guardDivision(mlir::Operation *division);
  void guardPower(mlir::Operation *power);
  /// An integer as a scalar or in every lane, as `type` has it.
  mlir::Value integerLike(mlir::Type type, llvm::APInt value);
  mlir::Value toElement(mlir::Value positions, mlir::Type elementType);

  KernelLowering &k;
  Lanes lanes;
  llvm::DenseMap<mlir::Value, mlir::Value> bound;
  std::map<std::vector<const void *>, mlir::Value> memo;
};

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_ELEMENTEMITTER_H
