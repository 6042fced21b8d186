// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Following small tensors through data movement: which element of an operand
// each element of the result is.

#include "ambit/Shape/FollowValues.h"
#include "FollowMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using Elements = std::optional<SmallVector<Expr>>;

static bool isFollowed(RankedTensorType type) {
  return type.hasStaticShape() &&
         type.getNumElements() <= kMaxFollowedElements &&
         type.getElementType().isIntOrFloat();
}

static Elements getConstantElements(ElementsAttr attr) {
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return std::nullopt;
  SmallVector<Expr> elements;
  if (isa<IntegerType>(attr.getElementType())) {
    bool isUnsigned = attr.getElementType().isUnsignedInteger() ||
                      attr.getElementType().isInteger(1);
    for (const APInt &value : dense.getValues<APInt>())
      elements.push_back(Expr(isUnsigned ? int64_t(value.getZExtValue())
                                         : value.getSExtValue()));
    return elements;
  }
  for (const APFloat &value : dense.getValues<APFloat>()) {
    APFloat wide = value;
    bool loses = false;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    double number = wide.convertToDouble();
    bool isMinusZero = number == 0 && std::signbit(number);
    if (!(std::trunc(number) == number) || std::fabs(number) >= 9.0e15 ||
        isMinusZero)
      return std::nullopt;
    elements.push_back(Expr(int64_t(number)));
  }
  return elements;
}

Elements ambit::getKnownElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isFollowed(type))
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    // A function that is being built may have a block before it has a type.
    unsigned number = argument.getArgNumber();
    if (!function || number >= function.getNumArguments())
      return std::nullopt;
    auto elements =
        function.getArgAttrOfType<sym::ShapeAttr>(number, sym::kElements);
    if (!elements || elements.getDims().size() != size_t(type.getNumElements()))
      return std::nullopt;
    return SmallVector<Expr>(elements.getDims());
  }
  if (auto dims = value.getDefiningOp<DimsOp>())
    return SmallVector<Expr>(dims.getValues().getDims());
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return getConstantElements(constant.getValue());
  return std::nullopt;
}

/// Row-major position of an index.
static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape))
    position = position * extent + i;
  return position;
}

/// Calls `source` with each index of the result; it returns the element or
/// nothing.
static Elements
generate(RankedTensorType type,
         function_ref<std::optional<Expr>(ArrayRef<int64_t>)> source) {
  SmallVector<Expr> elements;
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t count = type.getNumElements(); count > 0; --count) {
    std::optional<Expr> element = source(index);
    if (!element || !element->isValid())
      return std::nullopt;
    elements.push_back(*element);
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      if (++index[dim] < type.getDimSize(dim))
        break;
      index[dim] = 0;
    }
  }
  return elements;
}

namespace {
/// An operand with its known elements.
struct Known {
  SmallVector<Expr> elements;
  SmallVector<int64_t> shape;
  Expr at(ArrayRef<int64_t> index) const {
    return elements[linearize(index, shape)];
  }
};
} // namespace

static Elements followMap(MapOp op, ArrayRef<Known> inputs,
                          RankedTensorType type, ShapeContext &context) {
  return generate(type, [&](ArrayRef<int64_t> index) {
    SmallVector<Expr> scalars;
    for (const Known &input : inputs)
      scalars.push_back(input.at(index));
    return followBody(op, scalars, context);
  });
}

static Elements followSlice(SliceOp op, const Known &input,
                            RankedTensorType type) {
  return generate(type, [&](ArrayRef<int64_t> index) -> std::optional<Expr> {
    SmallVector<int64_t> source;
    for (auto [i, offset, stride] :
         llvm::zip_equal(index, op.getOffsets().getDims(), op.getStrides())) {
      std::optional<int64_t> start = offset.constant();
      if (!start)
        return std::nullopt;
      source.push_back(*start + i * stride);
    }
    return input.at(source);
  });
}

static Elements followConcat(ConcatOp op, ArrayRef<Known> inputs,
                             RankedTensorType type) {
  return generate(type, [&](ArrayRef<int64_t> index) -> std::optional<Expr> {
    SmallVector<int64_t> source(index);
    for (const Known &input : inputs) {
      if (source[op.getDim()] < input.shape[op.getDim()])
        return input.at(source);
      source[op.getDim()] -= input.shape[op.getDim()];
    }
    return std::nullopt;
  });
}

static Elements followGather(GatherOp op, const Known &data,
                             const Known &indices, RankedTensorType type) {
  int64_t axis = op.getAxis(), rank = indices.shape.size();
  return generate(type, [&](ArrayRef<int64_t> index) -> std::optional<Expr> {
    std::optional<int64_t> at = indices.at(index.slice(axis, rank)).constant();
    if (!at || *at < -data.shape[axis] || *at >= data.shape[axis])
      return std::nullopt;
    SmallVector<int64_t> source(index.take_front(axis));
    source.push_back(*at < 0 ? *at + data.shape[axis] : *at);
    source.append(index.begin() + axis + rank, index.end());
    return data.at(source);
  });
}

