// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts ops that alone would make a kernel too large: the sum of thousands of
// tensors is one map, their concatenation one concat. A map is cut where a
// single scalar crosses; it becomes a tensor of the scalar's own type, so
// nothing is rounded that was not rounded before. A concat becomes a tree.

#include "CodeSize.h"
#include "ambit/Kernel/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ambit {
#define GEN_PASS_DEF_SPLITWIDEOPSPASS
#include "ambit/Kernel/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

namespace {
/// The first part of a map's body.
struct Head {
  /// The scalars that belong to it: so many from the start.
  unsigned length = 0;
  /// The one value that the rest needs.
  Value crossing;
};
} // namespace

/// Constants cost nothing and are there on both sides of a cut.
static SmallVector<Operation *> getScalars(Block &body) {
  SmallVector<Operation *> scalars;
  for (Operation &op : body.without_terminator())
    if (!isa<arith::ConstantOp>(op))
      scalars.push_back(&op);
  return scalars;
}

/// The longest head within the size after which one value crosses, and which is
/// not the whole.
static std::optional<Head> findHead(ArrayRef<Operation *> scalars,
                                    int64_t maxCodeSize) {
  llvm::DenseMap<Operation *, unsigned> position;
  for (auto [index, op] : llvm::enumerate(scalars))
    position[op] = index;
  auto lastUse = [&](Operation *op) {
    size_t last = 0;
    for (Operation *user : op->getUsers()) {
      auto found = position.find(user);
      last = std::max<size_t>(last, found == position.end() ? scalars.size()
                                                            : found->second);
    }
    return last;
  };
  std::optional<Head> best;
  llvm::DenseSet<Value> inputs;
  llvm::SetVector<Operation *> live;
  SmallVector<SmallVector<Operation *, 1>> endsAt(scalars.size() + 1);
  int64_t size = 0;
  for (auto [index, op] : llvm::enumerate(scalars)) {
    size += getScalarSize(op);
    for (Value operand : op->getOperands())
      if (!isa_and_nonnull<arith::ConstantOp>(operand.getDefiningOp()) &&
          !position.count(operand.getDefiningOp()) &&
          inputs.insert(operand).second)
        size += kOperandSize;
    if (size > maxCodeSize || index + 1 == scalars.size())
      break;
    for (Operation *ended : endsAt[index])
      live.remove(ended);
    if (size_t last = lastUse(op); last > index) {
      endsAt[last].push_back(op);
      live.insert(op);
    }
    if (live.size() == 1 && !inputs.empty())
      best = Head{unsigned(index + 1), live.front()->getResult(0)};
  }
  return best;
}

/// A map of some scalars of a body, whose operands from outside of these are
/// elements of tensors.
static Value createMap(OpBuilder &b, MapOp old, ArrayRef<Operation *> scalars,
                       Value yielded,
                       const llvm::MapVector<Value, Value> &tensors) {
  Location loc = old.getLoc();
  Type scalar = yielded.getType();
  RankedTensorType oldType = old.getResult().getType();
  bool isLast = old.getBody().front().getTerminator()->getOperand(0) == yielded;
  Type elementType = isLast ? oldType.getElementType() : scalar;
  SmallVector<Value> inputs;
  for (const auto &[argument, tensor] : tensors)
    inputs.push_back(tensor);
  auto map = b.create<MapOp>(
      loc, sym::getTensorType(sym::getDims(oldType), elementType), inputs);
  OpBuilder::InsertionGuard guard(b);
  Block &body = map.getBody().emplaceBlock();
  b.setInsertionPointToStart(&body);
  IRMapping mapping;
  for (const auto &[argument, tensor] : tensors)
    mapping.map(argument, body.addArgument(argument.getType(), loc));
  for (Operation *op : scalars) {
    for (Value operand : op->getOperands())
      if (auto constant = operand.getDefiningOp<arith::ConstantOp>())
        if (!mapping.contains(operand))
          b.clone(*constant, mapping);
    b.clone(*op, mapping);
  }
  b.create<YieldOp>(loc, mapping.lookup(yielded));
  return map.getResult();
}

