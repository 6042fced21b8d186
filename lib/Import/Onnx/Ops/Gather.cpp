// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gathers. Those of single elements become a gather from the flattened data
// at positions computed from the indices.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

static void convertGather(NodeContext &c) {
  int64_t axis = c.intAttr("axis", 0);
  if (c.normalizeAxis(axis, rankOf(c.input(0))))
    c.setOutput(0, c.create<GatherOp>(c.input(0), c.input(1), axis));
}

static Type indexType(NodeContext &c) {
  return c.graph.getBuilder().getI64Type();
}

/// sum + index * stride, where a negative index counts from the end of
/// `extent`. An index outside gives a position far outside of the data, so that
/// the gather reports it.
static Value addPosition(NodeContext &c, Value sum, Value index, Expr extent,
                         Expr stride) {
  Value size = c.dims({extent}, indexType(c), /*isScalar=*/true);
  Value step = c.dims({stride}, indexType(c), /*isScalar=*/true);
  return c.map({sum, index, size, step}, [](ScalarBuilder &s, ValueRange v) {
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

Value ambit::onnx_import::gatherElements(NodeContext &c, Value data,
                                         Value indices, int64_t axis) {
  SmallVector<Expr> extents = dimsOf(data), shape = dimsOf(indices);
  Value position = c.scalar(0, indexType(c));
  for (int64_t dim = 0, rank = extents.size(); dim < rank; ++dim) {
    Value index = dim == axis ? indices : c.iota(shape, dim, indexType(c));
    position = addPosition(c, position, index, extents[dim],
                           productFrom(extents, dim + 1));
  }
  Value flat = c.reshape(data, {sym::getNumElements(extents)});
  return c.create<GatherOp>(flat, position, 0);
}

static void convertGatherElements(NodeContext &c) {
  Value data = c.input(0), indices = c.cast(c.input(1), indexType(c));
  int64_t axis = c.intAttr("axis", 0), rank = rankOf(data);
  if (!indices || !c.normalizeAxis(axis, rank))
    return;
  if (rankOf(indices) != rank) {
    c.error() << "indices have rank " << rankOf(indices) << ", expected "
              << rank;
    return;
  }
  c.setOutput(0, gatherElements(c, data, indices, axis));
}

/// Indices [batch..., outer..., k] pick slices of data[batch][k dims].
static void convertGatherND(NodeContext &c) {
  Value data = c.input(0), indices = c.cast(c.input(1), indexType(c));
  if (!indices)
    return;
  SmallVector<Expr> extents = dimsOf(data), shape = dimsOf(indices);
  int64_t batchDims = c.intAttr("batch_dims", 0);
  std::optional<int64_t> count =
      shape.empty() ? std::nullopt : shape.back().constant();
  int64_t rank = extents.size();
  if (batchDims < 0 || batchDims >= int64_t(shape.size()) || !count ||
      *count < 1 || *count > rank - batchDims) {
    c.error() << "indices of type " << c.input(1).getType() << " with "
              << batchDims << " batch dims do not index data of rank " << rank;
    return;
  }
  SmallVector<Expr> outer(shape.begin(), shape.end() - 1);
  int64_t indexed = batchDims + *count;
  SmallVector<Expr> leading(extents.begin(), extents.begin() + indexed);
  Value position = c.scalar(0, indexType(c));
  for (int64_t dim = 0; dim < indexed; ++dim) {
    Value index;
    if (dim < batchDims) {
      if (!c.requireEqual(outer[dim], extents[dim],
                          "batch dims " + Twine(dim) + " differ"))
        return;
      index = c.iota(outer, dim, indexType(c));
    } else {
      index = c.sliceDim(indices, outer.size(), dim - batchDims, 1);
      index = c.reshape(index, outer);
    }
    position = addPosition(c, position, index, extents[dim],
                           productFrom(leading, dim + 1));
  }
  SmallVector<Expr> flat = {sym::getNumElements(leading)};
  flat.append(extents.begin() + indexed, extents.end());
  c.setOutput(0, c.create<GatherOp>(c.reshape(data, flat), position, 0));
}

void ambit::onnx_import::addGathers(ConverterTable &table) {
  table.add("Gather", convertGather, 2).moves({0});
  table.add("GatherElements", convertGatherElements, 2).since(11);
  table.add("GatherND", convertGatherND, 2).since(11);
}
