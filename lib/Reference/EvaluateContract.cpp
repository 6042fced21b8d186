// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of contractions, convolutions and windows.

#include "Evaluate.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

LogicalResult reference::evaluate(graph::ContractOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &lhs = *operands[0], &rhs = *operands[1];
  ArrayRef<int64_t> batch = lhs.getDims().drop_back(2);
  int64_t rows = lhs.getDims()[lhs.getRank() - 2], inner = lhs.getDims().back();
  int64_t columns = rhs.getDims().back();
  if (rhs.getDims()[rhs.getRank() - 2] != inner)
    return op.emitError() << "inner dimensions differ: " << inner << " vs "
                          << rhs.getDims()[rhs.getRank() - 2];
  bool isShared = rhs.getRank() == 2;
  if (!isShared && rhs.getDims().drop_back(2) != batch)
    return op.emitError("batch dimensions differ");
  SmallVector<int64_t> dims(batch);
  dims.append({rows, columns});
  FailureOr<HostTensor *> result =
      addResult(op, op.getResult().getType().getElementType(), dims, results);
  if (failed(result))
    return failure();
  withArithmeticType(lhs.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> a = load<T>(lhs), b = load<T>(rhs);
    for (int64_t g = 0, e = countOf(batch); g < e; ++g)
      for (int64_t m = 0; m < rows; ++m)
        for (int64_t n = 0; n < columns; ++n) {
          T sum = 0;
          for (int64_t k = 0; k < inner; ++k)
            sum = multiplyAdd(a[(g * rows + m) * inner + k],
                              b[((isShared ? 0 : g) * inner + k) * columns + n],
                              sum);
          store(**result, (g * rows + m) * columns + n, sum);
        }
  });
  return success();
}

/// For numbers that are not negative.
static int64_t ceilDivide(int64_t lhs, int64_t rhs) {
  return (lhs + rhs - 1) / rhs;
}

namespace {
/// A window sliding over the spatial dims of a tensor.
struct Slider {
  ArrayRef<int64_t> extents, window, strides, dilations, low, high;
  bool ceil = false;

  /// One position of the window: its number in the window, and the element of
  /// the input under it, or -1 in the padding.
  struct Tap {
    int64_t window, input;
  };

  /// The number of window positions along every dim; an error at `op` when the
  /// window exceeds the padded input.
  FailureOr<SmallVector<int64_t>> positions(Operation *op) const {
    SmallVector<int64_t> counts;
    for (size_t i = 0; i < extents.size(); ++i) {
      int64_t reach = (window[i] - 1) * dilations[i] + 1;
      int64_t room = extents[i] + low[i] + high[i] - reach;
      if (room < 0)
        return op->emitError() << "window of reach " << reach
                               << " exceeds the padded input in spatial dim "
                               << i << " of size " << extents[i];
      int64_t count = room / strides[i] + 1;
      // With `ceil` one more, but none that starts in the high padding.
      if (ceil)
        count = std::min(ceilDivide(room, strides[i]) + 1,
                         ceilDivide(extents[i] + low[i], strides[i]));
      counts.push_back(count);
    }
    return counts;
  }

  /// The taps of the window at one output index, in ascending order.
  SmallVector<Tap> taps(ArrayRef<int64_t> output) const {
    SmallVector<Tap> result;
    forEachIndex(window, [&](ArrayRef<int64_t> k) {
      SmallVector<int64_t> from;
      bool isInside = true;
      for (size_t i = 0; i < k.size(); ++i) {
        int64_t at = output[i] * strides[i] + k[i] * dilations[i] - low[i];
        isInside &= at >= 0 && at < extents[i];
        from.push_back(at);
      }
      result.push_back(
          {position(k, window), isInside ? position(from, extents) : -1});
    });
    return result;
  }
};
} // namespace

LogicalResult reference::evaluate(graph::ConvOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &input = *operands[0], &filter = *operands[1];
  int64_t groups = op.getGroups(), outputs = filter.getDims()[0];
  int64_t channels = filter.getDims()[1];
  if (input.getDims()[1] != channels * groups)
    return op.emitError() << "channels of input and filter differ: "
                          << input.getDims()[1] << " vs " << channels * groups;
  Slider slider{input.getDims().drop_front(2),
                filter.getDims().drop_front(2),
                op.getStrides(),
                op.getDilations(),
                op.getLow(),
                op.getHigh()};
  FailureOr<SmallVector<int64_t>> spatial = slider.positions(op);
  if (failed(spatial))
    return failure();
  SmallVector<int64_t> dims = {input.getDims()[0], outputs};
  dims.append(*spatial);
  FailureOr<HostTensor *> result =
      addResult(op, op.getResult().getType().getElementType(), dims, results);
  if (failed(result))
    return failure();
  int64_t plane = countOf(slider.extents), window = countOf(slider.window);
  int64_t outputPlane = countOf(*spatial);
  withArithmeticType(input.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> x = load<T>(input), w = load<T>(filter);
    forEachIndex(*spatial, [&](ArrayRef<int64_t> index) {
      SmallVector<Slider::Tap> taps = slider.taps(index);
      for (int64_t n = 0; n < dims[0]; ++n)
        for (int64_t o = 0; o < outputs; ++o) {
          int64_t group = o / (outputs / groups);
          int64_t first = (n * groups + group) * channels;
          T sum = 0;
          for (int64_t c = 0; c < channels; ++c)
            for (Slider::Tap tap : taps) {
              // Padding is zeros, which an infinite weight makes NaN.
              T element =
                  tap.input < 0 ? T(0) : x[(first + c) * plane + tap.input];
              sum = multiplyAdd(
                  element, w[(o * channels + c) * window + tap.window], sum);
            }
          store(**result,
                (n * outputs + o) * outputPlane + position(index, *spatial),
                sum);
        }
    });
  });
  return success();
}

LogicalResult reference::evaluate(graph::WindowOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &input = *operands[0];
  Slider slider{input.getDims().drop_front(2),
                op.getWindow(),
                op.getStrides(),
                op.getDilations(),
                op.getLow(),
                op.getHigh(),
                op.getCeil()};
  FailureOr<SmallVector<int64_t>> spatial = slider.positions(op);
  if (failed(spatial))
    return failure();
  SmallVector<int64_t> dims(input.getDims().take_front(2));
  dims.append(*spatial);
  Type elementType = input.getElementType();
  FailureOr<HostTensor *> result = addResult(op, elementType, dims, results);
  if (failed(result))
    return failure();
  int64_t plane = countOf(slider.extents), outputPlane = countOf(*spatial);
  withArithmeticType(elementType, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> x = load<T>(input);
    forEachIndex(*spatial, [&](ArrayRef<int64_t> index) {
      SmallVector<Slider::Tap> taps = slider.taps(index);
      for (int64_t c = 0, e = dims[0] * dims[1]; c < e; ++c) {
        T sum = neutralElement<T>(op.getKind(), elementType);
        for (Slider::Tap tap : taps)
          if (tap.input >= 0)
            sum = combine(op.getKind(), sum, x[c * plane + tap.input]);
        store(**result, c * outputPlane + position(index, *spatial), sum);
      }
    });
  });
  return success();
}
