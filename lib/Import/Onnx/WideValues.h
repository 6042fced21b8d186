// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which type 16-bit floats are computed.

#ifndef AMBIT_LIB_IMPORT_ONNX_WIDEVALUES_H
#define AMBIT_LIB_IMPORT_ONNX_WIDEVALUES_H

#include "Nodes/OnnxNode.h"
#include "ambit/Shape/GraphBuilder.h"

namespace ambit::onnx_import {

/// What an operator does with narrow floats.
enum class Precision {
  /// It sees them as the model stores them: what compares, chooses, looks up or
  /// converts, and everything that is not listed.
  Stored,
  /// It computes in f32, and the result is rounded once.
  Wide,
  /// It multiplies matrices or windows as the model stores them: they are
  /// large. Sums are f32, as is a bias, and the result is rounded once.
  Product,
  /// It only moves elements, in the form in which they come.
  Moved,
};

Precision getPrecision(llvm::StringRef opType);

/// The f32 forms of the narrow floats of a model.
///
/// A model in f16 says that each value is f16, not that the operators do their
/// arithmetic in it: a mean over 70,000 elements is a small number, though
/// their sum and even their count exceed f16. So arithmetic is done in f32, and
/// a value is rounded where it is stored.
///
/// Exporters also write one formula (a normalization) as many nodes. The values
/// between them are nowhere stored, so nothing rounds them either: a node whose
/// users all compute in f32 hands its f32 result on. Which values are rounded
/// thereby depends on the nodes of the model alone, never on shapes, variants,
/// or what shares a kernel.
class WideValues {
public:
  WideValues(const OnnxModel &model, const OnnxGraph &graph);

  /// Replaces stored inputs of a node by the forms that its operator takes.
  /// False after an error.
  bool widenInputs(const OnnxNode &node, GraphBuilder &builder,
                   llvm::MutableArrayRef<mlir::Value> inputs);
  /// Brings an output of a node to the type of its stored inputs, and keeps the
  /// wide form when the users want it. Null after an error.
  mlir::Value roundOutput(const OnnxNode &node, size_t index,
                          llvm::ArrayRef<mlir::Value> storedInputs,
                          GraphBuilder &builder, mlir::Value output);

private:
  void markRounded(const std::vector<OnnxNode> &nodes);

  /// By value id: whether some user needs it as it is stored.
  std::vector<bool> isRounded;
  /// By value id: the f32 form, or null.
  std::vector<mlir::Value> wide;
};

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_WIDEVALUES_H
