// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms that give the elements of one tensor another shape or order: broadcast,
// reshape, transpose, slice.

#include "Generation.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::fuzz;

static Value pickOfRank(Generation &g, int64_t min, int64_t max = 5) {
  return g.pick([=](Value v) { return rankOf(v) >= min && rankOf(v) <= max; });
}

static FailureOr<Value> broadcast(Generation &g) {
  Value value = pickOfRank(g, 0, 4);
  if (!value)
    return failure();
  SmallVector<Expr> dims = dimsOf(value);
  for (Expr &dim : dims)
    if (dim.isConstant(1) || g.random.oneIn(5))
      dim = g.randomDim();
  if (dims.size() < 4 && !g.random.oneIn(3))
    dims.insert(dims.begin(), g.randomDim());
  return g.graph().broadcast(value, dims);
}

static FailureOr<Value> flatten(Generation &g) {
  Value value = pickOfRank(g, 2);
  if (!value)
    return failure();
  SmallVector<Expr> dims = dimsOf(value);
  int64_t first = g.random.below(dims.size() - 1);
  int64_t last = g.random.between(first + 1, dims.size() - 1);
  SmallVector<Expr> merged(dims.begin(), dims.begin() + first);
  merged.push_back(
      sym::getNumElements(ArrayRef(dims).slice(first, last - first + 1)));
  merged.append(dims.begin() + last + 1, dims.end());
  return g.graph().reshape(value, merged);
}

/// One dim becomes two; which lengths divide is for a guard to say.
static FailureOr<Value> split(Generation &g) {
  Value value = pickOfRank(g, 1, 4);
  if (!value)
    return failure();
  SmallVector<Expr> dims = dimsOf(value);
  int64_t axis = g.randomAxis(value);
  Expr part = g.random.choose<int64_t>({1, 2, 2, 3, 4, 8});
  if (g.random.oneIn(5))
    part = g.randomSymbol();
  Expr rest = Expr::floorDiv(dims[axis], part);
  // A constant dim divided by a symbol has no value at 0.
  if (!part.constant())
    rest = dims[axis];
  if (!part.constant())
    dims[axis] = g.random.choose<int64_t>({1, 4});
  else
    dims[axis] = rest;
  dims.insert(dims.begin() + axis + g.random.below(2), part);
  return g.graph().reshape(value, dims);
}

/// The same dims in another order, or with 1s put in and left out.
static FailureOr<Value> regroup(Generation &g) {
  Value value = pickOfRank(g, 0);
  if (!value)
    return failure();
  SmallVector<Expr> dims = dimsOf(value);
  switch (g.random.below(4)) {
  case 0:
    dims.insert(dims.begin() + g.random.below(dims.size() + 1), Expr(1));
    break;
  case 1:
    llvm::erase_if(dims, [](Expr dim) { return dim.isConstant(1); });
    break;
  case 2:
    // Only right when the dim is 1 at run time.
    if (!dims.empty())
      dims.erase(dims.begin() + g.random.below(dims.size()));
    break;
  default:
    for (size_t i = dims.size(); i > 1; --i)
      std::swap(dims[i - 1], dims[g.random.below(i)]);
    break;
  }
  return g.graph().reshape(value, dims);
}

/// Two rows, or one: what importers make around products.
static FailureOr<Value> toMatrix(Generation &g) {
  Value value = pickOfRank(g, 1);
  if (!value)
    return failure();
  SmallVector<Expr> dims = dimsOf(value);
  Expr all = sym::getNumElements(dims);
  Expr columns = dims.back();
  if (!columns.constant() || columns.isConstant(0))
    columns = g.random.choose<int64_t>({1, 2, 4, 6});
  return g.graph().reshape(value, {Expr::floorDiv(all, columns), columns});
}

static FailureOr<Value> transpose(Generation &g) {
  Value value = pickOfRank(g, 2);
  if (!value)
    return failure();
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rankOf(value); ++i)
    order.push_back(i);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[g.random.below(i)]);
  return g.graph().transpose(value, order);
}

namespace {
/// What a slice takes of one dim.
struct Part {
  Expr offset, size;
  int64_t stride = 1;
};
} // namespace

static Part randomPart(Generation &g, Expr dim, bool isSymbolic) {
  int64_t stride = g.random.between(2, 3);
  if (isSymbolic) {
    Expr half = Expr::floorDiv(dim, 2);
    switch (g.random.below(6)) {
    case 0:
      return {half, dim - half, 1};
    case 1:
      return {Expr(0), half, 1};
    case 2:
      return {half, Expr::min(Expr(2), dim - half), 1};
    case 3:
      return {g.randomSymbol(), Expr(g.random.between(0, 2)), 1};
    case 4:
      return {Expr(0), Expr::min(dim, g.randomSymbol()), 1};
    default:
      return {dim - Expr(1), Expr::ceilDiv(dim, stride), -stride};
    }
  }
  switch (g.random.below(8)) {
  case 0: {
    Expr offset = g.random.between(1, 2);
    return {offset, dim - offset, 1};
  }
  case 1:
    return {Expr(g.random.between(0, 2)), Expr(g.random.between(0, 2)), 1};
  case 2:
    return {Expr(0), dim - Expr(1), 1};
  case 3:
    return {dim - Expr(1), dim, -1};
  case 4:
    return {Expr(0), Expr::ceilDiv(dim, stride), stride};
  case 5:
    return {Expr(1), Expr::floorDiv(dim, 2), 2};
  case 6:
    return {dim - Expr(2), Expr(1), 1};
  default:
    return {Expr(0), Expr::min(dim, Expr(g.random.between(1, 9))), 1};
  }
}

static FailureOr<Value> sliceAs(Generation &g, bool isSymbolic) {
  Value value = pickOfRank(g, 1);
  if (!value)
    return failure();
  SmallVector<Expr> offsets, sizes;
  SmallVector<int64_t> strides;
  int64_t axis = g.randomAxis(value);
  for (auto [index, dim] : llvm::enumerate(dimsOf(value))) {
    Part part{Expr(0), dim, 1};
    if (int64_t(index) == axis || g.random.oneIn(4))
      part = randomPart(g, dim, isSymbolic);
    offsets.push_back(part.offset);
    sizes.push_back(part.size);
    strides.push_back(part.stride);
  }
  return g.graph().create<graph::SliceOp>(value, g.graph().shapeAttr(offsets),
                                          g.graph().shapeAttr(sizes), strides);
}

static FailureOr<Value> slice(Generation &g) { return sliceAs(g, false); }
static FailureOr<Value> sliceSymbolic(Generation &g) {
  return sliceAs(g, true);
}

ArrayRef<Form> ambit::fuzz::movementForms() {
  static const Form forms[] = {{"broadcast", 5, broadcast},
                               {"reshape-flatten", 5, flatten},
                               {"reshape-split", 4, split},
                               {"reshape-regroup", 4, regroup},
                               {"reshape-matrix", 3, toMatrix},
                               {"transpose", 7, transpose},
                               {"slice", 6, slice},
                               {"slice-symbolic", 6, sliceSymbolic}};
  return forms;
}
