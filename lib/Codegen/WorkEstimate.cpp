// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the work of a kernel: each op once for every element that it
// computes, weighted by its kind, and what is loaded and stored. The costs were
// read off kernels that ran alone on AVX2 at 2.6 GHz, data in the second cache.

#include "WorkEstimate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit;
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

namespace {
/// A sum of products of dims, each with a weight.
class Sum {
public:
  /// Adds `ticks` for each point of a box.
  void add(ArrayRef<Expr> box, int64_t ticks) {
    SmallVector<Expr> symbolic;
    for (Expr extent : box) {
      if (std::optional<int64_t> value = extent.constant())
        ticks = int64_t(llvm::SaturatingMultiply<uint64_t>(ticks, *value) &
                        INT64_MAX);
      else
        symbolic.push_back(extent);
    }
    for (auto &[known, weight] : terms)
      if (known == symbolic) {
        weight += ticks;
        return;
      }
    terms.emplace_back(std::move(symbolic), ticks);
  }

  Value emit(KernelLowering &k) const {
    Value sum = k.index(0);
    for (const auto &[box, weight] : terms) {
      Value product = k.index(weight);
      for (Expr extent : box)
        product = k.mul(product, k.dim(extent));
      sum = k.add(sum, product);
    }
    return sum;
  }

private:
  SmallVector<std::pair<SmallVector<Expr>, int64_t>> terms;
};
} // namespace

static SmallVector<Expr> boxOf(Value tensor) {
  return sym::getDims(tensor.getType());
}

static int64_t costOf(MapOp map) {
  int64_t ticks = 0;
  for (Operation &op : map.getBody().front().without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    if (isa<math::AbsFOp, math::CopySignOp, math::FmaOp, math::FloorOp,
            math::CeilOp, math::TruncOp, math::RoundEvenOp>(op))
      ticks += kArithmetic;
    else if (isa<math::SqrtOp, arith::DivFOp, arith::DivSIOp, arith::DivUIOp,
                 arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(op))
      ticks += kDivision;
    else
      ticks +=
          isa<math::MathDialect>(op.getDialect()) ? kMathFunction : kArithmetic;
  }
  return ticks;
}

/// Adds what the op itself computes.
static void addOp(Sum &sum, Operation *op) {
  SmallVector<Expr> box = boxOf(op->getResult(0));
  TypeSwitch<Operation *>(op)
      .Case<ContractOp>([&](ContractOp contract) {
        box.push_back(boxOf(contract.getLhs()).back());
        sum.add(box, kMultiplyAdd);
      })
      .Case<ConvOp>([&](ConvOp conv) {
        llvm::append_range(box, ArrayRef(boxOf(conv.getFilter())).drop_front());
        sum.add(box, kMultiplyAdd);
      })
      .Case<WindowOp>([&](WindowOp window) {
        for (int64_t extent : window.getWindow())
          box.push_back(extent);
        sum.add(box, kCombine);
      })
      .Case<ReduceOp, ArgReduceOp>(
          [&](auto reduce) { sum.add(boxOf(reduce.getInput()), kCombine); })
      .Case<SoftmaxOp>([&](auto) { sum.add(box, kSoftmax); })
      .Case<MapOp>([&](MapOp map) { sum.add(box, costOf(map)); })
      .Case<GatherOp, TransposeOp>([&](auto) { sum.add(box, kScattered); })
      .Case<ResizeOp>([&](auto) { sum.add(box, kSample); });
}

Value ambit::emitWork(KernelLowering &k) {
  Sum sum;
  for (Operation &op : k.source.front().without_terminator()) {
    addOp(sum, &op);
    for (Value operand : op.getOperands())
      if (k.isExternal(operand) && !isa<ContractOp, ConvOp>(op))
        sum.add(boxOf(op.getResult(0)), kMemory);
  }
  sum.add(boxOf(k.returned), kMemory);
  return sum.emit(k);
}

Value ambit::zeroIfAny(KernelLowering &k, ValueRange extents, Value value) {
  Value zero = k.index(0);
  for (Value extent : extents) {
    std::optional<int64_t> constant = KernelLowering::constantOf(extent);
    if (constant == 0)
      return zero;
    if (constant)
      continue;
    Value isZero = k.b.createOrFold<arith::CmpIOp>(
        k.loc, arith::CmpIPredicate::eq, extent, zero);
    value = k.b.createOrFold<arith::SelectOp>(k.loc, isZero, zero, value);
  }
  return value;
}
