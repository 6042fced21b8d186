// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of the ops that look for something in the data.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using Types = SmallVectorImpl<RankedTensorType>;

/// The symbol that the op sets, as a size; an error when it has no name.
static FailureOr<Expr> countOf(SizeSourceOpInterface op,
                               ShapeContext &context) {
  if (op.getSymbol().empty())
    return op->emitOpError("sets a symbol without a name");
  return context.simplify(Expr::symbol(op.getSymbol()));
}

static LogicalResult checkElements(Operation *op, Value value) {
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64)
    return success();
  return op->emitOpError() << "has elements of type " << type
                           << ", expected integers or floats";
}

static Type indexType(Operation *op) {
  return IntegerType::get(op->getContext(), 64);
}

static LogicalResult checkRank(Operation *op, Value value, StringRef what,
                               int64_t rank) {
  int64_t found = cast<RankedTensorType>(value.getType()).getRank();
  if (found == rank)
    return success();
  return op->emitOpError() << "has " << what << " of rank " << found
                           << ", expected " << rank;
}

LogicalResult NonZeroOp::inferTypes(ShapeContext &context, Types &types) {
  FailureOr<Expr> count =
      countOf(cast<SizeSourceOpInterface>(getOperation()), context);
  if (failed(count) || failed(checkElements(*this, getInput())))
    return failure();
  int64_t rank = cast<RankedTensorType>(getInput().getType()).getRank();
  types.push_back(sym::getTensorType({Expr(rank), *count}, indexType(*this)));
  return success();
}

LogicalResult UniqueOp::inferTypes(ShapeContext &context, Types &types) {
  FailureOr<Expr> count =
      countOf(cast<SizeSourceOpInterface>(getOperation()), context);
  if (failed(count) || failed(checkElements(*this, getInput())) ||
      failed(checkRank(*this, getInput(), "an input", 2)))
    return failure();
  types.push_back(sym::getTensorType({*count}, indexType(*this)));
  return success();
}

LogicalResult UniqueInverseOp::inferTypes(ShapeContext &, Types &types) {
  if (failed(checkElements(*this, getInput())) ||
      failed(checkRank(*this, getInput(), "an input", 2)))
    return failure();
  types.push_back(sym::getTensorType({sym::getDims(getInput().getType())[0]},
                                     indexType(*this)));
  return success();
}

LogicalResult HistogramOp::inferTypes(ShapeContext &context, Types &types) {
  if (failed(checkRank(*this, getInput(), "an input", 1)))
    return failure();
  if (!getInput().getType().getElementType().isSignlessInteger(64))
    return emitOpError() << "has elements of type "
                         << getInput().getType().getElementType()
                         << ", expected i64";
  if (getBins().getDims().size() != 1)
    return emitOpError() << "has " << getBins().getDims().size()
                         << " numbers of bins, expected one";
  Expr bins = context.simplify(getBins().getDims()[0]);
  if (failed(context.require(*this, Relation{Relation::Kind::GE, bins, Expr(0)},
                             "number of bins")))
    return failure();
  types.push_back(sym::getTensorType({bins}, indexType(*this)));
  return success();
}

LogicalResult TopKOp::inferTypes(ShapeContext &context, Types &types) {
  SmallVector<Expr> dims = sym::getDims(getInput().getType());
  int64_t dim = getDim();
  if (failed(checkElements(*this, getInput())))
    return failure();
  if (dim < 0 || dim >= int64_t(dims.size()))
    return emitError() << "dim " << dim << " is outside of rank "
                       << dims.size();
  if (getK().getDims().size() != 1)
    return emitOpError() << "has " << getK().getDims().size()
                         << " values for k, expected one";
  Expr k = context.simplify(getK().getDims()[0]);
  if (failed(context.require(*this, Relation{Relation::Kind::GE, k, Expr(0)},
                             "k is negative")) ||
      failed(context.require(*this, Relation{Relation::Kind::LE, k, dims[dim]},
                             "k is more than there are elements")))
    return failure();
  dims[dim] = k;
  types.push_back(sym::getTensorType(dims, indexType(*this)));
  return success();
}

