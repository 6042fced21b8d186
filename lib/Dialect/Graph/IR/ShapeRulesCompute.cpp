// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of reductions, contractions, convolutions and windows.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using Types = SmallVectorImpl<RankedTensorType>;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static LogicalResult checkAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitError() << "dim " << axis << " is outside of rank " << rank;
}

LogicalResult ReduceOp::inferTypes(ShapeContext &, Types &types) {
  SmallVector<Expr> from = sym::getDims(getInput().getType()), to;
  SmallVector<bool> reduced(from.size(), false);
  for (int64_t dim : getDims()) {
    if (failed(checkAxis(*this, dim, from.size())))
      return failure();
    if (reduced[dim])
      return emitError() << "dim " << dim << " is reduced twice";
    reduced[dim] = true;
  }
  for (auto [dim, isReduced] : llvm::zip_equal(from, reduced))
    if (!isReduced)
      to.push_back(dim);
  types.push_back(sym::getTensorType(to, typeOf(getInput()).getElementType()));
  return success();
}

LogicalResult ArgReduceOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> dims = sym::getDims(getInput().getType());
  if (failed(checkAxis(*this, getDim(), dims.size())))
    return failure();
  if (getKind() != ReduceKind::Max && getKind() != ReduceKind::Min)
    return emitError("kind is neither max nor min");
  Condition condition;
  condition.anyOf = {Relation{Relation::Kind::GE, dims[getDim()], Expr(1)}};
  for (auto [index, dim] : llvm::enumerate(dims))
    if (int64_t(index) != int64_t(getDim()))
      condition.anyOf.push_back(Relation{Relation::Kind::EQ, dim, Expr(0)});
  if (failed(context.require(*this, condition, "no element to choose from")))
    return failure();
  dims.erase(dims.begin() + getDim());
  types.push_back(sym::getTensorType(dims, IntegerType::get(getContext(), 64)));
  return success();
}

LogicalResult SoftmaxOp::inferTypes(ShapeContext &, Types &types) {
  RankedTensorType type = typeOf(getInput());
  if (failed(checkAxis(*this, getDim(), type.getRank())))
    return failure();
  if (!isa<FloatType>(type.getElementType()))
    return emitError("needs a float element type");
  types.push_back(
      sym::getTensorType(sym::getDims(type), type.getElementType()));
  return success();
}

/// The element type of sums of products: that of the operands, or f32 for sums
/// of narrow floats that are not rounded.
static FailureOr<Type> getSumType(Operation *op, Type elementType,
                                  bool isWide) {
  if (!isWide)
    return elementType;
  if (elementType.isF16() || elementType.isBF16())
    return Type(Float32Type::get(op->getContext()));
  return op->emitError() << "wide sums are those of f16 or bf16, found "
                         << elementType;
}

LogicalResult ContractOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> lhs = sym::getDims(getLhs().getType());
  SmallVector<Expr> rhs = sym::getDims(getRhs().getType());
  Type elementType = typeOf(getLhs()).getElementType();
  if (elementType != typeOf(getRhs()).getElementType())
    return emitError() << "element types differ: " << elementType << " vs "
                       << typeOf(getRhs()).getElementType();
  if (lhs.size() < 2 || rhs.size() < 2 ||
      (rhs.size() != 2 && rhs.size() != lhs.size()))
    return emitError() << "ranks " << lhs.size() << " and " << rhs.size()
                       << " do not contract";
  if (failed(context.requireEqual(*this, lhs.back(), rhs[rhs.size() - 2],
                                  "inner dimensions differ")))
    return failure();
  if (rhs.size() > 2)
    for (size_t dim = 0; dim + 2 < lhs.size(); ++dim)
      if (failed(context.requireEqual(*this, lhs[dim], rhs[dim],
                                      "batch dimensions differ")))
        return failure();
  FailureOr<Type> sum = getSumType(*this, elementType, getWide());
  if (failed(sum))
    return failure();
  lhs.back() = rhs.back();
  types.push_back(sym::getTensorType(lhs, *sum));
  return success();
}

namespace {
/// The constants that describe a window sliding over spatial dims.
struct WindowDims {
  ArrayRef<int64_t> strides, dilations, low, high;
  bool ceil = false;
};
} // namespace

