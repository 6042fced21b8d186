// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If: the branch that is taken, when the condition is known; else two loops of
// at most one trip, whose results go through both.

#include "LoopBody.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

/// Makes one branch a loop that runs once if `entry` holds and else hands on
/// `before`, or zeros where that is empty; nothing after an error.
static SmallVector<Value> convertBranch(NodeContext &c,
                                        const OnnxSubgraph &branch, Value entry,
                                        ArrayRef<Value> before) {
  size_t count = c.node.outputs.size();
  LoopBody body(c, branch, 1);
  body.create(entry);
  LoopOp loop = body.loop;
  SmallVector<Value> outputs;
  bool isFilled = body.fill([&] {
    if (!body.convert({}, outputs))
      return false;
    body.next(ArrayRef(outputs).take_front(count), {}, Value());
    return true;
  });
  if (!isFilled)
    return {};
  // Now the shapes are known, and with them what is carried in.
  OpBuilder &builder = c.graph.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop);
  SmallVector<Value> inits(before);
  for (size_t i = before.size(); i < count; ++i) {
    Value zero = c.scalar(0, elementTypeOf(outputs[i]));
    inits.push_back(c.broadcast(zero, dimsOf(outputs[i])));
    if (!inits.back())
      return {};
  }
  for (auto [index, init] : llvm::enumerate(inits))
    loop.getBody().insertArgument(index, init.getType(), init.getLoc());
  loop.getInitsMutable().assign(inits);
  if (!body.finish())
    return {};
  return SmallVector<Value>(body.loop.getResults());
}

static void convertByData(NodeContext &c, const OnnxSubgraph &thenBranch,
                          const OnnxSubgraph &elseBranch) {
  Value condition = c.input(0);
  if (!elementTypeOf(condition).isInteger(1)) {
    c.error() << "the condition has element type " << elementTypeOf(condition)
              << ", expected bool";
    return;
  }
  if (!c.requireEqual(sym::getNumElements(dimsOf(condition)), Expr(1),
                      "the condition is not one element"))
    return;
  if (rankOf(condition) != 0)
    condition = c.reshape(condition, {});
  Value opposite = c.map({condition}, [](ScalarBuilder &s, ValueRange v) {
    return s.make<arith::XOrIOp>(v[0], s.integer(1, v[0]));
  });
  if (!opposite)
    return;
  SmallVector<Value> first = convertBranch(c, thenBranch, condition, {});
  if (c.hasFailed())
    return;
  SmallVector<Value> last = convertBranch(c, elseBranch, opposite, first);
  for (auto [index, value] : llvm::enumerate(last))
    c.setOutput(index, value);
}

static void convertIf(NodeContext &c) {
  const OnnxSubgraph *branches[] = {c.graphAttr("else_branch"),
                                    c.graphAttr("then_branch")};
  if (!branches[0] || !branches[1])
    return;
  for (const OnnxSubgraph *branch : branches)
    if (!branch->inputs.empty() ||
        branch->outputs.size() < c.node.outputs.size()) {
      c.error() << "a branch has " << branch->inputs.size() << " inputs and "
                << branch->outputs.size() << " outputs, expected 0 and "
                << c.node.outputs.size();
      return;
    }
  std::optional<SmallVector<Expr>> known = getKnownElements(c.input(0));
  if (!known || known->size() != 1 || !known->front().constant())
    return convertByData(c, *branches[1], *branches[0]);
  SmallVector<Value> outputs;
  if (!c.graphs.convert(*branches[!known->front().isConstant(0)], {},
                        outputs)) {
    c.fail();
    return;
  }
  for (auto [index, value] : llvm::enumerate(outputs))
    c.setOutput(index, value);
}

void ambit::onnx_import::addIf(ConverterTable &table) {
  table.add("If", convertIf, 1);
}
