// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms that combine elements: reductions, softmax, products, convolutions,
// windows.

#include "Generation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::fuzz;
using graph::ReduceKind;

/// x / (1 + |x|): products of these overflow in no order.
static FailureOr<Value> belowOne(Generation &g, Value value) {
  Type type = elementTypeOf(value);
  return g.graph().map(
      value, type, [&](OpBuilder &b, Location loc, ValueRange in) -> Value {
        Value one = b.create<arith::ConstantOp>(loc, b.getFloatAttr(type, 1));
        Value magnitude = b.create<math::AbsFOp>(loc, in[0]);
        Value divisor = b.create<arith::AddFOp>(loc, magnitude, one);
        return b.create<arith::DivFOp>(loc, in[0], divisor);
      });
}

static FailureOr<Value> reduceAs(Generation &g, ReduceKind kind) {
  bool isExtremum = kind == ReduceKind::Max || kind == ReduceKind::Min;
  Value value = g.pick([&](Value v) {
    return rankOf(v) > 0 && (isExtremum || !elementTypeOf(v).isInteger(1));
  });
  if (!value)
    return failure();
  SmallVector<int64_t> dims;
  int64_t axis = g.randomAxis(value);
  for (int64_t dim = 0; dim < rankOf(value); ++dim)
    if (dim == axis || g.random.oneIn(3))
      dims.push_back(dim);
  if (kind == ReduceKind::Product && isa<FloatType>(elementTypeOf(value))) {
    FailureOr<Value> small = belowOne(g, value);
    if (failed(small))
      return failure();
    value = *small;
  }
  return g.graph().reduce(value, dims, kind, g.random.oneIn(3));
}

static FailureOr<Value> sum(Generation &g) {
  return reduceAs(g, ReduceKind::Sum);
}
static FailureOr<Value> product(Generation &g) {
  return reduceAs(g, ReduceKind::Product);
}
static FailureOr<Value> maximum(Generation &g) {
  return reduceAs(g, ReduceKind::Max);
}
static FailureOr<Value> minimum(Generation &g) {
  return reduceAs(g, ReduceKind::Min);
}

static FailureOr<Value> argReduce(Generation &g) {
  Value value = g.pick([&](Value v) {
    return rankOf(v) > 0 && g.isExact(v) && !elementTypeOf(v).isInteger(1);
  });
  if (!value)
    return failure();
  auto kind = g.random.oneIn(2) ? ReduceKind::Max : ReduceKind::Min;
  return g.graph().create<graph::ArgReduceOp>(value, g.randomAxis(value), kind,
                                              bool(g.random.oneIn(2)));
}

static FailureOr<Value> softmax(Generation &g) {
  Value value = g.pickFloat(1);
  if (!value)
    return failure();
  return g.graph().create<graph::SoftmaxOp>(value, g.randomAxis(value),
                                            bool(g.random.oneIn(3)));
}

static Expr randomColumns(Generation &g) {
  if (g.random.oneIn(3))
    return g.randomDim();
  return g.random.choose<int64_t>({1, 2, 7, 8, 16, 17, 33});
}

static FailureOr<Value> contract(Generation &g) {
  Value lhs = g.pick([](Value v) {
    return rankOf(v) >= 2 && rankOf(v) <= 4 && !elementTypeOf(v).isInteger(1);
  });
  if (!lhs)
    return failure();
  SmallVector<Expr> dims = {dimsOf(lhs).back(), randomColumns(g)};
  return g.graph().create<graph::ContractOp>(
      lhs, g.operandLike(dims, elementTypeOf(lhs)));
}

static FailureOr<Value> contractBatched(Generation &g) {
  Value lhs = g.pick([](Value v) {
    return rankOf(v) >= 3 && rankOf(v) <= 4 && !elementTypeOf(v).isInteger(1);
  });
  if (!lhs)
    return failure();
  SmallVector<Expr> dims = dimsOf(lhs);
  dims[dims.size() - 2] = dims.back();
  dims.back() = randomColumns(g);
  Value rhs = g.operandLike(dims, elementTypeOf(lhs));
  return g.graph().create<graph::ContractOp>(lhs, rhs);
}

/// x times its transpose: the scores of an attention.
static FailureOr<Value> contractSelf(Generation &g) {
  Value lhs = g.pickFloat(2, 4);
  if (!lhs)
    return failure();
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rankOf(lhs); ++i)
    order.push_back(i);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  FailureOr<Value> rhs = g.graph().transpose(lhs, order);
  if (failed(rhs))
    return failure();
  return g.graph().create<graph::ContractOp>(lhs, *rhs);
}

namespace {
/// Attributes of a sliding window.
struct Slide {
  SmallVector<int64_t> strides, dilations, low, high;
  Slide(Generation &g, int64_t spatial) {
    for (int64_t i = 0; i < spatial; ++i) {
      strides.push_back(g.random.choose({1, 1, 2, 3}));
      dilations.push_back(g.random.choose({1, 1, 1, 2}));
      low.push_back(g.random.choose({0, 0, 1, 2}));
      high.push_back(g.random.choose({0, 0, 1, 2}));
    }
  }
};
} // namespace

