// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass graph-fold-constants.

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

namespace {
/// Finds and computes the known values of one function, in order.
class ConstantFolder {
public:
  ConstantFolder(func::FuncOp function, int64_t maxBytes)
      : function(function), maxBytes(maxBytes) {}

  void run();

private:
  /// Whether the op may be evaluated at all: known operands, no symbols, and a
  /// result within the limit.
  bool isCandidate(Operation *op);
  /// Whether the value is too large, compared with what it comes from, to be
  /// worth a constant.
  bool grows(Operation *op, int64_t sourceBytes);
  std::optional<HostTensor> compute(Operation *op);

  func::FuncOp function;
  int64_t maxBytes;
  /// The known values, and the bytes of the constants that they come from.
  /// Values that grow are known, but computed only for the sake of a user.
  DenseMap<Value, int64_t> sources;
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

bool ConstantFolder::isCandidate(Operation *op) {
  if (!isa<graph::ReferenceOpInterface>(op) || op->getNumResults() != 1 ||
      mentionsSymbols(op))
    return false;
  auto isKnown = [&](Value operand) { return sources.contains(operand); };
  std::optional<int64_t> bytes = resultBytes(op);
  return bytes && *bytes <= maxBytes &&
         llvm::all_of(op->getOperands(), isKnown);
}

bool ConstantFolder::grows(Operation *op, int64_t sourceBytes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t bytes = *resultBytes(op), elements = type.getNumElements();
  if (isa<graph::BroadcastOp, graph::IotaOp>(op))
    return bytes > sourceBytes && elements > 1;
  return bytes > 4 * sourceBytes && elements > kSmallElements;
}

std::optional<HostTensor> ConstantFolder::compute(Operation *op) {
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
  // An op that fails here fails at run time too, with a better message.
  ScopedDiagnosticHandler silence(function.getContext(),
                                  [](Diagnostic &) { return success(); });
  // Operations are erased at the end: `sources` is keyed by their results.
  SmallVector<Operation *> visited;
  for (Operation &op : llvm::make_early_inc_range(function.getOps())) {
    if (!isCandidate(&op))
      continue;
    visited.push_back(&op);
    Value result = op.getResult(0);
    int64_t source = isa<graph::ConstantOp>(op) ? *resultBytes(&op) : 0;
    for (Value operand : op.getOperands())
      source += sources.lookup(operand);
    if (isa<graph::ConstantOp>(op) || grows(&op, source)) {
      sources[result] = source;
      continue;
    }
    std::optional<HostTensor> value = compute(&op);
    if (!value)
      continue;
    OpBuilder builder(&op);
    auto constant =
        builder.create<graph::ConstantOp>(op.getLoc(), value->toAttr());
    result.replaceAllUsesWith(constant.getResult());
    sources[constant.getResult()] = value->getBytes().size();
  }
  for (Operation *op : llvm::reverse(visited))
    if (isOpTriviallyDead(op))
      op->erase();
}

namespace {
struct FoldConstants : ambit::impl::FoldConstantsPassBase<FoldConstants> {
  using FoldConstantsPassBase::FoldConstantsPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        ConstantFolder(function, maxBytes).run();
  }
};
} // namespace
