// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GridSample and AffineGrid.

#include "../../Compose/Movement/Sampling.h"
#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// Opset 20 renamed the modes.
static void convertGridSample(NodeContext &c) {
  using Mode = SampleSpec::Mode;
  using Outside = SampleSpec::Outside;
  std::optional<Mode> mode =
      c.opset() < 20 ? c.choiceAttr<Mode>("mode", "bilinear",
                                          {{"nearest", Mode::Nearest},
                                           {"bilinear", Mode::Linear},
                                           {"bicubic", Mode::Cubic}})
                     : c.choiceAttr<Mode>("mode", "linear",
                                          {{"nearest", Mode::Nearest},
                                           {"linear", Mode::Linear},
                                           {"cubic", Mode::Cubic}});
  std::optional<Outside> outside =
      c.choiceAttr<Outside>("padding_mode", "zeros",
                            {{"zeros", Outside::Zeros},
                             {"border", Outside::Border},
                             {"reflection", Outside::Reflection}});
  if (!mode || !outside)
    return;
  SampleSpec spec{*mode, *outside, c.intAttr("align_corners", 0) != 0};
  c.setOutput(0, gridSample(c, c.input(0), c.input(1), spec));
}

static void convertAffineGrid(NodeContext &c) {
  if (std::optional<SmallVector<Expr>> sizes = c.knownInput(1, "size"))
    c.setOutput(0, affineGrid(c, c.input(0), *sizes,
                              c.intAttr("align_corners", 0) != 0));
}

void ambit::onnx_import::addSamplings(ConverterTable &table) {
  table.add("GridSample", convertGridSample, 2).since(16);
  table.add("AffineGrid", convertAffineGrid, 2).since(20).sizes({1});
}
