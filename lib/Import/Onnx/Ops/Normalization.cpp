// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalizations, written out in means and squares.

#include "../Converters.h"
#include "../TensorData.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

/// 1 / sqrt(x + epsilon)
static Value inverseRoot(NodeContext &c, Value x, double epsilon) {
  return c.map(x, [&](ScalarBuilder &s, ValueRange v) {
    Value root = s.make<math::SqrtOp>(s.add(v[0], s.constant(epsilon, v[0])));
    return s.div(s.constant(1, v[0]), root);
  });
}

static Value square(NodeContext &c, Value x) {
  return c.map(
      x, [](ScalarBuilder &s, ValueRange v) { return s.mul(v[0], v[0]); });
}

/// x * scale + shift; either may be absent.
static Value affine(NodeContext &c, Value x, Value scale, Value shift) {
  if (scale)
    x = c.mul(x, scale);
  return shift ? c.add(x, shift) : x;
}

namespace {
/// A tensor brought to mean 0 and variance 1 over some dims, and by what.
struct Standardized {
  Value result, mean, inverse;
};
} // namespace

static Standardized standardize(NodeContext &c, Value x, ArrayRef<int64_t> dims,
                                double epsilon) {
  Standardized s;
  s.mean = c.mean(x, dims, /*keepDims=*/true);
  Value centered = c.sub(x, s.mean);
  Value variance = c.mean(square(c, centered), dims, /*keepDims=*/true);
  s.inverse = inverseRoot(c, variance, epsilon);
  s.result = c.mul(centered, s.inverse);
  return s;
}

static SmallVector<int64_t> dimsFrom(int64_t first, int64_t rank) {
  SmallVector<int64_t> dims;
  for (int64_t dim = first; dim < rank; ++dim)
    dims.push_back(dim);
  return dims;
}

/// Half precision is computed in f32, which `stash_type` says for the outputs.
static Type computeType(NodeContext &c, Type type) {
  return type.getIntOrFloatBitWidth() < 32
             ? Type(c.graph.getBuilder().getF32Type())
             : type;
}

/// A running statistic after a batch: old * momentum + new * (1 - momentum).
static Value keepRunning(NodeContext &c, Value running, Value batch) {
  if (!running || !batch)
    return {};
  double momentum = c.floatAttr("momentum", 0.9f);
  Type type = elementTypeOf(running), wide = elementTypeOf(batch);
  Value next = c.map(
      {c.cast(running, wide), batch}, [&](ScalarBuilder &s, ValueRange v) {
        Value kept = s.mul(v[0], s.constant(momentum, v[0]));
        return s.add(kept, s.mul(v[1], s.constant(1 - momentum, v[1])));
      });
  return c.cast(next, type);
}

/// Batch normalization in training: mean and variance are those of the input,
/// over all dims but the channels; the running ones follow them.
static void normalizeByBatch(NodeContext &c, double epsilon) {
  Value x = c.input(0);
  int64_t rank = rankOf(x);
  SmallVector<int64_t> dims = {0};
  dims.append(dimsFrom(2, rank));
  Type type = elementTypeOf(x), wide = computeType(c, type);
  Value exact = c.cast(x, wide);
  Value mean = c.mean(exact, dims, /*keepDims=*/false);
  Value centered = c.sub(exact, c.alongDim(mean, 1, rank));
  Value variance = c.mean(square(c, centered), dims, /*keepDims=*/false);
  Value scale =
      c.mul(c.cast(c.input(1), wide), inverseRoot(c, variance, epsilon));
  Value shift = c.cast(c.input(2), wide);
  c.setOutput(0, c.cast(affine(c, centered, c.alongDim(scale, 1, rank),
                               c.alongDim(shift, 1, rank)),
                        type));
  if (c.wantsOutput(1))
    c.setOutput(1, keepRunning(c, c.input(3), mean));
  if (c.wantsOutput(2))
    c.setOutput(2, keepRunning(c, c.input(4), variance));
}