/// Cuts heads off a map until the rest is small enough or nothing can be cut.
static void splitMap(MapOp map, int64_t maxCodeSize) {
  OpBuilder b(map);
  SmallVector<Operation *> all = getScalars(map.getBody().front());
  ArrayRef<Operation *> rest = all;
  // What the scalars' operands from outside of `rest` are as tensors.
  llvm::DenseMap<Value, Value> tensorOf;
  for (auto [argument, input] :
       llvm::zip_equal(map.getBody().getArguments(), map.getInputs()))
    tensorOf[argument] = input;
  auto collect = [&](ArrayRef<Operation *> scalars) {
    llvm::MapVector<Value, Value> tensors;
    for (Operation *op : scalars)
      for (Value operand : op->getOperands())
        if (Value tensor = tensorOf.lookup(operand))
          tensors.insert({operand, tensor});
    return tensors;
  };
  auto sizeOf = [&](ArrayRef<Operation *> scalars) {
    int64_t size = kOperandSize * int64_t(collect(scalars).size());
    for (Operation *op : scalars)
      size += getScalarSize(op);
    return size;
  };
  while (sizeOf(rest) > maxCodeSize) {
    std::optional<Head> head = findHead(rest, maxCodeSize);
    if (!head)
      break;
    ArrayRef<Operation *> scalars = rest.take_front(head->length);
    tensorOf[head->crossing] =
        createMap(b, map, scalars, head->crossing, collect(scalars));
    rest = rest.drop_front(head->length);
  }
  if (rest.size() == all.size())
    return;
  Value yielded = map.getBody().front().getTerminator()->getOperand(0);
  map.getResult().replaceAllUsesWith(
      createMap(b, map, rest, yielded, collect(rest)));
  map.erase();
}

/// concat(x1, ..., xn) ==> concat(concat(x1, ..., xk), concat(...), ...)
static void splitConcat(ConcatOp concat, size_t maxPieces) {
  OpBuilder b(concat);
  int64_t dim = concat.getDim();
  SmallVector<Value> pieces(concat.getInputs());
  while (pieces.size() > maxPieces) {
    SmallVector<Value> joined;
    for (ArrayRef<Value> rest = pieces; !rest.empty();) {
      ArrayRef<Value> some = rest.take_front(maxPieces);
      rest = rest.drop_front(some.size());
      SmallVector<Expr> dims = sym::getDims(some.front().getType());
      for (Value piece : some.drop_front())
        dims[dim] = dims[dim] + sym::getDims(piece.getType())[dim];
      Type type = sym::getTensorType(
          dims, concat.getResult().getType().getElementType());
      joined.push_back(
          some.size() == 1
              ? some.front()
              : b.create<ConcatOp>(concat.getLoc(), type, some, uint64_t(dim))
                    .getResult());
    }
    pieces = std::move(joined);
  }
  concat.getInputsMutable().assign(pieces);
}

namespace {
struct SplitWideOpsPass
    : public ambit::impl::SplitWideOpsPassBase<SplitWideOpsPass> {
  using SplitWideOpsPassBase::SplitWideOpsPassBase;
  void runOnOperation() override {
    SmallVector<Operation *> wide;
    getOperation()->walk([&](Operation *op) {
      auto concat = dyn_cast<ConcatOp>(op);
      if ((concat && concat.getInputs().size() > maxPieces) ||
          (isa<MapOp>(op) && getCodeSize(op) > maxCodeSize))
        wide.push_back(op);
    });
    for (Operation *op : wide) {
      if (auto map = dyn_cast<MapOp>(op))
        splitMap(map, maxCodeSize);
      else
        splitConcat(cast<ConcatOp>(op), maxPieces);
    }
  }
};
} // namespace
