// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors stored in ONNX files as attributes.

#ifndef AMBIT_LIB_IMPORT_ONNX_TENSORDATA_H
#define AMBIT_LIB_IMPORT_ONNX_TENSORDATA_H

#include "OnnxModel.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace ambit::onnx_import {

/// The element type of a TensorProto data type; unsigned types are unsigned in
/// MLIR too. Emits an error at `loc` and returns null for strings, complex
/// numbers and types narrower than a byte.
mlir::Type getElementType(int32_t dataType, mlir::Location loc);

/// Whether several elements of the type share a byte, in files and at inputs
/// and outputs.
inline bool isPackedType(mlir::Type type) {
  return type.isInteger(2) || type.isInteger(4) || type.isUnsignedInteger(2) ||
         type.isUnsignedInteger(4);
}

/// "FLOAT", or "type 99" for a number that has no name.
std::string dataTypeName(int32_t dataType);

/// The tensor's data: `dense` for 16 elements or fewer and for splats, else a
/// `dense_resource` that refers to the model's bytes. Emits an error at `loc`
/// when dims, type and data do not go together.
mlir::FailureOr<mlir::ElementsAttr> getElements(const onnx::TensorProto &tensor,
                                                OnnxModel &model,
                                                mlir::Location loc);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_TENSORDATA_H
