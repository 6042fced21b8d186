// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates of code size. They decide where kernels are cut, never a value.

#include "CodeSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ambit;

/// Polynomials of exp, sine and their like have about this many instructions.
constexpr int64_t kMathFunctionSize = 28;

int64_t ambit::getScalarSize(Operation *scalar) {
  if (isa<arith::ConstantOp>(scalar))
    return 0;
  if (isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FmaOp,
          math::FloorOp, math::CeilOp, math::TruncOp, math::RoundEvenOp,
          math::SqrtOp>(scalar))
    return 1;
  return isa<math::MathDialect>(scalar->getDialect()) ? kMathFunctionSize : 1;
}

int64_t ambit::getCodeSize(Operation *op) {
  int64_t size = kOperandSize * int64_t(op->getNumOperands());
  for (Region &region : op->getRegions())
    for (Operation &scalar : region.front().without_terminator())
      size += getScalarSize(&scalar);
  return size;
}
