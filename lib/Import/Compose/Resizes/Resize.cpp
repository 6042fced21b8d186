// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes from scales; where these are quotients of sizes, positions are computed
// from the sizes of the result.

#include "Resize.h"
#include "ResizeScales.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// The element of the scales for each dim; nothing after an error.
static std::optional<SmallVector<ResizeScale>>
scalesOfDims(ValueBuilder &b, size_t rank, ArrayRef<int64_t> axes,
             Value scales) {
  std::optional<SmallVector<ResizeScale>> given = readResizeScales(b, scales);
  if (!given) {
    b.error() << "scales of type " << scales.getType()
              << " depend on data; floor(size * scale) must be known from the "
                 "shapes of the model's inputs: expected constants or "
                 "quotients of sizes";
    return std::nullopt;
  }
  if (given->size() != axes.size()) {
    b.error() << "has " << given->size() << " scales for " << axes.size()
              << " axes";
    return std::nullopt;
  }
  SmallVector<ResizeScale> all(rank);
  for (auto [axis, scale] : llvm::zip_equal(axes, *given))
    all[axis] = scale;
  return all;
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

Value compose::resizeByScales(ValueBuilder &b, Value x, Value given,
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
  std::optional<bool> isBySizes = haveQuotients(b, x, spec, *scales);
  if (!isBySizes)
    return {};
  DenseF32ArrayAttr attr;
  if (!*isBySizes)
    attr = b.graph.getBuilder().getDenseF32ArrayAttr(numbers);
  return b.create<ResizeOp>(x, b.graph.shapeAttr(shape), attr, spec.mode,
                            spec.coordinates, spec.rounding);
}

Value compose::resizeToSizes(ValueBuilder &b, Value x, ArrayRef<Expr> sizes,
                             const ResizeSpec &spec) {
  if (sizes.size() != spec.axes.size()) {
    b.error() << "has " << sizes.size() << " sizes for " << spec.axes.size()
              << " axes";
    return {};
  }
  SmallVector<Expr> shape = dimsOf(x);
  for (auto [axis, size] : llvm::zip_equal(spec.axes, sizes))
    shape[axis] = size;
  return b.create<ResizeOp>(x, b.graph.shapeAttr(shape), DenseF32ArrayAttr(),
                            spec.mode, spec.coordinates, spec.rounding);
}
