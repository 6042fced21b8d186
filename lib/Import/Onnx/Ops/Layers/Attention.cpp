// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention.

#include "../../../Compose/Attention/Attention.h"
#include "../../Converters.h"
#include "../../TensorData.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// An input with heads as a dim; those of rank 3 have them side by side.
static Value readHeads(NodeContext &c, size_t index, StringRef attribute) {
  Value x = c.input(index);
  int64_t rank = rankOf(x);
  if (!c.requireFloat(x, "input " + std::to_string(index)))
    return {};
  if (rank == 4)
    return x;
  int64_t heads = c.intAttr(attribute, 0);
  if (rank != 3 || heads < 1) {
    c.error() << "input " << index << " has rank " << rank << " and '"
              << attribute << "' is " << heads
              << ", expected rank 4, or rank 3 and a number of heads";
    return {};
  }
  return splitHeads(c, x, heads);
}

static bool readCaches(NodeContext &c, AttentionInputs &in) {
  in.pastKeys = c.input(4);
  in.pastValues = c.input(5);
  in.lengths = c.input(6);
  if (!in.pastKeys != !in.pastValues) {
    c.error() << "has only one of past_key and past_value, expected both or "
                 "none";
    return false;
  }
  if (in.pastKeys && in.lengths) {
    c.error() << "has past_key and nonpad_kv_seqlen, expected one of them";
    return false;
  }
  for (Value past : {in.pastKeys, in.pastValues})
    if (past && rankOf(past) != 4) {
      c.error() << "a past input has rank " << rankOf(past) << ", expected 4";
      return false;
    }
  return true;
}

static bool readSpec(NodeContext &c, AttentionSpec &spec) {
  if (c.hasAttr("scale"))
    spec.scale = c.floatAttr("scale", 0);
  spec.softcap = c.floatAttr("softcap", 0);
  spec.isCausal = c.intAttr("is_causal", 0) != 0;
  if (c.opset() >= 25) {
    spec.keysBefore = c.intAttr("left_window_size", -1);
    spec.keysAfter = c.intAttr("right_window_size", -1);
  }
  if (!c.hasAttr("softmax_precision"))
    return true;
  int64_t type = c.intAttr("softmax_precision", 0);
  spec.softmaxType = getElementType(int32_t(type), c.graph.getLoc());
  if (!spec.softmaxType)
    return bool(c.fail());
  if (isa<FloatType>(spec.softmaxType))
    return true;
  c.error() << "attribute 'softmax_precision' is " << type
            << ", expected the number of a float type";
  return false;
}

/// Inputs: query, key, value, mask, past key and value, lengths. Outputs: the
/// result, present key and value, and the scores at one of their steps.
static void convertAttention(NodeContext &c) {
  AttentionInputs in;
  AttentionSpec spec;
  in.queries = readHeads(c, 0, "q_num_heads");
  in.keys = readHeads(c, 1, "kv_num_heads");
  in.values = readHeads(c, 2, "kv_num_heads");
  in.mask = c.input(3);
  if (c.hasFailed() || !readCaches(c, in) || !readSpec(c, spec))
    return;
  Attention a = attend(c, in, spec);
  if (!a.result)
    return;
  c.setOutput(0, rankOf(c.input(0)) == 3 ? joinHeads(c, a.result) : a.result);
  c.setOutput(1, a.keys);
  c.setOutput(2, a.values);
  int64_t mode = c.intAttr("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) {
    c.error() << "attribute 'qk_matmul_output_mode' is " << mode
              << ", expected 0 to 3";
    return;
  }
  Value steps[] = {a.scaled, a.capped, a.masked, a.weights};
  c.setOutput(3, steps[mode]);
}

void ambit::onnx_import::addAttention(ConverterTable &table) {
  table.add("Attention", convertAttention, 3, 7).since(23);
}
