// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions, and the window attributes they share with pools.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

std::optional<WindowAttrs> ambit::onnx_import::readWindowAttrs(NodeContext &c,
                                                               size_t spatial) {
  WindowAttrs attrs;
  SmallVector<int64_t> ones(spatial, 1), zeros(2 * spatial, 0);
  attrs.strides = c.intsAttr("strides", ones);
  attrs.dilations = c.intsAttr("dilations", ones);
  SmallVector<int64_t> pads = c.intsAttr("pads", zeros);
  std::string autoPad = c.stringAttr("auto_pad", "NOTSET");
  if (attrs.strides.size() != spatial || attrs.dilations.size() != spatial ||
      pads.size() != 2 * spatial) {
    c.error() << "has " << attrs.strides.size() << " strides, "
              << attrs.dilations.size() << " dilations and " << pads.size()
              << " pads for " << spatial << " spatial dims";
    return std::nullopt;
  }
  for (int64_t value : llvm::concat<int64_t>(attrs.strides, attrs.dilations))
    if (value < 1) {
      c.error() << "has a stride or dilation of " << value
                << ", expected at least 1";
      return std::nullopt;
    }
  if (autoPad == "SAME_UPPER")
    attrs.autoPad = AutoPad::SameUpper;
  else if (autoPad == "SAME_LOWER")
    attrs.autoPad = AutoPad::SameLower;
  else if (autoPad == "VALID")
    attrs.autoPad = AutoPad::Valid;
  else if (autoPad != "NOTSET") {
    c.error() << "attribute 'auto_pad' is '" << autoPad
              << "', expected NOTSET, SAME_UPPER, SAME_LOWER or VALID";
    return std::nullopt;
  }
  // The two ways of padding exclude each other; auto_pad wins.
  if (attrs.autoPad != AutoPad::NotSet)
    pads = zeros;
  attrs.low.assign(pads.begin(), pads.begin() + spatial);
  attrs.high.assign(pads.begin() + spatial, pads.end());
  return attrs;
}

Value ambit::onnx_import::applyAutoPad(NodeContext &c, Value input,
                                       ArrayRef<int64_t> window, double fill,
                                       WindowAttrs &attrs) {
  if (!input || (attrs.autoPad != AutoPad::SameUpper &&
                 attrs.autoPad != AutoPad::SameLower))
    return input;
  SmallVector<Expr> dims = dimsOf(input);
  SmallVector<Expr> low(dims.size(), Expr(0)), high(dims.size(), Expr(0));
  bool isSymbolic = false;
  for (auto [i, size] : llvm::enumerate(window)) {
    Expr extent = dims[i + 2], stride = attrs.strides[i];
    Expr reach = (Expr(size) - 1) * Expr(attrs.dilations[i]) + 1;
    Expr last = (Expr::ceilDiv(extent, stride) - 1) * stride;
    Expr total = c.simplify(Expr::max(0, last + reach - extent));
    Expr less = c.simplify(Expr::floorDiv(total, 2));
    Expr more = c.simplify(total - less);
    if (attrs.autoPad == AutoPad::SameLower)
      std::swap(less, more);
    if (less.constant() && more.constant()) {
      attrs.low[i] = *less.constant();
      attrs.high[i] = *more.constant();
      continue;
    }
    low[i + 2] = less;
    high[i + 2] = more;
    isSymbolic = true;
  }
  if (!isSymbolic)
    return input;
  return c.pad(input, c.scalar(fill, elementTypeOf(input)), low, high);
}

std::optional<SmallVector<int64_t>>
ambit::onnx_import::filterWindow(NodeContext &c, Value filter) {
  SmallVector<int64_t> window;
  SmallVector<Expr> dims = dimsOf(filter);
  for (Expr dim : ArrayRef(dims).drop_front(2)) {
    if (!dim.constant()) {
      c.error() << "window size '" << dim.str() << "' is not a constant";
      return std::nullopt;
    }
    window.push_back(*dim.constant());
  }
  SmallVector<int64_t> declared = c.intsAttr("kernel_shape", window);
  if (declared != window) {
    c.error() << "attribute 'kernel_shape' does not match the filter of type "
              << filter.getType();
    return std::nullopt;
  }
  return window;
}

/// Adds a bias [C] to dim 1.
static Value addBias(NodeContext &c, Value x, Value bias) {
  if (!bias || !x)
    return x;
  return c.add(x, c.alongDim(bias, 1, rankOf(x)));
}

Value ambit::onnx_import::convolve(NodeContext &c, Value input, Value filter) {
  if (!input || !filter)
    return {};
  int64_t rank = rankOf(input);
  if (rank < 3 || rankOf(filter) != rank) {
    c.error() << "input and filter have ranks " << rank << " and "
              << rankOf(filter) << ", expected the same of at least 3";
    return {};
  }
  std::optional<SmallVector<int64_t>> window = filterWindow(c, filter);
  std::optional<WindowAttrs> attrs = readWindowAttrs(c, rank - 2);
  if (!window || !attrs)
    return {};
  Value padded = applyAutoPad(c, input, *window, 0, *attrs);
  return c.create<ConvOp>(padded, filter, attrs->strides, attrs->dilations,
                          attrs->low, attrs->high, c.intAttr("group", 1),
                          isNarrowFloat(elementTypeOf(input)));
}

static void convertConv(NodeContext &c) {
  Value result = convolve(c, c.input(0), c.input(1));
  c.setOutput(0, addBias(c, result, c.input(2)));
}

void ambit::onnx_import::addConvolutions(ConverterTable &table) {
  table.add("Conv", convertConv, 2, 3);
}
