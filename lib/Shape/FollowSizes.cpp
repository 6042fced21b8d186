// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks from a value that decides a size to the shapes that it comes from. Ops
// stay as they are: what is read as data is still computed by them.

#include "ambit/Shape/FollowSizes.h"
#include "FollowElements.h"
#include "ambit/Shape/FollowValues.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// Larger tensors are no sizes.
constexpr int64_t kMaxElements = 1024;
/// Bound the walk, and with it the recursion.
constexpr unsigned kMaxOps = 2000;
constexpr unsigned kMaxDepth = 200;

namespace {

class SizeFollower {
public:
  SizeFollower(ShapeContext &context, Following mode) : math(context, mode) {}

  Elements follow(Value value);
  /// The first op that could not be followed; null for data.
  Operation *getObstacle() const { return obstacle; }

private:
  Elements compute(Value value);
  Elements followResult(Operation *op);
  Elements followBranch(LoopOp loop, unsigned result);

  SizeMath math;
  llvm::DenseMap<Value, Elements> memo;
  /// What the arguments of branches stand for.
  llvm::DenseMap<Value, Value> arguments;
  Operation *obstacle = nullptr;
  unsigned visited = 0, depth = 0;
};

} // namespace

static Elements getConstants(ConstantOp op) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return std::nullopt;
  SmallVector<SizeScalar> elements;
  Type type = dense.getElementType();
  if (isa<IntegerType>(type)) {
    bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
    for (const APInt &value : dense.getValues<APInt>())
      elements.push_back(Expr(isUnsigned ? int64_t(value.getZExtValue())
                                         : value.getSExtValue()));
    return elements;
  }
  if (!isa<FloatType>(type))
    return std::nullopt;
  for (APFloat value : dense.getValues<APFloat>()) {
    bool loses = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    double number = value.convertToDouble();
    // As a size, minus zero is 0.
    MaybeScalar scalar = SizeScalar::get(number == 0 ? 0 : number);
    if (!scalar)
      return std::nullopt;
    elements.push_back(*scalar);
  }
  return elements;
}

Elements SizeFollower::follow(Value value) {
  auto found = memo.find(value);
  if (found != memo.end())
    return found->second;
  Elements elements;
  if (depth < kMaxDepth && ++visited <= kMaxOps) {
    ++depth;
    elements = compute(value);
    --depth;
  }
  memo[value] = elements;
  return elements;
}

Elements SizeFollower::compute(Value value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return getConstants(constant);
  if (std::optional<SmallVector<Expr>> known = getKnownElements(value))
    return SmallVector<SizeScalar>(known->begin(), known->end());
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = arguments.find(value);
    return argument == arguments.end() ? std::nullopt
                                       : follow(argument->second);
  }
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() > kMaxElements ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  if (auto loop = dyn_cast<LoopOp>(op))
    return followBranch(loop, cast<OpResult>(value).getResultNumber());
  return op->getNumResults() == 1 ? followResult(op) : std::nullopt;
}

Elements SizeFollower::followResult(Operation *op) {
  SmallVector<KnownOperand> operands;
  for (Value operand : op->getOperands()) {
    Elements elements = follow(operand);
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!elements || !type || !type.hasStaticShape())
      return std::nullopt;
    operands.push_back({*elements, SmallVector<int64_t>(type.getShape())});
  }
  Elements elements = followElements(op, operands, math);
  if (!elements && !obstacle)
    obstacle = op;
  return elements;
}

/// A branch of an `If` is a loop of at most one trip: what it carries out where
/// its entry holds, else what is carried in.
Elements SizeFollower::followBranch(LoopOp loop, unsigned result) {
  NextOp next = loop.getNext();
  if (!loop.getEntry() || next.getCondition() ||
      result >= loop.getCarriedResults().size())
    return std::nullopt;
  Elements entry = follow(loop.getEntry());
  Elements before = follow(loop.getInits()[result]);
  if (!entry || entry->size() != 1 || !before || !entry->front().isInteger())
    return std::nullopt;
  // Its trips are one, or are the entry as a size.
  if (!loop.getTripCount().isConstant(1) &&
      !math.prover().isEqual(loop.getTripCount(), entry->front().numerator))
    return std::nullopt;
  // The operands begin with the carried and the captured values.
  for (auto [argument, operand] :
       llvm::zip(loop.getBody().getArguments(), loop->getOperands()))
    arguments[argument] = operand;
  Following outside = math.getMode();
  auto restore = llvm::make_scope_exit([&] { math.setMode(outside); });
  math.setMode(Following::Branch);
  Elements after = follow(next.getCarried()[result]);
  if (!after || after->size() != before->size())
    return std::nullopt;
  SmallVector<SizeScalar> elements;
  for (auto [yes, no] : llvm::zip_equal(*after, *before)) {
    MaybeScalar chosen = math.select(entry->front(), yes, no);
    if (!chosen || !chosen->isValid())
      return std::nullopt;
    elements.push_back(*chosen);
  }
  return elements;
}

/// Whether anything but shapes and constants goes into a value.
static bool comesFromData(Value value) {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i) {
    Operation *op = reached[i].getDefiningOp();
    // Without an end in sight, the usual answer.
    if (!op || isa<SizeSourceOpInterface>(op) || reached.size() > kMaxOps)
      return true;
    reached.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

std::optional<SmallVector<Expr>>
ambit::followSizes(Value value, ShapeContext &context, SizeObstacle &obstacle) {
  SizeFollower follower(context, Following::Sizes);
  SmallVector<Expr> sizes;
  if (Elements elements = follower.follow(value)) {
    for (const SizeScalar &element : *elements)
      if (element.isInteger() && element.isValid())
        sizes.push_back(element.numerator);
    if (sizes.size() == elements->size())
      return sizes;
  }
  obstacle.isData = comesFromData(value);
  obstacle.op =
      follower.getObstacle() ? follower.getObstacle() : value.getDefiningOp();
  return std::nullopt;
}

std::optional<Expr> ambit::followCondition(Value condition,
                                           ShapeContext &context) {
  Elements elements =
      SizeFollower(context, Following::Branch).follow(condition);
  if (!elements || elements->size() != 1 || !elements->front().isInteger() ||
      !elements->front().isValid())
    return std::nullopt;
  return elements->front().numerator;
}

std::optional<Relation> ambit::followRelation(Value condition,
                                              ShapeContext &context) {
  Elements elements =
      SizeFollower(context, Following::Branch).follow(condition);
  if (!elements || elements->size() != 1)
    return std::nullopt;
  return elements->front().relation;
}
