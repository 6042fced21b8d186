// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The score of the target is gathered, so that no other is read.

#include "Loss.h"
#include "../Movement/Gather.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

static bool checkInputs(ValueBuilder &b, Value scores, Value target,
                        Value weights) {
  if (!b.requireFloat(scores, "input"))
    return false;
  SmallVector<Expr> dims = dimsOf(scores), places = dimsOf(target);
  if (dims.size() < 2 || places.size() + 1 != dims.size()) {
    b.error() << "inputs have ranks " << dims.size() << " and " << places.size()
              << ", expected at least 2, and one less for the target";
    return false;
  }
  if (!isa<IntegerType>(elementTypeOf(target))) {
    b.error() << "target has element type " << elementTypeOf(target)
              << ", expected integers";
    return false;
  }
  for (size_t dim = 0; dim < places.size(); ++dim)
    if (!b.requireEqual(places[dim], dims[dim == 0 ? 0 : dim + 1],
                        "dim " + Twine(dim) +
                            " of the target is not that of the input"))
      return false;
  if (!weights)
    return true;
  if (rankOf(weights) != 1) {
    b.error() << "weights have rank " << rankOf(weights) << ", expected 1";
    return false;
  }
  return b.requireEqual(dimsOf(weights)[0], dims[1],
                        "number of weights is not that of classes");
}

/// `value` where the target counts, else 0. `ignored` is a scalar of the type
/// of the target, or null.
static Value whereCounted(ValueBuilder &b, Value value, Value target,
                          Value ignored) {
  if (!ignored || !value)
    return value;
  Value zero = b.scalar(0, elementTypeOf(value));
  return b.map(
      {target, ignored, value, zero},
      [](ScalarBuilder &s, ValueRange v) {
        return s.select(s.compare(Relation::Kind::EQ, v[0], v[1]), v[3], v[2]);
      },
      elementTypeOf(value));
}

Value compose::likelihoodLoss(ValueBuilder &b, Value scores, Value target,
                              Value weights, const LossSpec &spec) {
  if (!checkInputs(b, scores, target, weights))
    return {};
  Type type = elementTypeOf(scores), wide = computeType(type);
  target = b.cast(target, b.indexType());
  Value ignored;
  if (spec.ignored)
    ignored = b.dims({*spec.ignored}, b.indexType(), /*isScalar=*/true);
  // Class 0 stands for the ignored one, which need not be a class.
  Value classes = whereCounted(b, target, target, ignored);
  SmallVector<Expr> places = dimsOf(target);
  Value picked =
      b.reshape(gatherElements(b, scores, b.unsqueeze(classes, 1), 1), places);
  Value loss = b.map(b.cast(picked, wide), [](ScalarBuilder &s, ValueRange v) {
    return s.neg(v[0]);
  });
  Value weight;
  if (weights)
    weight = b.cast(b.create<GatherOp>(weights, classes, 0), wide);
  else if (ignored)
    weight = b.broadcast(b.scalar(1, wide), places);
  if (weights)
    loss = b.mul(loss, weight);
  loss = whereCounted(b, loss, target, ignored);
  SmallVector<int64_t> all = dimsFrom(0, places.size());
  if (spec.reduction == LossSpec::Reduction::Mean && !weight) {
    loss = b.mean(loss, all, /*keepDims=*/false);
  } else if (spec.reduction != LossSpec::Reduction::None) {
    loss = b.reduce(loss, all, ReduceKind::Sum, /*keepDims=*/false);
    if (spec.reduction == LossSpec::Reduction::Mean)
      loss = b.div(loss, b.reduce(whereCounted(b, weight, target, ignored), all,
                                  ReduceKind::Sum, /*keepDims=*/false));
  }
  return b.cast(loss, type);
}
