// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides between the exact and the floored length, over a whole function.

#include "ResizeLengths.h"
#include "../Compose/Resizes/ResizeScales.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

void onnx_import::decideResizeLengths(func::FuncOp function,
                                      ShapeContext &context,
                                      ResizeLength length) {
  function.walk([&](ResizeOp op) {
    if (!op.getScales() || op.getCoordinates() != Coordinates::AlignCorners)
      return;
    for (auto [extent, scale] :
         llvm::zip_equal(dimsOf(op.getInput()), *op.getScales())) {
      if (!mayLeaveFraction(context.getProver(), extent, scale))
        continue;
      if (length == ResizeLength::Floored) {
        op.removeScalesAttr();
        return;
      }
      op.emitWarning()
          << "align_corners computes positions from a resized length of '"
          << extent.str() << "' * " << std::to_string(scale)
          << ", not rounded down, as the tests of ONNX have it; ONNX Runtime "
             "and PyTorch round down, as '--resize-length=floored' does";
      return;
    }
  });
}
