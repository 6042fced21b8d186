// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ConvTranspose as a convolution: zeros between the elements of the input for
// the stride, the filter mirrored, and the complement of the padding.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

/// Puts stride - 1 zeros between the elements along `dim`: [d] to [d, 1] to
/// [d, stride] to [d * stride], and the last zeros are cut off.
static Value insertZeros(NodeContext &c, Value x, int64_t dim, int64_t stride) {
  if (stride == 1 || !x)
    return x;
  SmallVector<Expr> shape = dimsOf(x);
  Value fill = c.scalar(0, elementTypeOf(x));
  Value wide = c.unsqueeze(x, dim + 1);
  SmallVector<Expr> low(shape.size() + 1, Expr(0)), high = low;
  high[dim + 1] = stride - 1;
  wide = c.pad(wide, fill, low, high);
  Expr extent = shape[dim];
  shape[dim] = extent * Expr(stride);
  return c.sliceDim(c.reshape(wide, shape), dim, 0,
                    c.simplify((extent - 1) * Expr(stride) + 1));
}

/// [C, M/groups, window...] mirrored, as a filter [M, C/groups, window...].
static Value mirrorFilter(NodeContext &c, Value filter, int64_t groups) {
  SmallVector<Expr> dims = dimsOf(filter);
  SmallVector<Expr> offsets = dims;
  SmallVector<int64_t> strides(dims.size(), -1);
  for (size_t dim = 0; dim < dims.size(); ++dim)
    offsets[dim] = dim < 2 ? Expr(0) : dims[dim] - 1;
  strides[0] = strides[1] = 1;
  Value mirrored = c.create<SliceOp>(filter, c.graph.shapeAttr(offsets),
                                     c.graph.shapeAttr(dims), strides);
  Expr inputs = c.simplify(Expr::floorDiv(dims[0], groups));
  SmallVector<Expr> split = {groups, inputs, dims[1]};
  SmallVector<Expr> joined = {dims[1] * Expr(groups), inputs};
  SmallVector<int64_t> order = {0, 2, 1};
  for (size_t dim = 2; dim < dims.size(); ++dim) {
    split.push_back(dims[dim]);
    joined.push_back(dims[dim]);
    order.push_back(dim + 1);
  }
  return c.reshape(c.transpose(c.reshape(mirrored, split), order), joined);
}

namespace {
/// Attributes of ConvTranspose, and the pads that auto_pad and output_shape
/// stand for.
struct TransposeAttrs {
  WindowAttrs window;
  SmallVector<int64_t> sizes, extra;
  int64_t groups = 1;
  /// By spatial dim what pads that depend on sizes take from the full result's
  /// start, and how many elements they leave; absent for constant pads.
  SmallVector<std::optional<std::pair<Expr, Expr>>> cuts;
};
} // namespace

/// Pads that give the wanted output: `total` of them in all, the odd one at the
/// end for SAME_UPPER and at the start otherwise.
static bool setPads(NodeContext &c, TransposeAttrs &attrs, size_t i, Expr full,
                    Expr wanted) {
  bool isUpper = attrs.window.autoPad == AutoPad::SameUpper;
  Expr total = c.simplify(full - wanted);
  if (!total.isValid()) {
    c.error() << "padding of spatial dim " << i << " overflows 64 bits";
    return false;
  }
  std::optional<int64_t> amount = total.constant();
  if (!amount) {
    Expr cut = Expr::max(0, total), half = Expr::floorDiv(cut, 2);
    attrs.cuts[i] = {c.simplify(isUpper ? half : cut - half), wanted};
    attrs.window.low[i] = attrs.window.high[i] = 0;
    return true;
  }
  int64_t all = std::max<int64_t>(0, *amount), less = all / 2;
  attrs.window.low[i] = isUpper ? less : all - less;
  attrs.window.high[i] = all - attrs.window.low[i];
  // Where less than nothing is to be padded, the output grows.
  if (*amount < 0)
    attrs.extra[i] -= *amount;
  return true;
}

