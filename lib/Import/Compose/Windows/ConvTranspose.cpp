// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transposed convolution as a convolution with the filter mirrored and the
// complement of the padding.
//
// With a stride s, results of one phase (position % s) read the elements of the
// filter of that phase alone. So each phase is a convolution of stride 1 by
// every s-th element of the filter, and all phases together are one with s
// times the channels, whose results are interleaved. Where the filter is
// dilated, or pads are unusual, zeros are put between the elements of the input
// instead. The order of each sum is the same both ways.

#include "Conv.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// Puts stride - 1 zeros between the elements along `dim`: [d] to [d, 1] to
/// [d, stride] to [d * stride], and the last zeros are cut off.
static Value insertZeros(ValueBuilder &b, Value x, int64_t dim,
                         int64_t stride) {
  if (stride == 1 || !x)
    return x;
  SmallVector<Expr> shape = dimsOf(x);
  Value fill = b.scalar(0, elementTypeOf(x));
  Value wide = b.unsqueeze(x, dim + 1);
  SmallVector<Expr> low(shape.size() + 1, Expr(0)), high = low;
  high[dim + 1] = stride - 1;
  wide = b.pad(wide, fill, low, high);
  Expr extent = shape[dim];
  shape[dim] = extent * Expr(stride);
  return b.sliceDim(b.reshape(wide, shape), dim, 0,
                    b.simplify((extent - 1) * Expr(stride) + 1));
}

/// [C, M/groups, window...] mirrored, as a filter [M, C/groups, window...].
static Value mirrorFilter(ValueBuilder &b, Value filter, int64_t groups) {
  SmallVector<Expr> dims = dimsOf(filter);
  SmallVector<Expr> offsets = dims;
  SmallVector<int64_t> strides(dims.size(), -1);
  for (size_t dim = 0; dim < dims.size(); ++dim)
    offsets[dim] = dim < 2 ? Expr(0) : dims[dim] - 1;
  strides[0] = strides[1] = 1;
  Value mirrored = b.create<SliceOp>(filter, b.graph.shapeAttr(offsets),
                                     b.graph.shapeAttr(dims), strides);
  Expr inputs = b.simplify(Expr::floorDiv(dims[0], groups));
  SmallVector<Expr> split = {groups, inputs, dims[1]};
  SmallVector<Expr> joined = {dims[1] * Expr(groups), inputs};
  SmallVector<int64_t> order = {0, 2, 1};
  for (size_t dim = 2; dim < dims.size(); ++dim) {
    split.push_back(dims[dim]);
    joined.push_back(dims[dim]);
    order.push_back(dim + 1);
  }
  return b.reshape(b.transpose(b.reshape(mirrored, split), order), joined);
}

namespace {
/// The pads that a result of given sizes stands for.
struct Transposition {
  WindowSpec window;
  SmallVector<int64_t> sizes, extra;
  /// By spatial dim what pads that depend on sizes take from the full result's
  /// start, and how many elements they leave; absent for constant pads.
  SmallVector<std::optional<std::pair<Expr, Expr>>> cuts;
};
} // namespace

/// Pads that give the wanted output: `total` of them in all, the odd one at the
/// end for SameUpper and at the start otherwise.
static bool setPads(ValueBuilder &b, Transposition &to, size_t i, Expr full,
                    Expr wanted) {
  bool isUpper = to.window.autoPad == AutoPad::SameUpper;
  Expr total = b.simplify(full - wanted);
  if (!total.isValid()) {
    b.error() << "padding of spatial dim " << i << " overflows 64 bits";
    return false;
  }
  std::optional<int64_t> amount = total.constant();
  if (!amount) {
    Expr cut = Expr::max(0, total), half = Expr::floorDiv(cut, 2);
    to.cuts[i] = {b.simplify(isUpper ? half : cut - half), wanted};
    to.window.low[i] = to.window.high[i] = 0;
    return true;
  }
  int64_t all = std::max<int64_t>(0, *amount), less = all / 2;
  to.window.low[i] = isUpper ? less : all - less;
  to.window.high[i] = all - to.window.low[i];
  // Where less than nothing is to be padded, the output grows.
  if (*amount < 0)
    to.extra[i] -= *amount;
  return true;
}

