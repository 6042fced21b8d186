// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: a `graph.loop` whose body is a graph of the model.

#ifndef AMBIT_LIB_IMPORT_ONNX_OPS_CONTROL_LOOPBODY_H
#define AMBIT_LIB_IMPORT_ONNX_OPS_CONTROL_LOOPBODY_H

#include "../../../LoopBuilder.h"
#include "../../Converters.h"

namespace ambit::onnx_import {

/// A loop whose body is a graph. Values from outside that the graph uses are
/// captured; those that are known are said again inside.
class LoopBody : public compose::LoopBuilder {
public:
  LoopBody(NodeContext &c, const OnnxSubgraph &body, Expr trips);

  /// Runs `build` at the end of the body, with the body's names bound. It ends
  /// with `next`; false after an error, or when the loop was given up.
  bool fill(llvm::function_ref<bool()> build);
  /// In the body, converts the graph.
  bool convert(ArrayRef<Value> inputs, SmallVectorImpl<Value> &outputs);

private:
  Value insideAny(Value value);

  NodeContext &c;
  const OnnxSubgraph &body;
};

/// Converts the body of a Loop that carries a sequence once for each trip; an
/// error where their number is not known.
void unrollLoop(NodeContext &c, const OnnxSubgraph &body, Expr trips,
                bool isConditional);

/// What a loop without trips stacks of an output of its body, by the shape that
/// the body declares. The body cannot be asked: its shape rules may rely on
/// what its trips make sure of.
Value emptyStack(NodeContext &c, const OnnxSubgraph &body, unsigned output);

/// Whether two values may have the same shape for some sizes.
bool mayAgree(NodeContext &c, Value lhs, Value rhs);
/// "[n, 4]"
std::string shapeText(Value value);

void addIf(ConverterTable &table);
void addLoop(ConverterTable &table);
void addScan(ConverterTable &table);
void addSequenceMap(ConverterTable &table);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_OPS_CONTROL_LOOPBODY_H
