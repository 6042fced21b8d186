// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: where the intermediate values of a variant live.

#ifndef AMBIT_LIB_CODEGEN_MEMORYPLAN_H
#define AMBIT_LIB_CODEGEN_MEMORYPLAN_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Symbolic/EntryBounds.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace ambit {

/// Slots of one arena, and the slot of each value that needs one.
struct MemoryPlan {
  /// Value (result of a launch, a library op or a loop) to index of its slot.
  llvm::DenseMap<mlir::Value, unsigned> slots;
  /// The slot of the memory that a library op works in.
  llvm::DenseMap<mlir::Operation *, unsigned> scratch;
  /// Slots for carried values that a `graph.next` gives to another place.
  llvm::DenseMap<mlir::OpOperand *, unsigned> moved;
  /// Byte offset of each slot: a multiple of 64.
  llvm::SmallVector<Expr> offsets;
  /// Bytes of the whole arena.
  Expr size;
};

/// Plans the arena of a variant over its domain. `external` are values that
/// live elsewhere (outputs). A value is alive from its launch to the last
/// launch that reads it, under whatever shape; what a loop reads or makes, all
/// through it. Sizes that the run sets count with what they are at most; an
/// error at the op when no such bound is known.
mlir::FailureOr<MemoryPlan>
planMemory(mlir::func::FuncOp variant,
           const llvm::DenseSet<mlir::Value> &external, const Domain &domain);

/// The values of a loop's body that are made in their row of a stacked result,
/// and the number of that result.
llvm::DenseMap<mlir::Value, unsigned> getStackedInPlace(graph::LoopOp loop);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_MEMORYPLAN_H
