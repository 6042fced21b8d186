// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.MultiHeadAttention: attention whose projections are done.

#include "../../../Compose/Attention/Attention.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// Part `part` of the bias of queries, keys and values side by side, added to
/// [batch, length, hidden].
static Value addBiasPart(NodeContext &c, Value x, Expr offset) {
  Value bias = c.input(3);
  if (!bias || !x)
    return x;
  if (rankOf(bias) != 1) {
    c.error() << "bias has rank " << rankOf(bias) << ", expected 1";
    return {};
  }
  return c.add(x, c.sliceDim(bias, 0, offset, dimsOf(x)[2]));
}

/// Keys or values as heads: [batch, length, hidden], or heads already.
static Value readHeads(NodeContext &c, size_t index, Expr biasOffset,
                       int64_t heads) {
  Value x = c.input(index);
  if (rankOf(x) == 4)
    return x;
  if (rankOf(x) != 3) {
    c.error() << "input " << index << " has rank " << rankOf(x)
              << ", expected 3 or 4";
    return {};
  }
  Value biased = addBiasPart(c, x, biasOffset);
  return biased ? splitHeads(c, biased, heads) : Value();
}

/// What the masks add to the scores; null for nothing.
static Value readMasks(NodeContext &c, Type type) {
  Value padding = c.input(4), bias = c.input(5), added;
  if (padding && rankOf(padding) != 2) {
    c.error() << "key_padding_mask has rank " << rankOf(padding)
              << ", expected [batch, keys]";
    return {};
  }
  if (padding) {
    double filter = c.floatAttr("mask_filter_value", -10000.0);
    Value steps = c.map(
        c.cast(padding, c.indexType()),
        [&](ScalarBuilder &s, ValueRange v) {
          Value isOut = s.compare(Relation::Kind::EQ, v[0], s.integer(0, v[0]));
          Value none = s.make<arith::ConstantOp>(FloatAttr::get(type, 0.0));
          Value out = s.make<arith::ConstantOp>(FloatAttr::get(type, filter));
          return s.select(isOut, out, none);
        },
        type);
    added = c.unsqueeze(steps, {1, 2});
  }
  if (!bias)
    return added;
  if (rankOf(bias) != 4) {
    c.error() << "attention_bias has rank " << rankOf(bias) << ", expected 4";
    return {};
  }
  return added ? c.add(bias, added) : bias;
}

/// Inputs: query, key, value, bias, key padding mask, attention bias, past key,
/// past value. Outputs: the result, present key and value.
static void convertMultiHeadAttention(NodeContext &c) {
  int64_t heads = c.intAttr("num_heads", 0);
  Value query = c.input(0);
  if (heads < 1 || rankOf(query) != 3 || !c.input(1) || !c.input(2)) {
    c.error() << "query has rank " << rankOf(query) << " and 'num_heads' is "
              << heads
              << ", expected rank 3, a number of heads, and a key and value: "
                 "packed inputs are not supported";
    return;
  }
  if (!c.requireFloat(query, "query"))
    return;
  Expr hidden = dimsOf(query)[2];
  AttentionInputs in;
  AttentionSpec spec;
  Value biased = addBiasPart(c, query, 0);
  in.queries = biased ? splitHeads(c, biased, heads) : Value();
  in.keys = readHeads(c, 1, hidden, heads);
  in.values = readHeads(c, 2, hidden * Expr(2), heads);
  if (c.hasFailed())
    return;
  in.mask = readMasks(c, elementTypeOf(query));
  in.pastKeys = c.input(6);
  in.pastValues = c.input(7);
  if (c.hasFailed() || !in.pastKeys != !in.pastValues) {
    if (!c.hasFailed())
      c.error() << "has only one of past_key and past_value, expected both or "
                   "none";
    return;
  }
  for (Value past : {in.pastKeys, in.pastValues})
    if (past && rankOf(past) != 4) {
      c.error() << "a past input has rank " << rankOf(past) << ", expected 4";
      return;
    }
  if (double scale = c.floatAttr("scale", 0); scale != 0)
    spec.scale = scale;
  spec.isCausal = c.intAttr("unidirectional", 0) != 0;
  Attention a = attend(c, in, spec);
  if (!a.result)
    return;
  c.setOutput(0, joinHeads(c, a.result));
  c.setOutput(1, a.keys);
  c.setOutput(2, a.values);
}

void ambit::onnx_import::addContribAttention(ConverterTable &table) {
  table.add("com.microsoft.MultiHeadAttention", convertMultiHeadAttention, 1,
            8);
}
