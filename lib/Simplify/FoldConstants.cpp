// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass graph-fold-constants.

#include "ambit/Dialect/Graph/IR/FloatExtension.h"
#include "ambit/Reference/Reference.h"
#include "ambit/Reference/Work.h"
#include "ambit/Simplify/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace ambit {
#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "ambit/Simplify/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using ambit::reference::HostTensor;

/// Results this small are worth a constant whatever they come from.
static constexpr int64_t kSmallElements = 4096;
/// Constants allow for this much work a byte, whatever the other limits say: so
/// work that is linear in the size of the model is always done.
static constexpr uint64_t kWorkPerByte = 8;
/// Looking at one op costs this much work.
static constexpr uint64_t kWorkPerOp = 128;
/// The values of a model may take this many times the bytes of its constants.
static constexpr uint64_t kGrowth = 4;

namespace {
/// What one value may take, and what is left for all of them.
struct Budget {
  uint64_t maxBytes, maxWork;
  uint64_t bytes, work;

  /// Takes what is there, but no more than that.
  void spend(uint64_t operations) { work -= std::min(work, operations); }
};

/// Finds and computes the known values of one block, in order.
class ConstantFolder {
public:
  ConstantFolder(Block &block, Budget &budget) : block(block), budget(budget) {}

  void run();

private:
  /// An op whose results depend on constants only.
  struct Known {
    /// The bytes of the constants that it comes from.
    uint64_t source = 0;
    /// Its results, unless they were not needed yet or are needed no more.
    std::optional<std::vector<HostTensor>> values;
    /// Whether constants take their place. Values that grow are computed only
    /// for the sake of a user.
    bool isFolded = false;
    /// The uses by ops that were not folded.
    int64_t uses = 0;
  };

  /// Whether the op may be evaluated at all: known operands, no symbols that it
  /// mentions or sets, and results within the limit.
  bool isCandidate(Operation *op);
  /// Whether the results are too large, compared with what they come from, to
  /// be worth constants.
  bool grows(Operation *op, uint64_t source);
  /// Takes note of a candidate, and computes it unless it grows.
  void visit(Operation *op);
  Known &knownOf(Operation *op) { return known.find(op)->second; }
  LogicalResult compute(Operation *op);
  /// The ops to evaluate for the results of `op`, in order; nothing when they
  /// are beyond the budget.
  std::optional<SmallVector<Operation *>> schedule(Operation *op);
  LogicalResult evaluate(Operation *op);
  /// Forgets the operands' values that only folded ops use.
  void releaseOperands(Operation *op);
  /// Forgets values that are no constants, when they take too much memory.
  void trimCache();

  Block &block;
  Budget &budget;
  llvm::MapVector<Operation *, Known> known;
  /// The bytes of the values that were computed for the sake of a user.
  uint64_t cached = 0;
};
} // namespace

static bool mentionsSymbols(Operation *op) {
  std::set<std::string> names;
  for (NamedAttribute attr : op->getAttrs())
    if (auto shape = dyn_cast<sym::ShapeAttr>(attr.getValue()))
      for (Expr dim : shape.getDims())
        dim.collectSymbols(names);
  return !names.empty();
}

/// The bytes of an op's results; nothing when one's shape is not static.
static std::optional<uint64_t> resultBytes(Operation *op) {
  uint64_t total = 0;
  for (Type result : op->getResultTypes()) {
    auto type = dyn_cast<RankedTensorType>(result);
    if (!type || !type.hasStaticShape() ||
        !type.getElementType().isIntOrIndexOrFloat())
      return std::nullopt;
    int64_t bytes = HostTensor::elementBytes(type.getElementType());
    for (int64_t dim : type.getShape())
      if (llvm::MulOverflow(bytes, dim, bytes))
        return std::nullopt;
    total = llvm::SaturatingAdd(total, uint64_t(bytes));
  }
  return total;
}

/// The bytes that a constant takes in the model: one element when all are the
/// same.
static uint64_t storedBytes(graph::ConstantOp op) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (dense && dense.isSplat())
    return HostTensor::elementBytes(dense.getElementType());
  return resultBytes(op).value_or(0);
}

bool ConstantFolder::isCandidate(Operation *op) {
  if (!isa<graph::ReferenceOpInterface>(op) || op->getNumResults() == 0 ||
      isa<graph::SizeSourceOpInterface, graph::PackOp>(op) ||
      mentionsSymbols(op))
    return false;
  auto isKnown = [&](Value operand) {
    return known.contains(operand.getDefiningOp());
  };
  std::optional<uint64_t> bytes = resultBytes(op);
  return bytes && *bytes <= budget.maxBytes &&
         llvm::all_of(op->getOperands(), isKnown);
}

bool ConstantFolder::grows(Operation *op, uint64_t source) {
  uint64_t bytes = *resultBytes(op);
  int64_t elements = 0;
  for (Type type : op->getResultTypes())
    elements += cast<RankedTensorType>(type).getNumElements();
  if (elements <= 1)
    return false;
  if (bytes > budget.bytes)
    return true;
  if (isa<graph::BroadcastOp, graph::IotaOp>(op) || graph::isFloatExtension(op))
    return bytes > source;
  return elements > kSmallElements &&
         bytes > llvm::SaturatingMultiply(source, kGrowth);
}

