// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building a `graph.loop` around a graph of the model, and the control flow
// that is one: Loop, Scan, If.

#include "LoopBody.h"
#include "../../TensorData.h"
#include "ambit/Dialect/Graph/IR/InferTypes.h"
#include "ambit/Symbolic/Parser.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

LoopBody::LoopBody(NodeContext &c, const OnnxSubgraph &body, Expr trips)
    : trips(trips), c(c), body(body),
      iteration(c.graphs.newSymbol("iteration")) {
  for (ValueId id : body.captures)
    capture(c.graphs.valueOf(id));
}

/// Whether a value can be made again inside of a loop at no cost: constants,
/// and what is known as expressions, such as an input whose elements are sizes.
static bool isKnown(Value value) {
  return isa_and_nonnull<ConstantOp>(value.getDefiningOp()) ||
         (rankOf(value) <= 1 && getKnownElements(value));
}

void LoopBody::capture(Value value) {
  if (!isKnown(value) && !llvm::is_contained(captures, value))
    captures.push_back(value);
}

void LoopBody::create(Value entry) {
  loop = c.graph.getBuilder().create<LoopOp>(
      c.graph.getLoc(), TypeRange(), iteration, c.graph.shapeAttr({trips}),
      inits, captures, entry);
  Block &block = loop.getBody().emplaceBlock();
  for (auto [init, growth] : llvm::zip_equal(inits, growths)) {
    SmallVector<Expr> dims = dimsOf(init);
    for (auto [dim, step] : llvm::zip(dims, growth))
      dim = dim + step * trip();
    block.addArgument(sym::getTensorType(dims, elementTypeOf(init)),
                      init.getLoc());
  }
  for (Value value : captures)
    block.addArgument(value.getType(), value.getLoc());
}

Value LoopBody::inside(Value value) {
  for (auto [capture, argument] :
       llvm::zip_equal(loop.getCaptures(), loop.getCapturedArguments()))
    if (capture == value)
      return argument;
  if (value.getDefiningOp<ConstantOp>())
    return c.graph.getBuilder().clone(*value.getDefiningOp())->getResult(0);
  return c.dims(*getKnownElements(value), elementTypeOf(value),
                /*isScalar=*/rankOf(value) == 0);
}

bool LoopBody::fill(llvm::function_ref<bool()> build) {
  OpBuilder &builder = c.graph.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&loop.getBody().front());
  ShapeContext &context = c.graph.getContext();
  context.enterLoop(iteration, trips);
  size_t guards = c.graphs.countGuards();
  SmallVector<std::pair<ValueId, Value>> outer;
  for (ValueId id : body.captures) {
    outer.push_back({id, c.graphs.valueOf(id)});
    c.graphs.bind(id, inside(outer.back().second));
  }
  bool isBuilt = build() && !c.hasFailed();
  for (auto [id, value] : outer)
    c.graphs.bind(id, value);
  if (isGivenUp && !c.hasFailed()) {
    context.forgetLoop();
    c.graphs.dropGuards(guards);
    loop.erase();
    return false;
  }
  context.leaveLoop(iteration);
  if (!isBuilt)
    c.fail();
  return isBuilt;
}

void LoopBody::next(ValueRange carried, ValueRange stacked, Value condition) {
  c.graph.getBuilder().create<NextOp>(c.graph.getLoc(), carried, stacked,
                                      condition);
  loop.setTripsAttr(c.graph.shapeAttr({trips}));
}

bool LoopBody::finish() {
  OpBuilder &builder = c.graph.getBuilder();
  NextOp next = loop.getNext();
  SmallVector<Type> placeholders(
      next.getCarried().size() + next.getStacked().size(),
      RankedTensorType::get({}, builder.getF32Type()));
  auto complete = builder.create<LoopOp>(
      loop.getLoc(), placeholders, loop.getIteration(), loop.getTrips(),
      loop.getInits(), loop.getCaptures(), loop.getEntry());
  complete.getBody().takeBody(loop.getBody());
  loop.erase();
  loop = complete;
  SmallVector<RankedTensorType> types;
  if (failed(graph::inferTypes(loop, c.graph.getContext(), types))) {
    c.fail();
    return false;
  }
  for (auto [result, type] : llvm::zip_equal(loop.getResults(), types))
    result.setType(type);
  return true;
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
}
