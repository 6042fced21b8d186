// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers as integer arithmetic on positions.

#include "Random.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

/// The place of each element in row-major order, from the true sizes.
static Value position(ValueBuilder &b, ArrayRef<Expr> shape) {
  Value place = b.broadcast(b.scalar(0, b.indexType()), shape);
  for (auto [dim, size] : llvm::enumerate(shape)) {
    SmallVector<Expr> along(shape.size(), Expr(1));
    along[dim] = size;
    Value index = b.iota(along, dim, b.indexType());
    Value extent = b.dims({size}, b.indexType(), /*isScalar=*/true);
    place = b.map({place, extent, index}, [](ScalarBuilder &s, ValueRange v) {
      return s.add(s.mul(v[0], v[1]), v[2]);
    });
  }
  return place;
}

/// SplitMix64: a counter in steps of the golden ratio, and its bits mixed.
static Value mixBits(ScalarBuilder &s, Value place, uint64_t seed) {
  auto integer = [&](uint64_t number) {
    return s.integer(int64_t(number), place);
  };
  auto fold = [&](Value bits, int64_t shift) {
    return s.make<arith::XOrIOp>(bits,
                                 s.make<arith::ShRUIOp>(bits, integer(shift)));
  };
  Value step = s.add(place, integer(1));
  Value bits = s.add(s.mul(step, integer(0x9E3779B97F4A7C15u)), integer(seed));
  bits = s.mul(fold(bits, 30), integer(0xBF58476D1CE4E5B9u));
  bits = s.mul(fold(bits, 27), integer(0x94D049BB133111EBu));
  return fold(bits, 31);
}

Value compose::randomUniform(ValueBuilder &b, ArrayRef<Expr> shape,
                             uint64_t seed, Type type) {
  bool isDouble = type.isF64();
  Type computed = isDouble ? type : Type(b.graph.getBuilder().getF32Type());
  int64_t kept = isDouble ? 53 : 24;
  Value bits = b.map(position(b, shape), [&](ScalarBuilder &s, ValueRange v) {
    Value mixed = mixBits(s, v[0], seed);
    return s.make<arith::ShRUIOp>(mixed, s.integer(64 - kept, mixed));
  });
  return b.mul(b.cast(bits, computed),
               b.scalar(std::ldexp(1.0, int(-kept)), computed));
}

Value compose::randomNormal(ValueBuilder &b, ArrayRef<Expr> shape,
                            uint64_t seed, Type type) {
  Value u = randomUniform(b, shape, seed, type);
  Value v = randomUniform(b, shape, seed + 1, type);
  return b.map({u, v}, [](ScalarBuilder &s, ValueRange v) {
    Value one = s.constant(1, v[0]), zero = s.constant(0, v[0]);
    Value log = s.make<math::LogOp>(s.sub(one, v[0]));
    // A logarithm that is a little above 0 would have no root.
    Value square = s.max(s.mul(log, s.constant(-2, log)), zero);
    Value angle = s.mul(v[1], s.constant(2 * M_PI, v[1]));
    return s.mul(s.make<math::SqrtOp>(square), s.make<math::CosOp>(angle));
  });
}
