// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling over windows and over all spatial dims.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

namespace {
/// A pool's window and how it slides.
struct Pool {
  SmallVector<int64_t> window;
  WindowAttrs attrs;
  bool isCeil = false;
};
} // namespace

static std::optional<Pool> readPool(NodeContext &c) {
  int64_t rank = rankOf(c.input(0));
  if (rank < 3) {
    c.error() << "input has rank " << rank << ", expected at least 3";
    return std::nullopt;
  }
  Pool pool;
  pool.window = c.intsAttr("kernel_shape");
  if (int64_t(pool.window.size()) != rank - 2) {
    c.error() << "attribute 'kernel_shape' has " << pool.window.size()
              << " sizes for " << rank - 2 << " spatial dims";
    return std::nullopt;
  }
  for (int64_t size : pool.window)
    if (size < 1 || size > INT32_MAX) {
      c.error() << "window size is " << size << ", expected a positive size";
      return std::nullopt;
    }
  std::optional<WindowAttrs> attrs = readWindowAttrs(c, rank - 2);
  if (!attrs)
    return std::nullopt;
  pool.attrs = *attrs;
  pool.isCeil =
      c.intAttr("ceil_mode", 0) != 0 && attrs->autoPad == AutoPad::NotSet;
  return pool;
}

static Value slideWindow(NodeContext &c, Value x, ReduceKind kind,
                         const Pool &pool) {
  const WindowAttrs &attrs = pool.attrs;
  return c.create<WindowOp>(x, kind, pool.window, attrs.strides,
                            attrs.dilations, attrs.low, attrs.high,
                            pool.isCeil);
}

static void convertMaxPool(NodeContext &c) {
  std::optional<Pool> pool = readPool(c);
  if (!pool)
    return;
  Type type = elementTypeOf(c.input(0));
  double lowest = -std::numeric_limits<double>::infinity();
  if (auto integer = dyn_cast<IntegerType>(type))
    lowest = integer.isUnsigned() ? 0 : -std::ldexp(1, integer.getWidth() - 1);
  Value x = applyAutoPad(c, c.input(0), pool->window, lowest, pool->attrs);
  c.setOutput(0, slideWindow(c, x, ReduceKind::Max, *pool));
}

/// How many elements of the input, not of its padding, each window holds: a
/// sum of ones. [1, 1, spatial...].
static Value countInside(NodeContext &c, Value x, Pool pool) {
  SmallVector<Expr> shape = dimsOf(x);
  shape[0] = shape[1] = 1;
  Value ones = c.broadcast(c.scalar(1, elementTypeOf(x)), shape);
  ones = applyAutoPad(c, ones, pool.window, 0, pool.attrs);
  return slideWindow(c, ones, ReduceKind::Sum, pool);
}

/// As above with the padding counted, but not what a last window of ceil mode
/// reaches beyond it.
static Value countPadded(NodeContext &c, Value x, Pool pool,
                         ArrayRef<Expr> result) {
  SmallVector<Expr> shape = dimsOf(x);
  shape[0] = shape[1] = 1;
  for (size_t i = 0; i < pool.window.size(); ++i) {
    shape[i + 2] =
        shape[i + 2] + Expr(pool.attrs.low[i]) + Expr(pool.attrs.high[i]);
    pool.attrs.low[i] = pool.attrs.high[i] = 0;
  }
  Value ones = c.broadcast(c.scalar(1, elementTypeOf(x)), shape);
  Value count = slideWindow(c, ones, ReduceKind::Sum, pool);
  // Without the padding a further window may start inside.
  for (size_t dim = 2; dim < result.size() && count; ++dim)
    if (dimsOf(count)[dim] != result[dim])
      count = c.sliceDim(count, dim, 0, result[dim]);
  return count;
}

static void convertAveragePool(NodeContext &c) {
  std::optional<Pool> pool = readPool(c);
  if (!pool || !c.requireFloat(c.input(0), "input"))
    return;
  bool countsPads = c.intAttr("count_include_pad", 0) != 0;
  Value x = c.input(0);
  Pool slid = *pool;
  Value padded = applyAutoPad(c, x, slid.window, 0, slid.attrs);
  Value sum = slideWindow(c, padded, ReduceKind::Sum, slid);
  if (!sum)
    return;
  auto isZero = [](int64_t pad) { return pad == 0; };
  bool hasPads = padded != x || !llvm::all_of(slid.attrs.low, isZero) ||
                 !llvm::all_of(slid.attrs.high, isZero);
  Value count;
  if (!slid.isCeil && (countsPads || !hasPads)) {
    double product = 1;
    for (int64_t size : slid.window)
      product *= double(size);
    count = c.scalar(product, elementTypeOf(x));
  } else if (countsPads) {
    count = countPadded(c, x, slid, dimsOf(sum));
  } else {
    count = countInside(c, x, *pool);
  }
  c.setOutput(0, c.div(sum, count));
}

/// (sum |x|^p)^(1/p), given the sum.
static Value rootOf(NodeContext &c, Value sum, int64_t p) {
  return c.map(sum, [&](ScalarBuilder &s, ValueRange v) -> Value {
    if (p == 1)
      return v[0];
    if (p == 2)
      return s.make<math::SqrtOp>(v[0]);
    return s.make<math::PowFOp>(v[0], s.constant(1.0 / double(p), v[0]));
  });
}

static Value powerOf(NodeContext &c, Value x, int64_t p) {
  return c.map(x, [&](ScalarBuilder &s, ValueRange v) -> Value {
    if (p == 1)
      return s.abs(v[0]);
    if (p == 2)
      return s.mul(v[0], v[0]);
    return s.make<math::PowFOp>(s.abs(v[0]), s.constant(double(p), v[0]));
  });
}

static void convertLpPool(NodeContext &c) {
  std::optional<Pool> pool = readPool(c);
  int64_t p = c.intAttr("p", 2);
  if (!pool || !c.requireFloat(c.input(0), "input"))
    return;
  Value powers = powerOf(c, c.input(0), p);
  powers = applyAutoPad(c, powers, pool->window, 0, pool->attrs);
  c.setOutput(0, rootOf(c, slideWindow(c, powers, ReduceKind::Sum, *pool), p));
}

/// The dims after batch and channels.
static SmallVector<int64_t> spatialDims(NodeContext &c) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 2; dim < rankOf(c.input(0)); ++dim)
    dims.push_back(dim);
  return dims;
}

static void convertGlobalAveragePool(NodeContext &c) {
  c.setOutput(0, c.mean(c.input(0), spatialDims(c), /*keepDims=*/true));
}

static void convertGlobalMaxPool(NodeContext &c) {
  c.setOutput(0, c.reduce(c.input(0), spatialDims(c), ReduceKind::Max, true));
}

static void convertGlobalLpPool(NodeContext &c) {
  int64_t p = c.intAttr("p", 2);
  if (!c.requireFloat(c.input(0), "input"))
    return;
  Value powers = powerOf(c, c.input(0), p);
  c.setOutput(
      0, rootOf(c, c.reduce(powers, spatialDims(c), ReduceKind::Sum, true), p));
}

void ambit::onnx_import::addPools(ConverterTable &table) {
  table.add("MaxPool", convertMaxPool, 1);
  table.add("AveragePool", convertAveragePool, 1);
  table.add("LpPool", convertLpPool, 1);
  table.add("GlobalAveragePool", convertGlobalAveragePool, 1);
  table.add("GlobalMaxPool", convertGlobalMaxPool, 1);
  table.add("GlobalLpPool", convertGlobalLpPool, 1);
}
