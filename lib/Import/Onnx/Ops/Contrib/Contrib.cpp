// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators of the domain com.microsoft that optimizers of transformers write:
// activations with a bias, products with transposed operands.

#include "../../../Compose/Elements/Activation.h"
#include "../../../Compose/Products/MatMul.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

using Kind = Activation::Kind;

/// A function of the input plus the bias, if there is one.
template <Kind kind> static void convertBiased(NodeContext &c) {
  Value x = c.input(0);
  if (c.input(1))
    x = c.add(x, c.broadcast(c.input(1), dimsOf(x)));
  if (x)
    c.setOutput(0, activate(c, x, {kind}));
}

static void convertQuickGelu(NodeContext &c) {
  c.setOutput(
      0, activate(c, c.input(0), {Kind::Swish, c.floatAttr("alpha", 1.702f)}));
}

/// An operand as the attributes of its side, "A" or "B", turn it. A batch that
/// is turned stands behind the rows.
static Value turnOperand(NodeContext &c, Value x, StringRef side) {
  int64_t rank = rankOf(x);
  if (rank < 2)
    return x;
  SmallVector<int64_t> order = dimsFrom(0, rank);
  if (c.intAttr(("transBatch" + side).str(), 0) != 0)
    std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
  if (c.intAttr(("trans" + side).str(), 0) != 0)
    std::swap(order[rank - 2], order[rank - 1]);
  return c.transpose(x, order);
}

static void convertFusedMatMul(NodeContext &c) {
  Value left = turnOperand(c, c.input(0), "A");
  Value right = turnOperand(c, c.input(1), "B");
  if (!left || !right)
    return;
  Value product = matmul(c, left, right);
  double alpha = c.floatAttr("alpha", 1);
  if (product && alpha != 1)
    product = c.mul(product, c.scalar(alpha, elementTypeOf(product)));
  c.setOutput(0, product);
}

void ambit::onnx_import::addContrib(ConverterTable &table) {
  table.add("com.microsoft.Gelu", convertBiased<Kind::Gelu>, 1);
  table.add("com.microsoft.BiasGelu", convertBiased<Kind::Gelu>, 2);
  table.add("com.microsoft.FastGelu", convertBiased<Kind::TanhGelu>, 1, 2);
  table.add("com.microsoft.QuickGelu", convertQuickGelu, 1);
  table.add("com.microsoft.FusedMatMul", convertFusedMatMul, 2);
}
