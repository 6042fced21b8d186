// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaled dot-product attention.

#include "Attention.h"
#include "../Elements/Softmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::graph;

Value compose::splitHeads(ValueBuilder &b, Value x, int64_t heads) {
  if (!x)
    return b.fail();
  SmallVector<Expr> dims = dimsOf(x);
  if (!b.requireDivisible(dims[2], Expr(heads),
                          "hidden size does not divide into heads"))
    return {};
  Expr size = b.simplify(Expr::floorDiv(dims[2], Expr(heads)));
  return b.transpose(b.reshape(x, {dims[0], dims[1], Expr(heads), size}),
                     {0, 2, 1, 3});
}

Value compose::joinHeads(ValueBuilder &b, Value x) {
  x = b.transpose(x, {0, 2, 1, 3});
  if (!x)
    return {};
  SmallVector<Expr> dims = dimsOf(x);
  return b.reshape(x, {dims[0], dims[1], b.simplify(dims[2] * dims[3])});
}

namespace {
/// The extents of one attention.
struct Extents {
  Expr batch, heads, groups, rows, columns, past = 0;
  SmallVector<Expr> scores() const { return {batch, heads, rows, columns}; }
  /// Heads of one group stand below each other.
  SmallVector<Expr> grouped(Expr last) const {
    return {batch, groups, Expr::floorDiv(heads, groups) * rows, last};
  }
};
} // namespace

/// Checks the shapes; nothing after an error.
static std::optional<Extents> getExtents(ValueBuilder &b,
                                         const AttentionInputs &in) {
  SmallVector<Expr> q = dimsOf(in.queries), k = dimsOf(in.keys),
                    v = dimsOf(in.values);
  Extents e{q[0], q[1], k[1], q[2], k[2]};
  if (!b.requireEqual(k[0], q[0], "batch sizes of query and key differ") ||
      !b.requireEqual(v[0], q[0], "batch sizes of query and value differ") ||
      !b.requireEqual(k[3], q[3], "head sizes of query and key differ") ||
      !b.requireEqual(v[1], k[1], "heads of key and value differ") ||
      !b.requireEqual(v[2], k[2], "numbers of keys and values differ") ||
      !b.requireDivisible(e.heads, e.groups,
                          "heads of the query do not divide into those of the "
                          "key"))
    return std::nullopt;
  return e;
}

/// The mask with as many columns as there are keys.
static Value fillMask(ValueBuilder &b, Value mask, const Extents &e) {
  SmallVector<Expr> dims = dimsOf(mask);
  if (dims.empty() || b.prover().isEqual(dims.back(), e.columns))
    return mask;
  Relation fits{Relation::Kind::LE, dims.back(), e.columns};
  if (!b.require(fits, "mask has more columns than there are keys"))
    return {};
  SmallVector<Expr> low(dims.size(), Expr(0)), high = low;
  high.back() = e.columns - dims.back();
  Type type = elementTypeOf(mask);
  double out =
      isa<FloatType>(type) ? -std::numeric_limits<double>::infinity() : 0.0;
  return b.pad(mask, b.scalar(out, type), low, high);
}

/// A bool for each query and key: whether the key lies where the query looks;
/// null when all do.
static Value buildWindow(ValueBuilder &b, const Extents &e, Value lengths,
                         const AttentionSpec &spec) {
  bool isBounded = spec.isCausal || spec.keysBefore >= 0 || spec.keysAfter >= 0;
  if (!isBounded && !lengths)
    return {};
  Type type = b.indexType();
  Value row = b.iota({e.rows, Expr(1)}, 0, type);
  Value column = b.iota({Expr(1), e.columns}, 1, type);
  Value offset = b.dims({e.past}, type, /*isScalar=*/true);
  Value end = b.dims({e.columns}, type, /*isScalar=*/true);
  if (lengths) {
    end =
        b.reshape(b.cast(lengths, type), {e.batch, Expr(1), Expr(1), Expr(1)});
    offset = b.sub(end, b.dims({e.rows}, type, /*isScalar=*/true));
  }
  return b.map(
      {row, column, offset, end},
      [&](ScalarBuilder &s, ValueRange v) {
        using Kind = Relation::Kind;
        Value place = s.add(v[0], v[2]);
        Value sees = s.compare(Kind::LT, v[1], v[3]);
        auto require = [&](Value condition) {
          sees = s.make<arith::AndIOp>(sees, condition);
        };
        if (spec.isCausal)
          require(s.compare(Kind::LE, v[1], place));
        if (spec.keysBefore >= 0)
          require(s.compare(Kind::GE, v[1],
                            s.sub(place, s.integer(spec.keysBefore, place))));
        if (spec.keysAfter >= 0)
          require(s.compare(Kind::LE, v[1],
                            s.add(place, s.integer(spec.keysAfter, place))));
        return sees;
      },
      b.boolType());
}

