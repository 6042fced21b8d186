// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of the ops that look for something in the data.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/IR/Builders.h"

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

LogicalResult NonZeroOp::inferTypes(ShapeContext &context, Types &types) {
  FailureOr<Expr> count =
      countOf(cast<SizeSourceOpInterface>(getOperation()), context);
  if (failed(count) || failed(checkElements(*this, getInput())))
    return failure();
  int64_t rank = cast<RankedTensorType>(getInput().getType()).getRank();
  types.push_back(sym::getTensorType({Expr(rank), *count},
                                     IntegerType::get(getContext(), 64)));
  return success();
}
