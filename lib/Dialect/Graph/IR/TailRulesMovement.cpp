// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tail rules of sources and of ops that move elements.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static SmallVector<Expr> dimsOf(Value tensor) {
  return sym::getDims(tensor.getType());
}

static NamedAttribute shapeAttribute(Operation *op, StringRef name,
                                     ArrayRef<Expr> dims) {
  return NamedAttribute(StringAttr::get(op->getContext(), name),
                        sym::ShapeAttr::get(op->getContext(), dims));
}

/// The scalar that a tensor repeats, if it is a constant that repeats one.
static TypedAttr getSplat(Value tensor) {
  DenseElementsAttr value;
  if (matchPattern(tensor, m_Constant(&value)) && value.isSplat() &&
      value.getNumElements() > 0)
    return dyn_cast<TypedAttr>(value.getSplatValue<Attribute>());
  return {};
}

//===-- Sources -----------------------------------------------------------===//

TailRule ConstantOp::getTailRule(TailContext &) {
  return TailRule::refuse("it has no padded dim");
}

TailRule DimsOp::getTailRule(TailContext &) {
  return TailRule::refuse("it gives true sizes as data");
}

TailRule IotaOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  rule.attributes.push_back(shapeAttribute(
      *this, getShapeAttrName(), context.atTop(getShape().getDims())));
  return rule;
}

//===-- Movement ----------------------------------------------------------===//

TailRule BroadcastOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  SmallVector<Expr> from = dimsOf(getInput()), to = dimsOf(getResult());
  size_t added = to.size() - from.size();
  TypedAttr splat = getSplat(getInput());
  for (auto [dim, size] : llvm::enumerate(to)) {
    bool isRepeated = dim < added || from[dim - added].isConstant(1);
    if (isRepeated && splat)
      rule.result[dim] = Tail::constant(splat);
    if (isRepeated)
      continue;
    if (from[dim - added] != size &&
        (context.isPadded(size) || context.isPadded(from[dim - added])))
      return TailRule::refuse("whether dim " + Twine(dim) +
                              " is repeated depends on a size");
    rule.result[dim] = context.tailOf(getInput(), dim - added);
  }
  rule.attributes.push_back(shapeAttribute(
      *this, getShapeAttrName(), context.atTop(getShape().getDims())));
  return rule;
}

TailRule ReshapeOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  auto isPadded = [&](Expr size) { return context.isPadded(size); };
  SmallVector<Expr> from = dimsOf(getInput()), to = dimsOf(getResult());
  bool isCarried =
      llvm::count_if(from, isPadded) == llvm::count_if(to, isPadded);
  for (unsigned dim = 0; dim < to.size() && isCarried; ++dim)
    if (isPadded(to[dim])) {
      std::optional<unsigned> source = getReshapedDim(*this, dim, context);
      isCarried = source.has_value();
      if (!isCarried)
        break;
      Tail tail = context.tailOf(getInput(), *source);
      // Where one row becomes several, a NaN may lie in another one.
      if (tail.kind == Tail::Kind::Constant || from[*source] == to[dim])
        rule.result[dim] = tail;
    }
  if (!isCarried)
    return TailRule::refuse("it merges or splits dims so that padding would "
                            "lie between elements");
  rule.attributes.push_back(shapeAttribute(
      *this, getShapeAttrName(), context.atTop(getShape().getDims())));
  return rule;
}

TailRule TransposeOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  for (auto [dim, source] : llvm::enumerate(getPermutation()))
    rule.result[dim] = context.tailOf(getInput(), source);
  return rule;
}

// Offsets are numbers: x[-1] is the last of the true elements.
TailRule SliceOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  SmallVector<Expr> sizes = context.atTop(getSizes().getDims());
  Prover &prover = context.getProver();
  for (auto [dim, from] : llvm::enumerate(dimsOf(getInput()))) {
    Expr offset = getOffsets().getDims()[dim];
    int64_t stride = getStrides()[dim];
    if (stride == 1 && offset.isConstant(0) &&
        getSizes().getDims()[dim] == from)
      rule.result[dim] = context.tailOf(getInput(), dim);
    // All that is read lies inside of the padded input.
    Expr last = offset + (sizes[dim] - 1) * Expr(stride);
    if (!prover.isAtLeast(stride > 0 ? offset : last, 0) ||
        !prover.isAtLeast(context.atTop(from) - 1, stride > 0 ? last : offset))
      return TailRule::refuse("the slice would leave its padded input in dim " +
                              Twine(dim));
  }
  rule.attributes.push_back(shapeAttribute(*this, getSizesAttrName(), sizes));
  return rule;
}

TailRule ConcatOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  unsigned along = getDim();
  for (Value input : getInputs().drop_back())
    if (context.isPadded(input, along))
      return TailRule::refuse("what follows a padded input would move");
  for (unsigned dim = 0; dim < rule.result.size(); ++dim) {
    Tail tail = context.tailOf(getInputs().back(), dim);
    bool isSame =
        dim == along || llvm::all_of(getInputs().drop_back(), [&](Value input) {
          return tail.kind == Tail::Kind::Constant &&
                 context.tailOf(input, dim).is(tail.value);
        });
    if (isSame && tail.kind == Tail::Kind::Constant)
      rule.result[dim] = tail;
  }
  return rule;
}

