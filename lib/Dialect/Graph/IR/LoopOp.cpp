// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structure and shape rule of `graph.loop`.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using Types = SmallVectorImpl<RankedTensorType>;

NextOp LoopOp::getNext() {
  Block &block = getBody().front();
  return block.empty() ? NextOp() : dyn_cast<NextOp>(block.back());
}
Block::BlockArgListType LoopOp::getCarriedArguments() {
  return getBody().getArguments().take_front(getInits().size());
}
Block::BlockArgListType LoopOp::getCapturedArguments() {
  return getBody().getArguments().drop_front(getInits().size());
}
ResultRange LoopOp::getCarriedResults() {
  return getResults().take_front(getInits().size());
}
ResultRange LoopOp::getStackedResults() {
  return getResults().drop_front(getInits().size());
}

/// Requires the type of a value, which `what` names, to be another one's.
static LogicalResult requireType(LoopOp loop, const Twine &what, Type expected,
                                 Type found, ShapeContext &context) {
  auto wanted = cast<RankedTensorType>(expected);
  auto given = cast<RankedTensorType>(found);
  if (wanted.getElementType() != given.getElementType() ||
      wanted.getRank() != given.getRank())
    return loop.emitError()
           << what << " has rank " << given.getRank() << " and element type "
           << given.getElementType() << ", expected " << wanted.getRank()
           << " and " << wanted.getElementType();
  for (auto [index, lhs, rhs] :
       llvm::enumerate(sym::getDims(expected), sym::getDims(found)))
    if (failed(context.requireEqual(
            loop, lhs, rhs,
            "what a loop or branch carries must keep its shape: dim " +
                Twine(index) + " of " + what + ", expected and found")))
      return failure();
  return success();
}

/// A condition is one bool.
static LogicalResult checkCondition(LoopOp loop, StringRef what, Value value) {
  if (!value)
    return success();
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 0 && type.getElementType().isInteger(1))
    return success();
  return loop.emitError() << what << " has type " << type
                          << ", expected tensor<i1>";
}

static LogicalResult checkStructure(LoopOp loop) {
  if (loop.getTrips().getDims().size() != 1)
    return loop.emitError() << "has " << loop.getTrips().getDims().size()
                            << " expressions for the number of trips, "
                               "expected one";
  NextOp next = loop.getNext();
  if (!next)
    return loop.emitError("body ends without graph.next");
  size_t inits = loop.getInits().size(), captures = loop.getCaptures().size();
  if (loop.getBody().getNumArguments() != inits + captures)
    return loop.emitError() << "body takes " << loop.getBody().getNumArguments()
                            << " values, expected " << inits << " carried and "
                            << captures << " captured ones";
  if (next.getCarried().size() != inits)
    return loop.emitError() << "body ends with " << next.getCarried().size()
                            << " carried values, expected " << inits;
  if (loop.getNumResults() != inits + next.getStacked().size())
    return loop.emitError()
           << "has " << loop.getNumResults() << " results, expected " << inits
           << " carried and " << next.getStacked().size() << " stacked ones";
  if (failed(checkCondition(loop, "condition at entry", loop.getEntry())) ||
      failed(checkCondition(loop, "condition", next.getCondition())))
    return failure();
  return success();
}

/// No size may depend on a trip, by its number or by data: buffers are made
/// once.
static LogicalResult checkSizes(LoopOp loop) {
  Operation *wrong = nullptr;
  Expr size;
  std::string iteration = loop.getIteration().str();
  loop.getBody().walk([&](Operation *op) {
    if (isa<SizeSourceOpInterface>(op)) {
      wrong = op;
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor)
        continue;
      for (Expr dim : sym::getDims(tensor)) {
        std::set<std::string> names;
        dim.collectSymbols(names);
        if (!names.count(iteration))
          continue;
        wrong = op;
        size = dim;
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  if (!wrong)
    return success();
  if (isa<SizeSourceOpInterface>(wrong))
    return wrong->emitError("size of the result depends on data, which is not "
                            "supported inside of a loop");
  return wrong->emitError()
         << "size '" << size.str() << "' depends on the iteration '"
         << iteration << "' of a loop";
}

LogicalResult LoopOp::inferTypes(ShapeContext &context, Types &types) {
  if (failed(checkStructure(*this)) || failed(checkSizes(*this)))
    return failure();
  Expr trips = getTripCount();
  if (failed(context.require(*this,
                             Relation{Relation::Kind::GE, trips, Expr(0)},
                             "number of trips")))
    return failure();
  for (auto [index, argument, operand] :
       llvm::enumerate(getBody().getArguments(),
                       getOperands().take_front(getBody().getNumArguments())))
    if (failed(requireType(*this, "body argument " + Twine(index),
                           operand.getType(), argument.getType(), context)))
      return failure();
  NextOp next = getNext();
  for (auto [index, before, after] :
       llvm::enumerate(getInits(), next.getCarried()))
    if (failed(requireType(*this, "carried value " + Twine(index),
                           before.getType(), after.getType(), context)))
      return failure();
  for (Value init : getInits())
    types.push_back(cast<RankedTensorType>(init.getType()));
  for (Value element : next.getStacked()) {
    auto type = cast<RankedTensorType>(element.getType());
    SmallVector<Expr> dims = {trips};
    dims.append(sym::getDims(type));
    types.push_back(sym::getTensorType(dims, type.getElementType()));
  }
  return success();
}
