// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms that put elements side by side or pick them by position: concat, pad,
// gather, scatter, resize; and tensors made of positions and sizes.

#include "Generation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::fuzz;

static Value pickOfRank(Generation &g, int64_t min, int64_t max = 5) {
  return g.pick([=](Value v) { return rankOf(v) >= min && rankOf(v) <= max; });
}

static FailureOr<Value> concat(Generation &g) {
  Value value = pickOfRank(g, 1);
  if (!value)
    return failure();
  int64_t axis = g.randomAxis(value);
  SmallVector<Value> inputs = {value};
  for (int64_t more = g.random.between(1, 2); more > 0; --more) {
    SmallVector<Expr> dims = dimsOf(value);
    if (g.random.oneIn(2))
      dims[axis] = g.randomDim();
    inputs.push_back(
        g.random.oneIn(6) ? value : g.operandLike(dims, elementTypeOf(value)));
  }
  std::swap(inputs[0], inputs[g.random.below(inputs.size())]);
  return g.graph().create<graph::ConcatOp>(inputs, axis);
}

static FailureOr<Value> padAs(Generation &g, graph::PadMode mode) {
  Value value = pickOfRank(g, 1);
  if (!value)
    return failure();
  SmallVector<Expr> low, high;
  int64_t axis = g.randomAxis(value);
  for (auto [index, dim] : llvm::enumerate(dimsOf(value))) {
    bool isPadded = int64_t(index) == axis || g.random.oneIn(4);
    for (SmallVector<Expr> *amounts : {&low, &high}) {
      Expr amount = 0;
      if (isPadded)
        amount = g.random.between(0, 3);
      if (isPadded && g.random.oneIn(6))
        amount = g.random.oneIn(2) ? Expr::floorDiv(dim, 2) : g.randomSymbol();
      amounts->push_back(amount);
    }
  }
  GraphBuilder &b = g.graph();
  Type type = elementTypeOf(value);
  double number = type.isInteger(1) ? 1 : g.random.choose({0., 1., -1.5});
  if (type.isUnsignedInteger())
    number = 3;
  Value fill = b.scalar(number, type);
  return b.create<graph::PadOp>(
      value, fill, b.shapeAttr(low), b.shapeAttr(high),
      graph::PadModeAttr::get(fill.getContext(), mode));
}

static FailureOr<Value> padConstant(Generation &g) {
  return padAs(g, graph::PadMode::Constant);
}
static FailureOr<Value> padEdge(Generation &g) {
  return padAs(g, graph::PadMode::Edge);
}
static FailureOr<Value> padReflect(Generation &g) {
  return padAs(g, graph::PadMode::Reflect);
}
static FailureOr<Value> padWrap(Generation &g) {
  return padAs(g, graph::PadMode::Wrap);
}

/// Any integers brought into 0 .. extent-1.
static FailureOr<Value> bringInside(Generation &g, Value indices, Expr extent) {
  Type type = elementTypeOf(indices);
  if (!type.isInteger(64) && !type.isInteger(32))
    return failure();
  FailureOr<Value> size = g.graph().dims({extent}, type, /*isScalar=*/true);
  if (failed(size))
    return failure();
  return g.graph().broadcastMap(
      {indices, *size}, type,
      [&](OpBuilder &b, Location loc, ValueRange in) -> Value {
        Value one = b.create<arith::ConstantOp>(loc, b.getIntegerAttr(type, 1));
        Value divisor = b.create<arith::MaxSIOp>(loc, in[1], one);
        return b.create<arith::RemUIOp>(loc, in[0], divisor);
      });
}

static FailureOr<Value> gather(Generation &g) {
  Value data = pickOfRank(g, 1, 4);
  if (!data)
    return failure();
  int64_t axis = g.randomAxis(data);
  Type i64 = g.ops().getI64Type();
  SmallVector<Expr> shape;
  for (int64_t rank = g.random.choose({0, 1, 1, 1, 2}); rank > 0; --rank)
    shape.push_back(g.randomDim());
  Value indices;
  if (g.random.oneIn(3))
    indices = g.pick([&](Value v) {
      return elementTypeOf(v).isInteger() && g.isExact(v) && rankOf(v) < 3;
    });
  if (!indices)
    indices =
        g.addOperand(shape, g.random.oneIn(2) ? i64 : g.ops().getI32Type(),
                     /*mayBeConstant=*/true);
  if (!g.random.oneIn(4)) {
    FailureOr<Value> inside = bringInside(g, indices, dimsOf(data)[axis]);
    if (failed(inside))
      return failure();
    indices = *inside;
  }
  return g.graph().create<graph::GatherOp>(data, indices, axis);
}

