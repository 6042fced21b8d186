// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The losses of a classification.

#include "../../../Compose/Elements/Loss.h"
#include "../../../Compose/Elements/Softmax.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static std::optional<LossSpec> readSpec(NodeContext &c) {
  using Reduction = LossSpec::Reduction;
  auto reduction = c.choiceAttr<Reduction>("reduction", "mean",
                                           {{"none", Reduction::None},
                                            {"sum", Reduction::Sum},
                                            {"mean", Reduction::Mean}});
  if (!reduction)
    return std::nullopt;
  LossSpec spec;
  spec.reduction = *reduction;
  if (c.hasAttr("ignore_index"))
    spec.ignored = c.intAttr("ignore_index", 0);
  return spec;
}

/// Inputs: scores, target, [weights].
static void convertLikelihoodLoss(NodeContext &c) {
  if (std::optional<LossSpec> spec = readSpec(c))
    c.setOutput(0,
                likelihoodLoss(c, c.input(0), c.input(1), c.input(2), *spec));
}

/// The same after a logarithmic softmax, which is the second output.
static void convertCrossEntropyLoss(NodeContext &c) {
  std::optional<LossSpec> spec = readSpec(c);
  Value x = c.input(0);
  int64_t axis = 1;
  if (!spec || !c.requireFloat(x, "input") || !c.normalizeAxis(axis, rankOf(x)))
    return;
  Type type = elementTypeOf(x);
  Value scores = softmax(c, c.cast(x, computeType(type)), axis, /*isLog=*/true);
  if (!scores)
    return;
  Value loss = likelihoodLoss(c, scores, c.input(1), c.input(2), *spec);
  c.setOutput(0, c.cast(loss, type));
  if (c.wantsOutput(1))
    c.setOutput(1, c.cast(scores, type));
}

void ambit::onnx_import::addLosses(ConverterTable &table) {
  table.add("NegativeLogLikelihoodLoss", convertLikelihoodLoss, 2, 3).since(12);
  table.add("SoftmaxCrossEntropyLoss", convertCrossEntropyLoss, 2, 3).since(12);
}
