// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding for windows that slide over spatial dims.

#include "Window.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

Value compose::applyAutoPad(ValueBuilder &b, Value input,
                            ArrayRef<int64_t> window, double fill,
                            WindowSpec &spec) {
  if (!input || (spec.autoPad != AutoPad::SameUpper &&
                 spec.autoPad != AutoPad::SameLower))
    return input;
  SmallVector<Expr> dims = dimsOf(input);
  SmallVector<Expr> low(dims.size(), Expr(0)), high(dims.size(), Expr(0));
  bool isSymbolic = false;
  for (auto [i, size] : llvm::enumerate(window)) {
    Expr extent = dims[i + 2], stride = spec.strides[i];
    Expr reach = (Expr(size) - 1) * Expr(spec.dilations[i]) + 1;
    Expr last = (Expr::ceilDiv(extent, stride) - 1) * stride;
    Expr total = b.simplify(Expr::max(0, last + reach - extent));
    Expr less = b.simplify(Expr::floorDiv(total, 2));
    Expr more = b.simplify(total - less);
    if (spec.autoPad == AutoPad::SameLower)
      std::swap(less, more);
    if (less.constant() && more.constant()) {
      spec.low[i] = *less.constant();
      spec.high[i] = *more.constant();
      continue;
    }
    low[i + 2] = less;
    high[i + 2] = more;
    isSymbolic = true;
  }
  if (!isSymbolic)
    return input;
  return b.pad(input, b.scalar(fill, elementTypeOf(input)), low, high);
}

bool compose::haveSpatialDims(ValueBuilder &b, Value input, Value filter) {
  if (!input || !filter) {
    b.fail();
    return false;
  }
  int64_t rank = rankOf(input);
  if (rank >= 3 && rankOf(filter) == rank)
    return true;
  b.error() << "input and filter have ranks " << rank << " and "
            << rankOf(filter) << ", expected the same of at least 3";
  return false;
}

std::optional<SmallVector<int64_t>>
compose::filterWindow(ValueBuilder &b, Value input, Value filter) {
  if (!haveSpatialDims(b, input, filter))
    return std::nullopt;
  SmallVector<int64_t> window;
  SmallVector<Expr> dims = dimsOf(filter);
  for (Expr dim : ArrayRef(dims).drop_front(2)) {
    if (!dim.constant()) {
      b.error() << "window size '" << dim.str() << "' is not a constant";
      return std::nullopt;
    }
    window.push_back(*dim.constant());
  }
  return window;
}
