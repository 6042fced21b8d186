// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of the sources, elementwise and data movement ops.

#include "ambit/Dialect/Graph/IR/ResizePosition.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using Types = SmallVectorImpl<RankedTensorType>;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Simplifies the dims and appends the type; an error when a dim overflows or
/// is negative on the whole domain.
static LogicalResult append(Operation *op, ShapeContext &context,
                            ArrayRef<Expr> dims, Type elementType,
                            Types &types) {
  SmallVector<Expr> simplified;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (!dim.isValid())
      return op->emitError()
             << "size of result dim " << index << " " << dim.problem();
    simplified.push_back(context.simplify(dim));
    std::optional<int64_t> value = simplified.back().constant();
    if (value && *value < 0)
      return op->emitError() << "result dim " << index << " is " << *value
                             << ", expected a size that is not negative";
    if (failed(context.require(
            op, Relation{Relation::Kind::GE, simplified.back(), Expr(0)},
            "size of result dim " + Twine(index))))
      return failure();
  }
  types.push_back(sym::getTensorType(simplified, elementType));
  return success();
}

/// Whether the attribute holds all the bytes that its type asks for.
static LogicalResult checkData(ConstantOp op) {
  Type elementType = op.getValue().getElementType();
  if (!elementType.isIntOrIndexOrFloat())
    return op.emitOpError("needs an integer or float element type");
  if (isa<DenseElementsAttr>(op.getValue()))
    return success();
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  if (!resource)
    return op.emitOpError("needs dense or dense_resource data");
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return op.emitOpError() << "has no data for the resource '"
                            << resource.getRawHandle().getKey() << "'";
  // Elements are whole bytes, booleans too.
  int64_t bytes =
      elementType.isIndex() ? 8 : (elementType.getIntOrFloatBitWidth() + 7) / 8;
  for (int64_t dim : op.getValue().getShapedType().getShape())
    if (llvm::MulOverflow(bytes, dim, bytes))
      return op.emitOpError("is larger than an address space");
  if (int64_t(blob->getData().size()) != bytes)
    return op.emitOpError() << "has " << blob->getData().size()
                            << " bytes of data, expected " << bytes;
  return success();
}

LogicalResult ConstantOp::inferTypes(ShapeContext &, Types &types) {
  if (failed(checkData(*this)))
    return failure();
  types.push_back(RankedTensorType::get(getValue().getShapedType().getShape(),
                                        getValue().getElementType()));
  return success();
}

LogicalResult DimsOp::inferTypes(ShapeContext &, Types &types) {
  RankedTensorType type = getResult().getType();
  if (!type.hasStaticShape())
    return emitOpError("needs a result of static shape");
  if (type.getNumElements() != int64_t(getValues().getDims().size()))
    return emitOpError() << "has " << getValues().getDims().size()
                         << " values for " << type.getNumElements()
                         << " elements";
  if (!type.getElementType().isIntOrFloat())
    return emitOpError("needs an integer or float element type");
  types.push_back(type);
  return success();
}

LogicalResult IotaOp::inferTypes(ShapeContext &context, Types &types) {
  if (!getElementType().isIntOrFloat())
    return emitOpError("needs an integer or float element type");
  if (failed(checkAxis(*this, getDim(), getShape().getDims().size())))
    return failure();
  return append(*this, context, getShape().getDims(), getElementType(), types);
}

LogicalResult MapOp::inferTypes(ShapeContext &context, Types &types) {
  if (getInputs().empty())
    return emitOpError("needs at least one input");
  SmallVector<Expr> dims = sym::getDims(getInputs().front().getType());
  for (auto [index, input] : llvm::enumerate(getInputs())) {
    SmallVector<Expr> other = sym::getDims(input.getType());
    if (other.size() != dims.size())
      return emitError() << "input " << index << " has rank " << other.size()
                         << ", expected " << dims.size();
    for (auto [dim, lhs, rhs] : llvm::enumerate(dims, other))
      if (failed(context.requireEqual(*this, lhs, rhs,
                                      "sizes of dim " + Twine(dim) +
                                          " of inputs 0 and " + Twine(index) +
                                          " differ")))
        return failure();
  }
  return append(*this, context, dims, getResult().getType().getElementType(),
                types);
}

/// Whether the size is known to be 1 or `common`, from how both came about.
static bool isBroadcastOf(Expr size, Expr common, ShapeContext &context) {
  Prover &prover = context.getProver();
  std::set<Expr> sizes = context.getBroadcastSizes(common);
  std::set<Expr> own = context.getBroadcastSizes(size);
  bool isPart = sizes.size() > 1 && std::includes(sizes.begin(), sizes.end(),
                                                  own.begin(), own.end());
  // A name is given only where it is required that the sizes agree.
  if (isPart && common.isSymbol())
    return true;
  // What broadcasts to the size broadcasts to `common`.
  if (own.size() > 1 && llvm::all_of(own, [&](Expr part) {
        Condition isMember = Condition::equal(part, common);
        isMember.anyOf.push_back(Relation{Relation::Kind::EQ, part, Expr(1)});
        return prover.prove(isMember) == Truth::Yes;
      }))
    return true;
  if (!isPart)
    return false;
  for (auto lhs = sizes.begin(); lhs != sizes.end(); ++lhs)
    for (auto rhs = std::next(lhs); rhs != sizes.end(); ++rhs)
      if (prover.prove(getAgreement(*lhs, *rhs)) != Truth::Yes)
        return false;
  return true;
}