LogicalResult NmsOp::inferTypes(ShapeContext &context, Types &types) {
  FailureOr<Expr> count =
      countOf(cast<SizeSourceOpInterface>(getOperation()), context);
  if (failed(count) || failed(checkRank(*this, getBoxes(), "boxes", 3)) ||
      failed(checkRank(*this, getScores(), "scores", 3)) ||
      failed(checkRank(*this, getMost(), "a number of boxes", 0)) ||
      failed(checkRank(*this, getIouThreshold(), "an IoU threshold", 0)) ||
      failed(checkRank(*this, getScoreThreshold(), "a score threshold", 0)))
    return failure();
  for (Value value :
       {getBoxes(), getScores(), getIouThreshold(), getScoreThreshold()}) {
    Type type = cast<RankedTensorType>(value.getType()).getElementType();
    if (!type.isF32())
      return emitOpError() << "has elements of type " << type
                           << ", expected f32";
  }
  if (!getMost().getType().getElementType().isSignlessInteger(64))
    return emitOpError() << "has a number of boxes of type "
                         << getMost().getType().getElementType()
                         << ", expected i64";
  SmallVector<Expr> boxes = sym::getDims(getBoxes().getType());
  SmallVector<Expr> scores = sym::getDims(getScores().getType());
  if (failed(context.requireEqual(*this, boxes[0], scores[0],
                                  "numbers of batches differ")) ||
      failed(context.requireEqual(*this, boxes[1], scores[2],
                                  "numbers of boxes differ")) ||
      failed(
          context.requireEqual(*this, boxes[2], Expr(4), "numbers of a box")))
    return failure();
  types.push_back(sym::getTensorType({*count, Expr(3)}, indexType(*this)));
  return success();
}

LogicalResult ScatterOp::inferTypes(ShapeContext &context, Types &types) {
  RankedTensorType data = getData().getType();
  Type element = data.getElementType();
  if (data.getRank() < 2)
    return emitOpError() << "has data of rank " << data.getRank()
                         << ", expected at least 2";
  if (failed(checkRank(*this, getIndices(), "indices", 2)) ||
      failed(checkRank(*this, getUpdates(), "updates", 2)))
    return failure();
  if (!getIndices().getType().getElementType().isSignlessInteger(64))
    return emitOpError() << "has indices of type "
                         << getIndices().getType().getElementType()
                         << ", expected i64";
  if (getUpdates().getType().getElementType() != element)
    return emitOpError() << "has updates of type "
                         << getUpdates().getType().getElementType()
                         << " for data of type " << element;
  unsigned width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  bool isComputed = isa<IntegerType>(element) ? width >= 8 : width >= 32;
  if (getKind() != ScatterKind::Replace && !isComputed)
    return emitOpError() << "combines elements of type " << element
                         << ", expected integers of 8 bits or more, f32 or f64";
  SmallVector<Expr> dims = sym::getDims(data);
  SmallVector<Expr> indices = sym::getDims(getIndices().getType());
  SmallVector<Expr> updates = sym::getDims(getUpdates().getType());
  if (failed(context.requireEqual(*this, indices[1], Expr(data.getRank() - 1),
                                  "numbers of an index")) ||
      failed(context.requireEqual(*this, updates[0], indices[0],
                                  "numbers of rows differ")) ||
      failed(context.requireEqual(*this, updates[1], dims.back(),
                                  "lengths of rows differ")))
    return failure();
  types.push_back(sym::getTensorType(dims, element));
  return success();
}

/// pack and unpack.
static LogicalResult inferPacked(Operation *op, Types &types) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  Type element = type.getElementType();
  if (!element.isIntOrFloat() || (element.getIntOrFloatBitWidth() != 2 &&
                                  element.getIntOrFloatBitWidth() != 4))
    return op->emitOpError()
           << "has elements of type " << element << ", expected 2 or 4 bits";
  types.push_back(type);
  return success();
}

LogicalResult UnpackOp::inferTypes(ShapeContext &, Types &types) {
  auto argument = dyn_cast<BlockArgument>(getInput());
  if (!argument ||
      !isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return emitOpError("is for arguments of the function");
  return inferPacked(*this, types);
}

LogicalResult PackOp::inferTypes(ShapeContext &, Types &types) {
  return inferPacked(*this, types);
}
