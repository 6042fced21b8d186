// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers `graph.loop`. A carried value lives in the buffer of the loop's
// result: the first one is copied there, and at the end of a trip the next one.
// What is stacked is written to its row by the kernel that makes it, or copied
// there.

#include "VariantLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

void VariantLowering::copy(Value to, Value from, Type type) {
  Location loc = variant.getLoc();
  Value bytes = b.create<arith::IndexCastOp>(loc, b.getI64Type(),
                                             exprs->emit(getByteSize(type)));
  b.create<LLVM::MemcpyOp>(loc, to, from, bytes, /*isVolatile=*/false);
}

void VariantLowering::clear(Value to, Type type) {
  Location loc = variant.getLoc();
  Value bytes = b.create<arith::IndexCastOp>(loc, b.getI64Type(),
                                             exprs->emit(getByteSize(type)));
  Value zero = b.create<arith::ConstantIntOp>(loc, 0, 8);
  b.create<LLVM::MemsetOp>(loc, to, zero, bytes, /*isVolatile=*/false);
}

Value VariantLowering::loadBool(Value tensor) {
  Location loc = variant.getLoc();
  Value byte =
      b.create<LLVM::LoadOp>(loc, b.getI8Type(), pointerOf(getStorage(tensor)));
  Value zero = b.create<arith::ConstantIntOp>(loc, 0, 8);
  return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, byte, zero);
}

/// The number of trips; none when nothing that they compute or hand on has
/// elements, since there may be very many of them.
Value VariantLowering::countTrips(LoopOp loop) {
  Location loc = loop.getLoc();
  Value trips = exprs->emit(loop.getTripCount());
  SmallVector<Type> types(loop.getNext()->getOperandTypes());
  for (Operation &op : loop.getBody().front().without_terminator()) {
    if (op.getNumRegions() != 0)
      return trips;
    llvm::append_range(types, op.getResultTypes());
  }
  std::set<Expr> counts;
  for (Type type : types) {
    Expr count = sym::getNumElements(sym::getDims(type));
    std::set<std::string> symbols;
    count.collectSymbols(symbols);
    auto isKnown = [&](const std::string &name) {
      return known.count(name) != 0;
    };
    if (!count.isValid() || symbols.empty() || !llvm::all_of(symbols, isKnown))
      return trips;
    counts.insert(count);
  }
  Value hasAny;
  for (Expr count : counts) {
    Value has = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                        exprs->emit(count), index(0));
    hasAny = hasAny ? b.create<arith::OrIOp>(loc, hasAny, has) : has;
  }
  if (!hasAny)
    return trips;
  return b.create<arith::SelectOp>(loc, hasAny, trips, index(0));
}

/// The loop's control flow around `body`, which takes the number of the trip
/// and returns whether to go on, or null for always.
LogicalResult VariantLowering::createTrips(LoopOp loop, Body body) {
  Location loc = loop.getLoc();
  OpBuilder::InsertionGuard guard(b);
  if (!loop.isConditional()) {
    Value trips = countTrips(loop);
    auto counted = b.create<scf::ForOp>(loc, index(0), trips, index(1));
    b.setInsertionPointToStart(counted.getBody());
    return body(counted.getInductionVar());
  }
  Value trips = exprs->emit(loop.getTripCount());
  Type flag = b.getI1Type();
  Value first = loop.getEntry()
                    ? loadBool(loop.getEntry())
                    : b.create<arith::ConstantIntOp>(loc, 1, 1).getResult();
  auto open = b.create<scf::WhileOp>(loc, TypeRange{b.getIndexType(), flag},
                                     ValueRange{index(0), first});
  Block *before = b.createBlock(&open.getBefore(), {}, {b.getIndexType(), flag},
                                {loc, loc});
  Value isBelow = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                          before->getArgument(0), trips);
  Value runs = b.create<arith::AndIOp>(loc, isBelow, before->getArgument(1));
  b.create<scf::ConditionOp>(loc, runs, before->getArguments());
  Block *after =
      b.createBlock(&open.getAfter(), {}, {b.getIndexType(), flag}, {loc, loc});
  FailureOr<Value> asked = body(after->getArgument(0));
  if (failed(asked))
    return failure();
  Value goesOn = *asked;
  if (!goesOn)
    goesOn = b.create<arith::ConstantIntOp>(loc, 1, 1);
  // Data that a check refused may never end the loop.
  goesOn = b.create<arith::AndIOp>(loc, goesOn, hasNoFailure());
  Value next = b.create<arith::AddIOp>(loc, after->getArgument(0), index(1));
  b.create<scf::YieldOp>(loc, ValueRange{next, goesOn});
  return success();
}

