// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a `graph.loop`: its body first, which then tells its results.

#include "LoopBuilder.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// Whether a value can be made again inside of a loop at no cost: constants,
/// and what is known as expressions, such as an input whose elements are sizes.
static bool isKnown(Value value) {
  return isa_and_nonnull<ConstantOp>(value.getDefiningOp()) ||
         (rankOf(value) <= 1 && getKnownElements(value));
}

void LoopBuilder::capture(Value value) {
  if (!isKnown(value) && !llvm::is_contained(captures, value))
    captures.push_back(value);
}

void LoopBuilder::create(Value entry) {
  loop = b.graph.getBuilder().create<LoopOp>(
      b.graph.getLoc(), TypeRange(), iteration, b.graph.shapeAttr({trips}),
      inits, captures, entry);
  Block &block = loop.getBody().emplaceBlock();
  for (auto [init, growth] : llvm::zip_equal(inits, growths)) {
    SmallVector<Expr> dims = dimsOf(init);
    for (auto [dim, step] : llvm::zip(dims, growth))
      dim = dim + step * trip();
    block.addArgument(sym::getTensorType(dims, elementTypeOf(init)),
                      init.getLoc());
  }
  for (Value value : captures)
    block.addArgument(value.getType(), value.getLoc());
}

Value LoopBuilder::inside(Value value) {
  for (auto [capture, argument] :
       llvm::zip_equal(loop.getCaptures(), loop.getCapturedArguments()))
    if (capture == value)
      return argument;
  if (value.getDefiningOp<ConstantOp>())
    return b.graph.getBuilder().clone(*value.getDefiningOp())->getResult(0);
  return b.dims(*getKnownElements(value), elementTypeOf(value),
                /*isScalar=*/rankOf(value) == 0);
}

bool LoopBuilder::fill(llvm::function_ref<bool()> build) {
  OpBuilder &builder = b.graph.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&loop.getBody().front());
  ShapeContext &context = b.graph.getContext();
  context.enterLoop(iteration, trips);
  bool isBuilt = build() && !b.hasFailed();
  if (isGivenUp && !b.hasFailed()) {
    context.forgetLoop();
    loop.erase();
    return false;
  }
  context.leaveLoop(iteration);
  if (!isBuilt)
    b.fail();
  return isBuilt;
}

void LoopBuilder::next(ValueRange carried, ValueRange stacked,
                       Value condition) {
  b.graph.getBuilder().create<NextOp>(b.graph.getLoc(), carried, stacked,
                                      condition);
  loop.setTripsAttr(b.graph.shapeAttr({trips}));
}

bool LoopBuilder::finish() {
  NextOp next = loop.getNext();
  SmallVector<Type> placeholders(next.getCarried().size() +
                                     next.getStacked().size(),
                                 b.graph.placeholder());
  auto complete = b.graph.getBuilder().create<LoopOp>(
      loop.getLoc(), placeholders, loop.getIteration(), loop.getTrips(),
      loop.getInits(), loop.getCaptures(), loop.getEntry());
  complete.getBody().takeBody(loop.getBody());
  loop.erase();
  loop = complete;
  if (succeeded(b.graph.inferResults(loop)))
    return true;
  b.fail();
  return false;
}

SmallVector<Value>
compose::buildLoop(ValueBuilder &b, Expr trips, ArrayRef<Value> inits,
                   ArrayRef<Value> captures,
                   llvm::function_ref<TripResults(LoopBuilder &)> trip) {
  if (llvm::is_contained(inits, Value()) ||
      llvm::is_contained(captures, Value())) {
    b.fail();
    return {};
  }
  LoopBuilder loop(b, trips);
  for (Value init : inits)
    loop.carry(init);
  for (Value value : captures)
    loop.capture(value);
  loop.create();
  bool isFilled = loop.fill([&] {
    TripResults results = trip(loop);
    if (llvm::is_contained(results.carried, Value()) ||
        llvm::is_contained(results.stacked, Value()))
      return false;
    loop.next(results.carried, results.stacked);
    return true;
  });
  if (!isFilled || !loop.finish())
    return {};
  return SmallVector<Value>(loop.loop.getResults());
}
