// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows indices from the users of a value to the value.

#include "ElementIndices.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"

using namespace mlir;
using namespace ambit;

unsigned ElementIndices::getOperandIndex(OpOperand &operand, unsigned index) {
  if (isa<graph::MapOp>(operand.getOwner()))
    return index;
  // 0 is the index of what is computed once.
  return numbers.try_emplace({&operand, index}, numbers.size() + 1)
      .first->second;
}

bool ElementIndices::add(Operation *op, unsigned &room) {
  bool isFree = isa<graph::SliceOp, graph::BroadcastOp>(op);
  unsigned most = isFree ? kMaxRepetitions : room;
  Indices found;
  for (OpOperand &use : op->getUses())
    for (unsigned index : indices.lookup(use.getOwner())) {
      unsigned number = getOperandIndex(use, index);
      if (llvm::is_contained(found, number))
        continue;
      if (found.size() > most)
        return false;
      found.push_back(number);
    }
  if (!isFree)
    room -= found.size() - 1;
  indices[op] = std::move(found);
  return true;
}