/// Rows put into a tensor of two dims or more, seen as rows.
static FailureOr<Value> scatter(Generation &g) {
  Value data = pickOfRank(g, 2, 4);
  if (!data)
    return failure();
  SmallVector<Expr> dims = dimsOf(data);
  Type i64 = g.ops().getI64Type();
  bool isCombined = elementTypeOf(data).isF32() ||
                    elementTypeOf(data).isInteger(32) ||
                    elementTypeOf(data).isInteger(64);
  // What lies in one place depends on the order of the rows alone.
  auto kind = isCombined ? graph::ScatterKind(g.random.below(5))
                         : graph::ScatterKind::Replace;
  Expr rows = g.randomDim();
  SmallVector<Value> columns;
  for (Expr extent : ArrayRef(dims).drop_back()) {
    Value column = g.addOperand({rows, Expr(1)}, i64, /*mayBeConstant=*/true);
    if (!g.random.oneIn(6)) {
      FailureOr<Value> inside = bringInside(g, column, extent);
      if (failed(inside))
        return failure();
      column = *inside;
    }
    columns.push_back(column);
  }
  Value indices = columns.front();
  if (columns.size() > 1) {
    FailureOr<Value> joined =
        g.graph().create<graph::ConcatOp>(ValueRange(columns), 1);
    if (failed(joined))
      return failure();
    indices = *joined;
  }
  Value updates = g.operandLike({rows, dims.back()}, elementTypeOf(data));
  return g.graph().create<graph::ScatterOp>(updates, data, indices, kind);
}

static FailureOr<Value> iota(Generation &g) {
  SmallVector<Expr> shape;
  for (int64_t rank = g.random.between(1, 3); rank > 0; --rank)
    shape.push_back(g.randomDim());
  Type type = g.random.choose<Type>(
      {g.ops().getI64Type(), g.ops().getI32Type(), g.ops().getF32Type()});
  return g.graph().create<graph::IotaOp>(g.graph().shapeAttr(shape),
                                         g.random.below(shape.size()), type);
}

static FailureOr<Value> dims(Generation &g) {
  SmallVector<Expr> values;
  for (int64_t count = g.random.between(1, 4); count > 0; --count) {
    Value value = pickOfRank(g, 1);
    values.push_back(value && g.random.oneIn(2)
                         ? dimsOf(value)[g.randomAxis(value)]
                         : g.randomDim());
  }
  Type type = g.random.choose<Type>(
      {g.ops().getI64Type(), g.ops().getI64Type(), g.ops().getF32Type()});
  return g.graph().dims(values, type, values.size() == 1);
}

static FailureOr<Value> constant(Generation &g) {
  SmallVector<int64_t> shape;
  for (int64_t rank = g.random.between(0, 3); rank > 0; --rank)
    shape.push_back(g.random.choose<int64_t>({1, 2, 3, 5, 8}));
  return g.constant(shape, g.randomType());
}

static FailureOr<Value> resizeAs(Generation &g, graph::ResizeMode mode) {
  bool isLinear = mode == graph::ResizeMode::Linear;
  Value value = isLinear ? g.pickFloat(1, 4) : pickOfRank(g, 1, 4);
  if (!value)
    return failure();
  SmallVector<Expr> shape = dimsOf(value);
  SmallVector<float> scales(shape.size(), 1.0f);
  bool hasScales = g.random.oneIn(3);
  for (size_t i = shape.size(), n = 0; i-- > 0 && n < 2; ++n)
    switch (g.random.below(hasScales ? 3 : 6)) {
    case 0:
      shape[i] = shape[i] * Expr(2);
      scales[i] = 2.0f;
      break;
    case 1:
      shape[i] = Expr::floorDiv(shape[i], 2);
      scales[i] = 0.5f;
      break;
    case 2: // As f32 a little more: the same for every size that is made.
      shape[i] = Expr::floorDiv(shape[i] * Expr(3), 5);
      scales[i] = 0.6f;
      break;
    case 3:
      shape[i] = shape[i] + Expr(g.random.between(1, 3));
      break;
    case 4:
      shape[i] = g.random.choose<int64_t>({1, 4, 5, 10});
      break;
    default:
      shape[i] = g.randomDim();
      break;
    }
  GraphBuilder &b = g.graph();
  MLIRContext *context = value.getContext();
  return b.create<graph::ResizeOp>(
      value, b.shapeAttr(shape),
      hasScales ? DenseF32ArrayAttr::get(context, scales) : DenseF32ArrayAttr(),
      graph::ResizeModeAttr::get(context, mode),
      graph::CoordinatesAttr::get(context,
                                  graph::Coordinates(g.random.below(4))),
      graph::RoundingAttr::get(context, graph::Rounding(g.random.below(4))));
}

static FailureOr<Value> resizeNearest(Generation &g) {
  return resizeAs(g, graph::ResizeMode::Nearest);
}
static FailureOr<Value> resizeLinear(Generation &g) {
  return resizeAs(g, graph::ResizeMode::Linear);
}

ArrayRef<Form> ambit::fuzz::placementForms() {
  static const Form forms[] = {{"concat", 7, concat},
                               {"pad-constant", 4, padConstant},
                               {"pad-edge", 2, padEdge},
                               {"pad-reflect", 2, padReflect},
                               {"pad-wrap", 2, padWrap},
                               {"gather", 6, gather},
                               {"scatter", 4, scatter},
                               {"iota", 3, iota},
                               {"dims", 2, dims},
                               {"constant", 2, constant},
                               {"resize-nearest", 3, resizeNearest},
                               {"resize-linear", 3, resizeLinear}};
  return forms;
}
