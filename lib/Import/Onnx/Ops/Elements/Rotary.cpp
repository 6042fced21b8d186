// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RotaryEmbedding, as ONNX has it and as ONNX Runtime had it before.

#include "../../../Compose/Elements/Rotary.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static RotarySpec readSpec(NodeContext &c) {
  return {c.intAttr("num_heads", 0), c.intAttr("rotary_embedding_dim", 0),
          c.intAttr("interleaved", 0) != 0};
}

/// Inputs: x, the cosines, the sines, [positions].
static void convertRotary(NodeContext &c) {
  c.setOutput(0, rotary(c, c.input(0), c.input(1), c.input(2), c.input(3),
                        readSpec(c)));
}

/// Inputs: x, positions, the cosines, the sines. The tables say how many
/// features a head has where no attribute does.
static void convertContribRotary(NodeContext &c) {
  Value x = c.input(0), cos = c.input(2);
  if (c.intAttr("is_packed_batching", 0) != 0) {
    c.error() << "attribute 'is_packed_batching' is not supported";
    return;
  }
  if (double scale = c.floatAttr("scale", 1); scale != 1) {
    c.error() << "attribute 'scale' is " << scale << ", supported is 1";
    return;
  }
  RotarySpec spec = readSpec(c);
  if (spec.heads == 0 && rankOf(x) == 3 && rankOf(cos) == 2) {
    std::optional<int64_t> pairs = dimsOf(cos)[1].constant();
    std::optional<int64_t> width = dimsOf(x)[2].constant();
    if (pairs && width && *pairs > 0)
      spec.heads = *width / (2 * *pairs);
  }
  c.setOutput(0, rotary(c, x, cos, c.input(3), c.input(1), spec));
}

void ambit::onnx_import::addRotary(ConverterTable &table) {
  table.add("RotaryEmbedding", convertRotary, 3, 4).since(23);
  table.add("com.microsoft.RotaryEmbedding", convertContribRotary, 4);
}
