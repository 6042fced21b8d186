// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of a resize: where in the input a position of the result lies, and
// which elements around it count how much (ONNX Resize, nearest and linear).

#include "ElementEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// The input coordinate of result positions along one dim, as f32.
Value ElementEmitter::sourcePosition(ResizeOp op, int64_t dim, Value position) {
  OpBuilder &b = k.b;
  Location loc = k.loc;
  Type f32 = b.getF32Type();
  auto real = [&](double x) { return k.number(x, f32, lanes); };
  auto size = [&](Value tensor) {
    Value extent = k.dim(sym::getDims(tensor.getType())[dim]);
    return k.splat(toElement(extent, f32), lanes);
  };
  Value x = toElement(position, f32);
  Value inSize = size(op.getInput()), outSize, scale;
  if (op.getScales()) {
    scale = real((*op.getScales())[dim]);
    outSize = b.create<arith::MulFOp>(loc, inSize, scale);
  } else {
    outSize = size(op.getResult());
    scale = b.create<arith::DivFOp>(loc, outSize, inSize);
  }
  auto isOne = [&](Value value) -> Value {
    return b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::OEQ, value,
                                   real(1));
  };
  auto halfPixel = [&]() -> Value {
    Value center = b.create<arith::AddFOp>(loc, x, real(0.5));
    Value scaled = b.create<arith::DivFOp>(loc, center, scale);
    return b.create<arith::SubFOp>(loc, scaled, real(0.5));
  };
  switch (op.getCoordinates()) {
  case Coordinates::Asymmetric:
    return b.create<arith::DivFOp>(loc, x, scale);
  case Coordinates::HalfPixel:
    return halfPixel();
  case Coordinates::PytorchHalfPixel:
    return b.create<arith::SelectOp>(loc, isOne(outSize), real(0), halfPixel());
  case Coordinates::AlignCorners: {
    Value spanIn = b.create<arith::SubFOp>(loc, inSize, real(1));
    Value spanOut = b.create<arith::SubFOp>(loc, outSize, real(1));
    Value scaled = b.create<arith::MulFOp>(loc, x, spanIn);
    scaled = b.create<arith::DivFOp>(loc, scaled, spanOut);
    return b.create<arith::SelectOp>(loc, isOne(outSize), real(0), scaled);
  }
  }
  llvm_unreachable("every coordinate mode is listed");
}

/// The type in which elements are mixed.
static Type mixType(KernelLowering &k, ResizeOp op) {
  Type element = op.getInput().getType().getElementType();
  return op.getMode() == ResizeMode::Linear ? k.sumType(element)
                                            : k.scalarType(element);
}

SmallVector<ElementEmitter::Tap>
ElementEmitter::resizeTaps(ResizeOp op, int64_t dim, LaneIndex index) {
  OpBuilder &b = k.b;
  Location loc = k.loc;
  Type f32 = b.getF32Type(), i64 = b.getI64Type();
  Value x = sourcePosition(op, dim, positions(index));
  Value extent =
      k.splat(k.dim(sym::getDims(op.getInput().getType())[dim]), lanes);
  Value zero = k.splat(k.index(0), lanes), one = k.splat(k.index(1), lanes);
  Value last = b.create<arith::SubIOp>(loc, extent, one);
  auto clamp = [&](Value real, int64_t shift) -> LaneIndex {
    Value integer =
        b.create<arith::FPToSIOp>(loc, k.laneType(i64, lanes), real);
    Value at = b.create<arith::IndexCastOp>(
        loc, k.laneType(b.getIndexType(), lanes), integer);
    if (shift)
      at = b.create<arith::AddIOp>(loc, at, one);
    at = b.create<arith::MaxSIOp>(loc, b.create<arith::MinSIOp>(loc, at, last),
                                  zero);
    return fromPositions(at);
  };
  if (op.getMode() == ResizeMode::Linear) {
    // At the border the one element there counts fully.
    x = b.create<arith::MinimumFOp>(loc, x, toElement(last, f32));
    x = b.create<arith::MaximumFOp>(loc, x, k.number(0, f32, lanes));
    Value floor = b.create<math::FloorOp>(loc, x);
    // Both weights are exact only in the type of the elements: their sum is 1.
    Type mix = mixType(k, op);
    Value high = k.convertFloat(b.create<arith::SubFOp>(loc, x, floor), mix);
    Value low = b.create<arith::SubFOp>(loc, k.number(1, mix, lanes), high);
    return {Tap{clamp(floor, 0), low}, Tap{clamp(floor, 1), high}};
  }
  Value half = k.number(0.5, f32, lanes);
  Value rounded;
  switch (op.getRounding()) {
  case Rounding::Floor:
    rounded = b.create<math::FloorOp>(loc, x);
    break;
  case Rounding::Ceil:
    rounded = b.create<math::CeilOp>(loc, x);
    break;
  case Rounding::RoundPreferFloor:
    rounded =
        b.create<math::CeilOp>(loc, b.create<arith::SubFOp>(loc, x, half));
    break;
  case Rounding::RoundPreferCeil:
    rounded =
        b.create<math::FloorOp>(loc, b.create<arith::AddFOp>(loc, x, half));
    break;
  }
  return {Tap{clamp(rounded, 0), Value()}};
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
