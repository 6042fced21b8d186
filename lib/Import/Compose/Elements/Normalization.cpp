// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalizations, written out in means and squares.

#include "Normalization.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// 1 / sqrt(x + epsilon)
static Value inverseRoot(ValueBuilder &b, Value x, double epsilon) {
  return b.map(x, [&](ScalarBuilder &s, ValueRange v) {
    Value root = s.make<math::SqrtOp>(s.add(v[0], s.constant(epsilon, v[0])));
    return s.div(s.constant(1, v[0]), root);
  });
}

static Value square(ValueBuilder &b, Value x) {
  return b.map(
      x, [](ScalarBuilder &s, ValueRange v) { return s.mul(v[0], v[0]); });
}

/// x * scale + shift; either may be absent.
static Value affine(ValueBuilder &b, Value x, Value scale, Value shift) {
  if (scale)
    x = b.mul(x, scale);
  return shift ? b.add(x, shift) : x;
}

static Standardized standardize(ValueBuilder &b, Value x,
                                ArrayRef<int64_t> dims, double epsilon) {
  Standardized s;
  s.mean = b.mean(x, dims, /*keepDims=*/true);
  Value centered = b.sub(x, s.mean);
  Value variance = b.mean(square(b, centered), dims, /*keepDims=*/true);
  s.inverse = inverseRoot(b, variance, epsilon);
  s.result = b.mul(centered, s.inverse);
  return s;
}

/// Whether the values beside x are [C].
static bool checkChannels(ValueBuilder &b, const BatchNormValues &values) {
  Value x = values.x;
  if (!b.requireFloat(x, "input"))
    return false;
  if (rankOf(x) < 2) {
    b.error() << "input has rank " << rankOf(x) << ", expected at least 2";
    return false;
  }
  Value parameters[] = {values.scale, values.shift, values.mean,
                        values.variance};
  for (auto [index, value] : llvm::enumerate(parameters)) {
    if (rankOf(value) != 1) {
      b.error() << "input " << index + 1 << " has rank " << rankOf(value)
                << ", expected 1";
      return false;
    }
    if (!b.requireEqual(dimsOf(value)[0], dimsOf(x)[1],
                        "size of input " + Twine(index + 1) +
                            " is not the number of channels"))
      return false;
  }
  return true;
}

