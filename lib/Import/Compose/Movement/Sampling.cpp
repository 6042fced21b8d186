// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sample is a weighted sum of near elements, its taps: one for Nearest, two a
// dim for Linear, four for Cubic. Channels go last, so that one tap is one
// gather of rows.

#include "Sampling.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

using Compare = Relation::Kind;
using Mode = SampleSpec::Mode;
using Outside = SampleSpec::Outside;

namespace {
/// One element along one dim, by place: its index, or -1 for nothing, and its
/// weight, null for 1.
struct Tap {
  Value index, weight;
};

class Sampler {
public:
  Sampler(ValueBuilder &b, Value x, Value grid, const SampleSpec &spec)
      : b(b), x(x), grid(grid), spec(spec), dims(dimsOf(x)),
        places(dimsOf(grid)), spatial(int64_t(dims.size()) - 2) {}
  bool check();
  Value run();

private:
  Value coordinate(int64_t dim);
  Value settle(ScalarBuilder &s, Value at, Value extent);
  Value indexOf(Value at, Expr extent, int64_t offset);
  SmallVector<Tap> taps(int64_t dim);
  Value addTap(Value sum, Value rows, ArrayRef<Tap> along);

  ValueBuilder &b;
  Value x, grid;
  const SampleSpec &spec;
  SmallVector<Expr> dims, places;
  int64_t spatial;
  Expr count;
};
} // namespace

bool Sampler::check() {
  if (!b.requireFloat(grid, "grid") ||
      (spec.mode != Mode::Nearest && !b.requireFloat(x, "input")))
    return false;
  if (spatial < 1 || places.size() != dims.size()) {
    b.error() << "input of rank " << dims.size() << " does not fit the grid "
              << grid.getType();
    return false;
  }
  if (spec.mode == Mode::Cubic && spatial != 2) {
    b.error() << "cubic sampling has " << spatial
              << " spatial dims, supported are 2";
    return false;
  }
  count = sym::getNumElements(ArrayRef(places).drop_front().drop_back());
  return b.requireEqual(places.back(), spatial,
                        "grid has another number of coordinates than dims") &&
         b.requireEqual(places[0], dims[0],
                        "batch of the grid is not that of the input");
}

/// A coordinate outside of the borders, mirrored until it is inside.
static Value mirror(ScalarBuilder &s, Value at, Value low, Value high) {
  Value zero = s.constant(0, at), two = s.constant(2, at);
  Value range = s.sub(high, low);
  Value isBelow = s.compare(Compare::LT, at, low);
  Value beyond = s.select(isBelow, s.sub(low, at), s.sub(at, high));
  Value turns = s.make<math::FloorOp>(s.div(beyond, range));
  Value rest = s.sub(beyond, s.mul(turns, range));
  Value halves = s.make<math::FloorOp>(s.div(turns, two));
  Value isEven = s.compare(Compare::EQ, s.sub(turns, s.mul(halves, two)), zero);
  Value fromLow = s.make<arith::XOrIOp>(isBelow, s.logicalNot(isEven));
  Value mirrored = s.select(fromLow, s.add(low, rest), s.sub(high, rest));
  return s.select(s.compare(Compare::GT, range, zero), mirrored, low);
}

/// Brings a coordinate that is outside of the borders inside, unless there are
/// zeros.
Value Sampler::settle(ScalarBuilder &s, Value at, Value extent) {
  if (spec.outside == Outside::Zeros)
    return at;
  Value last = s.sub(extent, s.constant(1, extent));
  Value margin = s.constant(spec.alignsCorners ? 0 : 0.5, extent);
  Value low = s.neg(margin), high = s.add(last, margin);
  Value isOutside = s.make<arith::OrIOp>(s.compare(Compare::LT, at, low),
                                         s.compare(Compare::GT, at, high));
  Value inside = spec.outside == Outside::Reflection
                     ? mirror(s, at, low, high)
                     : s.min(s.max(at, s.constant(0, at)), last);
  return s.select(isOutside, inside, at);
}

