// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exactness by op kind.

#include "Exactness.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ambit;

bool fuzz::isExactScalarOp(Operation *op) {
  if (isa<graph::YieldOp>(op) || isa<arith::ArithDialect>(op->getDialect()))
    return true;
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::IPowIOp,
             math::RoundEvenOp, math::RoundOp, math::SqrtOp, math::TruncOp>(op);
}

static bool isFloat(Value value) {
  return isa<FloatType>(
      cast<RankedTensorType>(value.getType()).getElementType());
}

bool fuzz::isExactOp(Operation *op) {
  if (auto map = dyn_cast<graph::MapOp>(op)) {
    for (Operation &inner : map.getBody().front())
      if (!isExactScalarOp(&inner))
        return false;
    return true;
  }
  if (auto reduce = dyn_cast<graph::ReduceOp>(op))
    return !isFloat(reduce.getInput()) ||
           reduce.getKind() == graph::ReduceKind::Max ||
           reduce.getKind() == graph::ReduceKind::Min;
  if (auto window = dyn_cast<graph::WindowOp>(op))
    return !isFloat(window.getInput()) ||
           window.getKind() == graph::ReduceKind::Max;
  if (auto resize = dyn_cast<graph::ResizeOp>(op))
    return resize.getMode() == graph::ResizeMode::Nearest;
  if (isa<graph::ContractOp, graph::ConvOp>(op))
    return !isFloat(op->getResult(0));
  return !isa<graph::SoftmaxOp>(op);
}

double fuzz::toleranceOf(Type elementType) {
  auto type = dyn_cast<FloatType>(elementType);
  if (!type)
    return 0;
  if (type.isBF16())
    return 4e-2;
  return type.getWidth() == 16 ? 5e-3 : type.getWidth() == 32 ? 1e-4 : 1e-10;
}

void fuzz::dropUnusedInputs(Operation *op) {
  auto map = dyn_cast<graph::MapOp>(op);
  if (!map)
    return;
  Block &body = map.getBody().front();
  for (unsigned i = body.getNumArguments(); i-- > 0;)
    if (body.getArgument(i).use_empty() && body.getNumArguments() > 1) {
      body.eraseArgument(i);
      map.getInputsMutable().erase(i);
    }
}