static std::optional<TransposeAttrs> readAttrs(NodeContext &c) {
  TransposeAttrs attrs;
  SmallVector<Expr> input = dimsOf(c.input(0));
  size_t spatial = input.size() - 2;
  std::optional<WindowAttrs> window = readWindowAttrs(c, spatial);
  if (!window)
    return std::nullopt;
  attrs.window = *window;
  attrs.cuts.resize(spatial);
  attrs.groups = c.intAttr("group", 1);
  attrs.extra = c.intsAttr("output_padding", SmallVector<int64_t>(spatial, 0));
  SmallVector<int64_t> wanted = c.intsAttr("output_shape");
  if (wanted.size() == spatial + 2)
    wanted.erase(wanted.begin(), wanted.begin() + 2);
  if (attrs.extra.size() != spatial ||
      (!wanted.empty() && wanted.size() != spatial) || attrs.groups < 1) {
    c.error() << "has " << attrs.extra.size() << " output paddings, "
              << wanted.size() << " output sizes and " << attrs.groups
              << " groups for " << spatial << " spatial dims";
    return std::nullopt;
  }
  std::optional<SmallVector<int64_t>> sizes = filterWindow(c, c.input(1));
  if (!sizes)
    return std::nullopt;
  attrs.sizes = *sizes;
  bool isSame = attrs.window.autoPad == AutoPad::SameUpper ||
                attrs.window.autoPad == AutoPad::SameLower;
  for (size_t i = 0; i < spatial; ++i) {
    Expr stride = attrs.window.strides[i];
    Expr reach =
        (Expr(attrs.sizes[i]) - 1) * Expr(attrs.window.dilations[i]) + 1;
    Expr full = (input[i + 2] - 1) * stride + reach + Expr(attrs.extra[i]);
    if (!wanted.empty() && !setPads(c, attrs, i, full, wanted[i]))
      return std::nullopt;
    if (wanted.empty() && isSame &&
        !setPads(c, attrs, i, full, input[i + 2] * stride))
      return std::nullopt;
  }
  return attrs;
}

/// The complement of the padding; what is negative is cut from the input.
static Value cutNegative(NodeContext &c, Value x, int64_t dim, int64_t &low,
                         int64_t &high) {
  int64_t before = std::max<int64_t>(0, -low);
  int64_t after = std::max<int64_t>(0, -high);
  low += before;
  high += after;
  if ((before == 0 && after == 0) || !x)
    return x;
  return c.sliceDim(x, dim, before,
                    c.simplify(dimsOf(x)[dim] - Expr(before) - Expr(after)));
}

/// Takes what was asked for from the full result, which zeros continue.
static Value cutResult(NodeContext &c, Value result, int64_t dim, Expr offset,
                       Expr size) {
  if (!result)
    return {};
  SmallVector<Expr> low(rankOf(result), Expr(0)), high = low;
  high[dim] = c.simplify(Expr::max(0, offset + size - dimsOf(result)[dim]));
  if (!high[dim].isConstant(0))
    result = c.pad(result, c.scalar(0, elementTypeOf(result)), low, high);
  return c.sliceDim(result, dim, offset, size);
}

static void convertConvTranspose(NodeContext &c) {
  Value x = c.input(0), filter = c.input(1);
  int64_t rank = rankOf(x);
  if (rank < 3 || rankOf(filter) != rank) {
    c.error() << "input and filter have ranks " << rank << " and "
              << rankOf(filter) << ", expected the same of at least 3";
    return;
  }
  std::optional<TransposeAttrs> attrs = readAttrs(c);
  if (!attrs)
    return;
  SmallVector<int64_t> low, high, ones(rank - 2, 1);
  for (int64_t i = 0; i < rank - 2; ++i) {
    const WindowAttrs &window = attrs->window;
    Expr reach = (Expr(attrs->sizes[i]) - 1) * Expr(window.dilations[i]);
    Expr before = reach - Expr(window.low[i]);
    Expr after = reach - Expr(window.high[i]) + Expr(attrs->extra[i]);
    if (!before.constant() || !after.constant()) {
      c.error() << "padding of spatial dim " << i << " overflows 64 bits";
      return;
    }
    low.push_back(*before.constant());
    high.push_back(*after.constant());
    x = insertZeros(c, x, i + 2, window.strides[i]);
    x = cutNegative(c, x, i + 2, low.back(), high.back());
  }
  Value result = c.create<ConvOp>(
      x, mirrorFilter(c, filter, attrs->groups), ones, attrs->window.dilations,
      low, high, attrs->groups, isNarrowFloat(elementTypeOf(c.input(0))));
  for (auto [i, cut] : llvm::enumerate(attrs->cuts))
    if (cut)
      result = cutResult(c, result, i + 2, cut->first, cut->second);
  if (result && c.input(2))
    result = c.add(result, c.alongDim(c.input(2), 1, rank));
  c.setOutput(0, result);
}

void ambit::onnx_import::addTransposedConvolutions(ConverterTable &table) {
  table.add("ConvTranspose", convertConvTranspose, 2, 3);
}