/// Inputs: x, scale, bias, mean, variance; all but x have one element a
/// channel.
static void convertBatchNormalization(NodeContext &c) {
  Value x = c.input(0);
  double epsilon = c.floatAttr("epsilon", 1e-5f);
  if (c.opset() < 9 && c.intAttr("spatial", 1) == 0) {
    c.error() << "attribute 'spatial' is 0, which is not supported: opset 9 "
                 "and newer have statistics by channel only";
    return;
  }
  if (!c.requireFloat(x, "input"))
    return;
  if (rankOf(x) < 2) {
    c.error() << "input has rank " << rankOf(x) << ", expected at least 2";
    return;
  }
  for (size_t i = 1; i < 5; ++i)
    if (rankOf(c.input(i)) != 1 ||
        !c.requireEqual(dimsOf(c.input(i))[0], dimsOf(x)[1],
                        "size of input " + Twine(i) +
                            " is not the number of channels")) {
      if (!c.hasFailed())
        c.error() << "input " << i << " has rank " << rankOf(c.input(i))
                  << ", expected 1";
      return;
    }
  if (c.intAttr("training_mode", 0) != 0)
    return normalizeByBatch(c, epsilon);
  // The two factors a channel are constants in most models. Statistics may be
  // wider than the data, and then say in what to compute.
  Type type = elementTypeOf(x), wide = elementTypeOf(c.input(4));
  if (wide.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    wide = type;
  Value scale = c.mul(c.cast(c.input(1), wide),
                      inverseRoot(c, c.cast(c.input(4), wide), epsilon));
  Value shift =
      c.sub(c.cast(c.input(2), wide), c.mul(c.cast(c.input(3), wide), scale));
  scale = c.alongDim(scale, 1, rankOf(x));
  shift = c.alongDim(shift, 1, rankOf(x));
  c.setOutput(0, c.cast(affine(c, c.cast(x, wide), scale, shift), type));
}

static void convertLayerNormalization(NodeContext &c) {
  Value x = c.input(0);
  int64_t axis = c.intAttr("axis", -1), rank = rankOf(x);
  double epsilon = c.floatAttr("epsilon", 1e-5f);
  if (!c.requireFloat(x, "input") || !c.normalizeAxis(axis, rank))
    return;
  Standardized s = standardize(c, x, dimsFrom(axis, rank), epsilon);
  c.setOutput(0, affine(c, s.result, c.input(1), c.input(2)));
  // As `stash_type` says, these stay f32.
  c.setOutput(1, s.mean);
  c.setOutput(2, s.inverse);
}

static void convertRmsNormalization(NodeContext &c) {
  Value x = c.input(0);
  int64_t axis = c.intAttr("axis", -1), rank = rankOf(x);
  double epsilon = c.floatAttr("epsilon", 1e-5f);
  if (!c.requireFloat(x, "input") || !c.normalizeAxis(axis, rank))
    return;
  Value mean = c.mean(square(c, x), dimsFrom(axis, rank), true);
  Value result = c.mul(x, inverseRoot(c, mean, epsilon));
  c.setOutput(0, affine(c, result, c.input(1), {}));
}

static void convertInstanceNormalization(NodeContext &c) {
  Value x = c.input(0);
  int64_t rank = rankOf(x);
  if (!c.requireFloat(x, "input"))
    return;
  if (rank < 3) {
    c.error() << "input has rank " << rank << ", expected at least 3";
    return;
  }
  Standardized s =
      standardize(c, x, dimsFrom(2, rank), c.floatAttr("epsilon", 1e-5f));
  c.setOutput(0, affine(c, s.result, c.alongDim(c.input(1), 1, rank),
                        c.alongDim(c.input(2), 1, rank)));
}

/// [N, C, ...] as [N, groups, rest]; scale and bias are per group before opset
/// 21 and per channel from then on.
static void convertGroupNormalization(NodeContext &c) {
  Value x = c.input(0);
  int64_t groups = c.intAttr("num_groups", 0), rank = rankOf(x);
  if (!c.requireFloat(x, "input"))
    return;
  if (rank < 3 || groups < 1) {
    c.error() << "input of rank " << rank << " with " << groups
              << " groups, expected a rank of at least 3 and at least 1 group";
    return;
  }
  SmallVector<Expr> dims = dimsOf(x);
  if (!c.requireDivisible(dims[1], groups,
                          "channels do not divide into groups"))
    return;
  Expr channels = c.simplify(Expr::floorDiv(dims[1], groups));
  Expr rest = channels * sym::getNumElements(ArrayRef(dims).drop_front(2));
  Value grouped = c.reshape(x, {dims[0], groups, rest});
  Value result =
      standardize(c, grouped, 2, c.floatAttr("epsilon", 1e-5f)).result;
  bool isPerGroup = c.opset() < 21;
  int64_t along = isPerGroup ? 3 : rank;
  if (!isPerGroup)
    result = c.reshape(result, dims);
  result = affine(c, result, c.alongDim(c.input(1), 1, along),
                  c.alongDim(c.input(2), 1, along));
  c.setOutput(0, c.reshape(result, dims));
}

/// x / (bias + alpha / size * sum of squares over near channels)^beta: a window
/// that slides over the channels.
static void convertLrn(NodeContext &c) {
  Value x = c.input(0);
  int64_t size = c.intAttr("size", 0);
  double alpha = c.floatAttr("alpha", 1e-4f), beta = c.floatAttr("beta", 0.75);
  double bias = c.floatAttr("bias", 1);
  if (!c.requireFloat(x, "input"))
    return;
  if (rankOf(x) < 2 || size < 1 || size > INT32_MAX) {
    c.error() << "input of rank " << rankOf(x) << " with window size " << size
              << ", expected a rank of at least 2 and a positive size";
    return;
  }
  SmallVector<Expr> dims = dimsOf(x);
  Value rows = c.reshape(
      square(c, x),
      {dims[0], 1, dims[1], sym::getNumElements(ArrayRef(dims).drop_front(2))});
  SmallVector<int64_t> ones = {1, 1}, window = {size, 1};
  SmallVector<int64_t> low = {(size - 1) / 2, 0}, high = {size / 2, 0};
  Value sums = c.create<WindowOp>(rows, ReduceKind::Sum, window, ones, ones,
                                  low, high, /*ceil=*/false);
  c.setOutput(
      0, c.map({x, c.reshape(sums, dims)}, [&](ScalarBuilder &s, ValueRange v) {
        Value scaled = s.mul(v[1], s.constant(alpha / double(size), v[1]));
        Value base = s.add(s.constant(bias, v[1]), scaled);
        Value power = s.make<math::PowFOp>(base, s.constant(beta, base));
        return s.div(v[0], power);
      }));
}

static void convertLpNormalization(NodeContext &c) {
  Value x = c.input(0);
  int64_t axis = c.intAttr("axis", -1), p = c.intAttr("p", 2);
  if (!c.requireFloat(x, "input") || !c.normalizeAxis(axis, rankOf(x)))
    return;
  if (p != 1 && p != 2) {
    c.error() << "attribute 'p' is " << p << ", expected 1 or 2";
    return;
  }
  Value powers = c.map(x, [&](ScalarBuilder &s, ValueRange v) {
    return p == 1 ? s.abs(v[0]) : s.mul(v[0], v[0]);
  });
  Value sum = c.reduce(powers, axis, ReduceKind::Sum, /*keepDims=*/true);
  // A row of zeros stays one.
  c.setOutput(0, c.map({x, sum}, [&](ScalarBuilder &s, ValueRange v) {
    Value norm = p == 1 ? v[1] : s.make<math::SqrtOp>(v[1]);
    Value zero = s.constant(0, norm);
    Value isZero = s.compare(Relation::Kind::EQ, norm, zero);
    return s.select(isZero, zero, s.div(v[0], norm));
  }));
}

static void convertMeanVarianceNormalization(NodeContext &c) {
  Value x = c.input(0);
  SmallVector<int64_t> axes = c.intsAttr("axes", {0, 2, 3});
  if (!c.requireFloat(x, "input") || !c.normalizeAxes(axes, rankOf(x)))
    return;
  llvm::sort(axes);
  Value centered = c.sub(x, c.mean(x, axes, /*keepDims=*/true));
  Value variance = c.mean(square(c, centered), axes, /*keepDims=*/true);
  c.setOutput(
      0, c.map({centered, variance}, [](ScalarBuilder &s, ValueRange v) {
        Value deviation = s.make<math::SqrtOp>(v[1]);
        return s.div(v[0], s.add(deviation, s.constant(1e-9, deviation)));
      }));
}

void ambit::onnx_import::addNormalizations(ConverterTable &table) {
  table.add("BatchNormalization", convertBatchNormalization, 5);
  table.add("LayerNormalization", convertLayerNormalization, 2, 3).since(17);
  table.add("RMSNormalization", convertRmsNormalization, 2).since(23);
  table.add("InstanceNormalization", convertInstanceNormalization, 3);
  table.add("GroupNormalization", convertGroupNormalization, 3).since(18);
  table.add("LRN", convertLrn, 1);
  table.add("LpNormalization", convertLpNormalization, 1);
  table.add("MeanVarianceNormalization", convertMeanVarianceNormalization, 1)
      .since(9);
}
