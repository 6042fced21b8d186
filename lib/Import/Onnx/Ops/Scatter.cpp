// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scatters, and TensorScatter, which writes into a cache.

#include "../../Compose/Movement/Scatter.h"
#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;
using graph::ScatterKind;

static std::optional<ScatterKind> readKind(NodeContext &c) {
  return c.choiceAttr<ScatterKind>("reduction", "none",
                                   {{"none", ScatterKind::Replace},
                                    {"add", ScatterKind::Add},
                                    {"mul", ScatterKind::Multiply},
                                    {"max", ScatterKind::Max},
                                    {"min", ScatterKind::Min}});
}

static void convertScatterElements(NodeContext &c) {
  if (auto kind = readKind(c))
    c.setOutput(0, scatterElements(c, c.input(0), c.input(1), c.input(2),
                                   c.intAttr("axis", 0), *kind));
}

static void convertScatterND(NodeContext &c) {
  if (auto kind = readKind(c))
    c.setOutput(0, scatterND(c, c.input(0), c.input(1), c.input(2), *kind));
}

static void convertTensorScatter(NodeContext &c) {
  auto isRing = c.choiceAttr<bool>("mode", "linear",
                                   {{"linear", false}, {"circular", true}});
  if (isRing)
    c.setOutput(0, writeCache(c, c.input(0), c.input(1), c.input(2),
                              c.intAttr("axis", -2), *isRing));
}

void ambit::onnx_import::addScatters(ConverterTable &table) {
  table.add("Scatter", convertScatterElements, 3).since(9).storedTypes();
  table.add("ScatterElements", convertScatterElements, 3)
      .since(11)
      .storedTypes();
  table.add("ScatterND", convertScatterND, 3).since(11).storedTypes();
  table.add("TensorScatter", convertTensorScatter, 2, 3)
      .since(24)
      .storedTypes();
}