/// Where each place is along a dim, counted in elements: [N, places].
Value Sampler::coordinate(int64_t dim) {
  Type type = computeType(elementTypeOf(grid));
  Value given = b.sliceDim(grid, places.size() - 1, spatial - 1 - dim, 1);
  given = b.cast(b.reshape(given, {places[0], count}), type);
  Value extent = b.dims({dims[dim + 2]}, type, /*isScalar=*/true);
  return b.map({given, extent}, [&](ScalarBuilder &s, ValueRange v) {
    Value one = s.constant(1, v[0]), two = s.constant(2, v[0]);
    Value shifted = s.add(v[0], one), at;
    if (spec.isInElements)
      at = v[0];
    else if (spec.alignsCorners)
      at = s.mul(s.div(shifted, two), s.sub(v[1], one));
    else
      at = s.div(s.sub(s.mul(shifted, v[1]), one), two);
    if (spec.mode == Mode::Nearest)
      at = s.make<math::RoundEvenOp>(at);
    return settle(s, at, v[1]);
  });
}

/// The element `offset` after the whole coordinates `at`; -1 where that is
/// nothing.
Value Sampler::indexOf(Value at, Expr extent, int64_t offset) {
  Value size = b.dims({extent}, b.indexType(), /*isScalar=*/true);
  return b.map(
      {b.cast(at, b.indexType()), size}, [&](ScalarBuilder &s, ValueRange v) {
        Value zero = s.integer(0, v[0]), one = s.integer(1, v[0]);
        Value index = s.add(v[0], s.integer(offset, v[0]));
        Value last = s.sub(v[1], one);
        if (spec.outside == Outside::Reflection) {
          // The mirror is at the border element, or behind it.
          Value two = s.integer(2, v[0]);
          Value top = spec.alignsCorners ? s.mul(last, two)
                                         : s.sub(s.mul(v[1], two), one);
          Value period = s.max(one, spec.alignsCorners ? top : s.add(top, one));
          Value rest = s.remainder(index, period);
          Value isNegative = s.compare(Compare::LT, rest, zero);
          rest = s.select(isNegative, s.add(rest, period), rest);
          index = s.min(rest, s.sub(top, rest));
        }
        Value clamped = s.max(zero, s.min(index, last));
        if (spec.outside != Outside::Zeros)
          return clamped;
        return s.select(s.compare(Compare::EQ, index, clamped), index,
                        s.integer(-1, index));
      });
}

/// The weight of the element at a distance of up to 2 (Keys 1981, alpha
/// -0.75).
static Value cubicWeight(ScalarBuilder &s, Value distance) {
  constexpr double kAlpha = -0.75;
  auto polynomial = [&](std::initializer_list<double> coefficients) {
    Value sum = s.constant(0, distance);
    for (double coefficient : coefficients)
      sum = s.add(s.mul(sum, distance), s.constant(coefficient, distance));
    return sum;
  };
  Value isNear = s.compare(Compare::LE, distance, s.constant(1, distance));
  return s.select(isNear, polynomial({kAlpha + 2, -(kAlpha + 3), 0, 1}),
                  polynomial({kAlpha, -5 * kAlpha, 8 * kAlpha, -4 * kAlpha}));
}

SmallVector<Tap> Sampler::taps(int64_t dim) {
  Expr extent = dims[dim + 2];
  Value at = coordinate(dim);
  if (!at)
    return {};
  // No tap of a place that is kept this near is inside if none was before; and
  // NaN goes to one side.
  Value size = b.dims({extent}, elementTypeOf(at), /*isScalar=*/true);
  Value whole = b.map({at, size}, [](ScalarBuilder &s, ValueRange v) {
    Value least = s.constant(-4, v[0]);
    Value most = s.add(v[1], s.constant(3, v[0]));
    Value near = s.select(s.compare(Compare::GE, v[0], least), v[0], least);
    near = s.select(s.compare(Compare::LE, near, most), near, most);
    return s.make<math::FloorOp>(near);
  });
  if (spec.mode == Mode::Nearest)
    return {{indexOf(whole, extent, 0), Value()}};
  SmallVector<Tap> taps;
  bool isCubic = spec.mode == Mode::Cubic;
  for (int64_t offset = isCubic ? -1 : 0; offset <= (isCubic ? 2 : 1);
       ++offset) {
    Value weight = b.map(at, [&](ScalarBuilder &s, ValueRange v) {
      Value fraction = s.sub(v[0], s.make<math::FloorOp>(v[0]));
      Value distance =
          s.abs(s.sub(fraction, s.constant(double(offset), fraction)));
      return isCubic ? cubicWeight(s, distance)
                     : s.sub(s.constant(1, distance), distance);
    });
    weight = b.cast(weight, computeType(elementTypeOf(x)));
    taps.push_back({indexOf(whole, extent, offset), weight});
  }
  return taps;
}

