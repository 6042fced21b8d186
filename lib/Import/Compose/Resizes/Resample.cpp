// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dim is resampled by a gather of the elements that each result element is
// made of, a product with their weights, and a sum. Places and weights are
// computed in f64.

#include "Resample.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

namespace {
/// Resamples one dim.
class Resampler {
public:
  Resampler(ValueBuilder &b, Value x, const ResampleDim &dim,
            const ResizeSpec &spec)
      : b(b), x(x), at(dim), spec(spec), extent(dimsOf(x)[dim.dim]),
        f64(b.graph.getBuilder().getF64Type()) {}
  /// The region's bounds as f64 of rank 0, or null.
  Value run(Value start, Value end);

private:
  Value size(Expr expr) { return b.dims({expr}, f64, /*isScalar=*/true); }
  Value scaleValue();
  Value places(Value start, Value end);
  Value regionPlaces(Value start, Value end);
  Value centredPlaces();
  Value alignedPlaces();
  /// How far the kernel reaches, for a scale of 1.
  int64_t reach() const { return spec.isCubic ? 2 : 1; }
  Expr countTaps();
  Value nearest(Value place);
  Value weightOf(Value distance);
  Value weights(Value place, Value taps, Value index);
  Value combine(Value index, Value weight, Expr taps);

  ValueBuilder &b;
  Value x;
  const ResampleDim &at;
  const ResizeSpec &spec;
  Expr extent;
  Type f64;
};
} // namespace

/// Result size by input size, as the coordinates see it.
Value Resampler::scaleValue() {
  if (!at.scale.quotient)
    return b.scalar(at.scale.number, f64);
  return b.div(size(at.scale.quotient->over), size(at.scale.quotient->under));
}

/// Half pixels, or none, before and after scaling.
Value Resampler::centredPlaces() {
  double half = spec.coordinates == Coordinates::Asymmetric ? 0 : 0.5;
  Value o = b.iota({at.size}, 0, f64);
  Value scale = scaleValue(), many = size(at.size), from = size(extent);
  return b.map({o, scale, many, from}, [&](ScalarBuilder &s, ValueRange v) {
    Value shift = s.constant(half, v[0]);
    Value place = s.sub(s.div(s.add(v[0], shift), v[1]), shift);
    if (spec.isSymmetric) {
      // The whole result lies around the centre of the input.
      Value centre = s.mul(v[3], s.constant(0.5, v[3]));
      Value length = s.mul(v[1], v[3]);
      Value share = s.div(v[2], length);
      place = s.add(place, s.mul(centre, s.sub(s.constant(1, share), share)));
    }
    if (!spec.isFirstForOne)
      return place;
    Value isOne = s.compare(Relation::Kind::LE, v[2], s.constant(1, v[2]));
    return s.select(isOne, s.constant(0, place), place);
  });
}

/// The first and last elements of both lie on each other.
Value Resampler::alignedPlaces() {
  Value o = b.iota({at.size}, 0, f64);
  bool isBySizes = bool(at.scale.quotient);
  Value length = isBySizes ? size(at.size) : b.mul(scaleValue(), size(extent));
  return b.map({o, length, size(extent)}, [&](ScalarBuilder &s, ValueRange v) {
    Value one = s.constant(1, v[0]), zero = s.constant(0, v[0]);
    Value steps = s.sub(v[1], one);
    Value place = s.div(s.mul(v[0], s.sub(v[2], one)), steps);
    Value isOne = s.compare(Relation::Kind::EQ, steps, zero);
    return s.select(isOne, zero, place);
  });
}

Value Resampler::regionPlaces(Value start, Value end) {
  Value o = b.iota({at.size}, 0, f64);
  return b.map({o, start, end, size(extent), size(at.size)},
               [&](ScalarBuilder &s, ValueRange v) {
                 Value one = s.constant(1, v[0]);
                 Value last = s.sub(v[3], one), steps = s.sub(v[4], one);
                 Value first = s.mul(v[1], last);
                 Value length = s.mul(s.sub(v[2], v[1]), last);
                 Value place = s.add(first, s.div(s.mul(v[0], length), steps));
                 Value middle = s.mul(s.constant(0.5, v[0]),
                                      s.mul(s.add(v[1], v[2]), last));
                 return s.select(s.compare(Relation::Kind::GT, v[4], one),
                                 place, middle);
               });
}