LogicalResult BroadcastOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> from = sym::getDims(getInput().getType());
  ArrayRef<Expr> to = getShape().getDims();
  if (from.size() > to.size())
    return emitError() << "input of rank " << from.size()
                       << " cannot broadcast to rank " << to.size();
  ArrayRef<Expr> aligned = to.drop_front(to.size() - from.size());
  for (auto [dim, lhs, rhs] : llvm::enumerate(from, aligned)) {
    if (lhs == rhs || lhs.isConstant(1) || isBroadcastOf(lhs, rhs, context))
      continue;
    Condition condition;
    condition.anyOf.push_back(Relation{Relation::Kind::EQ, lhs, rhs});
    if (!lhs.constant())
      condition.anyOf.push_back(Relation{Relation::Kind::EQ, lhs, Expr(1)});
    if (failed(context.require(*this, condition,
                               "dim " + Twine(dim) + " does not broadcast")))
      return failure();
  }
  return append(*this, context, to, typeOf(getInput()).getElementType(), types);
}

LogicalResult ReshapeOp::inferTypes(ShapeContext &context, Types &types) {
  Expr from = sym::getNumElements(sym::getDims(getInput().getType()));
  Expr to = sym::getNumElements(getShape().getDims());
  if (failed(
          context.requireEqual(*this, from, to, "number of elements changes")))
    return failure();
  return append(*this, context, getShape().getDims(),
                typeOf(getInput()).getElementType(), types);
}

LogicalResult TransposeOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> from = sym::getDims(getInput().getType()), to;
  SmallVector<bool> seen(from.size(), false);
  for (int64_t source : getPermutation()) {
    if (source < 0 || source >= int64_t(from.size()) || seen[source])
      return emitError() << "permutation is not one of 0.."
                         << int64_t(from.size()) - 1;
    seen[source] = true;
    to.push_back(from[source]);
  }
  if (to.size() != from.size())
    return emitError() << "permutation has " << to.size()
                       << " entries, expected " << from.size();
  return append(*this, context, to, typeOf(getInput()).getElementType(), types);
}

LogicalResult SliceOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> from = sym::getDims(getInput().getType());
  ArrayRef<Expr> offsets = getOffsets().getDims(), sizes = getSizes().getDims();
  if (offsets.size() != from.size() || sizes.size() != from.size() ||
      getStrides().size() != from.size())
    return emitError() << "needs one offset, size and stride for each of the "
                       << from.size() << " dims";
  for (auto [dim, extent, offset, size, stride] :
       llvm::enumerate(from, offsets, sizes, getStrides())) {
    if (stride == 0)
      return emitError() << "stride of dim " << dim << " is 0";
    if (offset.isConstant(0) && size == extent && stride == 1)
      continue;
    // The first and the last element read lie inside, or none is read.
    Expr last = offset + (size - 1) * Expr(stride);
    Expr low = stride > 0 ? offset : last, high = stride > 0 ? last : offset;
    Condition lower, upper;
    lower.anyOf = {Relation{Relation::Kind::GE, low, Expr(0)},
                   Relation{Relation::Kind::EQ, size, Expr(0)}};
    upper.anyOf = {Relation{Relation::Kind::LT, high, extent},
                   Relation{Relation::Kind::EQ, size, Expr(0)}};
    if (failed(context.require(*this, lower, "slice leaves its input")) ||
        failed(context.require(*this, upper, "slice leaves its input")))
      return failure();
  }
  return append(*this, context, sizes, typeOf(getInput()).getElementType(),
                types);
}

LogicalResult ConcatOp::inferTypes(ShapeContext &context, Types &types) {
  if (getInputs().empty())
    return emitOpError("needs at least one input");
  SmallVector<Expr> dims = sym::getDims(getInputs().front().getType());
  Type elementType = typeOf(getInputs().front()).getElementType();
  if (failed(checkAxis(*this, getDim(), dims.size())))
    return failure();
  for (auto [index, input] : llvm::enumerate(getInputs().drop_front())) {
    SmallVector<Expr> other = sym::getDims(input.getType());
    if (other.size() != dims.size() ||
        typeOf(input).getElementType() != elementType)
      return emitError() << "input " << index + 1 << " has type "
                         << input.getType() << ", which does not go with "
                         << getInputs().front().getType();
    for (auto [dim, lhs, rhs] : llvm::enumerate(dims, other))
      if (int64_t(dim) == int64_t(getDim()))
        lhs = lhs + rhs;
      else if (failed(context.requireEqual(*this, lhs, rhs,
                                           "sizes of dim " + Twine(dim) +
                                               " of inputs 0 and " +
                                               Twine(index + 1) + " differ")))
        return failure();
  }
  return append(*this, context, dims, elementType, types);
}

