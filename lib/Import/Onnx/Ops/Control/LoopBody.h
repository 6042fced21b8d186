// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: a `graph.loop` whose body is a graph of the model.

#ifndef AMBIT_LIB_IMPORT_ONNX_OPS_CONTROL_LOOPBODY_H
#define AMBIT_LIB_IMPORT_ONNX_OPS_CONTROL_LOOPBODY_H

#include "../../Converters.h"

namespace ambit::onnx_import {

/// Builds one loop: the caller says what it carries and captures, creates it,
/// fills its body and finishes it. Values from outside that the body uses are
/// captured; those that are known are said again inside.
class LoopBody {
public:
  LoopBody(NodeContext &c, const OnnxSubgraph &body, Expr trips);

  /// Adds values, before the loop is created. What is carried keeps its shape,
  /// or each of its dims grows by so much in a trip.
  void carry(Value init, ArrayRef<Expr> growth = {}) {
    inits.push_back(init);
    growths.emplace_back(growth);
  }
  void capture(Value value);
  /// Creates the loop with an empty body and without results. `entry` may be
  /// null.
  void create(Value entry);
  /// Runs `build` at the end of the body, with the body's names bound. It ends
  /// with `next`; false after an error, or when the loop was given up.
  bool fill(llvm::function_ref<bool()> build);
  /// In the body: the loop is not the right one. All that building it has left
  /// behind is taken back.
  void giveUp() { isGivenUp = true; }
  bool wasGivenUp() const { return isGivenUp; }
  void next(ValueRange carried, ValueRange stacked, Value condition);
  /// Gives the loop its results; false after an error.
  bool finish();

  // In the body:
  /// What a value from outside is called inside.
  Value inside(Value value);
  Value carried(unsigned number) { return loop.getCarriedArguments()[number]; }
  /// The number of the trip, from 0 on.
  Expr trip() const { return Expr::symbol(iteration); }
  bool convert(ArrayRef<Value> inputs, SmallVectorImpl<Value> &outputs) {
    return c.graphs.convert(body, inputs, outputs);
  }

  ambit::graph::LoopOp loop;
  /// The number of trips or an upper bound; may become smaller in the body.
  Expr trips;

private:
  NodeContext &c;
  const OnnxSubgraph &body;
  std::string iteration;
  SmallVector<Value> inits, captures;
  SmallVector<SmallVector<Expr>> growths;
  bool isGivenUp = false;
};

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

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_OPS_CONTROL_LOOPBODY_H
