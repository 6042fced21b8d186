// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences and optionals while a model is imported: lists of values that are
// gone when the import is done.

#ifndef AMBIT_LIB_IMPORT_ONNX_OPS_CONTROL_SEQUENCES_H
#define AMBIT_LIB_IMPORT_ONNX_OPS_CONTROL_SEQUENCES_H

#include "mlir/IR/Builders.h"

namespace mlir::func {
class FuncOp;
}

namespace ambit::onnx_import {

/// Longer sequences are refused: each element is a value of its own.
constexpr int64_t kMaxSequenceLength = 1000;

/// A sequence is a value whose type is a tuple, and whose op has its elements
/// as operands: what binds names to values need not know of sequences. An empty
/// optional has the type none; any other optional is the value in it.
mlir::Value makeSequence(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::ValueRange elements);
mlir::Value makeEmptyOptional(mlir::OpBuilder &builder, mlir::Location loc);

bool isTensor(mlir::Value value);
bool isSequence(mlir::Value value);
bool isEmptyOptional(mlir::Value value);
/// The elements of a sequence.
mlir::ValueRange sequenceElements(mlir::Value sequence);
/// The same sequence or empty optional with other elements.
mlir::Value rebuild(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value like, mlir::ValueRange elements);
/// "a sequence of 3 tensors", for messages.
std::string kindText(mlir::Value value);

/// Drops the ops that held sequences, which nothing uses any more.
void eraseSequences(mlir::func::FuncOp function);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_OPS_CONTROL_SEQUENCES_H
