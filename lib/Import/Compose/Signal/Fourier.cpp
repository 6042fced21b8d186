// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Angles are reduced as integers and then computed in f64, so that long
// transforms are as exact as short ones.

#include "Fourier.h"
#include "../Products/MatMul.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

namespace {
/// The transform of the last dim of parts without the dim of complex numbers.
class Transform {
public:
  Transform(ValueBuilder &b, const FourierSpec &spec, Type type)
      : b(b), spec(spec), type(type),
        half(b.simplify(Expr::floorDiv(spec.length, 2) + 1)),
        taken(isReal() ? half : spec.length),
        given(spec.isOneSided && !spec.isInverse ? half : spec.length) {}
  /// Whether the result has no imaginary part.
  bool isReal() const { return spec.isOneSided && spec.isInverse; }
  /// The part with as many elements as are transformed.
  Value fit(Value part);
  void run(Value real, Value imaginary, Value &resultReal,
           Value &resultImaginary);

private:
  template <typename OpT> Value matrix();
  Value product(Value part, Value matrix) {
    return part ? matmul(b, part, matrix) : Value();
  }
  /// x + sign * y, where null is 0.
  Value combine(Value x, double sign, Value y);

  ValueBuilder &b;
  const FourierSpec &spec;
  Type type;
  Expr half, taken, given;
};
} // namespace

Value Transform::fit(Value part) {
  if (!part)
    return part;
  int64_t last = rankOf(part) - 1;
  Expr size = dimsOf(part)[last], kept = b.simplify(Expr::min(size, taken));
  SmallVector<Expr> low(last + 1, Expr(0)), high(low);
  high[last] = b.simplify(taken - kept);
  Value cut = b.sliceDim(part, last, 0, kept);
  return high[last].isConstant(0) ? cut
                                  : b.pad(cut, b.scalar(0, type), low, high);
}

/// Sines or cosines of 2 pi * row * column / length; the rows of a one-sided
/// input count twice where they stand for two frequencies.
template <typename OpT> Value Transform::matrix() {
  Type f64 = b.graph.getBuilder().getF64Type();
  SmallVector<Expr> shape = {taken, given};
  Value length = b.dims({spec.length}, b.indexType(), /*isScalar=*/true);
  bool isDoubled = isReal();
  Value turns = b.map({b.iota(shape, 0, b.indexType()),
                       b.iota(shape, 1, b.indexType()), length},
                      [](ScalarBuilder &s, ValueRange v) {
                        Value one = s.integer(1, v[2]);
                        return s.remainder(s.mul(v[0], v[1]), s.max(v[2], one));
                      });
  Value result = b.map(
      {turns, length, b.iota(shape, 0, b.indexType())},
      [&](ScalarBuilder &s, ValueRange v) {
        Value turn = s.make<arith::SIToFPOp>(f64, v[0]);
        Value all = s.make<arith::SIToFPOp>(f64, v[1]);
        Value angle = s.div(s.mul(turn, s.constant(2 * M_PI, turn)), all);
        Value element = s.make<OpT>(angle);
        if (!isDoubled)
          return element;
        Value isFirst = s.compare(Relation::Kind::EQ, v[2], s.integer(0, v[2]));
        Value twice = s.add(v[2], v[2]);
        Value isLast = s.compare(Relation::Kind::EQ, twice, v[1]);
        Value isSingle = s.make<arith::OrIOp>(isFirst, isLast);
        return s.select(isSingle, element, s.add(element, element));
      },
      f64);
  return b.cast(result, type);
}

Value Transform::combine(Value x, double sign, Value y) {
  if (x && y)
    return sign > 0 ? b.add(x, y) : b.sub(x, y);
  if (x || sign > 0)
    return x ? x : y;
  return b.map(y, [](ScalarBuilder &s, ValueRange v) { return s.neg(v[0]); });
}

