// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: at how many indices a kernel computes the elements of each op.

#ifndef AMBIT_LIB_KERNEL_ELEMENTINDICES_H
#define AMBIT_LIB_KERNEL_ELEMENTINDICES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace ambit {

/// The elements that a kernel may compute, for one of its result, beyond one of
/// each op.
constexpr unsigned kMaxRepetitions = 64;

/// The different indices at which ops of kernels are computed for one element
/// of the kernel's result.
///
/// An elementwise op hands its own indices on, so what it uses is computed once
/// however many elementwise paths lead there. Every other op makes a new index
/// for each operand: what two slices of one value need is computed, and code
/// for it is emitted, twice, and four times below two more slices of each.
/// Indices are numbers that only mean something by being different.
class ElementIndices {
public:
  using Indices = llvm::SmallVector<unsigned, 1>;

  /// The op is computed at one index: it is stored, or a kernel's root.
  void addOnce(mlir::Operation *op) { indices[op] = {0}; }
  /// Adds an op whose users were all added, at every index that they ask for.
  /// All but one are repetitions and are taken from `room`; an op that only
  /// changes indices may have many, but takes nothing. Adds nothing and returns
  /// false when there is not enough room.
  bool add(mlir::Operation *op, unsigned &room);

private:
  /// The index of an operand of an op that is computed at `index` itself.
  unsigned getOperandIndex(mlir::OpOperand &operand, unsigned index);

  llvm::DenseMap<mlir::Operation *, Indices> indices;
  llvm::DenseMap<std::pair<mlir::OpOperand *, unsigned>, unsigned> numbers;
};

} // namespace ambit

#endif // AMBIT_LIB_KERNEL_ELEMENTINDICES_H