static std::optional<Transposition> decidePads(ValueBuilder &b, Value x,
                                               ArrayRef<int64_t> window,
                                               const ConvTransposeSpec &spec) {
  Transposition to;
  to.window = spec.window;
  to.sizes.assign(window.begin(), window.end());
  to.extra = spec.extra;
  to.cuts.resize(window.size());
  SmallVector<Expr> input = dimsOf(x);
  for (size_t i = 0; i < window.size(); ++i) {
    Expr stride = to.window.strides[i];
    Expr reach = (Expr(window[i]) - 1) * Expr(to.window.dilations[i]) + 1;
    Expr full = (input[i + 2] - 1) * stride + reach + Expr(to.extra[i]);
    if (!spec.sizes.empty() && !setPads(b, to, i, full, spec.sizes[i]))
      return std::nullopt;
    if (spec.sizes.empty() && to.window.isSame() &&
        !setPads(b, to, i, full, input[i + 2] * stride))
      return std::nullopt;
  }
  return to;
}

/// The complement of the padding; what is negative is cut from the input.
static Value cutNegative(ValueBuilder &b, Value x, int64_t dim, int64_t &low,
                         int64_t &high) {
  int64_t before = std::max<int64_t>(0, -low);
  int64_t after = std::max<int64_t>(0, -high);
  low += before;
  high += after;
  if ((before == 0 && after == 0) || !x)
    return x;
  return b.sliceDim(x, dim, before,
                    b.simplify(dimsOf(x)[dim] - Expr(before) - Expr(after)));
}

/// Takes what was asked for from the full result, which zeros continue.
static Value cutResult(ValueBuilder &b, Value result, int64_t dim, Expr offset,
                       Expr size) {
  if (!result)
    return {};
  SmallVector<Expr> low(rankOf(result), Expr(0)), high = low;
  high[dim] = b.simplify(Expr::max(0, offset + size - dimsOf(result)[dim]));
  if (!high[dim].isConstant(0))
    result = b.pad(result, b.scalar(0, elementTypeOf(result)), low, high);
  return b.sliceDim(result, dim, offset, size);
}

//===-- Phases ------------------------------------------------------------===//

namespace {
/// One spatial dim by phases: taps of a phase, pads of the convolution, and
/// where the wanted part of the interleaved results begins.
struct Phase {
  int64_t stride, taps, low, high, offset;
};
} // namespace

/// Nothing where the phases would need less padding than none.
static std::optional<SmallVector<Phase>> splitPhases(const Transposition &to) {
  const WindowSpec &window = to.window;
  SmallVector<Phase> phases;
  for (size_t i = 0; i < to.sizes.size(); ++i) {
    int64_t stride = window.strides[i], size = to.sizes[i];
    int64_t low = window.low[i], high = window.high[i];
    // Far beyond any window, and sums of them stay in 64 bits.
    constexpr int64_t most = int64_t(1) << 30;
    if (window.dilations[i] != 1 || size < 1 || size > most || low < 0 ||
        high < 0 || stride > most || low > most || high > most ||
        to.extra[i] > most)
      return std::nullopt;
    Phase phase;
    phase.stride = stride;
    phase.taps = llvm::divideCeil(size, stride);
    phase.low = phase.taps - 1 - low / stride;
    int64_t last = size + to.extra[i] - high;
    phase.high = last < 1 ? -1 : int64_t(llvm::divideCeil(last, stride)) - 1;
    phase.offset = low % stride;
    if (phase.low < 0 || phase.high < 0)
      return std::nullopt;
    phases.push_back(phase);
  }
  return phases;
}

/// [C, M/groups, window...] as [M * strides..., C/groups, taps...]: each output
/// channel becomes one for each combination of phases.
static Value splitFilter(ValueBuilder &b, Value filter, int64_t groups,
                         ArrayRef<Phase> phases) {
  SmallVector<Expr> dims = dimsOf(filter);
  SmallVector<Expr> low(dims.size(), Expr(0)), high = low;
  Expr inputs = b.simplify(Expr::floorDiv(dims[0], groups));
  SmallVector<Expr> split = {groups, inputs, dims[1]};
  Expr outputs = dims[1] * Expr(groups);
  SmallVector<Expr> joined = {outputs, inputs};
  SmallVector<int64_t> order = {0, 2}, tapDims = {1};
  for (auto [i, phase] : llvm::enumerate(phases)) {
    high[i + 2] = Expr(phase.stride * phase.taps) - dims[i + 2];
    split.push_back(phase.taps);
    split.push_back(phase.stride);
    tapDims.push_back(3 + 2 * int64_t(i));
    order.push_back(4 + 2 * int64_t(i));
    joined[0] = joined[0] * Expr(phase.stride);
    joined.push_back(phase.taps);
  }
  order.append(tapDims);
  Value whole = filter;
  if (llvm::any_of(high, [](Expr e) { return !e.isConstant(0); }))
    whole = b.pad(filter, b.scalar(0, elementTypeOf(filter)), low, high);
  Value taps = b.reshape(whole, split);
  for (int64_t dim : ArrayRef<int64_t>(tapDims).drop_front())
    taps = b.reverse(taps, dim);
  return b.reshape(b.transpose(taps, order), joined);
}

