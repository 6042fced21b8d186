// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an op takes part in kernels: what KernelOpInterface tells the passes that
// form kernels, estimate their work and lower them.

#ifndef AMBIT_DIALECT_GRAPH_IR_KERNELRULE_H
#define AMBIT_DIALECT_GRAPH_IR_KERNELRULE_H

#include "ambit/Symbolic/Expr.h"
#include "mlir/IR/Operation.h"

namespace ambit::graph {

/// Where an op's work is done.
enum class KernelRole {
  /// Nowhere: it costs nothing at run time, or has kernels inside.
  None,
  /// In a function of the runtime's library.
  Library,
  /// In a kernel of its own loop structure; a kernel has at most one such op.
  Root,
  /// In a kernel, element by element, wherever the element is needed.
  Inline,
  /// In a kernel that it ends: its result is stored.
  Stored,
};

/// What is done at each point of an op's work; lib/Cost says what it takes.
enum class WorkKind {
  None,
  MultiplyAdd,
  /// One step of a reduction.
  Combine,
  /// One element of a softmax, all passes.
  Softmax,
  /// One load out of order.
  Scattered,
  /// One element of a resized tensor.
  Sample,
  /// The scalar body of a map.
  Body,
};

/// The data that an op may refuse while it runs.
enum class DataCheck { None, Index, Division };

struct KernelRule {
  KernelRole role = KernelRole::Stored;
  /// The op can compute these operands itself, once for each element that it
  /// reads, instead of loading them; a bit for each operand.
  uint64_t inlineOperands = 0;
  /// ... but only what is cheap to compute again, because it reads elements
  /// more than once.
  bool inlinesOnlyCheap = false;
  /// Cheaper to compute again than to load.
  bool isCheap = false;
  /// Elementwise ops after this root are applied while its elements are in
  /// registers.
  bool takesEpilogue = false;
  /// Operands that are always read from memory: constants among them, too, are
  /// arguments of the kernel.
  uint64_t memoryOperands = 0;
  DataCheck check = DataCheck::None;
  WorkKind work = WorkKind::None;
  /// The box of points at which the work is done.
  llvm::SmallVector<Expr> points;
  /// Reads what it needs of its operands again and again: loads are part of the
  /// work at each point.
  bool loadsInWork = false;

  bool inlines(unsigned operand) const {
    return operand < 64 ? (inlineOperands >> operand & 1)
                        : inlineOperands == ~uint64_t(0);
  }
  bool readsFromMemory(unsigned operand) const {
    return operand < 64 ? (memoryOperands >> operand & 1)
                        : memoryOperands == ~uint64_t(0);
  }
};

/// The rule of any op; an op without one stays outside of kernels.
KernelRule getKernelRule(mlir::Operation *op);

/// Whether a scalar op of a map's body is an integer division that may trap:
/// its divisor is no constant, or is 0 or -1; or may be 0 to a negative power.
bool mayDivideByZero(mlir::Operation &op);

} // namespace ambit::graph

#endif // AMBIT_DIALECT_GRAPH_IR_KERNELRULE_H
