// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.GroupQueryAttention: causal attention over a cache whose
// sequences have lengths of their own. New keys stand behind the past ones of
// their sequence, and the cache is as long as the longest.

#include "../../../Compose/Attention/Attention.h"
#include "../../../Compose/Elements/Rotary.h"
#include "../../../Compose/Movement/Scatter.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

namespace {
struct GroupQuery {
  bool check();
  bool readProjections();
  Value turn(Value x, int64_t ofHeads);
  Value writeState(size_t pastIndex, Value added);
  void run();

  NodeContext &c;
  int64_t heads = 0, groups = 0;
  /// [batch, sequence, heads * size]
  Value queries = {}, keys = {}, values = {};
  /// How many past keys each sequence has: [batch].
  Value past = {};
};
} // namespace

bool GroupQuery::check() {
  heads = c.intAttr("num_heads", 0);
  groups = c.intAttr("kv_num_heads", 0);
  if (heads < 1 || groups < 1 || rankOf(c.input(0)) != 3 ||
      !c.input(1) != !c.input(2) || !c.input(3) != !c.input(4)) {
    c.error() << "query has rank " << rankOf(c.input(0)) << ", 'num_heads' is "
              << heads << " and 'kv_num_heads' " << groups
              << ", expected rank 3, numbers of heads, and both or none of key "
                 "and value, and of past_key and past_value";
    return false;
  }
  for (StringRef name : {"smooth_softmax", "qk_output", "kv_cache_bit_width"})
    if (int64_t value = c.intAttr(name, 0); value > 0) {
      c.error() << "attribute '" << name << "' is " << value
                << ", supported is 0";
      return false;
    }
  for (StringRef name : {"k_quant_type", "v_quant_type"})
    if (c.stringAttr(name, "NONE") != "NONE") {
      c.error() << "attribute '" << name << "': a quantized cache is not "
                << "supported";
      return false;
    }
  for (size_t index = 11; index < c.numInputs(); ++index)
    if (c.input(index)) {
      c.error() << "input " << index << " ('" << c.inputName(index)
                << "') is not supported";
      return false;
    }
  return c.requireFloat(c.input(0), "query");
}

/// Queries, keys and values may stand side by side in one input.
bool GroupQuery::readProjections() {
  queries = c.input(0);
  keys = c.input(1);
  values = c.input(2);
  if (keys) {
    for (size_t index : {1, 2})
      if (rankOf(c.input(index)) != 3) {
        c.error() << "input " << index << " has rank " << rankOf(c.input(index))
                  << ", expected 3";
        return false;
      }
    return true;
  }
  Expr width = dimsOf(queries)[2];
  if (!c.requireDivisible(width, heads + 2 * groups,
                          "packed inputs do not divide into heads"))
    return false;
  Expr size = c.simplify(Expr::floorDiv(width, heads + 2 * groups));
  auto part = [&](int64_t first, int64_t count) {
    return c.sliceDim(c.input(0), 2, c.simplify(size * Expr(first)),
                      c.simplify(size * Expr(count)));
  };
  queries = part(0, heads);
  keys = part(heads, groups);
  values = part(heads + groups, groups);
  return !c.hasFailed();
}

/// Turned by its places, where the node does that.
Value GroupQuery::turn(Value x, int64_t ofHeads) {
  if (c.intAttr("do_rotary", 0) == 0)
    return x;
  Value cos = c.input(7), sin = c.input(8), places = c.input(9);
  if (!cos || !sin || rankOf(cos) != 2) {
    c.error() << "attribute 'do_rotary' needs cos_cache and sin_cache of rank "
                 "2";
    return {};
  }
  RotarySpec spec{ofHeads, 0, c.intAttr("rotary_interleaved", 0) != 0};
  if (std::optional<int64_t> pairs = dimsOf(cos)[1].constant())
    spec.turned = 2 * *pairs;
  return rotary(c, x, cos, sin, places ? places : past, spec);
}

/// The cache [batch, groups, longest, size] with new elements written.
Value GroupQuery::writeState(size_t pastIndex, Value added) {
  Value state = c.input(pastIndex);
  auto total = c.knownInput(6, "total_sequence_length");
  if (!total || !added)
    return {};
  SmallVector<Expr> dims = dimsOf(added);
  dims[2] = 0;
  if (total->size() != 1 || (state && rankOf(state) != 4)) {
    c.error() << "total_sequence_length has " << total->size()
              << " elements and a past input rank "
              << (state ? rankOf(state) : 4) << ", expected 1 and 4";
    return {};
  }
  if (!state)
    state = c.broadcast(c.scalar(0, elementTypeOf(added)), dims);
  dims = dimsOf(state);
  SmallVector<Expr> none(4, Expr(0)), more = none;
  more[2] = c.simplify(Expr::max(total->front() - dims[2], 0));
  Value longer = c.pad(state, c.scalar(0, elementTypeOf(state)), none, more);
  return writeCache(c, longer, added, past, 2, /*isRing=*/false);
}

void GroupQuery::run() {
  if (!check() || !readProjections())
    return;
  SmallVector<Expr> dims = dimsOf(queries);
  Value last = c.cast(c.reshape(c.input(5), {dims[0]}), c.indexType());
  Value rows = c.dims({dims[1]}, c.indexType(), /*isScalar=*/true);
  // A sequence that is shorter than the first rows is padded at its end.
  past = c.map({last, rows}, [](ScalarBuilder &s, ValueRange v) {
    Value before = s.sub(s.add(v[0], s.integer(1, v[0])), v[1]);
    return s.max(before, s.integer(0, before));
  });
  if (!past)
    return;
  queries = turn(queries, heads);
  keys = turn(keys, groups);
  if (c.hasFailed())
    return;
  AttentionInputs in;
  in.queries = splitHeads(c, queries, heads);
  in.keys = writeState(3, splitHeads(c, keys, groups));
  in.values = writeState(4, splitHeads(c, values, groups));
  in.mask = c.input(10);
  in.lengths = c.add(past, rows);
  if (c.hasFailed())
    return;
  AttentionSpec spec;
  spec.isCausal = true;
  if (double scale = c.floatAttr("scale", 0); scale != 0)
    spec.scale = scale;
  spec.softcap = c.floatAttr("softcap", 0);
  if (int64_t window = c.intAttr("local_window_size", -1); window > 0)
    spec.keysBefore = window - 1;
  Attention a = attend(c, in, spec);
  if (!a.result)
    return;
  c.setOutput(0, joinHeads(c, a.result));
  c.setOutput(1, a.keys);
  c.setOutput(2, a.values);
}

/// Inputs: query, key, value, past key and value, the last place of each
/// sequence, the longest length, cosines, sines, places, bias of scores.
static void convertGroupQueryAttention(NodeContext &c) { GroupQuery{c}.run(); }

void ambit::onnx_import::addGroupQueryAttention(ConverterTable &table) {
  table
      .add("com.microsoft.GroupQueryAttention", convertGroupQueryAttention, 1,
           kAnyNumber)
      .sizes({6});
}
