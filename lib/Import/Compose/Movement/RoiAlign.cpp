// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four gathers of the elements around each sample, with the weights of both
// dims multiplied.

#include "RoiAlign.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

namespace {
/// The samples along one dim: indices and weights [n, cells * samples] of the
/// two elements around each.
struct Samples {
  Value index[2], weight[2];
};
} // namespace

static Samples sampleDim(ValueBuilder &b, Value regions, int64_t column,
                         int64_t cells, Expr extent, const RoiAlignSpec &spec) {
  Expr count = dimsOf(regions)[0];
  Type type = elementTypeOf(regions);
  auto bound = [&](int64_t number) {
    return b.sliceDim(regions, 1, number, 1);
  };
  Value number = b.iota({Expr(1), Expr(cells * spec.samples)}, 1, type);
  Value size = b.dims({extent}, type, /*isScalar=*/true);
  Value place =
      b.map({bound(column), bound(column + 2), number},
            [&](ScalarBuilder &s, ValueRange v) {
              auto c = [&](double x) { return s.constant(x, v[0]); };
              double offset = spec.isHalfPixel ? 0.5 : 0;
              Value start = s.sub(s.mul(v[0], c(spec.scale)), c(offset));
              Value end = s.sub(s.mul(v[1], c(spec.scale)), c(offset));
              Value length = s.sub(end, start);
              if (!spec.isHalfPixel)
                length = s.max(length, c(1));
              Value cell = s.div(length, c(double(cells)));
              Value samples = c(double(spec.samples));
              Value row = s.make<math::FloorOp>(s.div(v[2], samples));
              Value inner = s.sub(v[2], s.mul(row, samples));
              Value step = s.div(s.mul(s.add(inner, c(0.5)), cell), samples);
              return s.add(s.add(start, s.mul(row, cell)), step);
            });
  // Which of the two, and how much of it.
  auto part = [&](bool isHigh, bool isIndex) {
    return b.map({place, size}, [&](ScalarBuilder &s, ValueRange v) {
      using Compare = Relation::Kind;
      Value zero = s.constant(0, v[0]), one = s.constant(1, v[0]);
      Value last = s.sub(v[1], one), at = s.max(v[0], zero);
      Value low = s.make<math::FloorOp>(at);
      Value isAtEnd = s.compare(Compare::GE, low, last);
      low = s.select(isAtEnd, last, low);
      if (isIndex) {
        Value index = isHigh ? s.select(isAtEnd, low, s.add(low, one)) : low;
        // A map without elements has no place for a sample.
        return s.max(s.min(index, last), zero);
      }
      Value share = s.select(isAtEnd, zero, s.sub(at, low));
      Value weight = isHigh ? share : s.sub(one, share);
      Value isOutside = s.make<arith::OrIOp>(
          s.compare(Compare::LT, v[0], s.constant(-1, v[0])),
          s.compare(Compare::GT, v[0], v[1]));
      return s.select(isOutside, zero, weight);
    });
  };
  Samples samples;
  SmallVector<Expr> shape = {count, Expr(cells * spec.samples)};
  for (bool isHigh : {false, true}) {
    samples.index[isHigh] =
        b.cast(b.broadcast(part(isHigh, true), shape), b.indexType());
    samples.weight[isHigh] = b.broadcast(part(isHigh, false), shape);
  }
  return samples;
}

/// [n, k] as [n, k, 1] or [n, 1, k].
static Value along(ValueBuilder &b, Value x, bool isRow) {
  return b.unsqueeze(x, {isRow ? 1 : 2});
}

/// The first row of each region's map in a table of all elements, [n, 1, 1];
/// far outside for a map that is not there, so that a gather reports it.
static Value firstRows(ValueBuilder &b, Value batches, ArrayRef<Expr> dims) {
  Value maps = b.dims({dims[0]}, b.indexType(), /*isScalar=*/true);
  Value size = b.dims({dims[2] * dims[3]}, b.indexType(), /*isScalar=*/true);
  Value rows = b.map({b.cast(batches, b.indexType()), maps, size},
                     [](ScalarBuilder &s, ValueRange v) {
                       using Compare = Relation::Kind;
                       Value isThere = s.make<arith::AndIOp>(
                           s.compare(Compare::GE, v[0], s.integer(0, v[0])),
                           s.compare(Compare::LT, v[0], v[1]));
                       return s.select(isThere, s.mul(v[0], v[2]),
                                       s.integer(INT64_MIN / 2, v[0]));
                     });
  return rows ? b.reshape(rows, {dimsOf(batches)[0], 1, 1}) : Value();
}

Value compose::roiAlign(ValueBuilder &b, Value x, Value regions, Value batches,
                        const RoiAlignSpec &spec) {
  if (rankOf(x) != 4 || rankOf(regions) != 2 || rankOf(batches) != 1) {
    b.error() << "input, regions and batch indices have ranks " << rankOf(x)
              << ", " << rankOf(regions) << " and " << rankOf(batches)
              << ", expected 4, 2 and 1";
    return {};
  }
  SmallVector<Expr> dims = dimsOf(x);
  Expr count = dimsOf(regions)[0];
  if (!b.requireFloat(x, "input") ||
      !b.requireEqual(dimsOf(regions)[1], Expr(4), "numbers of a region") ||
      !b.requireEqual(dimsOf(batches)[0], count, "number of batch indices"))
    return {};
  Type type = elementTypeOf(x);
  regions = b.cast(regions, type);
  Samples ys = sampleDim(b, regions, 1, spec.height, dims[2], spec);
  Samples xs = sampleDim(b, regions, 0, spec.width, dims[3], spec);
  Value table = b.reshape(b.transpose(x, {0, 2, 3, 1}),
                          {dims[0] * dims[2] * dims[3], dims[1]});
  Value first = firstRows(b, batches, dims);
  Value width = b.dims({dims[3]}, b.indexType(), /*isScalar=*/true);
  SmallVector<Value> parts;
  for (bool below : {false, true})
    for (bool right : {false, true}) {
      Value place = b.map({first, along(b, ys.index[below], false),
                           along(b, xs.index[right], true), width},
                          [](ScalarBuilder &s, ValueRange v) {
                            Value row = s.add(s.mul(v[1], v[3]), v[2]);
                            return s.add(v[0], row);
                          });
      Value weight = b.mul(along(b, ys.weight[below], false),
                           along(b, xs.weight[right], true));
      parts.push_back(
          b.mul(b.create<GatherOp>(table, place, 0), b.unsqueeze(weight, {3})));
    }
  Value samples = b.map(parts, [&](ScalarBuilder &s, ValueRange v) {
    Value result = v[0];
    for (Value part : v.drop_front())
      result = spec.isMax ? s.max(result, part) : s.add(result, part);
    return result;
  });
  samples = b.reshape(samples, {count, Expr(spec.height), Expr(spec.samples),
                                Expr(spec.width), Expr(spec.samples), dims[1]});
  Value cells = spec.isMax ? b.reduce(samples, {2, 4}, ReduceKind::Max, false)
                           : b.mean(samples, {2, 4}, false);
  return b.transpose(cells, {0, 3, 1, 2});
}
