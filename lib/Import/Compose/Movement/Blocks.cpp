// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving blocks is a transpose between reshapes.

#include "Blocks.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

SmallVector<Value> compose::split(ValueBuilder &b, Value x, int64_t axis,
                                  ArrayRef<Expr> sizes,
                                  llvm::function_ref<bool(size_t)> isWanted) {
  SmallVector<Value> parts;
  Expr offset = 0;
  for (auto [index, size] : llvm::enumerate(sizes)) {
    parts.push_back(isWanted(index) ? b.sliceDim(x, axis, offset, size)
                                    : Value());
    offset = b.simplify(offset + size);
  }
  return parts;
}

/// A new dim is broadcast before each: [d] to [1, d] to [r, d] to [r * d].
Value compose::tile(ValueBuilder &b, Value x, ArrayRef<Expr> repeats) {
  SmallVector<Expr> dims = dimsOf(x), split, repeated, joined;
  if (repeats.size() != dims.size()) {
    b.error() << "has " << repeats.size() << " repeats for rank "
              << dims.size();
    return {};
  }
  for (auto [dim, count] : llvm::zip_equal(dims, repeats)) {
    split.append({1, dim});
    repeated.append({count, dim});
    joined.push_back(dim * count);
  }
  return b.reshape(b.broadcast(b.reshape(x, split), repeated), joined);
}

/// Whether x has rank 4 and the block a size.
static bool checkBlocks(ValueBuilder &b, Value x, int64_t block) {
  if (rankOf(x) == 4 && block >= 1 && block <= INT32_MAX)
    return true;
  if (rankOf(x) != 4)
    b.error() << "input has rank " << rankOf(x) << ", expected 4";
  else
    b.error() << "block size is " << block << ", expected a positive size";
  return false;
}

Value compose::depthToSpace(ValueBuilder &b, Value x, int64_t block,
                            bool isDepthFirst) {
  if (!checkBlocks(b, x, block))
    return {};
  SmallVector<Expr> d = dimsOf(x);
  Expr size = block, area = size * size;
  if (!b.requireDivisible(d[1], area, "channels do not divide into blocks"))
    return {};
  Expr depth = b.simplify(Expr::floorDiv(d[1], area));
  SmallVector<Expr> split = {d[0], size, size, depth, d[2], d[3]};
  SmallVector<int64_t> order = {0, 3, 4, 1, 5, 2};
  if (isDepthFirst) {
    split = {d[0], depth, size, size, d[2], d[3]};
    order = {0, 1, 4, 2, 5, 3};
  }
  Value blocks = b.transpose(b.reshape(x, split), order);
  return b.reshape(blocks, {d[0], depth, d[2] * size, d[3] * size});
}

Value compose::spaceToDepth(ValueBuilder &b, Value x, int64_t block) {
  if (!checkBlocks(b, x, block))
    return {};
  SmallVector<Expr> d = dimsOf(x);
  Expr size = block;
  for (int64_t dim : {2, 3})
    if (!b.requireDivisible(
            d[dim], size, "dim " + Twine(dim) + " does not divide into blocks"))
      return {};
  Expr height = b.simplify(Expr::floorDiv(d[2], size));
  Expr width = b.simplify(Expr::floorDiv(d[3], size));
  Value blocks = b.reshape(x, {d[0], d[1], height, size, width, size});
  blocks = b.transpose(blocks, {0, 3, 5, 1, 2, 4});
  return b.reshape(blocks, {d[0], d[1] * size * size, height, width});
}
