// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers of single elements are a gather from the flattened data at positions
// computed from the indices.

#include "Gather.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// sum + index * stride, where a negative index counts from the end of
/// `extent`. An index outside gives a position far outside of the data, so that
/// the gather reports it.
static Value addPosition(ValueBuilder &b, Value sum, Value index, Expr extent,
                         Expr stride) {
  Value size = b.dims({extent}, b.indexType(), /*isScalar=*/true);
  Value step = b.dims({stride}, b.indexType(), /*isScalar=*/true);
  return b.map({sum, index, size, step}, [](ScalarBuilder &s, ValueRange v) {
    using Compare = Relation::Kind;
    Value zero = s.integer(0, v[1]);
    Value wraps = s.compare(Compare::LT, v[1], zero);
    Value at = s.select(wraps, s.add(v[1], v[2]), v[1]);
    Value isInside = s.make<arith::AndIOp>(s.compare(Compare::GE, at, zero),
                                           s.compare(Compare::LT, at, v[2]));
    Value isValid =
        s.make<arith::AndIOp>(isInside, s.compare(Compare::GE, v[0], zero));
    return s.select(isValid, s.add(v[0], s.mul(at, v[3])),
                    s.integer(INT64_MIN, at));
  });
}

static Expr productFrom(ArrayRef<Expr> dims, size_t first) {
  return sym::getNumElements(dims.drop_front(first));
}

Value compose::gatherElements(ValueBuilder &b, Value data, Value indices,
                              int64_t axis) {
  indices = b.cast(indices, b.indexType());
  if (!data || !indices)
    return b.fail();
  SmallVector<Expr> extents = dimsOf(data), shape = dimsOf(indices);
  if (shape.size() != extents.size()) {
    b.error() << "indices have rank " << shape.size() << ", expected "
              << extents.size();
    return {};
  }
  Value position = b.scalar(0, b.indexType());
  for (int64_t dim = 0, rank = extents.size(); dim < rank; ++dim) {
    Value index = dim == axis ? indices : b.iota(shape, dim, b.indexType());
    position = addPosition(b, position, index, extents[dim],
                           productFrom(extents, dim + 1));
  }
  Value flat = b.reshape(data, {sym::getNumElements(extents)});
  return b.create<GatherOp>(flat, position, 0);
}

Value compose::reverseSequences(ValueBuilder &b, Value x, Value lengths,
                                int64_t axis, int64_t batchAxis) {
  SmallVector<Expr> dims = dimsOf(x);
  int64_t rank = dims.size();
  if (!b.normalizeAxis(axis, rank) || !b.normalizeAxis(batchAxis, rank))
    return {};
  if (axis == batchAxis || rankOf(lengths) != 1) {
    b.error() << "axes are " << axis << " and " << batchAxis
              << " and lengths have rank " << rankOf(lengths)
              << ", expected two axes and rank 1";
    return {};
  }
  if (!b.requireEqual(dimsOf(lengths)[0], dims[batchAxis],
                      "number of lengths is not the size of the batch"))
    return {};
  Value length = b.alongDim(b.cast(lengths, b.indexType()), batchAxis, rank);
  Value index = b.map({b.iota(dims, axis, b.indexType()), length},
                      [](ScalarBuilder &s, ValueRange v) {
                        Value last = s.sub(v[1], s.integer(1, v[1]));
                        Value isTurned =
                            s.compare(Relation::Kind::LE, v[0], last);
                        return s.select(isTurned, s.sub(last, v[0]), v[0]);
                      });
  return gatherElements(b, x, index, axis);
}

Value compose::gatherND(ValueBuilder &b, Value data, Value given,
                        int64_t batchDims) {
  Value indices = b.cast(given, b.indexType());
  if (!indices)
    return {};
  SmallVector<Expr> extents = dimsOf(data), shape = dimsOf(indices);
  std::optional<int64_t> count =
      shape.empty() ? std::nullopt : shape.back().constant();
  int64_t rank = extents.size();
  if (!shape.empty() && !count) {
    b.error() << "the depth of the indices '" << shape.back().str()
              << "' is not a constant: it decides how many dims they index";
    return {};
  }
  if (batchDims < 0 || batchDims >= int64_t(shape.size()) || !count ||
      *count < 1 || *count > rank - batchDims) {
    b.error() << "indices of type " << given.getType() << " with " << batchDims
              << " batch dims do not index data of rank " << rank;
    return {};
  }
  SmallVector<Expr> outer(shape.begin(), shape.end() - 1);
  int64_t indexed = batchDims + *count;
  SmallVector<Expr> leading(extents.begin(), extents.begin() + indexed);
  Value position = b.scalar(0, b.indexType());
  for (int64_t dim = 0; dim < indexed; ++dim) {
    Value index;
    if (dim < batchDims) {
      if (!b.requireEqual(outer[dim], extents[dim],
                          "batch dims " + Twine(dim) + " differ"))
        return {};
      index = b.iota(outer, dim, b.indexType());
    } else {
      index = b.sliceDim(indices, outer.size(), dim - batchDims, 1);
      index = b.reshape(index, outer);
    }
    position = addPosition(b, position, index, extents[dim],
                           productFrom(leading, dim + 1));
  }
  SmallVector<Expr> flat = {sym::getNumElements(leading)};
  flat.append(extents.begin() + indexed, extents.end());
  return b.create<GatherOp>(b.reshape(data, flat), position, 0);
}