/// Checks the constants of a window of `sizes` for `spatial` dims.
static LogicalResult checkWindow(Operation *op, size_t spatial,
                                 ArrayRef<Expr> sizes, WindowDims dims) {
  if (sizes.size() != spatial || dims.strides.size() != spatial ||
      dims.dilations.size() != spatial || dims.low.size() != spatial ||
      dims.high.size() != spatial)
    return op->emitError() << "needs window, strides, dilations and pads for "
                           << spatial << " spatial dims";
  for (size_t i = 0; i < spatial; ++i)
    if (dims.strides[i] < 1 || dims.dilations[i] < 1 || dims.low[i] < 0 ||
        dims.high[i] < 0)
      return op->emitError()
             << "stride " << dims.strides[i] << ", dilation "
             << dims.dilations[i] << ", pads " << dims.low[i] << " and "
             << dims.high[i] << " of spatial dim " << i << " are out of range";
  return success();
}

/// The number of window positions along one spatial dim (ONNX Conv and Pool).
static FailureOr<Expr> slide(Operation *op, ShapeContext &context, Expr extent,
                             Expr window, size_t i, WindowDims dims) {
  Expr reach = (window - 1) * Expr(dims.dilations[i]) + 1;
  Expr padded = extent + Expr(dims.low[i]) + Expr(dims.high[i]);
  if (failed(context.require(op, Relation{Relation::Kind::LE, reach, padded},
                             "window exceeds the padded input in spatial dim " +
                                 Twine(i))))
    return failure();
  Expr stride = dims.strides[i];
  Expr count = Expr::floorDiv(padded - reach, stride) + 1;
  if (dims.ceil) {
    // A last window that would start in the high padding does not exist.
    Expr starts = Expr::ceilDiv(extent + Expr(dims.low[i]), stride);
    count = Expr::min(Expr::ceilDiv(padded - reach, stride) + 1, starts);
  }
  if (!count.isValid())
    return op->emitError() << "size of result dim " << i + 2 << " "
                           << count.problem();
  return context.simplify(count);
}

LogicalResult ConvOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> input = sym::getDims(getInput().getType());
  SmallVector<Expr> filter = sym::getDims(getFilter().getType());
  Type elementType = typeOf(getInput()).getElementType();
  if (elementType != typeOf(getFilter()).getElementType())
    return emitError() << "element types differ: " << elementType << " vs "
                       << typeOf(getFilter()).getElementType();
  if (input.size() < 3 || input.size() != filter.size())
    return emitError() << "ranks " << input.size() << " and " << filter.size()
                       << " do not convolve";
  int64_t groups = getGroups();
  if (groups < 1)
    return emitError() << "number of groups is " << groups;
  WindowDims dims{getStrides(), getDilations(), getLow(), getHigh()};
  ArrayRef<Expr> window = ArrayRef(filter).drop_front(2);
  if (failed(checkWindow(*this, input.size() - 2, window, dims)) ||
      failed(context.requireEqual(*this, input[1], filter[1] * Expr(groups),
                                  "channels of input and filter differ")) ||
      failed(context.requireEqual(*this, Expr::mod(filter[0], groups), Expr(0),
                                  "filters do not divide into groups")))
    return failure();
  SmallVector<Expr> result = {input[0], filter[0]};
  for (auto [i, size] : llvm::enumerate(window)) {
    FailureOr<Expr> extent = slide(*this, context, input[i + 2], size, i, dims);
    if (failed(extent))
      return failure();
    result.push_back(*extent);
  }
  FailureOr<Type> sum = getSumType(*this, elementType, getWide());
  if (failed(sum))
    return failure();
  types.push_back(sym::getTensorType(result, *sum));
  return success();
}

LogicalResult WindowOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> input = sym::getDims(getInput().getType());
  if (input.size() < 3)
    return emitError() << "input has rank " << input.size()
                       << ", expected at least 3";
  if (getKind() != ReduceKind::Sum && getKind() != ReduceKind::Max)
    return emitError("kind is neither sum nor max");
  SmallVector<Expr> window(getWindow().begin(), getWindow().end());
  WindowDims dims{getStrides(), getDilations(), getLow(), getHigh(), getCeil()};
  if (failed(checkWindow(*this, input.size() - 2, window, dims)))
    return failure();
  SmallVector<Expr> result = {input[0], input[1]};
  for (auto [i, size] : llvm::enumerate(window)) {
    if (*size.constant() < 1)
      return emitError() << "window of spatial dim " << i << " is "
                         << *size.constant();
    FailureOr<Expr> extent = slide(*this, context, input[i + 2], size, i, dims);
    if (failed(extent))
      return failure();
    result.push_back(*extent);
  }
  types.push_back(
      sym::getTensorType(result, typeOf(getInput()).getElementType()));
  return success();
}
