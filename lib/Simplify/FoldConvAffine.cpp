// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves scales and shifts of channels after a convolution into its filter.
//
// A map after a convolution is affine when its body computes a * x + b from the
// convolution's element x, where a and b depend on the channel only. A chain of
// such maps composes. conv(input, w) * a + b = conv(input, w * a) + b. The
// coefficients are computed in double and rounded once.

#include "Patterns.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/ImageDims.h"
#include "ambit/Reference/HostTensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using ambit::reference::HostTensor;

namespace {
/// scale * x + shift for one channel; a constant has scale 0.
struct Affine {
  double scale = 0, shift = 0;
  /// Whether x takes part; a constant that happens to be 0 * x is not one.
  bool hasX = false;
};

/// One affine map, seen from the convolution: the input that brings x, and the
/// per-channel values of the others (one value, or one for each channel).
struct ChannelMap {
  graph::MapOp op;
  unsigned xInput = 0;
  SmallVector<std::vector<double>> constants;
};
} // namespace

/// The values by channel of a constant that does not vary along other dims of
/// a tensor of rank `rank`, whose channels are dim 1.
static std::optional<std::vector<double>> getChannelValues(Value value,
                                                           int64_t rank) {
  if (auto broadcast = value.getDefiningOp<graph::BroadcastOp>())
    value = broadcast.getInput();
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  if (!constant || !isa<FloatType>(constant.getValue().getElementType()))
    return std::nullopt;
  ArrayRef<int64_t> dims = constant.getResult().getType().getShape();
  int64_t channelDim = int64_t(dims.size()) - (rank - 1);
  for (auto [index, size] : llvm::enumerate(dims))
    if (int64_t(index) != channelDim && size != 1)
      return std::nullopt;
  HostTensor tensor = HostTensor::fromAttr(constant.getValue());
  if (!tensor.getElementType())
    return std::nullopt;
  std::vector<double> values;
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    values.push_back(tensor.getFloat(i));
  return values;
}

/// A sum or difference of affine values.
static Affine add(Affine lhs, Affine rhs, double sign) {
  return {lhs.scale + sign * rhs.scale, lhs.shift + sign * rhs.shift,
          lhs.hasX || rhs.hasX};
}

/// A product; nothing for x * x.
static std::optional<Affine> multiply(Affine lhs, Affine rhs) {
  if (lhs.hasX && rhs.hasX)
    return std::nullopt;
  if (rhs.hasX)
    std::swap(lhs, rhs);
  return Affine{lhs.scale * rhs.shift, lhs.shift * rhs.shift, lhs.hasX};
}