void Transform::run(Value real, Value imaginary, Value &resultReal,
                    Value &resultImaginary) {
  Value cosines = matrix<math::CosOp>(), sines = matrix<math::SinOp>();
  double sign = spec.isInverse ? -1 : 1;
  resultReal = combine(product(real, cosines), sign, product(imaginary, sines));
  if (!isReal())
    resultImaginary =
        combine(product(imaginary, cosines), -sign, product(real, sines));
  if (!spec.isInverse)
    return;
  Value length = b.dims({spec.length}, type, /*isScalar=*/true);
  resultReal = b.div(resultReal, length);
  if (resultImaginary)
    resultImaginary = b.div(resultImaginary, length);
}

/// The permutation that brings a dim to the end of those before the last.
static SmallVector<int64_t> bringToEnd(int64_t axis, int64_t rank) {
  SmallVector<int64_t> permutation;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != axis)
      permutation.push_back(dim);
  permutation.push_back(axis);
  return permutation;
}

/// How many numbers an element has; those of which only a run tells that get an
/// imaginary part of 0. Nothing after an error.
static std::optional<int64_t> countParts(ValueBuilder &b, Value &x) {
  SmallVector<Expr> dims = dimsOf(x);
  Expr size = dims.back();
  if (!b.require(Relation{Relation::Kind::GE, size, Expr(1)},
                 "numbers of an element") ||
      !b.require(Relation{Relation::Kind::LE, size, Expr(2)},
                 "numbers of an element"))
    return std::nullopt;
  if (std::optional<int64_t> known = b.simplify(size).constant())
    return *known;
  SmallVector<Expr> low(dims.size(), Expr(0)), high(low);
  high.back() = b.simplify(Expr(2) - size);
  x = b.pad(x, b.scalar(0, elementTypeOf(x)), low, high);
  return x ? std::optional<int64_t>(2) : std::nullopt;
}

Value compose::fourier(ValueBuilder &b, Value x, const FourierSpec &given) {
  FourierSpec spec = given;
  int64_t rank = rankOf(x);
  if (!b.requireFloat(x, "input") || !b.normalizeAxis(spec.axis, rank))
    return {};
  SmallVector<Expr> dims = dimsOf(x);
  if (rank < 2 || spec.axis == rank - 1) {
    b.error() << "input of type " << x.getType() << " and axis " << spec.axis
              << ", expected 1 or 2 numbers in a last dim that is not the axis";
    return {};
  }
  std::optional<int64_t> parts = countParts(b, x);
  if (!parts)
    return {};
  if (!b.require(Relation{Relation::Kind::GE, spec.length, Expr(1)},
                 "the length of a transform"))
    return {};
  // The parts have one dim less.
  SmallVector<Expr> shape(dims.begin(), dims.end() - 1);
  SmallVector<int64_t> order = bringToEnd(spec.axis, rank - 1);
  Transform transform(b, spec, elementTypeOf(x));
  Value inputs[2], results[2];
  for (int64_t part = 0; part < *parts; ++part) {
    Value one = b.reshape(b.sliceDim(x, rank - 1, part, 1), shape);
    inputs[part] = transform.fit(b.transpose(one, order));
  }
  transform.run(inputs[0], inputs[1], results[0], results[1]);
  SmallVector<int64_t> back(rank - 1);
  for (auto [from, to] : llvm::enumerate(order))
    back[to] = from;
  SmallVector<Value> columns;
  for (Value result : results)
    if (result)
      columns.push_back(b.unsqueeze(b.transpose(result, back), {rank - 1}));
  if (b.hasFailed())
    return {};
  return columns.size() == 1 ? columns[0] : b.concat(columns, rank - 1);
}

