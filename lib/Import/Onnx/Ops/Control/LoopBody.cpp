// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building a `graph.loop` around a graph of the model, and the control flow
// that is one: Loop, Scan, If.

#include "LoopBody.h"
#include "../../TensorData.h"
#include "Sequences.h"
#include "ambit/Symbolic/Parser.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

LoopBody::LoopBody(NodeContext &c, const OnnxSubgraph &body, Expr trips)
    : LoopBuilder(c, trips), c(c), body(body) {
  for (ValueId id : body.captures) {
    Value value = c.graphs.valueOf(id);
    if (isTensor(value))
      capture(value);
    else if (isSequence(value))
      for (Value element : sequenceElements(value))
        capture(element);
  }
}

/// What a captured tensor or sequence is called inside.
Value LoopBody::insideAny(Value value) {
  if (isTensor(value))
    return inside(value);
  SmallVector<Value> elements;
  if (isSequence(value))
    for (Value element : sequenceElements(value))
      elements.push_back(inside(element));
  return rebuild(c.graph.getBuilder(), c.graph.getLoc(), value, elements);
}

bool LoopBody::convert(ArrayRef<Value> inputs,
                       SmallVectorImpl<Value> &outputs) {
  if (!c.graphs.convert(body, inputs, outputs))
    return false;
  for (auto [index, output] : llvm::enumerate(outputs))
    if (!isTensor(output)) {
      c.error() << "output " << index << " of a body is " << kindText(output)
                << ", expected a tensor where data or sizes decide whether and "
                   "how often it runs";
      return false;
    }
  return true;
}

bool LoopBody::fill(llvm::function_ref<bool()> build) {
  size_t guards = c.graphs.countGuards();
  bool isFilled = LoopBuilder::fill([&] {
    SmallVector<std::pair<ValueId, Value>> outer;
    for (ValueId id : body.captures) {
      outer.push_back({id, c.graphs.valueOf(id)});
      c.graphs.bind(id, insideAny(outer.back().second));
    }
    bool isBuilt = build();
    for (auto [id, value] : outer)
      c.graphs.bind(id, value);
    return isBuilt;
  });
  if (wasGivenUp() && !c.hasFailed())
    c.graphs.dropGuards(guards);
  return isFilled;
}

/// A dim that a body declares for an output, where it means something here.
static Expr declaredDim(NodeContext &c,
                        const onnx::TensorShapeProto::Dimension &dim) {
  if (dim.has_dim_value())
    return Expr(std::max<int64_t>(dim.dim_value(), 0));
  ParseError ignored;
  Expr expr = parseExpr(dim.dim_param(), ignored).value_or(Expr(0));
  std::set<std::string> symbols;
  expr.collectSymbols(symbols);
  for (const std::string &symbol : symbols)
    if (!c.prover().domain().ranges().count(symbol))
      return 0;
  return c.simplify(Expr::max(expr, 0));
}

Value ambit::onnx_import::emptyStack(NodeContext &c, const OnnxSubgraph &body,
                                     unsigned output) {
  const onnx::ValueInfoProto &info = body.proto->output(output);
  if (!info.type().has_tensor_type() ||
      !info.type().tensor_type().has_shape()) {
    c.error() << "no trip runs, and output " << output
              << " of the body has no declared shape";
    return {};
  }
  const onnx::TypeProto::Tensor &type = info.type().tensor_type();
  Type elementType = getElementType(type.elem_type(), c.graph.getLoc());
  if (!elementType)
    return c.fail();
  SmallVector<Expr> dims = {Expr(0)};
  for (const auto &dim : type.shape().dim())
    dims.push_back(declaredDim(c, dim));
  return c.broadcast(c.scalar(0, elementType), dims);
}

bool ambit::onnx_import::mayAgree(NodeContext &c, Value lhs, Value rhs) {
  if (rankOf(lhs) != rankOf(rhs))
    return false;
  auto differ = [&](auto pair) {
    auto [left, right] = pair;
    return c.prover().prove(Relation{Relation::Kind::EQ, left, right}) ==
           Truth::No;
  };
  return llvm::none_of(llvm::zip_equal(dimsOf(lhs), dimsOf(rhs)), differ);
}

std::string ambit::onnx_import::shapeText(Value value) {
  std::string text;
  for (Expr dim : dimsOf(value))
    text += (text.empty() ? "" : ", ") + dim.str();
  return "[" + text + "]";
}

void ambit::onnx_import::addControlFlow(ConverterTable &table) {
  addIf(table);
  addLoop(table);
  addScan(table);
  addSequenceMap(table);
}
