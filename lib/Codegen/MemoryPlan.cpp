// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans the arena by liveness, first fit over slots whose sizes are
// expressions. Two sizes are compared by the bounds of their difference; where
// these do not decide, a value gets a slot of its own.

#include "MemoryPlan.h"
#include "LibraryCalls.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

constexpr int64_t kAlignment = 64;

Value ambit::getStorage(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return value;
}

Expr ambit::getByteSize(Type type) {
  Type element = cast<RankedTensorType>(type).getElementType();
  int64_t bytes = std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
  return sym::getNumElements(sym::getDims(type)) * Expr(bytes);
}

namespace {
struct Slot {
  Expr size;
  bool isFree = false;
};

class Planner {
public:
  Planner(Prover &prover, EntryBounds &bounds,
          const llvm::DenseSet<Value> &external, MemoryPlan &plan)
      : prover(prover), bounds(bounds), external(external), plan(plan) {}
  LogicalResult planBlock(Block &block);
  SmallVector<Slot> slots;

private:
  using LastReads = llvm::DenseMap<Value, Operation *>;
  unsigned allocate(Expr size);
  FailureOr<Expr> boundSize(Operation *op, Expr size);
  LogicalResult placeResults(Operation *op, SmallVectorImpl<unsigned> &held);
  LogicalResult planBody(LoopOp loop);
  void releaseOperands(Operation *op, const LastReads &lastReads,
                       SmallVectorImpl<unsigned> &held);
  bool isAtLeast(Expr lhs, Expr rhs) {
    return prover.bounds(lhs - rhs).min >= 0;
  }
  Prover &prover;
  EntryBounds &bounds;
  const llvm::DenseSet<Value> &external;
  MemoryPlan &plan;
};
} // namespace

llvm::DenseMap<Value, unsigned> ambit::getStackedInPlace(LoopOp loop) {
  llvm::DenseMap<Value, unsigned> numbers;
  for (auto [number, element] : llvm::enumerate(loop.getNext().getStacked())) {
    Value storage = getStorage(element);
    if (isa_and_nonnull<LaunchOp, LoopOp>(storage.getDefiningOp()))
      numbers.try_emplace(storage, number);
  }
  return numbers;
}

unsigned Planner::allocate(Expr size) {
  // Equal size first, then the tightest provable fit, then a slot to grow.
  int64_t fits = -1, grows = -1;
  for (auto [index, slot] : llvm::enumerate(slots)) {
    if (!slot.isFree)
      continue;
    if (slot.size == size) {
      slot.isFree = false;
      return index;
    }
    if (isAtLeast(slot.size, size)) {
      if (fits < 0 || isAtLeast(slots[fits].size, slot.size))
        fits = index;
    } else if (isAtLeast(size, slot.size)) {
      if (grows < 0 || isAtLeast(slot.size, slots[grows].size))
        grows = index;
    }
  }
  int64_t chosen = fits >= 0 ? fits : grows;
  if (chosen < 0) {
    slots.push_back(Slot{size, false});
    return slots.size() - 1;
  }
  if (fits < 0)
    slots[chosen].size = size;
  slots[chosen].isFree = false;
  return chosen;
}

/// For each storage, the last op of its block that reads it.
static llvm::DenseMap<Value, Operation *> findLastReads(Block &block) {
  llvm::DenseMap<Value, Operation *> last;
  for (Operation &op : block)
    if (!isa<ReshapeOp>(op))
      for (Value operand : op.getOperands())
        last[getStorage(operand)] = &op;
  return last;
}

/// What a size is at most, in terms of what is known at entry.
FailureOr<Expr> Planner::boundSize(Operation *op, Expr size) {
  std::optional<Expr> bound = bounds.aboveSize(size);
  if (!bound)
    return op->emitError() << "needs memory for '" << size.str()
                           << "' bytes, of which no upper bound is known "
                              "before the model runs";
  // In a body that runs no trip, sizes may be what no size is.
  if (op->getParentOfType<LoopOp>() && prover.bounds(*bound).min < 0)
    return Expr::max(*bound, 0);
  return *bound;
}

