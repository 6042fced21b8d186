// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tail rules ask: which dims are padded, and how reshapes carry them.

#include "ambit/Dialect/Graph/IR/TailRule.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

Expr TailContext::atTop(Expr size) {
  auto [it, isNew] = known.try_emplace(size, size);
  if (isNew)
    if (Expr top = size.substitute(tops); top != size)
      it->second = prover.simplify(top);
  return it->second;
}

SmallVector<Expr> TailContext::atTop(ArrayRef<Expr> sizes) {
  return llvm::map_to_vector(sizes, [&](Expr size) { return atTop(size); });
}

bool TailContext::isPadded(Value tensor, unsigned dim) {
  return isPadded(sym::getDims(tensor.getType())[dim]);
}

bool TailContext::isPadded(Value tensor) {
  if (!isa<RankedTensorType>(tensor.getType()))
    return false;
  return llvm::any_of(sym::getDims(tensor.getType()),
                      [&](Expr size) { return isPadded(size); });
}

TailRule TailRule::harmless(Operation *op) {
  TailRule rule;
  rule.result.resize(sym::getDims(op->getResult(0).getType()).size());
  return rule;
}

// A padded dim is carried where the same number of elements lies outside of it
// on both sides. Between the cuts that these make, a padded dim is the
// outermost one, so that what is within true sizes comes first, on both sides.
bool graph::mayCheckInVain(TailContext &context, Expr size) {
  return context.isPadded(size) && !context.getProver().isAtLeast(size, 1);
}

std::optional<unsigned> graph::getReshapedDim(Operation *reshape, unsigned dim,
                                              TailContext &context) {
  SmallVector<Expr> from = sym::getDims(reshape->getOperand(0).getType());
  SmallVector<Expr> to = sym::getDims(reshape->getResult(0).getType());
  Expr outer = sym::getNumElements(ArrayRef(to).take_front(dim));
  auto isPadded = [&](Expr size) { return context.isPadded(size); };
  int64_t before = llvm::count_if(ArrayRef(to).take_front(dim), isPadded);
  for (auto [index, size] : llvm::enumerate(from))
    if (isPadded(size) && before-- == 0)
      return sym::getNumElements(ArrayRef(from).take_front(index)) == outer
                 ? std::optional<unsigned>(index)
                 : std::nullopt;
  return std::nullopt;
}
