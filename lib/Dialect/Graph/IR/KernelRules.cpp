// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How each op takes part in kernels, one function an op.

#include "ambit/Dialect/Graph/IR/FloatExtension.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

constexpr uint64_t kAll = ~uint64_t(0);

KernelRule ambit::graph::getKernelRule(Operation *op) {
  if (auto participant = dyn_cast<KernelOpInterface>(op))
    return participant.getKernelRule();
  KernelRule rule;
  rule.role = KernelRole::None;
  return rule;
}

bool ambit::graph::mayDivideByZero(Operation &op) {
  APInt exponent;
  if (isa<math::IPowIOp>(op))
    return !matchPattern(op.getOperand(1), m_ConstantInt(&exponent)) ||
           exponent.isNegative();
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
           arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return false;
  APInt divisor;
  return !matchPattern(op.getOperand(1), m_ConstantInt(&divisor)) ||
         divisor.isZero() || divisor.isAllOnes();
}

static SmallVector<Expr> boxOf(Value tensor) {
  return sym::getDims(tensor.getType());
}

static KernelRule outside() {
  KernelRule rule;
  rule.role = KernelRole::None;
  return rule;
}

static KernelRule library() {
  KernelRule rule;
  rule.role = KernelRole::Library;
  return rule;
}

/// A root that does `work` at each of `points`.
static KernelRule root(WorkKind work, SmallVector<Expr> points) {
  KernelRule rule;
  rule.role = KernelRole::Root;
  rule.memoryOperands = kAll;
  rule.takesEpilogue = true;
  rule.work = work;
  rule.points = std::move(points);
  return rule;
}

//===-- Sources -----------------------------------------------------------===//

KernelRule ConstantOp::getKernelRule() { return outside(); }
KernelRule ReshapeOp::getKernelRule() { return outside(); }
KernelRule LoopOp::getKernelRule() { return outside(); }

KernelRule DimsOp::getKernelRule() {
  KernelRule rule;
  rule.role = KernelRole::Inline;
  rule.isCheap = true;
  return rule;
}

KernelRule IotaOp::getKernelRule() {
  KernelRule rule;
  rule.role = KernelRole::Inline;
  rule.isCheap = true;
  return rule;
}

//===-- Elementwise and movement ------------------------------------------===//

KernelRule MapOp::getKernelRule() {
  KernelRule rule;
  rule.role = KernelRole::Inline;
  rule.inlineOperands = kAll;
  rule.isCheap = isFloatExtension(*this);
  if (llvm::any_of(getBody().front(), mayDivideByZero))
    rule.check = DataCheck::Division;
  rule.work = WorkKind::Body;
  rule.points = boxOf(getResult());
  return rule;
}

KernelRule BroadcastOp::getKernelRule() {
  KernelRule rule;
  rule.role = KernelRole::Inline;
  rule.inlineOperands = kAll;
  rule.inlinesOnlyCheap = true;
  rule.isCheap = true;
  return rule;
}

KernelRule SliceOp::getKernelRule() {
  KernelRule rule;
  rule.role = KernelRole::Inline;
  rule.inlineOperands = kAll;
  return rule;
}

KernelRule TransposeOp::getKernelRule() {
  KernelRule rule;
  rule.inlineOperands = kAll;
  rule.work = WorkKind::Scattered;
  rule.points = boxOf(getResult());
  return rule;
}

KernelRule ConcatOp::getKernelRule() {
  KernelRule rule;
  rule.inlineOperands = kAll;
  return rule;
}

KernelRule PadOp::getKernelRule() {
  KernelRule rule;
  rule.inlineOperands = getMode() == PadMode::Constant ? 1 : 0;
  return rule;
}

KernelRule GatherOp::getKernelRule() {
  KernelRule rule;
  rule.inlineOperands = 1 << 1;
  rule.memoryOperands = 1 << 0;
  rule.check = DataCheck::Index;
  rule.work = WorkKind::Scattered;
  rule.points = boxOf(getResult());
  return rule;
}

KernelRule ResizeOp::getKernelRule() {
  KernelRule rule;
  rule.work = WorkKind::Sample;
  rule.points = boxOf(getResult());
  return rule;
}

//===-- Roots -------------------------------------------------------------===//

KernelRule ContractOp::getKernelRule() {
  SmallVector<Expr> points = boxOf(getResult());
  points.push_back(boxOf(getLhs()).back());
  KernelRule rule = root(WorkKind::MultiplyAdd, std::move(points));
  rule.loadsInWork = true;
  return rule;
}

KernelRule ConvOp::getKernelRule() {
  SmallVector<Expr> points = boxOf(getResult());
  llvm::append_range(points, ArrayRef(boxOf(getFilter())).drop_front());
  KernelRule rule = root(WorkKind::MultiplyAdd, std::move(points));
  rule.loadsInWork = true;
  return rule;
}

KernelRule WindowOp::getKernelRule() {
  SmallVector<Expr> points = boxOf(getResult());
  points.append(getWindow().begin(), getWindow().end());
  return root(WorkKind::Combine, std::move(points));
}

KernelRule ReduceOp::getKernelRule() {
  KernelRule rule = root(WorkKind::Combine, boxOf(getInput()));
  rule.inlineOperands = kAll;
  return rule;
}

KernelRule ArgReduceOp::getKernelRule() {
  KernelRule rule = root(WorkKind::Combine, boxOf(getInput()));
  rule.inlineOperands = kAll;
  return rule;
}

// Stores its input's exponentials in its result's buffer on the way.
KernelRule SoftmaxOp::getKernelRule() {
  KernelRule rule = root(WorkKind::Softmax, boxOf(getResult()));
  rule.inlineOperands = kAll;
  rule.takesEpilogue = false;
  return rule;
}

//===-- Ops of the library ------------------------------------------------===//

KernelRule NonZeroOp::getKernelRule() { return library(); }
KernelRule UniqueOp::getKernelRule() { return library(); }
KernelRule UniqueInverseOp::getKernelRule() { return library(); }
KernelRule HistogramOp::getKernelRule() { return library(); }
KernelRule TopKOp::getKernelRule() { return library(); }
KernelRule NmsOp::getKernelRule() { return library(); }
KernelRule ScatterOp::getKernelRule() { return library(); }
KernelRule UnpackOp::getKernelRule() { return library(); }
KernelRule PackOp::getKernelRule() { return library(); }