/// Finds slots for the results of an op, unless they live elsewhere, and for
/// the memory that it works in.
LogicalResult Planner::placeResults(Operation *op,
                                    SmallVectorImpl<unsigned> &held) {
  for (Value result : op->getResults()) {
    if (external.contains(result))
      continue;
    FailureOr<Expr> size = boundSize(op, getByteSize(result.getType()));
    if (failed(size))
      return failure();
    held.push_back(plan.slots[result] = allocate(*size));
  }
  LibraryCall call = getLibraryCall(op);
  if (call.name.empty() || call.scratchBytes.isConstant(0))
    return success();
  FailureOr<Expr> size = boundSize(op, call.scratchBytes);
  if (failed(size))
    return failure();
  unsigned slot = plan.scratch[op] = allocate(*size);
  slots[slot].isFree = true;
  return success();
}

void Planner::releaseOperands(Operation *op, const LastReads &lastReads,
                              SmallVectorImpl<unsigned> &held) {
  llvm::SmallDenseSet<Value> released;
  for (Value input : op->getOperands()) {
    Value storage = getStorage(input);
    auto slot = plan.slots.find(storage);
    if (slot == plan.slots.end() || lastReads.lookup(storage) != op ||
        !released.insert(storage).second)
      continue;
    slots[slot->second].isFree = true;
    llvm::erase(held, slot->second);
  }
}

/// The body's values take slots that nothing around it holds; all are free
/// again after a trip.
LogicalResult Planner::planBody(LoopOp loop) {
  bounds.add(loop.getIteration().str(), loop.getTripCount() - 1);
  SmallVector<unsigned> held;
  for (auto [argument, operand] : llvm::zip_equal(
           loop.getCarriedArguments(), loop.getNext().getCarriedMutable())) {
    Value storage = getStorage(operand.get());
    if (storage == argument ||
        !llvm::is_contained(loop.getCarriedArguments(), storage))
      continue;
    FailureOr<Expr> size =
        boundSize(operand.getOwner(), getByteSize(storage.getType()));
    if (failed(size))
      return failure();
    held.push_back(plan.moved[&operand] = allocate(*size));
  }
  LogicalResult result = planBlock(loop.getBody().front());
  for (unsigned slot : held)
    slots[slot].isFree = true;
  return result;
}

LogicalResult Planner::planBlock(Block &block) {
  LastReads lastReads = findLastReads(block);
  SmallVector<unsigned> held;
  for (Operation &op : block) {
    auto loop = dyn_cast<LoopOp>(op);
    if (!loop && !isa<LaunchOp>(op) && getLibraryCall(&op).name.empty())
      continue;
    if (failed(placeResults(&op, held)) || (loop && failed(planBody(loop))))
      return failure();
    releaseOperands(&op, lastReads, held);
  }
  for (unsigned slot : held)
    slots[slot].isFree = true;
  return success();
}

FailureOr<MemoryPlan> ambit::planMemory(func::FuncOp variant,
                                        const llvm::DenseSet<Value> &outputs,
                                        const Domain &domain) {
  MemoryPlan plan;
  EntryBounds bounds(domain);
  // Ranges alone: guards would be brought to bear by linear programming, which
  // finds little here and takes longer than all the rest of code generation.
  Domain ranges;
  for (const auto &[symbol, range] : domain.ranges())
    ranges.setRange(symbol, range);
  Prover prover(ranges);
  llvm::DenseSet<Value> external = outputs;
  variant.walk([&](LoopOp loop) {
    for (auto [value, number] : getStackedInPlace(loop))
      external.insert(value);
  });
  Planner planner(prover, bounds, external, plan);
  if (failed(planner.planBlock(variant.front())))
    return failure();
  Expr offset = 0;
  for (const Slot &slot : planner.slots) {
    plan.offsets.push_back(offset);
    offset = offset + Expr(kAlignment) * Expr::ceilDiv(slot.size, kAlignment);
  }
  if (!offset.isValid())
    return variant.emitError() << "a size does not fit: intermediate values "
                                  "need more than "
                               << INT64_MAX << " bytes";
  plan.size = offset;
  return plan;
}
