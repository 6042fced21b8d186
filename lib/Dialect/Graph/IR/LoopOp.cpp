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

bool LoopOp::isConditional() { return getEntry() || getNext().getCondition(); }

/// The dims of a type where the iteration has another value.
static SmallVector<Expr> dimsAt(LoopOp loop, Type type, Expr trip) {
  SmallVector<Expr> dims = sym::getDims(type);
  for (Expr &dim : dims)
    dim = dim.substitute({{loop.getIteration().str(), trip}});
  return dims;
}

SmallVector<Expr> LoopOp::getGrowth(unsigned carried) {
  Type type = getCarriedArguments()[carried].getType();
  SmallVector<Expr> growth;
  for (auto [first, second] :
       llvm::zip_equal(dimsAt(*this, type, 0), dimsAt(*this, type, 1)))
    growth.push_back(second - first);
  return growth;
}

/// Requires the element type and rank of a value, which `what` names, to be
/// another one's.
static LogicalResult requireKind(LoopOp loop, const Twine &what, Type expected,
                                 Type found) {
  auto wanted = cast<RankedTensorType>(expected);
  auto given = cast<RankedTensorType>(found);
  if (wanted.getElementType() == given.getElementType() &&
      wanted.getRank() == given.getRank())
    return success();
  return loop.emitError() << what << " has rank " << given.getRank()
                          << " and element type " << given.getElementType()
                          << ", expected " << wanted.getRank() << " and "
                          << wanted.getElementType();
}

/// Requires the sizes of a value, which `what` names.
static LogicalResult requireDims(LoopOp loop, const Twine &what,
                                 ArrayRef<Expr> expected, ArrayRef<Expr> found,
                                 ShapeContext &context) {
  for (auto [index, lhs, rhs] : llvm::enumerate(expected, found))
    if (failed(context.requireEqual(
            loop, lhs, rhs,
            "what a loop or branch carries must keep its shape or grow by the "
            "same size on every trip: dim " +
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

static bool mentions(Expr expr, StringRef symbol) {
  std::set<std::string> names;
  expr.collectSymbols(names);
  return names.count(symbol.str()) != 0;
}

/// No size may depend on the data of a trip, and no row of a stack on its
/// number: buffers are made once.
static LogicalResult checkSizes(LoopOp loop) {
  Operation *wrong = nullptr;
  loop.getBody().walk([&](SizeSourceOpInterface op) {
    wrong = op;
    return WalkResult::interrupt();
  });
  if (wrong)
    return wrong->emitError("size of the result depends on data, which is not "
                            "supported inside of a loop");
  for (auto [number, element] : llvm::enumerate(loop.getNext().getStacked()))
    for (Expr dim : sym::getDims(element.getType()))
      if (mentions(dim, loop.getIteration()))
        return loop.emitError()
               << "size '" << dim.str() << "' of stacked element " << number
               << " depends on the iteration '" << loop.getIteration() << "'";
  return success();
}

/// Checks what a value becomes in a trip, and gives its type after the last.
static LogicalResult inferCarried(LoopOp loop, unsigned number,
                                  ShapeContext &context, Types &types) {
  std::string what = "carried value " + std::to_string(number);
  Type init = loop.getInits()[number].getType();
  Type argument = loop.getCarriedArguments()[number].getType();
  Type next = loop.getNext().getCarried()[number].getType();
  if (failed(requireKind(loop, what, init, next)))
    return failure();
  SmallVector<Expr> growth = loop.getGrowth(number);
  if (llvm::all_of(growth, [](Expr size) { return size.isConstant(0); })) {
    types.push_back(cast<RankedTensorType>(init));
    return requireDims(loop, what, sym::getDims(init), sym::getDims(next),
                       context);
  }
  if (loop.isConditional())
    return loop.emitError() << what << " grows in a loop that data may end";
  Expr trip = Expr::symbol(loop.getIteration());
  SmallVector<Expr> first = dimsAt(loop, argument, 0), last;
  for (auto [dim, size, step] :
       llvm::zip_equal(sym::getDims(argument), first, growth)) {
    if (dim != size + step * trip)
      return loop.emitError() << what << " has a dim '" << dim.str()
                              << "', which is not linear in the iteration";
    if (failed(context.require(loop,
                               Relation{Relation::Kind::GE, step, Expr(0)},
                               what + " must not shrink")))
      return failure();
    last.push_back(context.simplify(size + step * loop.getTripCount()));
    if (!last.back().isValid())
      return loop.emitError()
             << what << " grows to a size that " << last.back().problem();
  }
  types.push_back(
      sym::getTensorType(last, cast<RankedTensorType>(init).getElementType()));
  // What the body ends with speaks of the trip.
  context.enterLoop(loop.getIteration(), loop.getTripCount());
  LogicalResult result =
      requireDims(loop, what, dimsAt(loop, argument, trip + 1),
                  sym::getDims(next), context);
  context.leaveLoop(loop.getIteration());
  return result;
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
                       getOperands().take_front(getBody().getNumArguments()))) {
    std::string what = "body argument " + std::to_string(index);
    if (failed(
            requireKind(*this, what, operand.getType(), argument.getType())) ||
        failed(requireDims(*this, what, sym::getDims(operand.getType()),
                           dimsAt(*this, argument.getType(), 0), context)))
      return failure();
  }
  for (unsigned number = 0; number < getInits().size(); ++number)
    if (failed(inferCarried(*this, number, context, types)))
      return failure();
  NextOp next = getNext();
  for (Value element : next.getStacked()) {
    auto type = cast<RankedTensorType>(element.getType());
    SmallVector<Expr> dims = {trips};
    dims.append(sym::getDims(type));
    types.push_back(sym::getTensorType(dims, type.getElementType()));
  }
  return success();
}
