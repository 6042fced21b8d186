// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deformable convolution (Dai et al. 2017; with a mask, Zhu et al. 2019): the
// elements under each window are sampled into columns, of which a matrix
// product makes the result.

#include "../Movement/Sampling.h"
#include "../Products/MatMul.h"
#include "Conv.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

namespace {
struct DeformConv {
  bool check();
  bool checkMask(Expr elements);
  Value places(int64_t dim);
  Value run();

  ValueBuilder &b;
  const DeformInputs &in;
  const ConvSpec &spec;
  /// Groups of channels with offsets of their own.
  int64_t groups;
  SmallVector<int64_t> window = {};
  SmallVector<Expr> dims = dimsOf(in.x), result = dimsOf(in.offsets);
};
} // namespace

bool DeformConv::checkMask(Expr elements) {
  if (!in.mask)
    return true;
  SmallVector<Expr> mask = dimsOf(in.mask), expected = result;
  expected[1] = elements;
  if (mask.size() != 4) {
    b.error() << "mask has rank " << mask.size() << ", expected 4";
    return false;
  }
  return llvm::all_of(llvm::zip_equal(mask, expected), [&](auto sizes) {
    auto [found, wanted] = sizes;
    return b.requireEqual(found, wanted, "sizes of the mask");
  });
}

bool DeformConv::check() {
  if (dims.size() != 4 || result.size() != 4) {
    b.error() << "input and offset have ranks " << dims.size() << " and "
              << result.size() << ", expected 4: two spatial dims";
    return false;
  }
  std::optional<SmallVector<int64_t>> size = filterWindow(b, in.x, in.filter);
  if (!size || !b.requireFloat(in.x, "input"))
    return false;
  window = *size;
  if (groups < 1 || spec.groups < 1 || spec.window.autoPad != AutoPad::NotSet) {
    b.error() << "has " << spec.groups << " groups and " << groups
              << " groups of offsets, expected positive numbers";
    return false;
  }
  Expr elements = window[0] * window[1] * groups;
  for (int64_t dim : {0, 1}) {
    Expr reach = dims[dim + 2] +
                 Expr(spec.window.low[dim] + spec.window.high[dim] -
                      (window[dim] - 1) * spec.window.dilations[dim] - 1);
    Expr count = Expr::floorDiv(reach, spec.window.strides[dim]) + 1;
    if (!b.requireEqual(result[dim + 2], b.simplify(count),
                        "offset has another number of windows"))
      return false;
  }
  SmallVector<Expr> filter = dimsOf(in.filter);
  return b.requireEqual(result[0], dims[0], "batch of the offset") &&
         b.requireEqual(result[1], elements * 2, "channels of the offset") &&
         b.requireDivisible(dims[1], groups,
                            "the groups of offsets do not divide channels") &&
         b.requireEqual(dims[1], filter[1] * spec.groups,
                        "channels of the filter by groups") &&
         b.requireDivisible(filter[0], spec.groups,
                            "the groups do not divide the filter") &&
         checkMask(elements);
}

/// Where each element of each window is along a dim, as
/// [N * groups, window, h * w, 1].
Value DeformConv::places(int64_t dim) {
  const WindowSpec &slide = spec.window;
  SmallVector<Expr> apart = {dims[0] * groups, window[0], window[1], 2,
                             result[2],        result[3]};
  Value offset = b.sliceDim(b.reshape(in.offsets, apart), 3, dim, 1);
  Type type = computeType(elementTypeOf(in.x));
  auto along = [&](int64_t at) {
    SmallVector<Expr> shape(6, Expr(1));
    shape[at] = apart[at];
    return b.iota(shape, at, type);
  };
  Value place = b.map({b.cast(offset, type), along(4 + dim), along(1 + dim)},
                      [&](ScalarBuilder &s, ValueRange v) {
                        auto c = [&](int64_t number) {
                          return s.constant(double(number), v[0]);
                        };
                        Value start =
                            s.add(s.mul(v[1], c(slide.strides[dim])),
                                  s.mul(v[2], c(slide.dilations[dim])));
                        return s.add(s.sub(start, c(slide.low[dim])), v[0]);
                      });
  return b.reshape(
      place, {apart[0], Expr(window[0] * window[1]), result[2] * result[3], 1});
}

Value DeformConv::run() {
  Expr elements = window[0] * window[1], count = result[2] * result[3];
  SmallVector<Expr> filter = dimsOf(in.filter);
  Value x = b.reshape(in.x, {dims[0] * groups, Expr::floorDiv(dims[1], groups),
                             dims[2], dims[3]});
  SampleSpec sampling;
  sampling.isInElements = true;
  Value grid = b.concat({places(1), places(0)}, 3);
  if (!grid || !x)
    return {};
  // [N * groups, channels, window, h * w]
  Value columns = gridSample(b, x, grid, sampling);
  if (in.mask)
    columns = b.mul(columns,
                    b.reshape(in.mask, {dims[0] * groups, 1, elements, count}));
  Expr rows = filter[1] * elements;
  columns = b.reshape(columns, {dims[0], spec.groups, rows, count});
  Value weights = b.reshape(
      in.filter, {spec.groups, Expr::floorDiv(filter[0], spec.groups), rows});
  if (!columns || !weights)
    return {};
  Value product = matmul(b, weights, columns);
  product = b.reshape(product, {dims[0], filter[0], result[2], result[3]});
  return addBias(b, product, in.bias);
}

Value compose::deformConv(ValueBuilder &b, const DeformInputs &inputs,
                          const ConvSpec &spec, int64_t offsetGroups) {
  DeformConv conv{b, inputs, spec, offsetGroups};
  return conv.check() ? conv.run() : Value();
}
