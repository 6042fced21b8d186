// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The normalization of a sum, as transformers have it after each layer.

#include "SkipNorm.h"
#include "Normalization.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

SkipNormResults compose::skipNorm(ValueBuilder &b, const SkipNormInputs &in,
                                  double epsilon, bool isByRoot) {
  if (!b.requireFloat(in.x, "input"))
    return {};
  if (rankOf(in.x) == 0) {
    b.error() << "input has rank 0, expected at least 1";
    return {};
  }
  Type type = elementTypeOf(in.x), wide = computeType(type);
  SmallVector<Expr> shape = dimsOf(in.x);
  auto widen = [&](Value value) {
    return value ? b.cast(value, wide) : Value();
  };
  Value sum = widen(in.x);
  for (Value part : {in.skip, in.bias})
    if (part)
      sum = b.add(sum, b.broadcast(widen(part), shape));
  if (!sum)
    return {};
  SkipNormResults results;
  results.sum = b.cast(sum, type);
  if (isByRoot) {
    Standardized s = rmsNorm(b, sum, widen(in.scale), -1, epsilon);
    results.result = b.cast(s.result, type);
    results.inverse = s.inverse;
    return results;
  }
  Standardized s =
      layerNorm(b, sum, widen(in.scale), widen(in.shift), -1, epsilon);
  results.result = b.cast(s.result, type);
  results.mean = s.mean;
  results.inverse = s.inverse;
  return results;
}