Value compose::batchNorm(ValueBuilder &b, const BatchNormValues &values,
                         double epsilon) {
  if (!checkChannels(b, values))
    return {};
  // The two factors a channel are constants in most models. Statistics may be
  // wider than the data, and then say in what to compute.
  Value x = values.x;
  Type type = elementTypeOf(x), wide = elementTypeOf(values.variance);
  if (wide.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    wide = type;
  Value scale = b.mul(b.cast(values.scale, wide),
                      inverseRoot(b, b.cast(values.variance, wide), epsilon));
  Value shift = b.sub(b.cast(values.shift, wide),
                      b.mul(b.cast(values.mean, wide), scale));
  scale = b.alongDim(scale, 1, rankOf(x));
  shift = b.alongDim(shift, 1, rankOf(x));
  return b.cast(affine(b, b.cast(x, wide), scale, shift), type);
}

TrainedBatchNorm compose::trainedBatchNorm(ValueBuilder &b,
                                           const BatchNormValues &values,
                                           double epsilon) {
  if (!checkChannels(b, values))
    return {};
  Value x = values.x;
  int64_t rank = rankOf(x);
  SmallVector<int64_t> dims = {0};
  dims.append(dimsFrom(2, rank));
  Type type = elementTypeOf(x), wide = computeType(type);
  Value exact = b.cast(x, wide);
  Value mean = b.mean(exact, dims, /*keepDims=*/false);
  Value centered = b.sub(exact, b.alongDim(mean, 1, rank));
  Value variance = b.mean(square(b, centered), dims, /*keepDims=*/false);
  Value scale =
      b.mul(b.cast(values.scale, wide), inverseRoot(b, variance, epsilon));
  Value shift = b.cast(values.shift, wide);
  Value result = affine(b, centered, b.alongDim(scale, 1, rank),
                        b.alongDim(shift, 1, rank));
  return {b.cast(result, type), mean, variance};
}

Value compose::keepRunning(ValueBuilder &b, Value running, Value batch,
                           double momentum) {
  if (!running || !batch)
    return {};
  Type type = elementTypeOf(running), wide = elementTypeOf(batch);
  Value next = b.map(
      {b.cast(running, wide), batch}, [&](ScalarBuilder &s, ValueRange v) {
        Value kept = s.mul(v[0], s.constant(momentum, v[0]));
        return s.add(kept, s.mul(v[1], s.constant(1 - momentum, v[1])));
      });
  return b.cast(next, type);
}

Standardized compose::layerNorm(ValueBuilder &b, Value x, Value scale,
                                Value shift, int64_t axis, double epsilon) {
  int64_t rank = rankOf(x);
  if (!b.requireFloat(x, "input") || !b.normalizeAxis(axis, rank))
    return {};
  Standardized s = standardize(b, x, dimsFrom(axis, rank), epsilon);
  s.result = affine(b, s.result, scale, shift);
  return s;
}

Standardized compose::rmsNorm(ValueBuilder &b, Value x, Value scale,
                              int64_t axis, double epsilon) {
  int64_t rank = rankOf(x);
  if (!b.requireFloat(x, "input") || !b.normalizeAxis(axis, rank))
    return {};
  Value mean = b.mean(square(b, x), dimsFrom(axis, rank), /*keepDims=*/true);
  Standardized s;
  s.inverse = inverseRoot(b, mean, epsilon);
  s.result = affine(b, b.mul(x, s.inverse), scale, {});
  return s;
}

Value compose::instanceNorm(ValueBuilder &b, Value x, Value scale, Value shift,
                            double epsilon) {
  int64_t rank = rankOf(x);
  if (!b.requireFloat(x, "input"))
    return {};
  if (rank < 3) {
    b.error() << "input has rank " << rank << ", expected at least 3";
    return {};
  }
  Standardized s = standardize(b, x, dimsFrom(2, rank), epsilon);
  return affine(b, s.result, b.alongDim(scale, 1, rank),
                b.alongDim(shift, 1, rank));
}

Value compose::groupNorm(ValueBuilder &b, Value x, Value scale, Value shift,
                         int64_t groups, bool isScaledByGroup, double epsilon) {
  int64_t rank = rankOf(x);
  if (!b.requireFloat(x, "input"))
    return {};
  if (rank < 3 || groups < 1) {
    b.error() << "input of rank " << rank << " with " << groups
              << " groups, expected a rank of at least 3 and at least 1 group";
    return {};
  }
  SmallVector<Expr> dims = dimsOf(x);
  if (!b.requireDivisible(dims[1], groups,
                          "channels do not divide into groups"))
    return {};
  Expr channels = b.simplify(Expr::floorDiv(dims[1], groups));
  Expr rest = channels * sym::getNumElements(ArrayRef(dims).drop_front(2));
  Value grouped = b.reshape(x, {dims[0], groups, rest});
  Value result = standardize(b, grouped, 2, epsilon).result;
  int64_t along = isScaledByGroup ? 3 : rank;
  if (!isScaledByGroup)
    result = b.reshape(result, dims);
  result = affine(b, result, b.alongDim(scale, 1, along),
                  b.alongDim(shift, 1, along));
  return b.reshape(result, dims);
}

Value compose::localResponseNorm(ValueBuilder &b, Value x,
                                 const LocalNormSpec &spec) {
  int64_t size = spec.size;
  if (!b.requireFloat(x, "input"))
    return {};
  if (rankOf(x) < 2 || size < 1 || size > INT32_MAX) {
    b.error() << "input of rank " << rankOf(x) << " with window size " << size
              << ", expected a rank of at least 2 and a positive size";
    return {};
  }
  SmallVector<Expr> dims = dimsOf(x);
  Value rows = b.reshape(
      square(b, x),
      {dims[0], 1, dims[1], sym::getNumElements(ArrayRef(dims).drop_front(2))});
  SmallVector<int64_t> ones = {1, 1}, window = {size, 1};
  SmallVector<int64_t> low = {(size - 1) / 2, 0}, high = {size / 2, 0};
  Value sums = b.create<WindowOp>(rows, ReduceKind::Sum, window, ones, ones,
                                  low, high, /*ceil=*/false);
  return b.map({x, b.reshape(sums, dims)}, [&](ScalarBuilder &s, ValueRange v) {
    Value scaled = s.mul(v[1], s.constant(spec.alpha / double(size), v[1]));
    Value base = s.add(s.constant(spec.bias, v[1]), scaled);
    Value power = s.make<math::PowFOp>(base, s.constant(spec.beta, base));
    return s.div(v[0], power);
  });
}

Value compose::lpNorm(ValueBuilder &b, Value x, int64_t axis, int64_t p) {
  if (!b.requireFloat(x, "input") || !b.normalizeAxis(axis, rankOf(x)))
    return {};
  Value powers = b.map(x, [&](ScalarBuilder &s, ValueRange v) {
    return p == 1 ? s.abs(v[0]) : s.mul(v[0], v[0]);
  });
  Value sum = b.reduce(powers, axis, ReduceKind::Sum, /*keepDims=*/true);
  // A row of zeros stays one.
  return b.map({x, sum}, [&](ScalarBuilder &s, ValueRange v) {
    Value norm = p == 1 ? v[1] : s.make<math::SqrtOp>(v[1]);
    Value zero = s.constant(0, norm);
    Value isZero = s.compare(Relation::Kind::EQ, norm, zero);
    return s.select(isZero, zero, s.div(v[0], norm));
  });
}

Value compose::meanVarianceNorm(ValueBuilder &b, Value x,
                                ArrayRef<int64_t> dims) {
  Value centered = b.sub(x, b.mean(x, dims, /*keepDims=*/true));
  Value variance = b.mean(square(b, centered), dims, /*keepDims=*/true);
  return b.map({centered, variance}, [](ScalarBuilder &s, ValueRange v) {
    Value deviation = s.make<math::SqrtOp>(v[1]);
    return s.div(v[0], s.add(deviation, s.constant(1e-9, deviation)));
  });
}