/// Copies what a trip hands to the next one and to the stacks.
void VariantLowering::finishTrip(LoopOp loop, ArrayRef<Value> rows) {
  NextOp next = loop.getNext();
  llvm::DenseMap<Value, unsigned> inPlace = getStackedInPlace(loop);
  for (auto [number, element] : llvm::enumerate(next.getStacked())) {
    Value storage = getStorage(element);
    auto it = inPlace.find(storage);
    if (it == inPlace.end() || it->second != number)
      copy(rows[number], pointerOf(storage), element.getType());
  }
  // A carried value that moves to another place is saved before it is replaced.
  SmallVector<Value> sources;
  for (OpOperand &operand : next.getCarriedMutable()) {
    sources.push_back(pointerOf(getStorage(operand.get())));
    auto slot = plan.moved.find(&operand);
    if (slot == plan.moved.end())
      continue;
    Value saved = advance(arena, exprs->emit(plan.offsets[slot->second]));
    copy(saved, sources.back(), operand.get().getType());
    sources.back() = saved;
  }
  for (auto [argument, value, source] :
       llvm::zip_equal(loop.getCarriedArguments(), next.getCarried(), sources))
    if (getStorage(value) != argument)
      copy(pointers.lookup(argument), source, value.getType());
}

FailureOr<Value> VariantLowering::lowerBody(LoopOp loop, Value trip) {
  known.insert(loop.getIteration().str());
  sizes[loop.getIteration().str()] = trip;
  makeExprs(loop.getLoc());
  NextOp next = loop.getNext();
  SmallVector<Value> rows;
  for (auto [result, element] :
       llvm::zip_equal(loop.getStackedResults(), next.getStacked())) {
    Value bytes = exprs->emit(getByteSize(element.getType()));
    Value offset = b.create<arith::MulIOp>(loop.getLoc(), trip, bytes);
    rows.push_back(advance(pointers.lookup(result), offset));
  }
  for (auto [storage, number] : getStackedInPlace(loop))
    pointers[storage] = rows[number];
  if (failed(lowerBlock(loop.getBody().front())))
    return failure();
  Value goesOn;
  if (next.getCondition())
    goesOn = loadBool(next.getCondition());
  finishTrip(loop, rows);
  return goesOn;
}

LogicalResult VariantLowering::lowerLoop(LoopOp loop) {
  if (failed(checkSymbols(loop, {loop.getTripCount()})))
    return failure();
  for (auto [init, argument, result] :
       llvm::zip_equal(loop.getInits(), loop.getCarriedArguments(),
                       loop.getCarriedResults())) {
    Value buffer = pointers[result] = pointerOf(result);
    copy(buffer, pointerOf(getStorage(init)), init.getType());
    pointers[argument] = buffer;
  }
  for (Value result : loop.getStackedResults()) {
    pointers[result] = pointerOf(result);
    if (loop.isConditional())
      clear(pointers[result], result.getType());
  }
  for (auto [value, argument] :
       llvm::zip_equal(loop.getCaptures(), loop.getCapturedArguments()))
    pointers[argument] = pointerOf(getStorage(value));
  // What is computed in the body is not there after it.
  auto outerPointers = pointers;
  auto outerSizes = sizes;
  LogicalResult result = createTrips(loop, [&](Value trip) {
    auto outerExprs = std::move(exprs);
    FailureOr<Value> goesOn = lowerBody(loop, trip);
    exprs = std::move(outerExprs);
    return goesOn;
  });
  pointers = std::move(outerPointers);
  sizes = std::move(outerSizes);
  known.erase(loop.getIteration().str());
  return result;
}
