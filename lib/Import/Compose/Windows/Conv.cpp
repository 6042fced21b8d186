// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution: one op after padding.

#include "Conv.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

Value compose::addBias(ValueBuilder &b, Value x, Value bias) {
  if (!bias || !x)
    return x;
  return b.add(x, b.alongDim(bias, 1, rankOf(x)));
}

Value compose::conv(ValueBuilder &b, Value x, Value filter, Value bias,
                    const ConvSpec &spec) {
  std::optional<SmallVector<int64_t>> window = filterWindow(b, x, filter);
  if (!window)
    return {};
  WindowSpec slide = spec.window;
  Value padded = applyAutoPad(b, x, *window, 0, slide);
  Value result = b.create<ConvOp>(padded, filter, slide.strides,
                                  slide.dilations, slide.low, slide.high,
                                  spec.groups, isNarrowFloat(elementTypeOf(x)));
  return addBias(b, result, bias);
}
