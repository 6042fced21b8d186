// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates of places, each a sum of products with the place's own position.

#include "Sampling.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

/// Positions along a dim of `rank`, from -1 to 1; a single one is at 0.
static Value positions(ValueBuilder &b, int64_t dim, int64_t rank, Expr extent,
                       bool alignsCorners, Type type) {
  SmallVector<Expr> shape(rank, Expr(1));
  shape[dim] = extent;
  Expr span = alignsCorners ? Expr::max(1, extent - 1) : extent;
  return b.map({b.iota(shape, dim, type),
                b.dims({extent}, type, /*isScalar=*/true),
                b.dims({span}, type, /*isScalar=*/true)},
               [](ScalarBuilder &s, ValueRange v) {
                 Value twice = s.add(s.add(v[0], v[0]), s.constant(1, v[0]));
                 return s.div(s.sub(twice, v[1]), v[2]);
               });
}

Value compose::affineGrid(ValueBuilder &b, Value theta, ArrayRef<Expr> sizes,
                          bool alignsCorners) {
  int64_t spatial = int64_t(sizes.size()) - 2;
  SmallVector<Expr> given = dimsOf(theta);
  if (!b.requireFloat(theta, "input"))
    return {};
  if (spatial < 1 || given.size() != 3) {
    b.error() << "input has type " << theta.getType() << ", which does not fit "
              << sizes.size() << " sizes";
    return {};
  }
  if (!b.requireEqual(given[0], sizes[0], "batch is not that of the sizes") ||
      !b.requireEqual(given[1], spatial, "rows are not one a dim") ||
      !b.requireEqual(given[2], spatial + 1, "columns are not one a dim and 1"))
    return {};
  // Equal under the guards just recorded, which a reshape cannot see.
  theta = b.sliceDim(b.sliceDim(theta, 1, 0, spatial), 2, 0, spatial + 1);
  if (!theta)
    return {};
  Type type = elementTypeOf(theta);
  int64_t rank = spatial + 2;
  // Column j of theta, [N, 1, ..., r], belongs to the j-th dim from the end.
  auto column = [&](int64_t number) {
    SmallVector<Expr> shape(rank, Expr(1));
    shape.front() = given[0];
    shape.back() = spatial;
    return b.reshape(b.sliceDim(theta, 2, number, 1), shape);
  };
  SmallVector<Value> parts = {column(spatial)};
  for (int64_t number = 0; number < spatial; ++number) {
    int64_t dim = spatial - number;
    parts.push_back(column(number));
    parts.push_back(
        positions(b, dim, rank, sizes[dim + 1], alignsCorners, type));
  }
  return b.map(parts, [](ScalarBuilder &s, ValueRange v) {
    Value sum = v[0];
    for (size_t i = 1; i < v.size(); i += 2)
      sum = s.add(sum, s.mul(v[i], v[i + 1]));
    return sum;
  });
}
