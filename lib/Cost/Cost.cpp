// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ticks of ops and kernels. They were read off kernels that ran alone on AVX2
// at 2.6 GHz, data in the second cache.

#include "ambit/Cost/Cost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::cost;
using namespace ambit::graph;

// Ticks for one element.
constexpr int64_t kMultiplyAdd = 1;
constexpr int64_t kArithmetic = 1;
constexpr int64_t kDivision = 8;
constexpr int64_t kMathFunction = 24;
constexpr int64_t kMemory = 2;     // one load or store, in order
constexpr int64_t kScattered = 12; // one load out of order
constexpr int64_t kCombine = 3;    // one step of a reduction
constexpr int64_t kSoftmax = 40;   // three passes and an exponential
constexpr int64_t kSample = 24;    // one element of a resize
/// Instructions of a math function's polynomial.
constexpr int64_t kMathInstructions = 16;
/// A unit's work.
constexpr int64_t kUnitTicks = 16 * kTicksPerMicrosecond;
constexpr int64_t kMostRowsPerUnit = 64;

//===-- Amounts -----------------------------------------------------------===//

static int64_t multiply(int64_t lhs, int64_t rhs) {
  return int64_t(std::min<uint64_t>(
      llvm::SaturatingMultiply<uint64_t>(lhs, rhs), INT64_MAX));
}

static int64_t plus(int64_t lhs, int64_t rhs) {
  return int64_t(
      std::min<uint64_t>(llvm::SaturatingAdd<uint64_t>(lhs, rhs), INT64_MAX));
}

void Amount::add(ArrayRef<Expr> box, int64_t each) {
  SmallVector<Expr> symbolic;
  for (Expr extent : box) {
    if (std::optional<int64_t> value = extent.constant())
      each = multiply(each, std::max<int64_t>(*value, 0));
    else
      symbolic.push_back(extent);
  }
  for (Term &term : sum)
    if (term.box == symbolic) {
      term.weight = plus(term.weight, each);
      return;
    }
  sum.push_back(Term{std::move(symbolic), each});
}

std::optional<int64_t>
Amount::evaluate(const std::map<std::string, int64_t> &sizes) const {
  int64_t total = 0;
  for (const Term &term : sum) {
    int64_t product = term.weight;
    for (Expr extent : term.box) {
      std::optional<int64_t> value = extent.evaluate(sizes);
      if (!value)
        return std::nullopt;
      product = multiply(product, std::max<int64_t>(*value, 0));
    }
    total = plus(total, product);
  }
  return total;
}

//===-- Scalar bodies -----------------------------------------------------===//

namespace {
enum class Scalar { Free, Plain, Division, Root, Function };
} // namespace

static Scalar classify(Operation &op) {
  if (isa<arith::ConstantOp, YieldOp>(op))
    return Scalar::Free;
  if (isa<math::AbsFOp, math::CopySignOp, math::FmaOp, math::FloorOp,
          math::CeilOp, math::TruncOp, math::RoundEvenOp>(op))
    return Scalar::Plain;
  if (isa<math::SqrtOp>(op))
    return Scalar::Root;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
          arith::RemSIOp, arith::RemUIOp>(op))
    return Scalar::Division;
  return isa<math::MathDialect>(op.getDialect()) ? Scalar::Function
                                                 : Scalar::Plain;
}

static int64_t ticksOf(Operation &op) {
  switch (classify(op)) {
  case Scalar::Free:
    return 0;
  case Scalar::Plain:
    return kArithmetic;
  case Scalar::Division:
  case Scalar::Root:
    return kDivision;
  case Scalar::Function:
    return kMathFunction;
  }
  llvm_unreachable("every class is listed");
}

static int64_t instructionsOf(Operation &op) {
  switch (classify(op)) {
  case Scalar::Free:
    return 0;
  case Scalar::Plain:
  case Scalar::Division:
  case Scalar::Root:
    return 1;
  case Scalar::Function:
    return kMathInstructions;
  }
  llvm_unreachable("every class is listed");
}

int64_t cost::getTicks(MapOp map) {
  int64_t ticks = 0;
  for (Operation &op : map.getBody().front())
    ticks += ticksOf(op);
  return ticks;
}

int64_t cost::countEpilogueInstructions(Block &kernel) {
  int64_t count = 0;
  for (MapOp map : kernel.getOps<MapOp>())
    for (Operation &op : map.getBody().front())
      count += instructionsOf(op);
  return count;
}

//===-- Ops and kernels ---------------------------------------------------===//

static int64_t ticksAt(WorkKind work, Operation *op) {
  switch (work) {
  case WorkKind::None:
    return 0;
  case WorkKind::MultiplyAdd:
    return kMultiplyAdd;
  case WorkKind::Combine:
    return kCombine;
  case WorkKind::Softmax:
    return kSoftmax;
  case WorkKind::Scattered:
    return kScattered;
  case WorkKind::Sample:
    return kSample;
  case WorkKind::Body:
    return getTicks(cast<MapOp>(op));
  }
  llvm_unreachable("every kind is listed");
}

static SmallVector<Expr> boxOf(Value tensor) {
  return sym::getDims(tensor.getType());
}

void cost::addTicks(Amount &amount, Operation *op) {
  KernelRule rule = getKernelRule(op);
  if (rule.work != WorkKind::None)
    amount.add(rule.points, ticksAt(rule.work, op));
}

Amount cost::getKernelTicks(Block &kernel) {
  Amount amount;
  for (Operation &op : kernel.without_terminator()) {
    addTicks(amount, &op);
    if (getKernelRule(&op).loadsInWork)
      continue;
    for (Value operand : op.getOperands())
      if (isa<BlockArgument>(operand))
        amount.add(boxOf(op.getResult(0)), kMemory);
  }
  for (Value returned : kernel.getTerminator()->getOperands())
    amount.add(boxOf(returned), kMemory);
  return amount;
}

//===-- Units -------------------------------------------------------------===//

int64_t cost::chooseRowsPerUnit(ArrayRef<RowPoints> row, WorkKind work) {
  int64_t ticks = ticksAt(work, nullptr);
  for (const RowPoints &points : row)
    ticks = multiply(
        ticks, std::min(points.extent.value_or(points.typical), points.most));
  return std::clamp<int64_t>(kUnitTicks / std::max<int64_t>(ticks, 1), 1,
                             kMostRowsPerUnit);
}

int64_t cost::countUnitPoints(WorkKind work) {
  return kUnitTicks / std::max<int64_t>(ticksAt(work, nullptr), 1);
}

int64_t cost::countUnitElements(Block &kernel) {
  int64_t ticks = 2 * kMemory;
  for (MapOp map : kernel.getOps<MapOp>())
    ticks += getTicks(map);
  return kUnitTicks / ticks;
}
