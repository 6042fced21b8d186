// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans the arena by liveness, first fit over slots whose sizes are expressions.
// Two sizes are compared by the bounds of their difference; where these do not
// decide, a value gets a slot of its own.

#include "MemoryPlan.h"
#include "LibraryCalls.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"

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
  Planner(Prover &prover) : prover(prover) {}
  unsigned allocate(Expr size);
  void release(unsigned slot) { slots[slot].isFree = true; }
  SmallVector<Slot> slots;

private:
  bool isAtLeast(Expr lhs, Expr rhs) {
    return prover.bounds(lhs - rhs).min >= 0;
  }
  Prover &prover;
};
} // namespace

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

/// For each storage, the last op that reads it.
static llvm::DenseMap<Value, Operation *> findLastReads(func::FuncOp variant) {
  llvm::DenseMap<Value, Operation *> last;
  for (Operation &op : variant.front())
    if (!isa<ReshapeOp>(op))
      for (Value operand : op.getOperands())
        last[getStorage(operand)] = &op;
  return last;
}

/// What a size is at most, in terms of what is known at entry.
static FailureOr<Expr> boundSize(Operation *op, Expr size,
                                 EntryBounds &bounds) {
  if (std::optional<Expr> bound = bounds.above(size))
    return *bound;
  return op->emitError() << "needs memory for '" << size.str()
                         << "' bytes, of which no upper bound is known before "
                            "the model runs";
}

FailureOr<MemoryPlan> ambit::planMemory(func::FuncOp variant,
                                        const llvm::DenseSet<Value> &external,
                                        const Domain &domain) {
  MemoryPlan plan;
  EntryBounds bounds(domain);
  // Ranges alone: guards would be brought to bear by linear programming, which
  // finds little here and takes longer than all the rest of code generation.
  Domain ranges;
  for (const auto &[symbol, range] : domain.ranges())
    ranges.setRange(symbol, range);
  Prover prover(ranges);
  Planner planner(prover);
  llvm::DenseMap<Value, Operation *> lastReads = findLastReads(variant);
  for (Operation &op : variant.front()) {
    LibraryCall call = getLibraryCall(&op);
    if (!isa<LaunchOp>(op) && call.name.empty())
      continue;
    Value result = op.getResult(0);
    if (!external.contains(result)) {
      FailureOr<Expr> size =
          boundSize(&op, getByteSize(result.getType()), bounds);
      if (failed(size))
        return failure();
      plan.slots[result] = planner.allocate(*size);
    }
    if (!call.scratchBytes.isConstant(0)) {
      FailureOr<Expr> size = boundSize(&op, call.scratchBytes, bounds);
      if (failed(size))
        return failure();
      unsigned slot = plan.scratch[&op] = planner.allocate(*size);
      planner.release(slot);
    }
    llvm::SmallDenseSet<Value> released;
    for (Value input : op.getOperands()) {
      Value storage = getStorage(input);
      auto slot = plan.slots.find(storage);
      if (slot != plan.slots.end() && lastReads.lookup(storage) == &op &&
          released.insert(storage).second)
        planner.release(slot->second);
    }
  }
  Expr offset = 0;
  for (const Slot &slot : planner.slots) {
    plan.offsets.push_back(offset);
    offset = offset + Expr(kAlignment) * Expr::ceilDiv(slot.size, kAlignment);
  }
  plan.size = offset;
  return plan;
}
