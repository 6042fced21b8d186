// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of a resize: where in the input a position of the result lies, and
// which elements around it count how much (ONNX Resize, nearest and linear).

#include "ElementEmitter.h"
#include "ambit/Codegen/EmitExpr.h"
#include "ambit/Dialect/Graph/IR/ResizePosition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// Positions as f64, which holds each of them.
Value ElementEmitter::realPositions(LaneIndex index) {
  Type f64 = k.b.getF64Type();
  if (index.vector || lanes.count == 1)
    return toElement(positions(index), f64);
  // Converts one integer: processors before AVX-512 have no vectors of that.
  Value base = k.splat(toElement(index.base, f64), lanes);
  SmallVector<double> steps;
  for (int64_t lane = 0; lane < lanes.count; ++lane)
    steps.push_back(double(lane * index.stride));
  Value offsets = k.b.create<arith::ConstantOp>(
      k.loc, DenseElementsAttr::get(cast<VectorType>(k.laneType(f64, lanes)),
                                    ArrayRef(steps)));
  return k.b.create<arith::AddFOp>(k.loc, base, offsets);
}

/// Exact whatever the sizes. The quotient in f64, whose error is far below 1/2
/// up to kMaxExtent, is rounded to an integer, which is the floor or one more.
/// What it leaves of the dividend tells which: it lies between -divisor and
/// divisor, so that it is right even where the dividend wraps around.
ElementEmitter::Quotient ElementEmitter::divide(LaneIndex index, Value step,
                                                Value start, Value divisor) {
  OpBuilder &b = k.b;
  Location loc = k.loc;
  Type i64 = k.laneType(b.getI64Type(), lanes);
  Type f64 = b.getF64Type();
  auto splat = [&](Value uniform) { return k.splat(uniform, lanes); };
  Value scaled = b.create<arith::MulIOp>(
      loc, toElement(positions(index), b.getI64Type()), splat(step));
  Value dividend = b.create<arith::AddIOp>(loc, scaled, splat(start));
  std::optional<int64_t> known = KernelLowering::constantOf(divisor);
  if (known && llvm::isPowerOf2_64(*known)) {
    Value bits = k.number(llvm::Log2_64(*known), b.getI64Type(), lanes);
    Value floor = b.create<arith::ShRSIOp>(loc, dividend, bits);
    Value whole = b.create<arith::ShLIOp>(loc, floor, bits);
    return {floor, b.create<arith::SubIOp>(loc, dividend, whole)};
  }
  auto real = [&](Value integer) -> Value {
    return b.create<arith::SIToFPOp>(loc, f64, integer);
  };
  Value one = k.number(1, f64, Lanes());
  Value inverse = b.create<arith::DivFOp>(loc, one, real(divisor));
  Value x =
      b.create<arith::MulFOp>(loc, realPositions(index), splat(real(step)));
  x = b.create<arith::AddFOp>(loc, x, splat(real(start)));
  x = b.create<arith::MulFOp>(loc, x, splat(inverse));
  // Between 2^52 and 2^53 the last bit of an f64 counts ones: adding 1.5 * 2^52
  // leaves the rounded integer in the low bits, without a conversion, which
  // processors before AVX-512 do lane by lane.
  constexpr int64_t kMagic = 0x4338000000000000;
  x = b.create<arith::AddFOp>(loc, x, k.number(0x1.8p52, f64, lanes));
  Value rounded = b.create<arith::SubIOp>(
      loc, b.create<arith::BitcastOp>(loc, i64, x),
      splat(b.create<arith::ConstantIntOp>(loc, kMagic, 64)));
  Value whole = b.create<arith::MulIOp>(loc, rounded, splat(divisor));
  Value rest = b.create<arith::SubIOp>(loc, dividend, whole);
  Value zero = k.number(0, b.getI64Type(), lanes);
  Value isAbove =
      b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, rest, zero);
  Value below =
      b.create<arith::SubIOp>(loc, rounded, k.number(1, b.getI64Type(), lanes));
  Value more = b.create<arith::AddIOp>(loc, rest, splat(divisor));
  return {b.create<arith::SelectOp>(loc, isAbove, below, rounded),
          b.create<arith::SelectOp>(loc, isAbove, more, rest)};
}

/// The type in which elements are mixed.
static Type mixType(KernelLowering &k, ResizeOp op) {
  Type element = op.getInput().getType().getElementType();
  return op.getMode() == ResizeMode::Linear ? k.sumType(element)
                                            : k.scalarType(element);
}

namespace {
/// The numbers of the positions in one dim, the same for all lanes, as i64.
struct PositionValues {
  Value step, start, divisor, last;
  /// Null when it always holds.
  Value moves;
};
} // namespace