/// A float value of [N, constant channels, spatial...], or a new input.
static Value pickImage(Generation &g, int64_t spatial) {
  Value value = g.pick([&](Value v) {
    return isa<FloatType>(elementTypeOf(v)) && rankOf(v) == spatial + 2 &&
           dimsOf(v)[1].constant().value_or(0) >= 1;
  });
  if (value && !g.random.oneIn(3))
    return value;
  SmallVector<Expr> dims = {g.randomDim(),
                            Expr(g.random.choose<int64_t>({1, 2, 3, 4, 8}))};
  for (int64_t i = 0; i < spatial; ++i)
    dims.push_back(g.randomDim());
  return g.addOperand(dims, g.randomFloat());
}

static FailureOr<Value> convAs(Generation &g, int64_t spatial,
                               bool isDepthwise) {
  Value input = pickImage(g, spatial);
  if (!input)
    return failure();
  std::optional<int64_t> known = dimsOf(input)[1].constant();
  int64_t channels = known.value_or(1), groups = 1;
  if (isDepthwise)
    groups = channels;
  else if (channels % 2 == 0 && g.random.oneIn(3))
    groups = 2;
  int64_t filters = groups * g.random.choose({1, 2, 3, 4});
  if (!isDepthwise && g.random.oneIn(3))
    filters = groups * 9;
  SmallVector<Expr> dims = {Expr(filters), Expr(channels / groups)};
  for (int64_t i = 0; i < spatial; ++i)
    dims.push_back(Expr(g.random.choose<int64_t>({1, 2, 3, 3, 5})));
  if (g.random.oneIn(12))
    dims.back() = g.randomSymbol();
  Value filter = g.addOperand(dims, elementTypeOf(input), true);
  Slide slide(g, spatial);
  return g.graph().create<graph::ConvOp>(input, filter, slide.strides,
                                         slide.dilations, slide.low, slide.high,
                                         groups);
}

static FailureOr<Value> conv1d(Generation &g) { return convAs(g, 1, false); }
static FailureOr<Value> conv2d(Generation &g) { return convAs(g, 2, false); }
static FailureOr<Value> depthwise(Generation &g) {
  return convAs(g, g.random.between(1, 2), true);
}

/// conv(x) * scale + shift with a constant for every channel.
static FailureOr<Value> convAffine(Generation &g) {
  FailureOr<Value> value = convAs(g, g.random.between(1, 2), g.random.oneIn(3));
  if (failed(value))
    return failure();
  SmallVector<int64_t> shape(rankOf(*value) - 1, 1);
  shape[0] = dimsOf(*value)[1].constant().value_or(1);
  Type type = elementTypeOf(*value);
  Value scale = g.constant(shape, type), shift = g.constant(shape, type);
  bool scales = !g.random.oneIn(3);
  return g.graph().broadcastMap(
      {*value, scale, shift}, type,
      [=](OpBuilder &b, Location loc, ValueRange in) -> Value {
        Value x = in[0];
        if (scales)
          x = b.create<arith::MulFOp>(loc, x, in[1]);
        return b.create<arith::AddFOp>(loc, x, in[2]);
      });
}

static FailureOr<Value> windowAs(Generation &g, ReduceKind kind) {
  int64_t spatial = g.random.between(1, 2);
  Value input = g.random.oneIn(4) ? Value() : g.pick([&](Value v) {
    return rankOf(v) == spatial + 2 && !elementTypeOf(v).isInteger(1);
  });
  if (!input)
    input = pickImage(g, spatial);
  if (!input)
    return failure();
  Slide slide(g, spatial);
  SmallVector<int64_t> window;
  for (int64_t i = 0; i < spatial; ++i)
    window.push_back(g.random.choose({1, 2, 2, 3, 5}));
  return g.graph().create<graph::WindowOp>(input, kind, window, slide.strides,
                                           slide.dilations, slide.low,
                                           slide.high, bool(g.random.oneIn(2)));
}

static FailureOr<Value> windowSum(Generation &g) {
  return windowAs(g, ReduceKind::Sum);
}
static FailureOr<Value> windowMax(Generation &g) {
  return windowAs(g, ReduceKind::Max);
}

ArrayRef<Form> ambit::fuzz::computeForms() {
  static const Form forms[] = {{"reduce-sum", 4, sum},
                               {"reduce-product", 2, product},
                               {"reduce-max", 3, maximum},
                               {"reduce-min", 2, minimum},
                               {"arg-reduce", 4, argReduce},
                               {"softmax", 5, softmax},
                               {"contract", 6, contract},
                               {"contract-batched", 3, contractBatched},
                               {"contract-self", 3, contractSelf},
                               {"conv-1d", 3, conv1d},
                               {"conv-2d", 4, conv2d},
                               {"conv-depthwise", 3, depthwise},
                               {"conv-affine", 4, convAffine},
                               {"window-sum", 3, windowSum},
                               {"window-max", 3, windowMax}};
  return forms;
}