Value compose::shortTimeFourier(ValueBuilder &b, Value signal, Value window,
                                Expr length, Expr step, bool isOneSided) {
  if (rankOf(signal) != 2 && rankOf(signal) != 3) {
    b.error() << "signal has rank " << rankOf(signal) << ", expected 2 or 3";
    return {};
  }
  if (rankOf(signal) == 2)
    signal = b.unsqueeze(signal, {2});
  Expr size = dimsOf(signal)[1];
  if (!b.require(Relation{Relation::Kind::GE, step, Expr(1)},
                 "the step of frames") ||
      !b.require(Relation{Relation::Kind::LE, length, size},
                 "a frame is longer than the signal"))
    return {};
  Expr frames = b.simplify(Expr::floorDiv(size - length, step) + 1);
  Value stride = b.dims({step}, b.indexType(), /*isScalar=*/true);
  Value places = b.map({b.iota({frames, length}, 0, b.indexType()),
                        b.iota({frames, length}, 1, b.indexType()), stride},
                       [](ScalarBuilder &s, ValueRange v) {
                         return s.add(s.mul(v[0], v[2]), v[1]);
                       });
  Value rows = b.create<GatherOp>(signal, places, 1);
  if (window && rows) {
    if (rankOf(window) != 1 ||
        !b.requireEqual(dimsOf(window)[0], length, "length of the window"))
      return b.fail();
    rows = b.mul(rows, b.alongDim(window, 2, 4));
  }
  return rows ? fourier(b, rows, {2, length, false, isOneSided}) : Value();
}

/// Frequencies `first`, `first + 1`, ... of the bins as places in a spectrum.
static Value melPlaces(ValueBuilder &b, const MelSpec &spec, int64_t first) {
  Type f64 = b.graph.getBuilder().getF64Type();
  Value number = b.iota({spec.bins}, 0, f64);
  Value marks = b.dims({spec.bins + 2}, f64, /*isScalar=*/true);
  Value length = b.dims({spec.length + 1}, f64, /*isScalar=*/true);
  return b.map({number, marks, length, b.cast(spec.rate, f64),
                b.cast(spec.low, f64), b.cast(spec.high, f64)},
               [&](ScalarBuilder &s, ValueRange v) {
                 auto c = [&](double x) { return s.constant(x, v[0]); };
                 auto mel = [&](Value hertz) {
                   Value log = s.make<math::Log1pOp>(s.div(hertz, c(700)));
                   return s.div(s.mul(c(2595), log), c(std::log(10.0)));
                 };
                 Value low = mel(v[4]);
                 Value step = s.div(s.sub(mel(v[5]), low), v[1]);
                 Value place = s.add(s.mul(s.add(v[0], c(first)), step), low);
                 Value grown = s.make<math::ExpM1Op>(
                     s.mul(s.div(place, c(2595)), c(std::log(10.0))));
                 Value hertz = s.mul(c(700), grown);
                 return s.make<math::FloorOp>(s.div(s.mul(v[2], hertz), v[3]));
               });
}

Value compose::melWeights(ValueBuilder &b, const MelSpec &spec,
                          Type elementType) {
  Type f64 = b.graph.getBuilder().getF64Type();
  Expr rows = b.simplify(Expr::floorDiv(spec.length, 2) + 1);
  for (Value value : {spec.rate, spec.low, spec.high})
    if (rankOf(value) != 0) {
      b.error() << "a frequency has rank " << rankOf(value) << ", expected 0";
      return {};
    }
  Value row = b.iota({rows, spec.bins}, 0, f64);
  Value weights =
      b.map({row, melPlaces(b, spec, 0), melPlaces(b, spec, 1),
             melPlaces(b, spec, 2)},
            [](ScalarBuilder &s, ValueRange v) {
              using Compare = Relation::Kind;
              Value zero = s.constant(0, v[0]), one = s.constant(1, v[0]);
              Value rise = s.sub(v[2], v[1]), fall = s.sub(v[3], v[2]);
              Value up = s.div(s.sub(v[0], v[1]), rise);
              Value isUp =
                  s.make<arith::AndIOp>(s.compare(Compare::GE, v[0], v[1]),
                                        s.compare(Compare::LE, v[0], v[2]));
              Value hasRise = s.compare(Compare::GT, rise, zero);
              Value isPeak = s.compare(Compare::EQ, v[0], v[2]);
              Value left = s.select(hasRise, s.select(isUp, up, zero),
                                    s.select(isPeak, one, zero));
              Value down = s.div(s.sub(v[3], v[0]), fall);
              Value isDown = s.make<arith::AndIOp>(
                  s.compare(Compare::GE, v[0], v[2]),
                  s.make<arith::AndIOp>(s.compare(Compare::LT, v[0], v[3]),
                                        s.compare(Compare::GT, fall, zero)));
              return s.select(isDown, down, left);
            });
  return b.cast(weights, elementType);
}