static PositionValues emitPosition(KernelLowering &k, ResizeOp op,
                                   int64_t dim) {
  Type i64 = k.b.getI64Type();
  // A size in the kernel is one number, whatever expression it was.
  std::map<std::string, Value> sizes;
  auto size = [&](Value tensor, StringRef name) {
    Expr expr = sym::getDims(tensor.getType())[dim];
    if (expr.constant())
      return expr;
    sizes[name.str()] = k.b.create<arith::IndexCastOp>(k.loc, i64, k.dim(expr));
    return Expr::symbol(name);
  };
  Expr from = size(op.getInput(), "from"), to = size(op.getResult(), "to");
  auto position = ResizePosition::of(op, dim, from, to);
  if (op.getMode() == ResizeMode::Nearest)
    position = position.nearest(op.getRounding());
  ExprEmitter exprs(k.b, k.loc, sizes, i64);
  PositionValues values;
  values.step = exprs.emit(position.step);
  values.start = exprs.emit(position.start);
  values.divisor = exprs.emit(position.divisor);
  values.last = exprs.emit(from - 1);
  if (position.moves)
    values.moves = exprs.emit(*position.moves);
  return values;
}

SmallVector<ElementEmitter::Tap>
ElementEmitter::resizeTaps(ResizeOp op, int64_t dim, LaneIndex index) {
  OpBuilder &b = k.b;
  Location loc = k.loc;
  if (lanes.count > 1 && isUniform(index)) {
    auto taps = ElementEmitter(k, Lanes()).resizeTaps(op, dim, index);
    for (Tap &tap : taps)
      if (tap.weight)
        tap.weight = k.splat(tap.weight, lanes);
    return taps;
  }
  Type i64 = b.getI64Type(), f64 = b.getF64Type();
  PositionValues position = emitPosition(k, op, dim);
  auto [at, rest] =
      divide(index, position.step, position.start, position.divisor);
  Value zero = k.number(0, i64, lanes), one = k.number(1, i64, lanes);
  Value moves = position.moves ? k.splat(position.moves, lanes) : Value();
  if (moves)
    at = b.create<arith::SelectOp>(loc, moves, at, zero);
  Value last = k.splat(position.last, lanes);
  auto clamp = [&](Value element) {
    element = b.create<arith::MinSIOp>(loc, element, last);
    element = b.create<arith::MaxSIOp>(loc, element, zero);
    return fromPositions(b.create<arith::IndexCastOp>(
        loc, k.laneType(b.getIndexType(), lanes), element));
  };
  if (op.getMode() == ResizeMode::Nearest)
    return {Tap{clamp(at), Value()}};
  // Before the first element and from the last one on, that one counts fully.
  Value isBetween =
      b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, at, last);
  if (moves)
    isBetween = b.create<arith::AndIOp>(loc, isBetween, moves);
  // Both weights are exact only in the type of the elements: their sum is 1.
  Type mix = mixType(k, op);
  Value high = b.create<arith::DivFOp>(
      loc, b.create<arith::SIToFPOp>(loc, k.laneType(f64, lanes), rest),
      k.splat(b.create<arith::SIToFPOp>(loc, f64, position.divisor), lanes));
  high = b.create<arith::SelectOp>(loc, isBetween, k.convertFloat(high, mix),
                                   k.number(0, mix, lanes));
  Value low = b.create<arith::SubFOp>(loc, k.number(1, mix, lanes), high);
  Value next = b.create<arith::AddIOp>(loc, at, one);
  return {Tap{clamp(at), low}, Tap{clamp(next), high}};
}

/// Sums over the taps of dim `dim` and of all dims after it.
Value ElementEmitter::sumTaps(ResizeOp op, int64_t dim, Index index) {
  if (dim == int64_t(index.size())) {
    Value element = emit(op.getInput(), index);
    return op.getMode() == ResizeMode::Linear
               ? k.convertFloat(element, mixType(k, op))
               : element;
  }
  SmallVector<Expr> from = sym::getDims(op.getInput().getType());
  SmallVector<Expr> to = sym::getDims(op.getResult().getType());
  if (from[dim] == to[dim] && (!op.getScales() || (*op.getScales())[dim] == 1))
    return sumTaps(op, dim + 1, index);
  SmallVector<Tap> taps = resizeTaps(op, dim, index[dim]);
  Value sum;
  for (const Tap &tap : taps) {
    index[dim] = tap.index;
    Value part = sumTaps(op, dim + 1, index);
    if (!tap.weight)
      return part;
    part = k.b.create<arith::MulFOp>(k.loc, part, tap.weight);
    if (!sum) {
      sum = part;
      continue;
    }
    // What does not count must not make a NaN of an infinity.
    Value counts =
        k.b.create<arith::CmpFOp>(k.loc, arith::CmpFPredicate::ONE, tap.weight,
                                  k.number(0, mixType(k, op), lanes));
    Value both = k.b.create<arith::AddFOp>(k.loc, sum, part);
    sum = k.b.create<arith::SelectOp>(k.loc, counts, both, sum);
  }
  return sum;
}

Value ElementEmitter::emitResize(ResizeOp op, ArrayRef<LaneIndex> index) {
  Value sum = sumTaps(op, 0, Index(index));
  Type element = op.getInput().getType().getElementType();
  return op.getMode() == ResizeMode::Linear ? k.convertFloat(sum, element)
                                            : sum;
}
