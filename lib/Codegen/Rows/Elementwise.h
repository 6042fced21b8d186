// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the three kinds of kernels without a root: a concat at the end, a
// constant pad at the end, and all others.

#ifndef AMBIT_LIB_CODEGEN_ROWS_ELEMENTWISE_H
#define AMBIT_LIB_CODEGEN_ROWS_ELEMENTWISE_H

#include "RowBlocks.h"

namespace ambit {

/// Lanes for rows of this extent; scalar code where they have one element.
int64_t countRowLanes(KernelLowering &kernel, mlir::Value extent);
/// Units over elements of these extents: blocks of rows of the last dim.
RowBlocks getElementRows(KernelLowering &kernel,
                         llvm::ArrayRef<mlir::Value> extents);

/// Whether the kernel ends in a concat, which writes piece by piece.
bool endsInConcat(KernelLowering &kernel);
RootLowering getConcatLowering();

/// Whether the kernel ends in a constant pad, which fills around a plain copy.
bool endsInPad(KernelLowering &kernel);
RootLowering getPadLowering();

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_ROWS_ELEMENTWISE_H
