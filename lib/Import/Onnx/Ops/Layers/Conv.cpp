// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions, and the window attributes they share with pools.

#include "WindowAttrs.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

std::optional<WindowSpec> ambit::onnx_import::readWindow(NodeContext &c,
                                                         size_t spatial) {
  WindowSpec spec;
  SmallVector<int64_t> ones(spatial, 1), zeros(2 * spatial, 0);
  spec.strides = c.intsAttr("strides", ones);
  spec.dilations = c.intsAttr("dilations", ones);
  SmallVector<int64_t> pads = c.intsAttr("pads", zeros);
  std::string autoPad = c.stringAttr("auto_pad", "NOTSET");
  if (spec.strides.size() != spatial || spec.dilations.size() != spatial ||
      pads.size() != 2 * spatial) {
    c.error() << "has " << spec.strides.size() << " strides, "
              << spec.dilations.size() << " dilations and " << pads.size()
              << " pads for " << spatial << " spatial dims";
    return std::nullopt;
  }
  for (int64_t value : llvm::concat<int64_t>(spec.strides, spec.dilations))
    if (value < 1) {
      c.error() << "has a stride or dilation of " << value
                << ", expected at least 1";
      return std::nullopt;
    }
  if (autoPad == "SAME_UPPER")
    spec.autoPad = AutoPad::SameUpper;
  else if (autoPad == "SAME_LOWER")
    spec.autoPad = AutoPad::SameLower;
  else if (autoPad == "VALID")
    spec.autoPad = AutoPad::Valid;
  else if (autoPad != "NOTSET") {
    c.error() << "attribute 'auto_pad' is '" << autoPad
              << "', expected NOTSET, SAME_UPPER, SAME_LOWER or VALID";
    return std::nullopt;
  }
  // The two ways of padding exclude each other; auto_pad wins.
  if (spec.autoPad != AutoPad::NotSet)
    pads = zeros;
  spec.low.assign(pads.begin(), pads.begin() + spatial);
  spec.high.assign(pads.begin() + spatial, pads.end());
  return spec;
}

std::optional<SmallVector<int64_t>>
ambit::onnx_import::readFilterWindow(NodeContext &c, Value x, Value filter) {
  std::optional<SmallVector<int64_t>> window = filterWindow(c, x, filter);
  if (window && c.intsAttr("kernel_shape", *window) != *window) {
    c.error() << "attribute 'kernel_shape' does not match the filter of type "
              << filter.getType();
    return std::nullopt;
  }
  return window;
}

std::optional<ConvSpec> ambit::onnx_import::readConv(NodeContext &c, Value x,
                                                     Value filter) {
  auto window = readFilterWindow(c, x, filter);
  if (!window)
    return std::nullopt;
  std::optional<WindowSpec> slide = readWindow(c, window->size());
  if (!slide)
    return std::nullopt;
  return ConvSpec{*slide, c.intAttr("group", 1)};
}

static void convertConv(NodeContext &c) {
  if (auto spec = readConv(c, c.input(0), c.input(1)))
    c.setOutput(0, conv(c, c.input(0), c.input(1), c.input(2), *spec));
}

static void convertDeformConv(NodeContext &c) {
  DeformInputs inputs{c.input(0), c.input(1), c.input(2), c.input(3),
                      c.input(4)};
  if (rankOf(inputs.x) != 4) {
    c.error() << "input has rank " << rankOf(inputs.x)
              << ", supported are two spatial dims";
    return;
  }
  if (auto spec = readConv(c, inputs.x, inputs.filter))
    c.setOutput(0, deformConv(c, inputs, *spec, c.intAttr("offset_group", 1)));
}

static void convertConvTranspose(NodeContext &c) {
  Value x = c.input(0), filter = c.input(1);
  if (!haveSpatialDims(c, x, filter))
    return;
  size_t spatial = rankOf(x) - 2;
  std::optional<WindowSpec> slide = readWindow(c, spatial);
  if (!slide)
    return;
  ConvTransposeSpec spec{*slide, c.intAttr("group", 1), {}, {}};
  spec.extra = c.intsAttr("output_padding", SmallVector<int64_t>(spatial, 0));
  spec.sizes = c.intsAttr("output_shape");
  if (spec.sizes.size() == spatial + 2)
    spec.sizes.erase(spec.sizes.begin(), spec.sizes.begin() + 2);
  if (spec.extra.size() != spatial ||
      (!spec.sizes.empty() && spec.sizes.size() != spatial) ||
      spec.groups < 1) {
    c.error() << "has " << spec.extra.size() << " output paddings, "
              << spec.sizes.size() << " output sizes and " << spec.groups
              << " groups for " << spatial << " spatial dims";
    return;
  }
  if (readFilterWindow(c, x, filter))
    c.setOutput(0, convTranspose(c, x, filter, c.input(2), spec));
}

void ambit::onnx_import::addConvolutions(ConverterTable &table) {
  table.add("Conv", convertConv, 2, 3);
  table.add("DeformConv", convertDeformConv, 3, 5).since(19);
  table.add("ConvTranspose", convertConvTranspose, 2, 3);
}
