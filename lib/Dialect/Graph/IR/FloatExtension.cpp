// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes maps that only extend floats.

#include "ambit/Dialect/Graph/IR/FloatExtension.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit::graph;

bool ambit::graph::isFloatExtension(Operation *op) {
  auto map = dyn_cast_or_null<MapOp>(op);
  if (!map || map.getInputs().size() != 1)
    return false;
  Block &body = map.getBody().front();
  Value yielded = body.getTerminator()->getOperand(0);
  auto extension = yielded.getDefiningOp<arith::ExtFOp>();
  return extension && extension.getIn() == body.getArgument(0);
}