Value Resampler::places(Value start, Value end) {
  if (start)
    return regionPlaces(start, end);
  if (spec.coordinates == Coordinates::AlignCorners)
    return alignedPlaces();
  return centredPlaces();
}

/// The elements that one of the result may be made of. Smoothing stretches the
/// kernel by the inverse of a scale below 1.
Expr Resampler::countTaps() {
  if (!spec.smooths)
    return 2 * reach();
  if (!at.scale.quotient) {
    double scale = std::min(double(at.scale.number), 1.0);
    return 2 * int64_t(std::ceil(double(reach()) / scale));
  }
  Expr over = at.scale.quotient->over, under = at.scale.quotient->under;
  Expr longer = Expr::max(over, under);
  return b.simplify(Expr(2) * Expr::ceilDiv(longer * Expr(reach()), over));
}

/// The index that a place is rounded to.
Value Resampler::nearest(Value place) {
  Value rounded = b.map(place, [&](ScalarBuilder &s, ValueRange v) -> Value {
    Value half = s.constant(0.5, v[0]);
    switch (spec.rounding) {
    case Rounding::Floor:
      return s.make<math::FloorOp>(v[0]);
    case Rounding::Ceil:
      return s.make<math::CeilOp>(v[0]);
    case Rounding::RoundPreferFloor:
      return s.make<math::CeilOp>(s.sub(v[0], half));
    case Rounding::RoundPreferCeil:
      return s.make<math::FloorOp>(s.add(v[0], half));
    }
    llvm_unreachable("every rounding is listed");
  });
  return b.cast(rounded, b.indexType());
}

/// The kernel at a distance, in elements of a kernel that is not stretched.
Value Resampler::weightOf(Value distance) {
  return b.map(distance, [&](ScalarBuilder &s, ValueRange v) {
    auto number = [&](double x) { return s.constant(x, v[0]); };
    Value d = s.abs(v[0]);
    if (!spec.isCubic)
      return s.max(s.sub(number(1), d), number(0));
    double a = spec.cubicFactor;
    Value d2 = s.mul(d, d), d3 = s.mul(d2, d);
    Value inner = s.add(
        s.sub(s.mul(number(a + 2), d3), s.mul(number(a + 3), d2)), number(1));
    Value outer =
        s.sub(s.add(s.sub(s.mul(number(a), d3), s.mul(number(5 * a), d2)),
                    s.mul(number(8 * a), d)),
              number(4 * a));
    Value isInner = s.compare(Relation::Kind::LE, d, number(1));
    Value isOuter = s.compare(Relation::Kind::LT, d, number(2));
    return s.select(isInner, inner, s.select(isOuter, outer, number(0)));
  });
}

/// The weights [result, taps] of elements `index` at offsets `taps` from the
/// floor of their place.
Value Resampler::weights(Value place, Value taps, Value index) {
  Value stretch = b.scalar(1, f64);
  if (spec.smooths)
    stretch = b.map(scaleValue(), [](ScalarBuilder &s, ValueRange v) {
      return s.min(v[0], s.constant(1, v[0]));
    });
  Value distance =
      b.map({place, taps, stretch}, [](ScalarBuilder &s, ValueRange v) {
        Value ratio = s.sub(v[0], s.make<math::FloorOp>(v[0]));
        return s.mul(s.sub(v[1], ratio), v[2]);
      });
  Value weight = weightOf(distance);
  if (spec.excludesOutside)
    weight = b.map(
        {weight, index, b.cast(size(extent), b.indexType())},
        [](ScalarBuilder &s, ValueRange v) {
          Value zero = s.integer(0, v[1]);
          Value isInside = s.make<arith::AndIOp>(
              s.make<arith::CmpIOp>(arith::CmpIPredicate::sge, v[1], zero),
              s.make<arith::CmpIOp>(arith::CmpIPredicate::slt, v[1], v[2]));
          return s.select(isInside, v[0], s.constant(0, v[0]));
        });
  if (!spec.smooths && !spec.excludesOutside)
    return weight;
  return b.div(weight, b.reduce(weight, {1}, ReduceKind::Sum, true));
}

