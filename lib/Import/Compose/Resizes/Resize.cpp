// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes from scales; where these are quotients of sizes, positions are computed
// from the sizes of the result.

#include "Resize.h"
#include "Resample.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// The scale of each dim, 1 for those that are no axes; nothing after an error.
static std::optional<SmallVector<ResizeScale>>
scalesOfDims(ValueBuilder &b, size_t rank, ArrayRef<int64_t> axes,
             ArrayRef<ResizeScale> given) {
  if (given.size() != axes.size()) {
    b.error() << "has " << given.size() << " scales for " << axes.size()
              << " axes";
    return std::nullopt;
  }
  SmallVector<ResizeScale> all(rank);
  for (auto [axis, scale] : llvm::zip_equal(axes, given))
    all[axis] = scale;
  return all;
}

/// The axes that change, in the order of the axes: all with a region.
static Value resampleAxes(ValueBuilder &b, Value x, ArrayRef<Expr> shape,
                          ArrayRef<ResizeScale> scales,
                          const ResizeSpec &spec) {
  SmallVector<ResampleDim> dims;
  for (int64_t axis : spec.axes) {
    const ResizeScale &scale = scales[axis];
    bool isSame = scale.isOne() ||
                  (scale.quotient && b.simplify(scale.quotient->over) ==
                                         b.simplify(scale.quotient->under));
    if (spec.region || !isSame)
      dims.push_back({axis, shape[axis], scale});
  }
  return resample(b, x, dims, spec);
}

/// Whether some scales are quotients of sizes, so that positions are computed
/// from the sizes of the result; nothing after an error.
static std::optional<bool> haveQuotients(ValueBuilder &b, Value x,
                                         const ResizeSpec &spec,
                                         ArrayRef<ResizeScale> scales) {
  bool haveQuotients = llvm::any_of(
      scales, [](const ResizeScale &scale) { return bool(scale.quotient); });
  if (!haveQuotients && !spec.isSymmetric)
    return false;
  for (auto [extent, scale] : llvm::zip_equal(dimsOf(x), scales)) {
    if (scale.quotient || !mayLeaveFraction(b.prover(), extent, scale.number))
      continue;
    b.error() << (spec.isSymmetric ? "half_pixel_symmetric"
                                   : "a scale beside quotients of sizes")
              << " needs a whole resized length, found '" << extent.str()
              << "' * " << std::to_string(scale.number);
    return std::nullopt;
  }
  return haveQuotients;
}

Value compose::resizeByScales(ValueBuilder &b, Value x,
                              ArrayRef<ResizeScale> given,
                              const ResizeSpec &spec) {
  SmallVector<Expr> shape = dimsOf(x);
  std::optional<SmallVector<ResizeScale>> scales =
      scalesOfDims(b, shape.size(), spec.axes, given);
  if (!scales)
    return {};
  SmallVector<float> numbers;
  for (auto [extent, scale] : llvm::zip_equal(shape, *scales)) {
    numbers.push_back(scale.number);
    if (scale.quotient) {
      if (!b.requireEqual(scale.quotient->under, extent,
                          "scale is a quotient by another size"))
        return {};
      extent = scale.quotient->over;
      continue;
    }
    std::optional<Expr> size = scaleExtent(b, extent, scale.number);
    if (!size)
      return {};
    extent = *size;
  }
  bool isUneven = spec.isSymmetric && spec.mode == ResizeMode::Linear;
  if (spec.needsWeights() || isUneven)
    return resampleAxes(b, x, shape, *scales, spec);
  std::optional<bool> isBySizes = haveQuotients(b, x, spec, *scales);
  if (!isBySizes)
    return {};
  DenseF32ArrayAttr attr;
  if (!*isBySizes)
    attr = b.graph.getBuilder().getDenseF32ArrayAttr(numbers);
  return b.create<ResizeOp>(x, b.graph.shapeAttr(shape), attr, spec.mode,
                            spec.coordinates, spec.rounding);
}

std::optional<size_t> compose::findLeadingAxis(ValueBuilder &b, Value x,
                                               ArrayRef<Expr> sizes,
                                               AspectPolicy policy,
                                               ArrayRef<int64_t> axes) {
  size_t best = 0;
  for (size_t i = 1; i < axes.size(); ++i) {
    Expr lhs = sizes[i] * dimsOf(x)[axes[best]];
    Expr rhs = sizes[best] * dimsOf(x)[axes[i]];
    if (policy == AspectPolicy::NotSmaller)
      std::swap(lhs, rhs);
    Truth isBetter = b.prover().prove(Relation{Relation::Kind::LT, lhs, rhs});
    if (isBetter == Truth::Unknown)
      return std::nullopt;
    if (isBetter == Truth::Yes)
      best = i;
  }
  return best;
}

/// All axes by the scale of one; sizes are rounded, halves up.
static Value resizeKeepingAspect(ValueBuilder &b, Value x, ArrayRef<Expr> sizes,
                                 AspectPolicy policy, const ResizeSpec &spec) {
  std::optional<size_t> leading =
      findLeadingAxis(b, x, sizes, policy, spec.axes);
  if (!leading) {
    b.error() << "which axis decides about the aspect ratio is known only at "
                 "run time, expected sizes that decide";
    return {};
  }
  SmallVector<Expr> shape = dimsOf(x);
  Expr over = sizes[*leading], under = shape[spec.axes[*leading]];
  SmallVector<ResizeScale> scales(shape.size());
  SmallVector<float> numbers(shape.size(), 1);
  std::optional<int64_t> top = over.constant(), bottom = under.constant();
  bool isNumber = top && bottom && *bottom > 0;
  if (!isNumber && !spec.needsWeights()) {
    b.error() << "the scale '" << over.str() << "' by '" << under.str()
              << "' that keeps the aspect ratio is known only at run time, "
                 "expected numbers";
    return {};
  }
  for (int64_t axis : spec.axes) {
    Expr twice = Expr(2) * over * shape[axis] + under;
    shape[axis] = b.simplify(Expr::floorDiv(twice, Expr(2) * under));
    scales[axis].quotient = {over, under};
    if (isNumber)
      numbers[axis] = double(*top) / double(*bottom);
  }
  if (spec.needsWeights())
    return resampleAxes(b, x, shape, scales, spec);
  return b.create<ResizeOp>(x, b.graph.shapeAttr(shape),
                            b.graph.getBuilder().getDenseF32ArrayAttr(numbers),
                            spec.mode, spec.coordinates, spec.rounding);
}

Value compose::resizeToSizes(ValueBuilder &b, Value x, ArrayRef<Expr> sizes,
                             AspectPolicy policy, const ResizeSpec &spec) {
  if (sizes.size() != spec.axes.size()) {
    b.error() << "has " << sizes.size() << " sizes for " << spec.axes.size()
              << " axes";
    return {};
  }
  if (policy != AspectPolicy::Stretch && !sizes.empty())
    return resizeKeepingAspect(b, x, sizes, policy, spec);
  SmallVector<Expr> shape = dimsOf(x);
  SmallVector<ResizeScale> scales(shape.size());
  for (auto [axis, size] : llvm::zip_equal(spec.axes, sizes)) {
    scales[axis].quotient = {size, shape[axis]};
    shape[axis] = size;
  }
  if (spec.needsWeights())
    return resampleAxes(b, x, shape, scales, spec);
  return b.create<ResizeOp>(x, b.graph.shapeAttr(shape), DenseF32ArrayAttr(),
                            spec.mode, spec.coordinates, spec.rounding);
}
