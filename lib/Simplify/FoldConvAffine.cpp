// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves scales and shifts of channels after a convolution into its filter.
//
// A map after a convolution is affine when its body computes a * x + b from the
// convolution's element x, where a and b depend on the channel only. A chain of
// such maps composes. conv(input, w) * a + b = conv(input, w * a) + b. The
// coefficients are computed in double and rounded once.

#include "Patterns.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
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

/// Rounds to the element type; false when that is not finite.
static bool store(HostTensor &tensor, int64_t index, double value) {
  tensor.setFloat(index, value);
  return std::isfinite(tensor.getFloat(index));
}

namespace {
/// map(conv(x, w)) { a * conv + b } ==> map(conv(x, w * a)) { conv + b }
struct FoldConvAffine : OpRewritePattern<graph::MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(graph::MapOp last,
                                PatternRewriter &rewriter) const override {
    SmallVector<ChannelMap> chain;
    graph::ConvOp conv = findConv(last, chain);
    if (!conv)
      return rewriter.notifyMatchFailure(
          last, "no convolution with a single use behind affine maps");
    auto filter = conv.getFilter().getDefiningOp<graph::ConstantOp>();
    auto type = cast<RankedTensorType>(conv.getFilter().getType());
    if (!filter)
      return rewriter.notifyMatchFailure(last, "filter is no constant");
    // Narrow floats would lose range and precision of the filter.
    if (!type.getElementType().isF32() && !type.getElementType().isF64())
      return rewriter.notifyMatchFailure(last, "neither f32 nor f64");
    int64_t channels = type.getDimSize(0);
    std::vector<Affine> coefficients;
    if (!compose(chain, channels, coefficients))
      return rewriter.notifyMatchFailure(last, "a map is not affine");
    if (llvm::all_of(coefficients, [](Affine c) { return c.scale == 1.0; }) &&
        chain.size() == 1)
      return rewriter.notifyMatchFailure(last, "nothing but a shift");

    HostTensor weights = HostTensor::fromAttr(filter.getValue());
    if (!weights.getElementType())
      return rewriter.notifyMatchFailure(last, "filter has no data");
    HostTensor scaled(type.getElementType(), weights.getDims());
    HostTensor shift(type.getElementType(), shiftDims(last, channels));
    if (!scale(weights, coefficients, scaled, shift))
      return rewriter.notifyMatchFailure(last, "coefficients are not finite");
    rewrite(last, conv, scaled, shift, rewriter);
    return success();
  }

private:
  /// Walks from a map through affine maps of one use to a convolution.
  static graph::ConvOp findConv(graph::MapOp last,
                                SmallVectorImpl<ChannelMap> &chain) {
    graph::MapOp op = last;
    while (true) {
      std::optional<ChannelMap> map = readMap(op);
      if (!map)
        return {};
      Value x = op.getInputs()[map->xInput];
      if (!x.hasOneUse() || x.getType() != last.getResult().getType())
        return {};
      chain.insert(chain.begin(), std::move(*map));
      if (auto conv = x.getDefiningOp<graph::ConvOp>())
        return conv;
      op = x.getDefiningOp<graph::MapOp>();
      if (!op)
        return {};
    }
  }

  static bool compose(ArrayRef<ChannelMap> chain, int64_t channels,
                      std::vector<Affine> &coefficients) {
    for (int64_t channel = 0; channel < channels; ++channel) {
      std::optional<Affine> value = Affine{1, 0, true};
      for (const ChannelMap &map : chain)
        if (value)
          value = applyMap(map, channel, *value);
      // A body that drops x is for other patterns.
      if (!value || !value->hasX)
        return false;
      coefficients.push_back(*value);
    }
    return true;
  }

  /// [1, C, 1, ...] for the rank of the result.
  static SmallVector<int64_t> shiftDims(graph::MapOp op, int64_t channels) {
    SmallVector<int64_t> dims(op.getResult().getType().getRank(), 1);
    dims[1] = channels;
    return dims;
  }

  static bool scale(const HostTensor &weights, ArrayRef<Affine> coefficients,
                    HostTensor &scaled, HostTensor &shift) {
    int64_t count = weights.getNumElements();
    int64_t perChannel = coefficients.empty() ? 1 : count / coefficients.size();
    for (int64_t i = 0; i < count; ++i)
      if (!store(scaled, i,
                 weights.getFloat(i) * coefficients[i / perChannel].scale))
        return false;
    for (auto [channel, c] : llvm::enumerate(coefficients))
      if (!std::isfinite(c.scale) || !store(shift, channel, c.shift))
        return false;
    return true;
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