/// The sum over the taps of element * weight; a weight of 0 takes no part, so
/// that NaN and infinity stay where they are.
Value Resampler::combine(Value index, Value weight, Expr taps) {
  Value last = b.dims({extent - 1}, b.indexType(), /*isScalar=*/true);
  Value inside = b.map({index, last}, [](ScalarBuilder &s, ValueRange v) {
    return s.max(s.min(v[0], v[1]), s.integer(0, v[0]));
  });
  int64_t dim = at.dim, rank = rankOf(x);
  Value picked = b.create<GatherOp>(x, inside, dim);
  if (!weight || !picked)
    return {};
  SmallVector<Expr> shape(rank + 1, Expr(1));
  shape[dim] = at.size;
  shape[dim + 1] = taps;
  weight = b.reshape(b.cast(weight, elementTypeOf(x)), shape);
  Value parts = b.map({picked, weight}, [](ScalarBuilder &s, ValueRange v) {
    Value zero = s.constant(0, v[1]);
    Value isNone = s.compare(Relation::Kind::EQ, v[1], zero);
    return s.select(isNone, zero, s.mul(v[0], v[1]));
  });
  return b.reduce(parts, {dim + 1}, ReduceKind::Sum, false);
}

Value Resampler::run(Value start, Value end) {
  Value place = places(start, end);
  Value result;
  if (spec.mode == ResizeMode::Nearest && !spec.isCubic) {
    Value last = b.dims({extent - 1}, b.indexType(), /*isScalar=*/true);
    Value index =
        b.map({nearest(place), last}, [](ScalarBuilder &s, ValueRange v) {
          return s.max(s.min(v[0], v[1]), s.integer(0, v[0]));
        });
    result = b.create<GatherOp>(x, index, at.dim);
  } else {
    Expr taps = countTaps();
    Expr before = b.simplify(Expr::floorDiv(taps, 2) - 1);
    Value column = b.reshape(place, {at.size, 1});
    Value offset = b.sub(b.iota({1, taps}, 1, f64), size(before));
    Value index =
        b.cast(b.map({column, offset},
                     [](ScalarBuilder &s, ValueRange v) {
                       return s.add(s.make<math::FloorOp>(v[0]), v[1]);
                     }),
               b.indexType());
    result = combine(index, weights(column, offset, index), taps);
  }
  if (!start || !result)
    return result;
  Value isOutside = b.map(
      {place, size(extent)},
      [](ScalarBuilder &s, ValueRange v) {
        Value last = s.sub(v[1], s.constant(1, v[1]));
        return s.make<arith::OrIOp>(
            s.compare(Relation::Kind::LT, v[0], s.constant(0, v[0])),
            s.compare(Relation::Kind::GT, v[0], last));
      },
      b.boolType());
  return b.map({result, b.alongDim(isOutside, at.dim, rankOf(x))},
               [&](ScalarBuilder &s, ValueRange v) {
                 return s.select(v[1], s.constant(spec.extrapolation, v[0]),
                                 v[0]);
               });
}

Value compose::resample(ValueBuilder &b, Value x, ArrayRef<ResampleDim> dims,
                        const ResizeSpec &spec) {
  if (!b.requireFloat(x, "input"))
    return {};
  Type type = elementTypeOf(x);
  Value result = b.cast(x, computeType(type));
  Value region = spec.region;
  if (region) {
    Expr count = int64_t(2 * dims.size());
    if (rankOf(region) != 1 ||
        !b.requireEqual(dimsOf(region)[0], count, "number of region bounds"))
      return b.hasFailed() ? Value()
                           : (b.error() << "region has rank " << rankOf(region)
                                        << ", expected 1",
                              Value());
    region = b.cast(region, b.graph.getBuilder().getF64Type());
  }
  for (auto [number, dim] : llvm::enumerate(dims)) {
    Expr extent = dimsOf(result)[dim.dim];
    // There is nothing to take elements of a result from.
    if (!b.require(Relation{Relation::Kind::GE, extent, Expr(1)},
                   "dim " + Twine(dim.dim) + " has no elements") ||
        !b.require(Relation{Relation::Kind::GE, dim.size, Expr(1)},
                   "dim " + Twine(dim.dim) + " of the result has no elements"))
      return {};
    auto bound = [&](size_t index) {
      return region ? b.reshape(b.sliceDim(region, 0, int64_t(index), 1), {})
                    : Value();
    };
    result = Resampler(b, result, dim, spec)
                 .run(bound(number), bound(dims.size() + number));
    if (!result)
      return {};
  }
  return b.cast(result, type);
}