/// Adds the elements at one tap along each dim, [N, places, C], to a sum, which
/// is null at first. `rows` is [N * elements, C].
Value Sampler::addTap(Value sum, Value rows, ArrayRef<Tap> along) {
  Type type = elementTypeOf(rows);
  Value position = b.iota({dims[0], 1}, 0, b.indexType());
  for (auto [dim, tap] : llvm::enumerate(along)) {
    Value size = b.dims({dims[dim + 2]}, b.indexType(), /*isScalar=*/true);
    position =
        b.map({position, tap.index, size}, [](ScalarBuilder &s, ValueRange v) {
          Value zero = s.integer(0, v[0]);
          Value isNothing =
              s.make<arith::OrIOp>(s.compare(Compare::LT, v[0], zero),
                                   s.compare(Compare::LT, v[1], zero));
          Value inner = s.add(s.mul(v[0], v[2]), v[1]);
          return s.select(isNothing, s.integer(-1, inner), inner);
        });
  }
  Value zero = b.scalar(0, b.indexType());
  Value row = b.map({position, zero}, [](ScalarBuilder &s, ValueRange v) {
    return s.max(v[0], v[1]);
  });
  Value isNothing = b.map(
      {position, zero},
      [](ScalarBuilder &s, ValueRange v) {
        return s.compare(Compare::LT, v[0], v[1]);
      },
      b.boolType());
  SmallVector<Value> parts = {b.create<GatherOp>(rows, row, 0),
                              b.unsqueeze(isNothing, 2)};
  for (const Tap &tap : along)
    if (tap.weight)
      parts.push_back(b.unsqueeze(tap.weight, 2));
  Value added = b.map(
      parts,
      [](ScalarBuilder &s, ValueRange v) {
        Value result = s.select(v[1], s.constant(0, v[0]), v[0]);
        for (Value weight : v.drop_front(2))
          result = s.mul(result, weight);
        return result;
      },
      type);
  return sum ? b.add(sum, added) : added;
}

Value Sampler::run() {
  Type type = elementTypeOf(x);
  Expr elements = sym::getNumElements(ArrayRef(dims).drop_front(2));
  Value rows =
      b.transpose(b.reshape(x, {dims[0], dims[1], elements}), {0, 2, 1});
  rows = b.reshape(rows, {dims[0] * elements, dims[1]});
  if (spec.mode != Mode::Nearest)
    rows = b.cast(rows, computeType(type));
  SmallVector<SmallVector<Tap>> all;
  for (int64_t dim = 0; dim < spatial; ++dim) {
    all.push_back(taps(dim));
    if (all.back().empty())
      return {};
  }
  // A number in the base of the taps a dim names one of each.
  int64_t base = all.front().size(), combinations = 1;
  for (int64_t dim = 0; dim < spatial; ++dim)
    combinations *= base;
  Value sum;
  for (int64_t number = 0; number < combinations && rows; ++number) {
    SmallVector<Tap> along;
    for (int64_t dim = 0, rest = number; dim < spatial; ++dim, rest /= base)
      along.push_back(all[dim][rest % base]);
    sum = addTap(sum, rows, along);
    if (!sum)
      return {};
  }
  SmallVector<Expr> shape = {dims[0], dims[1]};
  shape.append(places.begin() + 1, places.end() - 1);
  return b.reshape(b.cast(b.transpose(sum, {0, 2, 1}), type), shape);
}

Value compose::gridSample(ValueBuilder &b, Value x, Value grid,
                          const SampleSpec &spec) {
  Sampler sampler(b, x, grid, spec);
  return sampler.check() ? sampler.run() : Value();
}
