// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One row of batch and channels for each element of each window, scattered to
// its place in the padded image.

#include "Fold.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

namespace {
/// The sizes of one fold.
struct Extents {
  Expr batch, channels, elements = 1, positions = 1;
  /// Block dims, then positions along each.
  SmallVector<Expr> box;
  /// The image with its padding.
  SmallVector<Expr> padded;
};
} // namespace

static std::optional<Extents> getExtents(ValueBuilder &b, Value x,
                                         const FoldSpec &spec) {
  SmallVector<Expr> dims = dimsOf(x), counts;
  Extents e;
  for (auto [dim, size] : llvm::enumerate(spec.image)) {
    const WindowSpec &window = spec.window;
    Expr whole = size + Expr(window.low[dim] + window.high[dim]);
    Expr reach = window.dilations[dim] * (spec.block[dim] - 1) + 1;
    if (!b.require(Relation{Relation::Kind::GE, whole, reach},
                   "block is larger than dim " + Twine(dim) + " of the image"))
      return std::nullopt;
    e.padded.push_back(b.simplify(whole));
    counts.push_back(
        b.simplify(Expr::floorDiv(whole - reach, window.strides[dim]) + 1));
    e.elements = e.elements * Expr(spec.block[dim]);
    e.positions = e.positions * counts.back();
    e.box.push_back(spec.block[dim]);
  }
  e.box.append(counts);
  if (!b.requireDivisible(dims[1], e.elements,
                          "channels do not divide into blocks") ||
      !b.requireEqual(dims[2], e.positions, "number of blocks"))
    return std::nullopt;
  e.batch = dims[0];
  e.channels = b.simplify(Expr::floorDiv(dims[1], e.elements));
  return e;
}

/// Where each element of each window goes: [elements * positions, dims].
static Value makePlaces(ValueBuilder &b, const Extents &e,
                        const FoldSpec &spec) {
  int64_t count = spec.image.size();
  Expr rows = e.elements * e.positions;
  SmallVector<Value> columns;
  for (int64_t dim = 0; dim < count; ++dim) {
    Value place =
        b.map({b.iota(e.box, dim, b.indexType()),
               b.iota(e.box, count + dim, b.indexType())},
              [&](ScalarBuilder &s, ValueRange v) {
                Value inner =
                    s.mul(v[0], s.integer(spec.window.dilations[dim], v[0]));
                Value first =
                    s.mul(v[1], s.integer(spec.window.strides[dim], v[1]));
                return s.add(inner, first);
              });
    columns.push_back(b.reshape(place, {rows, Expr(1)}));
  }
  return columns.size() == 1 ? columns.front() : b.concat(columns, 1);
}

Value compose::fold(ValueBuilder &b, Value x, const FoldSpec &spec) {
  if (rankOf(x) != 3 || spec.image.empty() ||
      spec.image.size() != spec.block.size()) {
    b.error() << "input has rank " << rankOf(x) << ", the image "
              << spec.image.size() << " dims and the block "
              << spec.block.size() << ", expected 3 and as many dims";
    return {};
  }
  std::optional<Extents> e = getExtents(b, x, spec);
  if (!e)
    return {};
  int64_t count = spec.image.size();
  Expr width = b.simplify(e->batch * e->channels);
  Value rows = b.transpose(
      b.reshape(x, {e->batch, e->channels, e->elements, e->positions}),
      {2, 3, 0, 1});
  rows = b.reshape(rows, {e->elements * e->positions, width});
  SmallVector<Expr> table(e->padded);
  table.push_back(width);
  Value empty = b.broadcast(b.scalar(0, elementTypeOf(x)), table);
  Value sums = b.create<ScatterOp>(rows, empty, makePlaces(b, *e, spec),
                                   ScatterKind::Add);
  for (int64_t dim = 0; dim < count && sums; ++dim)
    sums = b.sliceDim(sums, dim, spec.window.low[dim], spec.image[dim]);
  SmallVector<Expr> shape(spec.image);
  shape.append({e->batch, e->channels});
  SmallVector<int64_t> order = {count, count + 1};
  order.append(dimsFrom(0, count));
  return b.transpose(b.reshape(sums, shape), order);
}

Value compose::unpool(ValueBuilder &b, Value x, Value places,
                      ArrayRef<Expr> unpooled, ArrayRef<Expr> shape) {
  SmallVector<Expr> dims = dimsOf(x), low(dims.size(), Expr(0)), high;
  if (rankOf(places) != rankOf(x)) {
    b.error() << "places have rank " << rankOf(places) << ", expected "
              << rankOf(x);
    return {};
  }
  for (auto [dim, size] : llvm::enumerate(dims))
    if (!b.requireEqual(dimsOf(places)[dim], size,
                        "dim " + Twine(dim) + " of the places") ||
        !b.require(Relation{Relation::Kind::GE, shape[dim], unpooled[dim]},
                   "dim " + Twine(dim) + " of the result is too small"))
      return {};
  for (auto [whole, part] : llvm::zip_equal(shape, unpooled))
    high.push_back(b.simplify(whole - part));
  Expr count = sym::getNumElements(dims);
  Type type = elementTypeOf(x);
  Value empty =
      b.broadcast(b.scalar(0, type), {sym::getNumElements(unpooled), Expr(1)});
  Value flat = b.create<ScatterOp>(
      b.reshape(x, {count, Expr(1)}), empty,
      b.reshape(b.cast(places, b.indexType()), {count, Expr(1)}),
      ScatterKind::Replace);
  Value result = b.reshape(flat, unpooled);
  bool isWhole =
      llvm::all_of(high, [](Expr size) { return size.isConstant(0); });
  return isWhole ? result : b.pad(result, b.scalar(0, type), low, high);
}
