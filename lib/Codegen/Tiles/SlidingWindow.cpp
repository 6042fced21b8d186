// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that slide over the spatial dims of [N, C, spatial...].

#include "SlidingWindow.h"
#include "ambit/Dialect/Graph/IR/ImageDims.h"
#include "ambit/Kernel/Depthwise.h"

using namespace mlir;
using namespace ambit;

SlidingWindow::SlidingWindow(KernelLowering &kernel, Value input,
                             ValueRange window, ArrayRef<int64_t> strides,
                             ArrayRef<int64_t> dilations, ArrayRef<int64_t> low)
    : kernel(kernel), window(window.begin(), window.end()),
      strides(strides.begin(), strides.end()),
      dilations(dilations.begin(), dilations.end()),
      low(low.begin(), low.end()) {
  SmallVector<Value> distances = kernel.strides(input);
  channelPitch = distances[graph::kChannelDim];
  pitches.assign(distances.begin() + graph::kFirstSpatialDim, distances.end());
}

Value SlidingWindow::rowStart(ArrayRef<Value> outer) {
  Value start = kernel.index(-low.back());
  for (auto [dim, index] : llvm::enumerate(outer)) {
    Value position = kernel.sub(kernel.mul(index, kernel.index(strides[dim])),
                                kernel.index(low[dim]));
    start = kernel.add(kernel.mul(position, pitches[dim]), start);
  }
  return start;
}

std::optional<int64_t> SlidingWindow::unrolledTaps() const {
  int64_t count = 1;
  for (Value extent : window) {
    std::optional<int64_t> size = KernelLowering::constantOf(extent);
    // The bound on each keeps the product small.
    if (!size || *size > kMostUnrolledTaps ||
        (count *= *size) > kMostUnrolledTaps)
      return std::nullopt;
  }
  return count;
}

int64_t SlidingWindow::mostVectors() const {
  int64_t taps = unrolledTaps().value_or(1);
  return taps < 4 ? kMostTileVectors : taps < 16 ? 4 : 2;
}

SmallVector<Value> SlidingWindow::forEachTap(ValueRange sums, Tap tap) {
  Value zero = kernel.index(0);
  return visit(0, zero, zero, unrolledTaps().has_value(), sums, tap);
}

SmallVector<Value> SlidingWindow::visit(size_t dim, Value position,
                                        Value number, bool isUnrolled,
                                        ValueRange sums, Tap tap) {
  if (dim == window.size())
    return tap(position, number, sums);
  Value pitch = kernel.mul(pitches[dim], kernel.index(dilations[dim]));
  auto step = [&](Value at, ValueRange current) {
    return visit(dim + 1, kernel.add(kernel.mul(at, pitch), position),
                 kernel.add(kernel.mul(number, window[dim]), at), isUnrolled,
                 current, tap);
  };
  if (!isUnrolled)
    return kernel.loop(kernel.index(0), window[dim], 1, sums, step);
  SmallVector<Value> current(sums);
  for (int64_t i = 0; i < *KernelLowering::constantOf(window[dim]); ++i)
    current = step(kernel.index(i), current);
  return current;
}

void ambit::forEachOuterRow(KernelLowering &k, ValueRange outerExtents,
                            Value block, int64_t rowsPerBlock,
                            function_ref<void(ArrayRef<Value>)> body) {
  if (outerExtents.empty())
    return body({});
  Value first = k.mul(block, k.index(rowsPerBlock));
  Value end =
      k.min(k.add(first, k.index(rowsPerBlock)), k.product(outerExtents));
  k.loop(first, end, 1,
         [&](Value row) { body(k.delinearize(row, outerExtents)); });
}

/// Whether an op with these attributes reads outside of its input.
template <typename OpT> static bool hasPadding(OpT op) {
  auto isNotZero = [](int64_t pad) { return pad != 0; };
  return llvm::any_of(op.getLow(), isNotZero) ||
         llvm::any_of(op.getHigh(), isNotZero);
}

LogicalResult ambit::checkNoPadding(Operation *op) {
  auto conv = dyn_cast_or_null<graph::ConvOp>(op);
  auto window = dyn_cast_or_null<graph::WindowOp>(op);
  if ((conv && hasPadding(conv) && !isDepthwise(conv)) ||
      (window && (hasPadding(window) || window.getCeil())))
    return op->emitError(
        "padding reaches code generation; graph-expand-padding removes it");
  return success();
}