LogicalResult PadOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> from = sym::getDims(getInput().getType()), to;
  ArrayRef<Expr> low = getLow().getDims(), high = getHigh().getDims();
  if (low.size() != from.size() || high.size() != from.size())
    return emitError() << "needs low and high amounts for each of the "
                       << from.size() << " dims";
  if (typeOf(getValue()).getRank() != 0 ||
      typeOf(getValue()).getElementType() !=
          typeOf(getInput()).getElementType())
    return emitError("fill value is no scalar of the input's element type");
  for (auto [extent, before, after] : llvm::zip_equal(from, low, high)) {
    for (Expr amount : {before, after}) {
      if (failed(context.require(*this,
                                 Relation{Relation::Kind::GE, amount, Expr(0)},
                                 "pad amount is negative")))
        return failure();
      if (getMode() != PadMode::Reflect && getMode() != PadMode::Wrap)
        continue;
      // Reflecting 0 elements of an empty dim is no error.
      Expr room = getMode() == PadMode::Reflect ? extent - 1 : extent;
      Condition condition;
      condition.anyOf = {Relation{Relation::Kind::LE, amount, room},
                         Relation{Relation::Kind::EQ, amount, Expr(0)}};
      if (failed(context.require(*this, condition,
                                 "pad amount exceeds the input")))
        return failure();
    }
    // Neither is repeating the edge of an empty dim 0 times.
    Expr amount = before + after;
    Condition hasEdge;
    hasEdge.anyOf = {Relation{Relation::Kind::GE, extent, Expr(1)}};
    if (!amount.constant())
      hasEdge.anyOf.push_back(Relation{Relation::Kind::EQ, amount, Expr(0)});
    if (getMode() == PadMode::Edge && !amount.isConstant(0) &&
        failed(context.require(*this, hasEdge, "edge padding of an empty dim")))
      return failure();
    to.push_back(extent + before + after);
  }
  return append(*this, context, to, typeOf(getInput()).getElementType(), types);
}

LogicalResult GatherOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> data = sym::getDims(getData().getType());
  SmallVector<Expr> indices = sym::getDims(getIndices().getType());
  if (failed(checkAxis(*this, getAxis(), data.size())))
    return failure();
  if (!isa<IntegerType>(typeOf(getIndices()).getElementType()))
    return emitError("indices are no integers");
  // From an empty axis nothing can be taken, unless nothing is asked for.
  Condition condition;
  condition.anyOf = {Relation{Relation::Kind::GE, data[getAxis()], Expr(1)}};
  for (Expr dim : indices)
    condition.anyOf.push_back(Relation{Relation::Kind::EQ, dim, Expr(0)});
  if (failed(context.require(*this, condition, "gather from an empty dim")))
    return failure();
  SmallVector<Expr> to(data.begin(), data.begin() + getAxis());
  to.append(indices);
  to.append(data.begin() + getAxis() + 1, data.end());
  return append(*this, context, to, typeOf(getData()).getElementType(), types);
}

/// Scales are numbers that positions can be computed with.
static LogicalResult checkScales(ResizeOp op, ShapeContext &context) {
  SmallVector<Expr> from = sym::getDims(op.getInput().getType());
  for (auto [dim, given] : llvm::enumerate(*op.getScales())) {
    std::optional<ScaleFraction> scale = ScaleFraction::of(given);
    if (!scale)
      return op.emitError() << "scale of dim " << dim << " is " << double(given)
                            << ", expected 2^-30 to 2^30";
    int64_t most = maxResizedExtent(op.getCoordinates(), *scale);
    Relation fits{Relation::Kind::LE, from[dim], Expr(most)};
    if (most < kMaxExtent &&
        failed(context.require(op, fits, "dim is too long for its scale")))
      return failure();
  }
  return success();
}

LogicalResult ResizeOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> from = sym::getDims(getInput().getType());
  ArrayRef<Expr> to = getShape().getDims();
  if (to.size() != from.size() ||
      (getScales() && getScales()->size() != from.size()))
    return emitError() << "needs a size and a scale for each of the "
                       << from.size() << " dims";
  for (auto [lhs, rhs] : llvm::zip_equal(from, to)) {
    if (lhs == rhs)
      continue;
    Condition condition;
    condition.anyOf = {Relation{Relation::Kind::GE, lhs, Expr(1)},
                       Relation{Relation::Kind::EQ, rhs, Expr(0)}};
    if (failed(context.require(*this, condition, "resize of an empty dim")))
      return failure();
  }
  if (getScales() && failed(checkScales(*this, context)))
    return failure();
  return append(*this, context, to, typeOf(getInput()).getElementType(), types);
}
