// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every scatter is one of rows: the dims that indices name come first, the
// others are the row.

#include "Scatter.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// Columns of one shape, each a number of the index, as rows of an index.
static Value makeIndices(ValueBuilder &b, ArrayRef<Value> columns,
                         ArrayRef<Expr> shape) {
  SmallVector<Value> parts;
  for (Value column : columns)
    parts.push_back(b.reshape(b.broadcast(column, shape),
                              {sym::getNumElements(shape), Expr(1)}));
  return parts.size() == 1 ? parts.front() : b.concat(parts, 1);
}

Value compose::scatterElements(ValueBuilder &b, Value data, Value given,
                               Value updates, int64_t axis, ScatterKind kind) {
  SmallVector<Expr> extents = dimsOf(data), shape = dimsOf(given);
  int64_t rank = extents.size();
  if (!b.normalizeAxis(axis, rank))
    return {};
  if (int64_t(shape.size()) != rank || rankOf(updates) != rank) {
    b.error() << "indices and updates have ranks " << shape.size() << " and "
              << rankOf(updates) << ", expected " << rank;
    return {};
  }
  SmallVector<Value> columns;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (!b.requireEqual(dimsOf(updates)[dim], shape[dim],
                        "dim " + Twine(dim) +
                            " of indices and updates differs") ||
        (dim != axis &&
         !b.require(Relation{Relation::Kind::LE, shape[dim], extents[dim]},
                    "dim " + Twine(dim) + " of indices is beyond the data")))
      return {};
    columns.push_back(dim == axis ? b.cast(given, b.indexType())
                                  : b.iota(shape, dim, b.indexType()));
  }
  SmallVector<Expr> cells(extents);
  cells.push_back(1);
  Value rows = b.reshape(updates, {sym::getNumElements(shape), Expr(1)});
  return b.reshape(b.create<ScatterOp>(rows, b.reshape(data, cells),
                                       makeIndices(b, columns, shape), kind),
                   extents);
}

Value compose::scatterND(ValueBuilder &b, Value data, Value given,
                         Value updates, ScatterKind kind) {
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
  if (!count || *count < 1 || *count > rank) {
    b.error() << "indices of type " << given.getType()
              << " do not index data of rank " << rank;
    return {};
  }
  SmallVector<Expr> outer(shape.begin(), shape.end() - 1), wanted(outer);
  wanted.append(extents.begin() + *count, extents.end());
  if (rankOf(updates) != int64_t(wanted.size())) {
    b.error() << "updates have rank " << rankOf(updates) << ", expected "
              << wanted.size();
    return {};
  }
  for (auto [dim, size] : llvm::enumerate(wanted))
    if (!b.requireEqual(dimsOf(updates)[dim], size,
                        "dim " + Twine(dim) + " of the updates"))
      return {};
  Expr rows = sym::getNumElements(outer);
  Expr width = sym::getNumElements(ArrayRef(extents).drop_front(*count));
  SmallVector<Expr> table(extents.begin(), extents.begin() + *count);
  table.push_back(width);
  return b.reshape(b.create<ScatterOp>(b.reshape(updates, {rows, width}),
                                       b.reshape(data, table),
                                       b.reshape(indices, {rows, Expr(*count)}),
                                       kind),
                   extents);
}

/// Where row i of each update goes along the cache's axis: [batch, 1, i].
static Value cachePositions(ValueBuilder &b, Value starts, Expr batch,
                            Expr length, Expr capacity, bool isRing) {
  Value steps = b.iota({Expr(1), Expr(1), length}, 2, b.indexType());
  if (!starts)
    starts = b.broadcast(b.scalar(0, b.indexType()), {batch});
  Value first = b.reshape(b.cast(starts, b.indexType()), {batch, 1, 1});
  Value size = b.dims({capacity}, b.indexType(), /*isScalar=*/true);
  return b.map({first, steps, size}, [&](ScalarBuilder &s, ValueRange v) {
    Value at = s.add(v[0], v[1]);
    if (isRing) {
      // A ring of no places has no rows to write either.
      Value one = s.integer(1, at);
      at = s.remainder(at, s.max(v[2], one));
    }
    // A negative start is no position from the end.
    Value isWrong = s.compare(Relation::Kind::LT, v[0], s.integer(0, at));
    return s.select(isWrong, s.integer(INT64_MIN, at), at);
  });
}

Value compose::writeCache(ValueBuilder &b, Value cache, Value update,
                          Value starts, int64_t axis, bool isRing) {
  SmallVector<Expr> extents = dimsOf(cache), shape = dimsOf(update);
  int64_t rank = extents.size();
  if (!b.normalizeAxis(axis, rank))
    return {};
  if (axis == 0 || int64_t(shape.size()) != rank ||
      (starts && rankOf(starts) != 1)) {
    b.error()
        << "a cache of rank " << rank << " is written along axis " << axis
        << " with updates of rank " << shape.size()
        << ", expected one rank, another axis than that of the batch, and "
           "starts of rank 1";
    return {};
  }
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim == axis
            ? !b.require(Relation{Relation::Kind::LE, shape[dim], extents[dim]},
                         "updates are longer than the cache")
            : !b.requireEqual(shape[dim], extents[dim],
                              "dim " + Twine(dim) +
                                  " of cache and update differs"))
      return {};
  if (starts && !b.requireEqual(dimsOf(starts)[0], extents[0],
                                "number of starts is not the size of the "
                                "batch"))
    return {};
  ArrayRef<Expr> all = extents;
  Expr batch = all[0], length = shape[axis];
  Expr middle = sym::getNumElements(all.slice(1, axis - 1));
  Expr width = sym::getNumElements(all.drop_front(axis + 1));
  SmallVector<Expr> box = {batch, middle, length};
  Value at = cachePositions(b, starts, batch, length, all[axis], isRing);
  Value indices = makeIndices(
      b, {b.iota(box, 0, b.indexType()), b.iota(box, 1, b.indexType()), at},
      box);
  Value rows = b.reshape(update, {batch * middle * length, width});
  Value table = b.reshape(cache, {batch, middle, all[axis], width});
  return b.reshape(
      b.create<ScatterOp>(rows, table, indices, ScatterKind::Replace), extents);
}
