// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs that have one value at every call.

#ifndef AMBIT_LIB_IMPORT_ONNX_INPUTVALUES_H
#define AMBIT_LIB_IMPORT_ONNX_INPUTVALUES_H

#include "ambit/Import/InputValue.h"
#include "ambit/Symbolic/Expr.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Value.h"

namespace ambit::onnx_import {

/// A fixed input while it is read: where errors point, and its name.
struct FixedInput {
  mlir::Location loc;
  llvm::StringRef name;
  const InputValue &value;
};

/// The elements as numbers of the type, for floats their bits: a symbol of the
/// input's elements is compared with them.
mlir::FailureOr<llvm::SmallVector<int64_t>>
readFixedElements(const FixedInput &input, mlir::Type elementType);

/// Makes the dims those of the value. Dims that are numbers must agree; with
/// `hasRank` false there are none yet.
mlir::LogicalResult fixDims(const FixedInput &input, bool hasRank,
                            llvm::SmallVectorImpl<std::optional<Expr>> &dims);

/// An input of the model that could have a fixed value.
struct FixableInput {
  llvm::StringRef name;
  bool isScalar;
};

/// The inputs of the model that a value comes from, in their order; none when
/// some of them could have no fixed value.
llvm::SmallVector<FixableInput> findFixableInputs(mlir::Value value);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_INPUTVALUES_H
