// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalizations.

#include "../../../Compose/Elements/Normalization.h"
#include "../../../Compose/Elements/SkipNorm.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static double readEpsilon(NodeContext &c) {
  return c.floatAttr("epsilon", 1e-5f);
}

/// Inputs: x, scale, bias, mean, variance; all but x have one element a
/// channel. In training, further outputs are the running statistics.
static void convertBatchNormalization(NodeContext &c) {
  BatchNormValues values{c.input(0), c.input(1), c.input(2), c.input(3),
                         c.input(4)};
  double epsilon = readEpsilon(c);
  if (c.opset() < 9 && c.intAttr("spatial", 1) == 0) {
    c.error() << "attribute 'spatial' is 0, which is not supported: opset 9 "
                 "and newer have statistics by channel only";
    return;
  }
  if (c.opset() < 7 && c.intAttr("is_test", 0) == 0) {
    c.error() << "attribute 'is_test' is 0, which is training before opset 7 "
                 "and not supported";
    return;
  }
  if (c.intAttr("training_mode", 0) == 0)
    return c.setOutput(0, batchNorm(c, values, epsilon));
  TrainedBatchNorm trained = trainedBatchNorm(c, values, epsilon);
  double momentum = c.floatAttr("momentum", 0.9f);
  c.setOutput(0, trained.result);
  if (c.wantsOutput(1))
    c.setOutput(1, keepRunning(c, c.input(3), trained.mean, momentum));
  if (c.wantsOutput(2))
    c.setOutput(2, keepRunning(c, c.input(4), trained.variance, momentum));
}

static void convertLayerNormalization(NodeContext &c) {
  Standardized s = layerNorm(c, c.input(0), c.input(1), c.input(2),
                             c.intAttr("axis", -1), readEpsilon(c));
  c.setOutput(0, s.result);
  // As `stash_type` says, these stay f32.
  c.setOutput(1, s.mean);
  c.setOutput(2, s.inverse);
}

static void convertRmsNormalization(NodeContext &c) {
  c.setOutput(0, rmsNorm(c, c.input(0), c.input(1), c.intAttr("axis", -1),
                         readEpsilon(c))
                     .result);
}

static void convertInstanceNormalization(NodeContext &c) {
  c.setOutput(
      0, instanceNorm(c, c.input(0), c.input(1), c.input(2), readEpsilon(c)));
}

/// Scale and bias are per group before opset 21 and per channel from then on.
static void convertGroupNormalization(NodeContext &c) {
  c.setOutput(0, groupNorm(c, c.input(0), c.input(1), c.input(2),
                           c.intAttr("num_groups", 0),
                           /*isScaledByGroup=*/c.opset() < 21, readEpsilon(c)));
}

/// Channels are last by default, and a SiLU may follow.
static void convertContribGroupNorm(NodeContext &c) {
  Value x = c.input(0);
  int64_t rank = rankOf(x), activation = c.intAttr("activation", 0);
  bool isLast = c.intAttr("channels_last", 1) != 0;
  if (rank < 3 || activation < 0 || activation > 1) {
    c.error() << "input has rank " << rank << " and attribute 'activation' is "
              << activation << ", expected rank 3 or more and 0 or 1";
    return;
  }
  // [N, ..., C] to [N, C, ...] and back.
  SmallVector<int64_t> inward = dimsFrom(0, rank), outward = inward;
  std::rotate(inward.begin() + 1, inward.end() - 1, inward.end());
  std::rotate(outward.begin() + 1, outward.begin() + 2, outward.end());
  Value result = groupNorm(c, isLast ? c.transpose(x, inward) : x, c.input(1),
                           c.input(2), c.intAttr("groups", 0),
                           /*isScaledByGroup=*/false, readEpsilon(c));
  if (result && activation == 1)
    result = c.map(result, [](ScalarBuilder &s, ValueRange v) {
      return s.mul(v[0], s.sigmoid(v[0]));
    });
  c.setOutput(0, isLast ? c.transpose(result, outward) : result);
}

static void convertLrn(NodeContext &c) {
  LocalNormSpec spec{c.intAttr("size", 0), c.floatAttr("alpha", 1e-4f),
                     c.floatAttr("beta", 0.75), c.floatAttr("bias", 1)};
  c.setOutput(0, localResponseNorm(c, c.input(0), spec));
}

static void convertLpNormalization(NodeContext &c) {
  int64_t p = c.intAttr("p", 2);
  if (p != 1 && p != 2) {
    c.error() << "attribute 'p' is " << p << ", expected 1 or 2";
    return;
  }
  c.setOutput(0, lpNorm(c, c.input(0), c.intAttr("axis", -1), p));
}

static void convertMeanVarianceNormalization(NodeContext &c) {
  SmallVector<int64_t> axes = c.intsAttr("axes", {0, 2, 3});
  if (!c.requireFloat(c.input(0), "input") ||
      !c.normalizeAxes(axes, rankOf(c.input(0))))
    return;
  llvm::sort(axes);
  c.setOutput(0, meanVarianceNorm(c, c.input(0), axes));
}

/// Outputs: the result, the mean, the inverse deviation, the sum.
static void setSkipNorm(NodeContext &c, const SkipNormInputs &inputs,
                        bool isByRoot) {
  SkipNormResults results =
      skipNorm(c, inputs, c.floatAttr("epsilon", 1e-12f), isByRoot);
  c.setOutput(0, results.result);
  c.setOutput(1, results.mean);
  c.setOutput(2, results.inverse);
  c.setOutput(3, results.sum);
}

/// Inputs: x, skip, scale, [shift, bias].
static void convertSkipLayerNormalization(NodeContext &c) {
  setSkipNorm(c, {c.input(0), c.input(1), c.input(4), c.input(2), c.input(3)},
              /*isByRoot=*/false);
}

/// Inputs: x, skip, scale, [bias].
static void convertSkipSimplified(NodeContext &c) {
  setSkipNorm(c, {c.input(0), c.input(1), c.input(3), c.input(2), Value()},
              /*isByRoot=*/true);
}

/// RMSNormalization before ONNX had it; the inverse is the second output.
static void convertSimplified(NodeContext &c) {
  Standardized s =
      rmsNorm(c, c.input(0), c.input(1), c.intAttr("axis", -1), readEpsilon(c));
  c.setOutput(0, s.result);
  c.setOutput(1, s.inverse);
}

void ambit::onnx_import::addNormalizations(ConverterTable &table) {
  table.add("BatchNormalization", convertBatchNormalization, 5);
  table.add("LayerNormalization", convertLayerNormalization, 2, 3).since(17);
  table.add("RMSNormalization", convertRmsNormalization, 2).since(23);
  table.add("SimplifiedLayerNormalization", convertSimplified, 2);
  table.add("com.microsoft.SkipLayerNormalization",
            convertSkipLayerNormalization, 3, 5);
  table.add("com.microsoft.SkipSimplifiedLayerNormalization",
            convertSkipSimplified, 3, 4);
  table.add("InstanceNormalization", convertInstanceNormalization, 3);
  table.add("GroupNormalization", convertGroupNormalization, 3).since(18);
  table.add("com.microsoft.GroupNorm", convertContribGroupNorm, 3);
  table.add("LRN", convertLrn, 1);
  table.add("LpNormalization", convertLpNormalization, 1);
  table.add("MeanVarianceNormalization", convertMeanVarianceNormalization, 1)
      .since(9);
}
