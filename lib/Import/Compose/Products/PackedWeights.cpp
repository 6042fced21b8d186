// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes become elements by shifts, side by side in a dim of their own.

#include "PackedWeights.h"
#include "MatMul.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

/// Bytes [..., n] as elements [..., n * 8 / bits].
static Value unpackBytes(ValueBuilder &b, Value bytes, int64_t bits) {
  SmallVector<Value> parts;
  int64_t rank = rankOf(bytes);
  for (int64_t shift = 0; shift < 8; shift += bits) {
    Value part = b.map(bytes, [&](ScalarBuilder &s, ValueRange v) {
      Value moved = s.make<arith::ShRUIOp>(v[0], s.integer(shift, v[0]));
      return s.make<arith::AndIOp>(moved, s.integer((1 << bits) - 1, v[0]));
    });
    parts.push_back(b.unsqueeze(part, {rank}));
  }
  SmallVector<Expr> shape = dimsOf(bytes);
  shape.back() = shape.back() * Expr(8 / bits);
  return b.reshape(parts.size() == 1 ? parts.front() : b.concat(parts, rank),
                   shape);
}

/// The zero points [rows, blocks, 1] in `type`.
static Value unpackZeros(ValueBuilder &b, const PackedWeights &w, Expr blocks,
                         Type type) {
  SmallVector<Expr> shape = {w.rows, blocks, 1};
  if (!w.zeros)
    return b.scalar(double(int64_t(1) << (w.bits - 1)), type);
  if (elementTypeOf(w.zeros) == type)
    return b.reshape(w.zeros, shape);
  if (elementTypeOf(w.zeros) != b.byteType()) {
    b.error() << "zero points have element type " << elementTypeOf(w.zeros)
              << ", expected bytes or " << type;
    return {};
  }
  // Each row begins a byte, so that the last one may be half empty.
  Expr bytes = b.simplify(Expr::ceilDiv(blocks * Expr(w.bits), 8));
  Value all = unpackBytes(b, b.reshape(w.zeros, {w.rows, bytes}), w.bits);
  return b.reshape(b.cast(b.sliceDim(all, 1, 0, blocks), type), shape);
}

Value compose::unpackWeights(ValueBuilder &b, const PackedWeights &w) {
  Expr blocks = (w.columns + w.block - 1) / w.block;
  Type type = elementTypeOf(w.scales);
  if (elementTypeOf(w.bytes) != b.byteType()) {
    b.error() << "weights have element type " << elementTypeOf(w.bytes)
              << ", expected bytes";
    return {};
  }
  Value bytes =
      b.reshape(w.bytes, {w.rows, blocks, Expr(w.block * w.bits / 8)});
  Value steps = bytes ? b.cast(unpackBytes(b, bytes, w.bits), type) : Value();
  Value zeros = unpackZeros(b, w, blocks, type);
  Value scales = b.reshape(w.scales, {w.rows, blocks, 1});
  Value weights = b.mul(b.sub(steps, zeros), scales);
  if (!weights)
    return {};
  Value rows = b.reshape(weights, {w.rows, b.simplify(blocks * Expr(w.block))});
  return b.sliceDim(rows, 1, 0, w.columns);
}

Value compose::multiplyPacked(ValueBuilder &b, Value x,
                              const PackedWeights &w) {
  Value weights = unpackWeights(b, w);
  return weights ? matmul(b, x, b.transpose(weights, {1, 0})) : Value();
}
