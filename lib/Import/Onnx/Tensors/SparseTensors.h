// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse tensors of ONNX files: a way to store, not a way to compute.

#ifndef AMBIT_LIB_IMPORT_ONNX_TENSORS_SPARSETENSORS_H
#define AMBIT_LIB_IMPORT_ONNX_TENSORS_SPARSETENSORS_H

#include "mlir/Support/LogicalResult.h"

namespace onnx {
class ModelProto;
} // namespace onnx

namespace ambit::onnx_import {

class OnnxModel;

/// Replaces the sparse initializers and the sparse values of Constant nodes by
/// dense ones, in all graphs. Emits errors at places of `model`, which name the
/// tensor, where indices are wrong or the dense tensors are too large.
mlir::LogicalResult densify(onnx::ModelProto &proto, const OnnxModel &model);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_TENSORS_SPARSETENSORS_H
