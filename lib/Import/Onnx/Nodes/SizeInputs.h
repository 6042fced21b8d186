// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs whose elements decide shapes: the target of a Reshape, the bounds of a
// Slice, the k of a TopK, the trips of a Loop.

#ifndef AMBIT_LIB_IMPORT_ONNX_SIZEINPUTS_H
#define AMBIT_LIB_IMPORT_ONNX_SIZEINPUTS_H

#include "OnnxNode.h"

namespace ambit::onnx_import {

class ConverterTable;

/// How the elements of an input are used.
struct SizeInput {
  /// They are moved about and bound slices, and nothing else: a number beyond
  /// every size means the end.
  bool onlyBoundSlices = false;
};

/// The inputs of the main graph from which some shape is computed, by name,
/// also where a body does it. The table says which operands are sizes. The
/// inputs' type and dims are not looked at.
llvm::StringMap<SizeInput> findSizeInputs(const OnnxModel &model,
                                          const OnnxGraph &graph,
                                          const ConverterTable &table);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_SIZEINPUTS_H
