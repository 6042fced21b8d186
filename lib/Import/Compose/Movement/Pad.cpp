// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Negative amounts cut; the rest pads what is left. Where a dim may be too
// short to be mirrored or wrapped once, its elements are gathered.

#include "Pad.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// Pads one dim with repetitions of what it holds, as often as it takes:
/// mirrored at its first and last element, or from its other end.
static Value repeatDim(ValueBuilder &b, Value x, int64_t dim, Expr low,
                       Expr high, bool isMirrored) {
  Expr extent = dimsOf(x)[dim];
  Condition hasAny(Relation{Relation::Kind::GE, extent, Expr(1)});
  hasAny.anyOf.push_back(Relation{Relation::Kind::LE, low + high, Expr(0)});
  if (!b.require(hasAny, "dim " + Twine(dim) + " has no element to repeat"))
    return {};
  Type type = b.indexType();
  Expr period = Expr::max(1, isMirrored ? extent * 2 - 2 : extent);
  auto number = [&](Expr value) {
    return b.dims({b.simplify(value)}, type, /*isScalar=*/true);
  };
  // The first position, brought inside of the period, so that none is negative.
  Value index =
      b.map({b.iota({b.simplify(low + extent + high)}, 0, type),
             number(Expr::mod(-low, period)), number(period), number(extent)},
            [&](ScalarBuilder &s, ValueRange v) -> Value {
              Value at = s.make<arith::RemSIOp>(s.add(v[0], v[1]), v[2]);
              if (!isMirrored)
                return at;
              Value isForward = s.compare(Relation::Kind::LT, at, v[3]);
              return s.select(isForward, at, s.sub(v[2], at));
            });
  return b.create<GatherOp>(x, index, dim);
}

/// Pads the dims with `mode` for which nothing shows that the amounts are no
/// more than a dim has to give, and sets these amounts to 0. Where an amount
/// may be a cut instead, the little that is gained is not worth such sizes.
static Value repeatShortDims(ValueBuilder &b, Value x, PadMode mode,
                             MutableArrayRef<Expr> amounts,
                             ArrayRef<Expr> cuts) {
  if (mode != PadMode::Reflect && mode != PadMode::Wrap)
    return x;
  bool isMirrored = mode == PadMode::Reflect;
  for (int64_t dim = 0, rank = amounts.size() / 2; dim < rank && x; ++dim) {
    Expr &low = amounts[dim], &high = amounts[rank + dim];
    Expr room = dimsOf(x)[dim] - Expr(isMirrored ? 1 : 0);
    auto isShort = [&](Expr amount) {
      return !amount.isConstant(0) && !b.prover().isAtLeast(room, amount);
    };
    if (!cuts[dim].constant() || !cuts[rank + dim].constant() ||
        (!isShort(low) && !isShort(high)))
      continue;
    x = repeatDim(b, x, dim, low, high, isMirrored);
    low = high = 0;
  }
  return x;
}

Value compose::padOrCut(ValueBuilder &b, Value x, Value fill,
                        const PadSpec &spec) {
  int64_t rank = rankOf(x);
  SmallVector<Expr> amounts = spec.low;
  amounts.append(spec.high);
  SmallVector<Expr> cuts(2 * rank, Expr(0)), sizes = dimsOf(x);
  bool hasCuts = false;
  for (int64_t i = 0; i < 2 * rank; ++i) {
    Expr amount = amounts[i];
    Truth isCut = b.prover().prove(Relation{Relation::Kind::LT, amount, 0});
    if (isCut == Truth::No)
      continue;
    cuts[i] = isCut == Truth::Yes ? -amount : Expr::max(0, -amount);
    amounts[i] = isCut == Truth::Yes ? Expr(0) : Expr::max(0, amount);
    hasCuts = true;
    sizes[i % rank] = b.simplify(sizes[i % rank] - cuts[i]);
  }
  if (hasCuts)
    x = b.create<SliceOp>(x, b.graph.shapeAttr(ArrayRef(cuts).take_front(rank)),
                          b.graph.shapeAttr(sizes),
                          SmallVector<int64_t>(rank, 1));
  x = repeatShortDims(b, x, spec.mode, amounts, cuts);
  return b.pad(x, fill, ArrayRef(amounts).take_front(rank),
               ArrayRef(amounts).drop_front(rank), spec.mode);
}