static Elements followReduce(ReduceOp op, const Known &input,
                             RankedTensorType type) {
  if (isa<FloatType>(type.getElementType()) ||
      type.getElementType().isInteger(1))
    return std::nullopt;
  SmallVector<std::optional<Expr>> results(type.getNumElements());
  SmallVector<bool> reduced(input.shape.size(), false);
  for (int64_t dim : op.getDims())
    reduced[dim] = true;
  auto inputType = cast<RankedTensorType>(op.getInput().getType());
  generate(inputType, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> target;
    for (auto [i, isReduced] : llvm::zip_equal(index, reduced))
      if (!isReduced)
        target.push_back(i);
    std::optional<Expr> &result = results[linearize(target, type.getShape())];
    Expr element = input.at(index);
    if (!result)
      result = element;
    else if (op.getKind() == ReduceKind::Sum)
      result = *result + element;
    else if (op.getKind() == ReduceKind::Product)
      result = *result * element;
    else if (op.getKind() == ReduceKind::Max)
      result = Expr::max(*result, element);
    else
      result = Expr::min(*result, element);
    return std::optional<Expr>(element);
  });
  SmallVector<Expr> elements;
  for (std::optional<Expr> &result : results) {
    bool isSum = op.getKind() == ReduceKind::Sum;
    if (!result && !isSum && op.getKind() != ReduceKind::Product)
      return std::nullopt;
    elements.push_back(result.value_or(Expr(isSum ? 0 : 1)));
  }
  return elements;
}

static Elements followBroadcast(const Known &input, RankedTensorType type) {
  return generate(type, [&](ArrayRef<int64_t> index) -> std::optional<Expr> {
    SmallVector<int64_t> source;
    size_t skipped = index.size() - input.shape.size();
    for (auto [dim, extent] : llvm::enumerate(input.shape))
      source.push_back(extent == 1 ? 0 : index[skipped + dim]);
    return input.at(source);
  });
}

static Elements followPad(PadOp op, const Known &input, const Known &value,
                          RankedTensorType type) {
  if (op.getMode() != PadMode::Constant)
    return std::nullopt;
  return generate(type, [&](ArrayRef<int64_t> index) -> std::optional<Expr> {
    SmallVector<int64_t> source;
    bool isInside = true;
    for (auto [i, low, extent] :
         llvm::zip_equal(index, op.getLow().getDims(), input.shape)) {
      if (!low.constant())
        return std::nullopt;
      source.push_back(i - *low.constant());
      isInside &= source.back() >= 0 && source.back() < extent;
    }
    return isInside ? input.at(source) : value.elements.front();
  });
}

Elements ambit::followOp(Operation *op, ShapeContext &context) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isFollowed(type))
    return std::nullopt;
  SmallVector<Known> inputs;
  for (Value operand : op->getOperands()) {
    Elements elements = getKnownElements(operand);
    if (!elements)
      return std::nullopt;
    auto shape = cast<RankedTensorType>(operand.getType()).getShape();
    inputs.push_back(Known{*elements, SmallVector<int64_t>(shape)});
  }
  return TypeSwitch<Operation *, Elements>(op)
      .Case<MapOp>([&](auto o) { return followMap(o, inputs, type, context); })
      .Case<ReshapeOp>([&](auto) -> Elements { return inputs[0].elements; })
      .Case<BroadcastOp>([&](auto) { return followBroadcast(inputs[0], type); })
      .Case<TransposeOp>([&](TransposeOp o) {
        return generate(type, [&](ArrayRef<int64_t> index) {
          SmallVector<int64_t> source(index.size());
          for (auto [i, from] : llvm::enumerate(o.getPermutation()))
            source[from] = index[i];
          return std::optional<Expr>(inputs[0].at(source));
        });
      })
      .Case<SliceOp>([&](auto o) { return followSlice(o, inputs[0], type); })
      .Case<ConcatOp>([&](auto o) { return followConcat(o, inputs, type); })
      .Case<GatherOp>(
          [&](auto o) { return followGather(o, inputs[0], inputs[1], type); })
      .Case<ReduceOp>([&](auto o) { return followReduce(o, inputs[0], type); })
      .Case<PadOp>(
          [&](auto o) { return followPad(o, inputs[0], inputs[1], type); })
      .Case<IotaOp>([&](IotaOp o) {
        return generate(type, [&](ArrayRef<int64_t> index) {
          return std::optional<Expr>(Expr(index[o.getDim()]));
        });
      })
      .Default([](Operation *) { return std::nullopt; });
}
