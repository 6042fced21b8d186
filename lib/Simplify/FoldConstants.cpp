// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass graph-fold-constants.

#include "ambit/Dialect/Graph/IR/FloatExtension.h"
#include "ambit/Reference/Reference.h"
#include "ambit/Simplify/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ambit {
#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "ambit/Simplify/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using ambit::reference::HostTensor;

/// Results this small are worth a constant whatever they come from.
static constexpr int64_t kSmallElements = 4096;
/// A loop of more trips than this stays.
static constexpr int64_t kMaxTrips = 64;

namespace {
/// Finds and computes the known values of one block, in order.
class ConstantFolder {
public:
  ConstantFolder(Block &block, int64_t maxBytes)
      : block(block), maxBytes(maxBytes) {}

  void run();

private:
  /// Whether the op may be evaluated at all: known operands, no symbols that it
  /// mentions or sets, and a result within the limit.
  bool isCandidate(Operation *op);
  /// Whether the value is too large, compared with what it comes from, to be
  /// worth a constant.
  bool grows(Operation *op, int64_t sourceBytes);
  std::optional<HostTensor> compute(Operation *op);
  /// Takes note of a candidate, and computes it unless it grows.
  void visit(Operation *op);

  Block &block;
  int64_t maxBytes;
  /// The known values, and the bytes of the constants that they come from.
  /// Values that grow are known, but computed only for the sake of a user.
  DenseMap<Value, int64_t> sources;
  /// The ops of the known values, in order.
  SmallVector<Operation *> known;
  DenseMap<Operation *, HostTensor> folded;
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

/// The bytes of an op's result; nothing when its shape is not static.
static std::optional<int64_t> resultBytes(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  int64_t bytes = HostTensor::elementBytes(type.getElementType());
  for (int64_t dim : type.getShape())
    if (llvm::MulOverflow(bytes, dim, bytes))
      return std::nullopt;
  return bytes;
}

/// A loop that the compiler had better not run: long, or until its data ends
/// it.
static bool isLongLoop(Operation *op) {
  auto loop = dyn_cast<graph::LoopOp>(op);
  if (!loop)
    return false;
  std::optional<int64_t> trips = loop.getTripCount().constant();
  return !trips || *trips > kMaxTrips;
}

bool ConstantFolder::isCandidate(Operation *op) {
  if (!isa<graph::ReferenceOpInterface>(op) || op->getNumResults() != 1 ||
      isa<graph::SizeSourceOpInterface>(op) || mentionsSymbols(op) ||
      isLongLoop(op))
    return false;
  auto isKnown = [&](Value operand) { return sources.contains(operand); };
  std::optional<int64_t> bytes = resultBytes(op);
  return bytes && *bytes <= maxBytes &&
         llvm::all_of(op->getOperands(), isKnown);
}

bool ConstantFolder::grows(Operation *op, int64_t sourceBytes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t bytes = *resultBytes(op), elements = type.getNumElements();
  if (isa<graph::BroadcastOp, graph::IotaOp>(op) || graph::isFloatExtension(op))
    return bytes > sourceBytes && elements > 1;
  return bytes > 4 * sourceBytes && elements > kSmallElements;
}

std::optional<HostTensor> ConstantFolder::compute(Operation *op) {
  if (auto value = folded.find(op); value != folded.end())
    return value->second;
  std::vector<HostTensor> values, results;
  std::vector<const HostTensor *> operands;
  for (Value operand : op->getOperands()) {
    std::optional<HostTensor> value = compute(operand.getDefiningOp());
    if (!value)
      return std::nullopt;
    values.push_back(std::move(*value));
  }
  for (const HostTensor &value : values)
    operands.push_back(&value);
  auto evaluated = cast<graph::ReferenceOpInterface>(op);
  if (failed(evaluated.evaluate(operands, {}, results)))
    return std::nullopt;
  return std::move(results.front());
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
  // A value that only other folded ops use never becomes an attribute.
  auto isFolded = [&](Operation *user) { return folded.contains(user); };
  for (Operation *op : known) {
    auto value = folded.find(op);
    if (value == folded.end() || llvm::all_of(op->getUsers(), isFolded))
      continue;
    OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(builder.create<graph::ConstantOp>(
        op->getLoc(), value->second.toAttr()));
  }
  for (Operation *op : llvm::reverse(known))
    if (isOpTriviallyDead(op))
      op->erase();
}

void ConstantFolder::visit(Operation *op) {
  int64_t source = isa<graph::ConstantOp>(op) ? *resultBytes(op) : 0;
  for (Value operand : op->getOperands())
    source += sources.lookup(operand);
  if (!isa<graph::ConstantOp>(op) && !grows(op, source)) {
    std::optional<HostTensor> value = compute(op);
    if (!value)
      return;
    source = value->getBytes().size();
    folded[op] = std::move(*value);
  }
  known.push_back(op);
  sources[op->getResult(0)] = source;
}

namespace {
struct FoldConstants : ambit::impl::FoldConstantsPassBase<FoldConstants> {
  using FoldConstantsPassBase::FoldConstantsPassBase;

  /// Folds a block after the bodies of its loops: a loop may fold as a whole.
  void fold(Block &block) {
    for (auto loop : block.getOps<graph::LoopOp>())
      fold(loop.getBody().front());
    ConstantFolder(block, maxBytes).run();
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        fold(function.front());
  }
};
} // namespace
