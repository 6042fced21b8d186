// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the elements of one op's result from those of its operands.

#ifndef AMBIT_LIB_SHAPE_FOLLOWELEMENTS_H
#define AMBIT_LIB_SHAPE_FOLLOWELEMENTS_H

#include "SizeScalar.h"

namespace ambit {

using Elements = std::optional<llvm::SmallVector<SizeScalar>>;

/// An operand with its known elements.
struct KnownOperand {
  llvm::SmallVector<SizeScalar> elements;
  llvm::SmallVector<int64_t> shape;
};

/// The elements of the result of an op with one result of a static shape.
Elements followElements(mlir::Operation *op,
                        llvm::ArrayRef<KnownOperand> operands, SizeMath &math);

} // namespace ambit

#endif // AMBIT_LIB_SHAPE_FOLLOWELEMENTS_H