std::optional<SmallVector<Operation *>>
ConstantFolder::schedule(Operation *op) {
  uint64_t limit = std::min(
      budget.work, llvm::SaturatingMultiplyAdd(knownOf(op).source, kWorkPerByte,
                                               budget.maxWork));
  uint64_t work = 0, bytes = 0;
  SmallVector<Operation *> order;
  llvm::DenseSet<Operation *> seen;
  SmallVector<std::pair<Operation *, unsigned>> stack;
  auto enter = [&](Operation *next) {
    seen.insert(next);
    stack.emplace_back(next, 0);
    work = llvm::SaturatingAdd(work, reference::countWork(next));
    bytes += *resultBytes(next);
  };
  enter(op);
  while (!stack.empty()) {
    // Together, what is needed at one time must fit in memory.
    if (work > limit || bytes / kGrowth > budget.maxBytes) {
      budget.spend(kWorkPerOp * seen.size());
      return std::nullopt;
    }
    auto &[next, operand] = stack.back();
    if (operand == next->getNumOperands()) {
      order.push_back(next);
      stack.pop_back();
      continue;
    }
    Operation *producer = next->getOperand(operand++).getDefiningOp();
    if (!knownOf(producer).values && !seen.contains(producer))
      enter(producer);
  }
  budget.spend(work);
  return order;
}

LogicalResult ConstantFolder::evaluate(Operation *op) {
  std::vector<const HostTensor *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        &knownOf(operand.getDefiningOp())
             .values->at(cast<OpResult>(operand).getResultNumber()));
  std::vector<HostTensor> results;
  auto evaluated = cast<graph::ReferenceOpInterface>(op);
  if (failed(evaluated.evaluate(operands, {}, results)))
    return failure();
  knownOf(op).values = std::move(results);
  cached += *resultBytes(op);
  return success();
}

LogicalResult ConstantFolder::compute(Operation *op) {
  trimCache();
  std::optional<SmallVector<Operation *>> order = schedule(op);
  if (!order)
    return failure();
  for (Operation *next : *order)
    if (failed(evaluate(next)))
      return failure();
  return success();
}

void ConstantFolder::trimCache() {
  if (cached / kGrowth <= budget.maxBytes)
    return;
  for (auto &[op, entry] : known)
    if (!entry.isFolded)
      entry.values.reset();
  cached = 0;
}

void ConstantFolder::releaseOperands(Operation *op) {
  for (Value operand : op->getOperands()) {
    Known &entry = knownOf(operand.getDefiningOp());
    if (--entry.uses != 0 || !entry.values)
      continue;
    uint64_t bytes = *resultBytes(operand.getDefiningOp());
    if (entry.isFolded)
      budget.bytes += bytes;
    else
      cached -= bytes;
    entry.values.reset();
  }
}

void ConstantFolder::visit(Operation *op) {
  Known entry;
  auto constant = dyn_cast<graph::ConstantOp>(op);
  if (constant)
    entry.source = storedBytes(constant);
  llvm::SmallPtrSet<Operation *, 4> producers;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp();
        producers.insert(producer).second)
      entry.source =
          llvm::SaturatingAdd(entry.source, knownOf(producer).source);
  entry.uses = std::distance(op->use_begin(), op->use_end());
  bool isWanted = !constant && !grows(op, entry.source);
  known.insert({op, std::move(entry)});
  if (!isWanted)
    return;
  if (failed(compute(op))) {
    known.pop_back();
    return;
  }
  Known &folded = known.back().second;
  uint64_t bytes = *resultBytes(op);
  folded.isFolded = true;
  // A value that was made small is the source of what it becomes.
  folded.source = std::min(folded.source, bytes);
  cached -= bytes;
  budget.bytes -= std::min(budget.bytes, bytes);
  releaseOperands(op);
}

void ConstantFolder::run() {
  {
    // An op that fails here fails at run time too, with a better message.
    ScopedDiagnosticHandler silence(block.getParentOp()->getContext(),
                                    [](Diagnostic &) { return success(); });
    for (Operation &op : block)
      if (isCandidate(&op))
        visit(&op);
  }
  // Users first: a value that only other folded ops use never becomes an
  // attribute.
  for (auto &[op, entry] : llvm::reverse(known)) {
    for (OpResult result : op->getResults()) {
      if (!entry.isFolded || result.use_empty())
        continue;
      OpBuilder builder(op);
      result.replaceAllUsesWith(builder.create<graph::ConstantOp>(
          op->getLoc(), entry.values->at(result.getResultNumber()).toAttr()));
    }
    if (isOpTriviallyDead(op))
      op->erase();
  }
}

namespace {
struct FoldConstants : ambit::impl::FoldConstantsPassBase<FoldConstants> {
  using FoldConstantsPassBase::FoldConstantsPassBase;

  /// Folds a block after the bodies of its loops: a loop may fold as a whole.
  void fold(Block &block, Budget &budget) {
    for (Operation &op : block)
      if (graph::getKernelRule(&op).role == graph::KernelRole::None)
        for (Region &region : op.getRegions())
          fold(region.front(), budget);
    ConstantFolder(block, budget).run();
  }

  void runOnOperation() override {
    uint64_t stored = 0;
    getOperation().walk([&](graph::ConstantOp op) {
      stored = llvm::SaturatingAdd(stored, storedBytes(op));
    });
    Budget budget{
        uint64_t(maxBytes), uint64_t(maxWork),
        llvm::SaturatingMultiplyAdd(stored, kGrowth, uint64_t(totalBytes)),
        llvm::SaturatingMultiplyAdd(stored, kWorkPerByte, uint64_t(totalWork))};
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        fold(function.front(), budget);
  }
};
} // namespace
