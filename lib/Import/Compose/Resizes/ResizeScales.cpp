// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An f32 scale is a fraction with a power of 2 below. The floor of its product
// with a size is an expression; often that of a small fraction is the same for
// every size in question, and easier to prove things with: 0.6 is 5033165 /
// 2^23, and floor(n * 3 / 5) is right up to a size of 8 million.

#include "ResizeScales.h"
#include "ambit/Dialect/Graph/IR/ResizePosition.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

using Scales = std::optional<SmallVector<ResizeScale>>;

//===-- Reading -----------------------------------------------------------===//

static Scales followScales(ValueBuilder &b, Value value, unsigned depth);

/// Of a map that divides known sizes or converts between float types.
static Scales followMap(ValueBuilder &b, MapOp map, unsigned depth) {
  Block &body = map.getBody().front();
  if (body.getOperations().size() != 2)
    return std::nullopt;
  Operation &op = body.front();
  auto inputOf = [&](Value scalar) -> Value {
    auto argument = dyn_cast<BlockArgument>(scalar);
    return argument ? map.getInputs()[argument.getArgNumber()] : Value();
  };
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return followScales(b, inputOf(op.getOperand(0)), depth);
  if (!isa<arith::DivFOp>(op))
    return std::nullopt;
  Value over = inputOf(op.getOperand(0)), under = inputOf(op.getOperand(1));
  if (!over || !under)
    return std::nullopt;
  auto dividends = getKnownElements(over), divisors = getKnownElements(under);
  if (!dividends || !divisors)
    return std::nullopt;
  SmallVector<ResizeScale> scales;
  for (auto [lhs, rhs] : llvm::zip_equal(*dividends, *divisors))
    scales.push_back({1, ResizeScale::SizeQuotient{lhs, rhs}});
  return scales;
}

static Scales followSlice(ValueBuilder &b, SliceOp slice, unsigned depth) {
  Scales from = followScales(b, slice.getInput(), depth);
  std::optional<int64_t> offset = slice.getOffsets().getDims()[0].constant();
  std::optional<int64_t> size = slice.getSizes().getDims()[0].constant();
  if (!from || !offset || !size)
    return std::nullopt;
  SmallVector<ResizeScale> scales;
  for (int64_t i = 0; i < *size; ++i)
    scales.push_back((*from)[*offset + i * slice.getStrides()[0]]);
  return scales;
}

static Scales followScales(ValueBuilder &b, Value value, unsigned depth) {
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  if (!type || !type.hasStaticShape() || depth == 0 || type.getRank() > 1 ||
      type.getNumElements() > kMaxFollowedElements)
    return std::nullopt;
  if (std::optional<SmallVector<double>> numbers = b.constantFloats(value)) {
    SmallVector<ResizeScale> scales;
    for (double number : *numbers)
      scales.push_back({float(number), std::nullopt});
    return scales;
  }
  Operation *op = value.getDefiningOp();
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op))
    return followScales(b, reshape.getInput(), depth - 1);
  if (auto map = dyn_cast_or_null<MapOp>(op))
    return followMap(b, map, depth - 1);
  if (auto slice = dyn_cast_or_null<SliceOp>(op))
    return followSlice(b, slice, depth - 1);
  auto concat = dyn_cast_or_null<ConcatOp>(op);
  if (!concat)
    return std::nullopt;
  SmallVector<ResizeScale> scales;
  for (Value part : concat.getInputs()) {
    Scales some = followScales(b, part, depth - 1);
    if (!some)
      return std::nullopt;
    scales.append(*some);
  }
  return scales;
}

Scales compose::readResizeScales(ValueBuilder &b, Value scales) {
  constexpr unsigned kMaxDepth = 16;
  return followScales(b, scales, kMaxDepth);
}

//===-- Sizes -------------------------------------------------------------===//

/// Warns when implementations that multiply in f32 get another size.
static void compareWithFloats(ValueBuilder &b, Expr extent, float number,
                              ScaleFraction scale) {
  // A fraction that f32 rounds shows at small sizes already.
  constexpr int64_t kTried = 4096;
  Interval sizes = b.prover().bounds(extent);
  int64_t low = std::max<int64_t>(sizes.min, 0);
  int64_t high = std::min(sizes.max, low + kTried);
  for (int64_t size = low; size <= high; ++size) {
    double rounded = std::floor(float(size) * number);
    int64_t exact = int64_t(__int128(size) * scale.over / scale.under);
    if (rounded == double(exact))
      continue;
    emitWarning(b.graph.getLoc())
        << "scale " << std::to_string(number) << " takes size " << size
        << " to " << exact << "; where the product is rounded to f32, as "
        << "many runtimes do, it is " << int64_t(rounded)
        << "; give the operator 'sizes' to decide";
    return;
  }
}

namespace {
/// over / under has the same floors as the scale for sizes up to `most`.
struct SmallFraction {
  int64_t over, under, most;
};
} // namespace

/// The fraction with the least denominator that serves sizes up to `wanted`.
static std::optional<SmallFraction> findFraction(ScaleFraction scale,
                                                 int64_t wanted) {
  constexpr int64_t kMaxUnder = 1000;
  for (int64_t under = 1; under <= kMaxUnder; ++under) {
    int64_t over = int64_t(__int128(under) * scale.over / scale.under);
    // Floors differ when an integer lies above n * over / under, thus at least
    // 1 / under above it, and not above n * scale.
    __int128 gap = __int128(under) * scale.over - __int128(over) * scale.under;
    int64_t most = gap == 0 ? INT64_MAX : int64_t((scale.under - 1) / gap);
    if (most >= wanted)
      return SmallFraction{over, under, most};
  }
  return std::nullopt;
}

std::optional<Expr> compose::scaleExtent(ValueBuilder &b, Expr extent,
                                         float number) {
  std::optional<ScaleFraction> scale = ScaleFraction::of(number);
  if (!scale) {
    b.error() << "scale is " << double(number) << ", expected 2^-30 to 2^30";
    return std::nullopt;
  }
  if (scale->isWhole())
    return extent * Expr(scale->over);
  compareWithFloats(b, extent, number, *scale);
  if (std::optional<int64_t> size = extent.constant()) {
    __int128 scaled = __int128(*size) * scale->over / scale->under;
    return scaled > INT64_MAX ? Expr::invalid() : Expr(int64_t(scaled));
  }
  // Where no bound is declared, sizes of a million or so must be served.
  constexpr int64_t kUsual = int64_t(1) << 20;
  Interval sizes = b.prover().bounds(extent);
  int64_t wanted =
      sizes.max == Interval::kMax ? std::max(sizes.min, kUsual) : sizes.max;
  std::optional<SmallFraction> fraction = findFraction(*scale, wanted);
  Relation isServed{Relation::Kind::LE, extent,
                    Expr(fraction ? fraction->most : 0)};
  if (!fraction || b.prover().prove(isServed) == Truth::No)
    return b.simplify(Expr::floorDiv(extent * Expr(scale->over), scale->under));
  if (fraction->most != INT64_MAX &&
      !b.require(isServed, "size is too large for its scale"))
    return std::nullopt;
  return b.simplify(
      Expr::floorDiv(extent * Expr(fraction->over), fraction->under));
}

bool compose::mayLeaveFraction(Prover &prover, Expr extent, float number) {
  std::optional<ScaleFraction> scale = ScaleFraction::of(number);
  if (!scale || scale->isWhole())
    return false;
  Expr scaled = extent * Expr(scale->over);
  return !scaled.isValid() ||
         prover.prove(Condition::divisible(scaled, scale->under)) != Truth::Yes;
}