/// One step of a body on affine values; nothing when the result is not affine.
static std::optional<Affine> apply(Operation *op, ArrayRef<Affine> in) {
  using Result = std::optional<Affine>;
  auto ofConstant = [&](double (*fn)(double)) -> Result {
    if (in[0].hasX)
      return std::nullopt;
    return Affine{0, fn(in[0].shift), false};
  };
  return TypeSwitch<Operation *, Result>(op)
      .Case([](arith::ConstantOp constant) -> Result {
        auto value = dyn_cast<FloatAttr>(constant.getValue());
        if (!value)
          return std::nullopt;
        return Affine{0, value.getValueAsDouble(), false};
      })
      .Case([&](arith::AddFOp) { return add(in[0], in[1], 1); })
      .Case([&](arith::SubFOp) { return add(in[0], in[1], -1); })
      .Case([&](arith::NegFOp) { return add({}, in[0], -1); })
      .Case([&](arith::MulFOp) { return multiply(in[0], in[1]); })
      .Case([&](math::FmaOp) -> Result {
        Result product = multiply(in[0], in[1]);
        return product ? Result(add(*product, in[2], 1)) : std::nullopt;
      })
      .Case([&](arith::DivFOp) -> Result {
        if (in[1].hasX)
          return std::nullopt;
        return Affine{in[0].scale / in[1].shift, in[0].shift / in[1].shift,
                      in[0].hasX};
      })
      .Case([&](math::SqrtOp) {
        return ofConstant([](double x) { return std::sqrt(x); });
      })
      .Case([&](math::RsqrtOp) {
        return ofConstant([](double x) { return 1 / std::sqrt(x); });
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

/// Runs a map's body for one channel, given what x is there.
static std::optional<Affine> applyMap(const ChannelMap &map, int64_t channel,
                                      Affine x) {
  Block &body = graph::MapOp(map.op).getBody().front();
  DenseMap<Value, Affine> values;
  for (BlockArgument argument : body.getArguments()) {
    unsigned index = argument.getArgNumber();
    const std::vector<double> &constant = map.constants[index];
    values[argument] =
        index == map.xInput
            ? x
            : Affine{0, constant[constant.size() == 1 ? 0 : channel], false};
  }
  for (Operation &op : body.without_terminator()) {
    SmallVector<Affine, 3> in;
    for (Value operand : op.getOperands())
      in.push_back(values.lookup(operand));
    std::optional<Affine> result = apply(&op, in);
    if (!result)
      return std::nullopt;
    values[op.getResult(0)] = *result;
  }
  return values.lookup(body.getTerminator()->getOperand(0));
}

/// Reads a map as affine in its one input that is no channel constant.
static std::optional<ChannelMap> readMap(graph::MapOp op) {
  ChannelMap map;
  map.op = op;
  int64_t rank = op.getResult().getType().getRank();
  unsigned others = 0;
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    std::optional<std::vector<double>> values = getChannelValues(input, rank);
    if (!values) {
      map.xInput = index;
      ++others;
    }
    map.constants.push_back(values.value_or(std::vector<double>()));
  }
  if (others != 1)
    return std::nullopt;
  return map;
}

/// The map that alone reads a value and is affine in it; maybe none.
static std::optional<ChannelMap> readOnlyUser(Value x) {
  if (!x.hasOneUse())
    return std::nullopt;
  OpOperand &use = *x.use_begin();
  auto op = dyn_cast<graph::MapOp>(use.getOwner());
  if (!op || op.getResult().getType() != x.getType())
    return std::nullopt;
  std::optional<ChannelMap> map = readMap(op);
  if (!map || map->xInput != use.getOperandNumber())
    return std::nullopt;
  return map;
}

/// Rounds to the element type; false when that is not finite.
static bool store(HostTensor &tensor, int64_t index, double value) {
  tensor.setFloat(index, value);
  return std::isfinite(tensor.getFloat(index));
}

/// Whether a filter times the coefficients, and their shifts, are finite when
/// stored; `largest` has the largest magnitude of each channel's weights.
static bool canStore(ArrayRef<Affine> coefficients, ArrayRef<double> largest,
                     Type elementType) {
  HostTensor probe(elementType, {1});
  for (auto [c, most] : llvm::zip_equal(coefficients, largest))
    if (!std::isfinite(c.scale) || !store(probe, 0, most * c.scale) ||
        !store(probe, 0, c.shift))
      return false;
  return true;
}

namespace {
/// The maps after a convolution that go into its filter together.
struct Chain {
  graph::MapOp last;
  unsigned length = 0;
  std::vector<Affine> coefficients;
};

/// map(conv(x, w)) { a * conv + b } ==> map(conv(x, w * a)) { conv + b }
struct FoldConvAffine : OpRewritePattern<graph::ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::ConvOp conv,
                                PatternRewriter &rewriter) const override {
    auto filter = conv.getFilter().getDefiningOp<graph::ConstantOp>();
    auto type = cast<RankedTensorType>(conv.getFilter().getType());
    if (!filter)
      return rewriter.notifyMatchFailure(conv, "filter is no constant");
    // Narrow floats would lose range and precision of the filter.
    if (!type.getElementType().isF32() && !type.getElementType().isF64())
      return rewriter.notifyMatchFailure(conv, "neither f32 nor f64");
    if (!readOnlyUser(conv.getResult()))
      return rewriter.notifyMatchFailure(conv, "no affine map has it alone");
    HostTensor weights = HostTensor::fromAttr(filter.getValue());
    if (!weights.getElementType())
      return rewriter.notifyMatchFailure(conv, "filter has no data");
    Chain chain = followMaps(conv, findLargest(weights, type.getDimSize(0)),
                             type.getElementType());
    if (!chain.last)
      return rewriter.notifyMatchFailure(conv, "no coefficients are finite");
    if (chain.length == 1 && llvm::all_of(chain.coefficients, [](Affine c) {
          return c.scale == 1.0;
        }))
      return rewriter.notifyMatchFailure(conv, "nothing but a shift");

    HostTensor scaled(type.getElementType(), weights.getDims());
    HostTensor shift(type.getElementType(),
                     shiftDims(chain.last, type.getDimSize(0)));
    scale(weights, chain.coefficients, scaled, shift);
    rewrite(chain.last, conv, scaled, shift, rewriter);
    return success();
  }

private:
  static std::vector<double> findLargest(const HostTensor &weights,
                                         int64_t channels) {
    std::vector<double> largest(channels, 0.0);
    int64_t count = weights.getNumElements();
    for (int64_t i = 0; i < count; ++i) {
      double magnitude = std::abs(weights.getFloat(i));
      double &most = largest[i / (count / channels)];
      // A NaN stays: nothing compares with it.
      if (!(magnitude <= most) && !std::isnan(most))
        most = magnitude;
    }
    return largest;
  }

  /// Walks through affine maps of one use to the last one up to which all can
  /// be stored in the filter; none when there is no such map.
  static Chain followMaps(graph::ConvOp conv, ArrayRef<double> largest,
                          Type elementType) {
    Chain best;
    std::vector<Affine> coefficients(largest.size(), Affine{1, 0, true});
    Value x = conv.getResult();
    for (unsigned length = 1;; ++length) {
      std::optional<ChannelMap> map = readOnlyUser(x);
      if (!map || !compose(*map, coefficients))
        return best;
      x = map->op.getResult();
      if (canStore(coefficients, largest, elementType))
        best = Chain{map->op, length, coefficients};
    }
  }

  /// Composes a map with what comes before it; false when it is not affine, or
  /// drops x, which is for other patterns.
  static bool compose(const ChannelMap &map,
                      std::vector<Affine> &coefficients) {
    for (auto [channel, x] : llvm::enumerate(coefficients)) {
      std::optional<Affine> value = applyMap(map, channel, x);
      if (!value || !value->hasX)
        return false;
      x = *value;
    }
    return true;
  }

  /// [1, C, 1, ...] for the rank of the result.
  static SmallVector<int64_t> shiftDims(graph::MapOp op, int64_t channels) {
    SmallVector<int64_t> dims(op.getResult().getType().getRank(), 1);
    dims[graph::kChannelDim] = channels;
    return dims;
  }

  static void scale(const HostTensor &weights, ArrayRef<Affine> coefficients,
                    HostTensor &scaled, HostTensor &shift) {
    int64_t count = weights.getNumElements();
    int64_t perChannel = coefficients.empty() ? 1 : count / coefficients.size();
    for (int64_t i = 0; i < count; ++i)
      scaled.setFloat(i,
                      weights.getFloat(i) * coefficients[i / perChannel].scale);
    for (auto [channel, c] : llvm::enumerate(coefficients))
      shift.setFloat(channel, c.shift);
  }

  static void rewrite(graph::MapOp last, graph::ConvOp conv,
                      const HostTensor &scaled, const HostTensor &shift,
                      PatternRewriter &rewriter) {
    auto type = last.getResult().getType();
    Location loc = rewriter.getFusedLoc({conv.getLoc(), last.getLoc()});
    Value filter =
        rewriter.create<graph::ConstantOp>(loc, scaled.toAttr("filter"));
    auto newConv = cast<graph::ConvOp>(rewriter.clone(*conv));
    rewriter.modifyOpInPlace(newConv, [&] {
      newConv.getFilterMutable().assign(filter);
      newConv->setLoc(loc);
    });
    bool hasShift = false;
    for (int64_t i = 0, e = shift.getNumElements(); i < e; ++i)
      hasShift |= shift.getFloat(i) != 0.0;
    if (!hasShift) {
      rewriter.replaceOp(last, newConv.getResult());
      return;
    }
    Value constant =
        rewriter.create<graph::ConstantOp>(loc, shift.toAttr("shift"));
    Value broadcast = rewriter.create<graph::BroadcastOp>(
        loc, type, constant,
        sym::ShapeAttr::get(type.getContext(), sym::getDims(type)));
    auto sum = rewriter.create<graph::MapOp>(
        loc, type, ValueRange{newConv.getResult(), broadcast});
    Type scalar = type.getElementType();
    Block *body =
        rewriter.createBlock(&sum.getBody(), {}, {scalar, scalar}, {loc, loc});
    Value result = rewriter.create<arith::AddFOp>(loc, body->getArgument(0),
                                                  body->getArgument(1));
    rewriter.create<graph::YieldOp>(loc, result);
    rewriter.replaceOp(last, sum.getResult());
  }
};
} // namespace

void ambit::populateConvPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldConvAffine>(patterns.getContext());
}
