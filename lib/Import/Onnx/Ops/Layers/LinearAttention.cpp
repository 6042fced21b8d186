// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers that carry a state in place of a cache.

#include "../../../Compose/Attention/LinearAttention.h"
#include "../../../Compose/Attention/Attention.h"
#include "../../../Compose/Windows/CausalConv.h"
#include "../../Converters.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

namespace {
/// What the update rule needs.
struct UpdateRule {
  bool decays, corrects;
};
} // namespace

/// Whether optional inputs are there exactly where the rule needs them.
static bool checkRule(NodeContext &c, const UpdateRule &rule) {
  for (auto [index, isNeeded, name] : {std::tuple(4, rule.decays, "decay"),
                                       std::tuple(5, rule.corrects, "beta")})
    if (bool(c.input(index)) != isNeeded) {
      c.error() << "input '" << name << "' is "
                << (isNeeded ? "missing" : "given")
                << ", which the update rule does not allow";
      return false;
    }
  return true;
}

/// [batch, steps, groups * n] as [batch, groups, steps, n], where n is 1 unless
/// there are more elements than groups.
static Value splitGroups(NodeContext &c, Value x, int64_t groups) {
  if (!x)
    return x;
  if (rankOf(x) != 3) {
    c.error() << "an input has rank " << rankOf(x) << ", expected 3";
    return {};
  }
  return splitHeads(c, x, groups);
}

/// Inputs: query, key, value, past state, decay, beta.
static void convertLinearAttention(NodeContext &c) {
  auto rule = c.choiceAttr<UpdateRule>("update_rule", "gated_delta",
                                       {{"linear", {false, false}},
                                        {"gated", {true, false}},
                                        {"delta", {false, true}},
                                        {"gated_delta", {true, true}}});
  int64_t heads = c.intAttr("q_num_heads", 0);
  int64_t groups = c.intAttr("kv_num_heads", 0);
  if (!rule || !checkRule(c, *rule))
    return;
  if (groups < 1 || heads < 1 || heads % groups != 0) {
    c.error() << "has " << heads << " heads of queries for " << groups
              << " of keys and values, expected a multiple";
    return;
  }
  LinearAttentionInputs in;
  in.queries = splitGroups(c, c.input(0), heads);
  in.keys = splitGroups(c, c.input(1), groups);
  in.values = splitGroups(c, c.input(2), groups);
  in.decay = splitGroups(c, c.input(4), groups);
  // One rate for all groups, or one for each.
  Value rate = c.input(5);
  bool isShared = rate && rankOf(rate) == 3 && dimsOf(rate)[2].isConstant(1);
  // Which of the two may be known only at a call.
  if (rate && rankOf(rate) == 3 && !isShared)
    rate = c.broadcast(rate, {dimsOf(rate)[0], dimsOf(rate)[1], Expr(groups)});
  in.rate = splitGroups(c, rate, isShared ? 1 : groups);
  if (c.hasFailed())
    return;
  SmallVector<Expr> keys = dimsOf(in.keys);
  in.state = c.input(3);
  if (!in.state)
    in.state = c.broadcast(c.scalar(0, elementTypeOf(in.queries)),
                           {keys[0], keys[1], keys[3], dimsOf(in.values)[3]});
  if (!in.state || rankOf(in.state) != 4) {
    c.error() << "the past state is no tensor of rank 4";
    return;
  }
  in.scale = c.floatAttr("scale", 0);
  std::optional<int64_t> size = keys[3].constant();
  if (in.scale == 0 && size) {
    in.scale = 1 / std::sqrt(double(*size));
  } else if (in.scale == 0) {
    // Scaled queries give scaled results.
    Value length =
        c.dims({keys[3]}, elementTypeOf(in.queries), /*isScalar=*/true);
    in.queries =
        c.map({in.queries, length}, [](ScalarBuilder &s, ValueRange v) {
          return s.div(v[0], s.make<math::SqrtOp>(v[1]));
        });
    in.scale = 1;
  }
  LinearAttention result = attendLinearly(c, in);
  if (!result.result)
    return;
  c.setOutput(0, joinHeads(c, result.result));
  c.setOutput(1, result.state);
}

/// Inputs: x, weight, bias, past state.
static void convertCausalConv(NodeContext &c) {
  auto isActive = c.choiceAttr<bool>(
      "activation", "none", {{"none", false}, {"silu", true}, {"swish", true}});
  if (!isActive)
    return;
  CausalConv conv =
      causalConv(c, c.input(0), c.input(1), c.input(2), c.input(3));
  if (conv.result && *isActive)
    conv.result = c.map(conv.result, [](ScalarBuilder &s, ValueRange v) {
      return s.mul(v[0], s.sigmoid(v[0]));
    });
  c.setOutput(0, conv.result);
  c.setOutput(1, conv.state);
}

void ambit::onnx_import::addLinearAttention(ConverterTable &table) {
  table.add("LinearAttention", convertLinearAttention, 3, 6).since(27);
  table.add("CausalConvWithState", convertCausalConv, 2, 4).since(27);
}