/// Scores with what takes no part at -inf.
static Value applyMasks(ValueBuilder &b, Value scores, Value mask,
                        Value window) {
  SmallVector<Value> inputs = {scores};
  bool isAdded = mask && isa<FloatType>(elementTypeOf(mask));
  if (mask)
    inputs.push_back(b.broadcast(
        isAdded ? b.cast(mask, elementTypeOf(scores)) : mask, dimsOf(scores)));
  if (window)
    inputs.push_back(b.broadcast(window, dimsOf(scores)));
  return b.map(inputs, [&](ScalarBuilder &s, ValueRange v) {
    Value score = isAdded ? s.add(v[0], v[1]) : v[0];
    Value out = s.constant(-std::numeric_limits<double>::infinity(), score);
    if (mask && !isAdded)
      score = s.select(v[1], score, out);
    return window ? s.select(v.back(), score, out) : score;
  });
}

/// The softmax of the scores; 0 throughout in rows where every score is -inf.
static Value weigh(ValueBuilder &b, Value scores, bool mayBeEmpty) {
  Value weights = softmax(b, scores, 3, /*isLog=*/false);
  if (!mayBeEmpty)
    return weights;
  Value best = b.reduce(scores, {3}, ReduceKind::Max, /*keepDims=*/true);
  if (!weights || !best)
    return {};
  return b.map({weights, best}, [](ScalarBuilder &s, ValueRange v) {
    Value out = s.constant(-std::numeric_limits<double>::infinity(), v[1]);
    return s.select(s.compare(Relation::Kind::EQ, v[1], out),
                    s.constant(0, v[0]), v[0]);
  });
}

static Value scaleScores(ValueBuilder &b, Value scores, Expr size,
                         std::optional<double> scale) {
  Type type = elementTypeOf(scores);
  if (!scale && !size.constant()) {
    Value root = b.map(b.dims({size}, type, /*isScalar=*/true),
                       [](ScalarBuilder &s, ValueRange v) {
                         return s.make<math::SqrtOp>(v[0]);
                       });
    return b.div(scores, root);
  }
  double factor = scale ? *scale : 1 / std::sqrt(double(*size.constant()));
  return b.mul(scores, b.scalar(factor, type));
}

static Value capScores(ValueBuilder &b, Value scores, double cap) {
  if (cap == 0)
    return scores;
  return b.map(scores, [&](ScalarBuilder &s, ValueRange v) {
    Value limit = s.constant(cap, v[0]);
    Value bent = s.make<math::TanhOp>(s.div(v[0], limit));
    return s.mul(limit, bent);
  });
}

Attention compose::attend(ValueBuilder &b, AttentionInputs in,
                          const AttentionSpec &spec) {
  std::optional<Extents> e = getExtents(b, in);
  if (!e)
    return {};
  Attention a;
  a.keys = in.keys;
  a.values = in.values;
  if (in.pastKeys) {
    e->past = dimsOf(in.pastKeys)[2];
    a.keys = b.concat({in.pastKeys, in.keys}, 2);
    a.values = b.concat({in.pastValues, in.values}, 2);
    if (!a.keys || !a.values ||
        !b.requireEqual(dimsOf(in.pastValues)[2], e->past,
                        "numbers of past keys and values differ"))
      return {};
    e->columns = dimsOf(a.keys)[2];
  }
  Type type = elementTypeOf(in.queries);
  Expr size = dimsOf(in.queries)[3];
  Value scores = b.contract(b.reshape(in.queries, e->grouped(size)),
                            b.transpose(b.cast(a.keys, type), {0, 1, 3, 2}));
  scores = b.reshape(scores, e->scores());
  if (!scores)
    return {};
  a.scaled = scaleScores(b, scores, size, spec.scale);
  a.capped = a.masked = capScores(b, a.scaled, spec.softcap);
  Value mask = in.mask ? fillMask(b, in.mask, *e) : Value();
  Value window = buildWindow(b, *e, in.lengths, spec);
  if (b.hasFailed())
    return {};
  if (mask || window)
    a.masked = applyMasks(b, a.capped, mask, window);
  // Below the diagonal there always is a key; other masks may leave none.
  bool mayBeEmpty =
      mask || in.lengths || spec.keysBefore >= 0 || spec.keysAfter >= 0;
  Type precise = spec.softmaxType ? spec.softmaxType : type;
  a.weights = b.cast(weigh(b, b.cast(a.masked, precise), mayBeEmpty), type);
  Value grouped = b.reshape(a.weights, e->grouped(e->columns));
  Value result = b.contract(grouped, b.cast(a.values, type));
  if (!result)
    return {};
  a.result =
      b.reshape(result, {e->batch, e->heads, e->rows, dimsOf(in.values)[3]});
  return a;
}
