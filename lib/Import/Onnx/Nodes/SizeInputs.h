// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs whose elements decide shapes: the target of a Reshape, the bounds of a
// Slice, the k of a TopK, the trips of a Loop.

#ifndef AMBIT_LIB_IMPORT_ONNX_SIZEINPUTS_H
#define AMBIT_LIB_IMPORT_ONNX_SIZEINPUTS_H

#include "OnnxNode.h"

namespace ambit::onnx_import {

/// How the elements of an input are used.
struct SizeInput {
  /// They are moved about and bound slices, and nothing else: a number beyond
  /// every size means the end.
  bool onlyBoundSlices = false;
};

/// The inputs of the main graph from which some shape is computed, by name.
/// Their type and dims are not looked at.
llvm::StringMap<SizeInput> findSizeInputs(const OnnxModel &model,
                                          const OnnxGraph &graph);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_SIZEINPUTS_H
