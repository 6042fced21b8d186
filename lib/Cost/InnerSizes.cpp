// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the sizes whose being constants changes a kernel's code.

#include "InnerSizes.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::cost;
using namespace ambit::graph;

/// Extents of a tensor that strides, tiles or tails depend on: not the first,
/// which only says how often the rest is done, but the rows of a product.
static ArrayRef<Expr> innerExtents(ArrayRef<Expr> box, bool isProduct) {
  bool countsFirst = box.empty() || (isProduct && box.size() == 2);
  return box.drop_front(countsFirst ? 0 : 1);
}

Symbols cost::findInnerSymbols(Block &kernel,
                               const std::map<Expr, Expr> &sizes) {
  Symbols used;
  auto collect = [&](Value tensor, bool isProduct) {
    SmallVector<Expr> box = sym::getDims(tensor.getType());
    for (Expr extent : innerExtents(box, isProduct)) {
      auto value = sizes.find(extent);
      (value == sizes.end() ? extent : value->second).collectSymbols(used);
    }
  };
  for (Operation &op : kernel.without_terminator()) {
    bool isProduct = isa<ContractOp>(op);
    for (Value operand : op.getOperands())
      collect(operand, isProduct);
    for (Value result : op.getResults())
      collect(result, isProduct);
  }
  return used;
}
