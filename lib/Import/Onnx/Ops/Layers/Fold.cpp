// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Col2Im, MaxUnpool and RoiAlign: windows into images, and regions out of them.

#include "../../../Compose/Windows/Fold.h"
#include "../../../Compose/Movement/RoiAlign.h"
#include "WindowAttrs.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// Inputs: blocks, image shape, block shape.
static void convertCol2Im(NodeContext &c) {
  auto image = c.knownInput(1, "image_shape");
  if (!image)
    return;
  auto block = c.constantInput(2, "block_shape");
  if (!block)
    return;
  auto window = readWindow(c, image->size());
  if (window)
    c.setOutput(0, fold(c, c.input(0), {*image, *block, *window}));
}

/// Inputs: x, places, output shape.
static void convertMaxUnpool(NodeContext &c) {
  SmallVector<Expr> unpooled = dimsOf(c.input(0));
  SmallVector<int64_t> kernel = c.intsAttr("kernel_shape");
  if (kernel.empty() || kernel.size() + 2 != unpooled.size()) {
    c.error() << "kernel_shape has " << kernel.size()
              << " sizes for an input of rank " << unpooled.size();
    return;
  }
  auto window = readWindow(c, kernel.size());
  if (!window)
    return;
  for (auto [dim, size] : llvm::enumerate(kernel))
    unpooled[dim + 2] =
        c.simplify((unpooled[dim + 2] - 1) * Expr(window->strides[dim]) +
                   Expr(size - window->low[dim] - window->high[dim]));
  SmallVector<Expr> shape = unpooled;
  if (c.input(2)) {
    auto given = c.knownInput(2, "output_shape");
    if (!given)
      return;
    if (given->size() != shape.size()) {
      c.error() << "output_shape has " << given->size() << " sizes, expected "
                << shape.size();
      return;
    }
    shape = *given;
  }
  c.setOutput(0, unpool(c, c.input(0), c.input(1), unpooled, shape));
}

/// Inputs: x, regions, batch indices.
static void convertRoiAlign(NodeContext &c) {
  RoiAlignSpec spec;
  spec.height = c.intAttr("output_height", 1);
  spec.width = c.intAttr("output_width", 1);
  spec.samples = c.intAttr("sampling_ratio", 0);
  spec.scale = c.floatAttr("spatial_scale", 1);
  auto isMax =
      c.choiceAttr<bool>("mode", "avg", {{"avg", false}, {"max", true}});
  auto isHalfPixel =
      c.choiceAttr<bool>("coordinate_transformation_mode",
                         c.opset() < 16 ? "output_half_pixel" : "half_pixel",
                         {{"half_pixel", true}, {"output_half_pixel", false}});
  if (!isMax || !isHalfPixel)
    return;
  if (spec.height < 1 || spec.width < 1 || spec.samples < 1) {
    c.error()
        << "attributes output_height, output_width and sampling_ratio are "
        << spec.height << ", " << spec.width << " and " << spec.samples
        << ", expected at least 1: how many samples a region would get "
           "depends on data otherwise";
    return;
  }
  spec.isMax = *isMax;
  spec.isHalfPixel = *isHalfPixel;
  c.setOutput(0, roiAlign(c, c.input(0), c.input(1), c.input(2), spec));
}

void ambit::onnx_import::addFolds(ConverterTable &table) {
  table.add("Col2Im", convertCol2Im, 3).since(18).sizes({1, 2});
  table.add("MaxUnpool", convertMaxUnpool, 2, 3).since(9).sizes({2});
  table.add("RoiAlign", convertRoiAlign, 3).since(10);
}