/// [N, M * strides..., positions...] as [N, M, positions * stride, ...].
static Value interleave(ValueBuilder &b, Value x, ArrayRef<Phase> phases) {
  if (!x)
    return {};
  SmallVector<Expr> dims = dimsOf(x);
  int64_t spatial = phases.size(), factor = 1;
  for (const Phase &phase : phases)
    factor *= phase.stride;
  Expr outputs = b.simplify(Expr::floorDiv(dims[1], factor));
  SmallVector<Expr> split = {dims[0], outputs}, joined = split;
  SmallVector<int64_t> order = {0, 1};
  for (const Phase &phase : phases)
    split.push_back(phase.stride);
  for (int64_t i = 0; i < spatial; ++i) {
    split.push_back(dims[i + 2]);
    joined.push_back(b.simplify(dims[i + 2] * Expr(phases[i].stride)));
    order.push_back(2 + spatial + i);
    order.push_back(2 + i);
  }
  return b.reshape(b.transpose(b.reshape(x, split), order), joined);
}

/// The result before `cuts`.
static Value convolvePhases(ValueBuilder &b, Value x, Value filter,
                            const Transposition &to, int64_t groups,
                            ArrayRef<Phase> phases) {
  SmallVector<int64_t> low, high, ones(phases.size(), 1);
  for (const Phase &phase : phases) {
    low.push_back(phase.low);
    high.push_back(phase.high);
  }
  SmallVector<Expr> input = dimsOf(x);
  Value result =
      b.create<ConvOp>(x, splitFilter(b, filter, groups, phases), ones, ones,
                       low, high, groups, isNarrowFloat(elementTypeOf(x)));
  result = interleave(b, result, phases);
  for (auto [i, phase] : llvm::enumerate(phases)) {
    Expr size = (input[i + 2] - 1) * Expr(phase.stride) + Expr(to.sizes[i]) +
                Expr(to.extra[i]) - Expr(to.window.low[i]) -
                Expr(to.window.high[i]);
    result = b.sliceDim(result, i + 2, phase.offset, b.simplify(size));
  }
  return result;
}

//===-- Zeros in between --------------------------------------------------===//

/// The result before `cuts`.
static Value convolveWithZeros(ValueBuilder &b, Value x, Value filter,
                               const Transposition &to, int64_t groups) {
  SmallVector<int64_t> low, high, ones(to.sizes.size(), 1);
  for (size_t i = 0; i < to.sizes.size(); ++i) {
    const WindowSpec &window = to.window;
    Expr reach = (Expr(to.sizes[i]) - 1) * Expr(window.dilations[i]);
    Expr before = reach - Expr(window.low[i]);
    Expr after = reach - Expr(window.high[i]) + Expr(to.extra[i]);
    if (!before.constant() || !after.constant()) {
      b.error() << "padding of spatial dim " << i << " overflows 64 bits";
      return {};
    }
    low.push_back(*before.constant());
    high.push_back(*after.constant());
    x = insertZeros(b, x, i + 2, window.strides[i]);
    x = cutNegative(b, x, i + 2, low.back(), high.back());
  }
  return b.create<ConvOp>(x, mirrorFilter(b, filter, groups), ones,
                          to.window.dilations, low, high, groups,
                          isNarrowFloat(elementTypeOf(filter)));
}

Value compose::convTranspose(ValueBuilder &b, Value x, Value filter, Value bias,
                             const ConvTransposeSpec &spec) {
  std::optional<SmallVector<int64_t>> sizes = filterWindow(b, x, filter);
  std::optional<Transposition> to;
  if (sizes)
    to = decidePads(b, x, *sizes, spec);
  if (!to)
    return {};
  bool isStrided = llvm::any_of(to->window.strides,
                                [](int64_t stride) { return stride > 1; });
  std::optional<SmallVector<Phase>> phases;
  if (isStrided)
    phases = splitPhases(*to);
  Value result = phases
                     ? convolvePhases(b, x, filter, *to, spec.groups, *phases)
                     : convolveWithZeros(b, x, filter, *to, spec.groups);
  for (auto [i, cut] : llvm::enumerate(to->cuts))
    if (cut)
      result = cutResult(b, result, i + 2, cut->first, cut->second);
  return addBias(b, result, bias);
}