TailRule PadOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  SmallVector<Expr> from = dimsOf(getInput()), to = dimsOf(getResult());
  SmallVector<Expr> high(getHigh().getDims());
  TypedAttr value = getSplat(getValue());
  for (auto [dim, low] : llvm::enumerate(getLow().getDims())) {
    if (!context.isPadded(from[dim]) && !context.isPadded(to[dim]))
      continue;
    bool isUntouched = low.isConstant(0) && high[dim].isConstant(0);
    if (isUntouched) {
      rule.result[dim] = context.tailOf(getInput(), dim);
      continue;
    }
    if (getMode() != PadMode::Constant)
      return TailRule::refuse("it pads dim " + Twine(dim) +
                              " by elements near its true end");
    if (context.isPadded(low))
      return TailRule::refuse("what it adds before dim " + Twine(dim) +
                              " depends on a padded size");
    bool addsAfter = !high[dim].isConstant(0);
    if (addsAfter && !value)
      return TailRule::refuse("the value that it adds is no constant");
    high[dim] = context.atTop(to[dim]) - low - context.atTop(from[dim]);
    if (!context.getProver().isAtLeast(high[dim], 0))
      return TailRule::refuse("its result does not grow with dim " +
                              Twine(dim));
    if (addsAfter && context.isPadded(from[dim]))
      rule.needs.push_back({0, unsigned(dim), value});
    rule.result[dim] =
        addsAfter ? Tail::constant(value) : context.tailOf(getInput(), dim);
  }
  // A tail runs through what is added in other dims.
  auto isZero = [](Expr amount) { return amount.isConstant(0); };
  bool isTouched = !llvm::all_of(getLow().getDims(), isZero) ||
                   !llvm::all_of(getHigh().getDims(), isZero);
  for (Tail &tail : rule.result)
    if (isTouched && !(value && tail.is(value)))
      tail = Tail();
  rule.attributes.push_back(shapeAttribute(*this, getHighAttrName(), high));
  return rule;
}

TailRule GatherOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  unsigned axis = getAxis();
  if (context.isPadded(getData(), axis))
    return TailRule::refuse("indices refer to the true size of dim " +
                            Twine(axis));
  SmallVector<Expr> data = dimsOf(getData()), indices = dimsOf(getIndices());
  for (unsigned dim = 0; dim < data.size(); ++dim) {
    if (dim == axis)
      continue;
    if (mayCheckInVain(context, data[dim]))
      return TailRule::refuse("its indices are checked unless dim " +
                              Twine(dim) + " of its input is 0");
    rule.result[dim < axis ? dim : dim - 1 + indices.size()] =
        context.tailOf(getData(), dim);
  }
  // What is taken for the tail must be there.
  auto elementType =
      cast<RankedTensorType>(getIndices().getType()).getElementType();
  for (auto [dim, size] : llvm::enumerate(indices)) {
    if (!context.isPadded(size))
      continue;
    if (!context.getProver().isAtLeast(data[axis], 1))
      return TailRule::refuse("it may gather from nothing");
    rule.needs.push_back({1, unsigned(dim), getScalar(elementType, 0)});
  }
  return rule;
}

/// Whether every element is a copy of one at position floor(i / k) or nearest
/// to it, for a whole k, so that no position is moved by the end of the input.
static bool repeatsElements(ResizeOp op, unsigned dim, TailContext &context) {
  Expr from = dimsOf(op.getInput())[dim], to = dimsOf(op.getResult())[dim];
  if (op.getMode() != ResizeMode::Nearest)
    return false;
  bool isFloor = op.getCoordinates() == Coordinates::Asymmetric &&
                 op.getRounding() == Rounding::Floor;
  bool isNearest = op.getCoordinates() == Coordinates::HalfPixel &&
                   (op.getRounding() == Rounding::RoundPreferFloor ||
                    op.getRounding() == Rounding::RoundPreferCeil);
  std::optional<int64_t> top = context.atTop(to).constant();
  std::optional<int64_t> base = context.atTop(from).constant();
  if (!(isFloor || isNearest) || !top || !base || *base <= 0 ||
      *top % *base != 0)
    return false;
  int64_t scale = *top / *base;
  bool isScale = !op.getScales() || (*op.getScales())[dim] == float(scale);
  return isScale && context.getProver().isEqual(to, from * Expr(scale));
}

TailRule ResizeOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  SmallVector<Expr> from = dimsOf(getInput()), to = dimsOf(getResult());
  for (auto [dim, size] : llvm::enumerate(to)) {
    if (!context.isPadded(size) && !context.isPadded(from[dim]))
      continue;
    bool isScaled = getScales() && (*getScales())[dim] != 1;
    bool isSame = from[dim] == size && !isScaled;
    if (!isSame && !repeatsElements(*this, dim, context))
      return TailRule::refuse("positions in dim " + Twine(dim) +
                              " depend on its true end");
    if (Tail tail = context.tailOf(getInput(), dim);
        tail.kind == Tail::Kind::Constant && getMode() == ResizeMode::Nearest)
      rule.result[dim] = tail;
  }
  rule.attributes.push_back(shapeAttribute(
      *this, getShapeAttrName(), context.atTop(getShape().getDims())));
  return rule;
}
