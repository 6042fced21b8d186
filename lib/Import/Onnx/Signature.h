// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the inputs of a model.

#ifndef AMBIT_LIB_IMPORT_ONNX_SIGNATURE_H
#define AMBIT_LIB_IMPORT_ONNX_SIGNATURE_H

#include "../Signature.h"
#include "Nodes/SizeInputs.h"
#include "OnnxModel.h"
#include "ambit/Import/Onnx/OnnxImport.h"

namespace ambit::onnx_import {

/// Reads the inputs of the graph that have no initializer. A dim text that is
/// no expression, or one whose symbols no input gives, becomes a symbol of a
/// similar name (with `strictDims` the latter is an error); a dim without size
/// or name becomes `<input>_dim<k>`. The elements of `sizeInputs` that are few
/// integers become symbols `<input>[<k>]`.
mlir::FailureOr<compose::Signature>
readSignature(const OnnxModel &model, const ImportOptions &options,
              const llvm::StringMap<SizeInput> &sizeInputs);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_SIGNATURE_H
