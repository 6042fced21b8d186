// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of resize, one dim after the other, as in ONNX Resize.

#include "Evaluate.h"
#include "ambit/Dialect/Graph/IR/ResizePosition.h"
#include <numeric>

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

namespace {
/// The resampling of one dim from `from` to `to` elements.
class DimResize {
public:
  DimResize(graph::ResizeOp op, int64_t dim, int64_t from, int64_t to)
      : from(from), to(to),
        isNearest(op.getMode() == graph::ResizeMode::Nearest) {
    auto position = graph::ResizePosition::of(op, dim, from, to);
    if (isNearest)
      position = position.nearest(op.getRounding());
    std::optional<bool> moves =
        position.moves ? position.moves->evaluate({}) : true;
    std::optional<int64_t> a = position.step.constant();
    std::optional<int64_t> b = position.start.constant();
    std::optional<int64_t> c = position.divisor.constant();
    bool isFraction = a && b && c && *c > 0;
    isValid = to == 0 || (moves && (!*moves || isFraction));
    if (isFraction && moves && *moves) {
      step = *a;
      start = *b;
      divisor = *c;
    }
  }

  /// False when a number of the positions overflows 64 bits.
  bool isValid;

  /// Calls fn(to, from0, from1, weight of from1) for all elements of a tensor
  /// of `outer` x this dim x `inner`.
  template <typename Fn> void forEach(int64_t outer, int64_t inner, Fn fn) {
    for (int64_t i = 0; i < to; ++i) {
      __int128 at = __int128(step) * i + start, whole = at / divisor;
      if (whole * divisor > at)
        --whole;
      int64_t first = clamp(whole), second = first;
      double weight = 0;
      if (!isNearest && whole >= 0 && whole < from - 1) {
        second = first + 1;
        weight = double(int64_t(at - whole * divisor)) / double(divisor);
      }
      for (int64_t o = 0; o < outer; ++o)
        for (int64_t k = 0; k < inner; ++k)
          fn((o * to + i) * inner + k, (o * from + first) * inner + k,
             (o * from + second) * inner + k, weight);
    }
  }

private:
  int64_t clamp(__int128 element) {
    return element < 0 ? 0 : element > from - 1 ? from - 1 : int64_t(element);
  }

  int64_t from, to;
  bool isNearest;
  /// Element i lies at (step * i + start) / divisor.
  int64_t step = 0, start = 0, divisor = 1;
};
} // namespace

/// Resamples all dims; `mix(first, second, weight)` makes an element.
template <typename T, typename Mix>
static FailureOr<std::vector<T>>
resample(graph::ResizeOp op, std::vector<T> values, SmallVector<int64_t> dims,
         ArrayRef<int64_t> target, Mix mix) {
  for (size_t dim = 0; dim < target.size(); ++dim) {
    int64_t from = dims[dim], to = target[dim];
    bool isScaled = op.getScales() && (*op.getScales())[dim] != 1.0f;
    if (from == to && (!isScaled || from == 0))
      continue;
    DimResize resize(op, dim, from, to);
    if (!resize.isValid)
      return op.emitError() << "positions in dim " << dim << " of size " << from
                            << " overflow 64 bits";
    int64_t outer = countOf(ArrayRef(dims).take_front(dim));
    int64_t inner = countOf(ArrayRef(dims).drop_front(dim + 1));
    std::vector<T> resized(outer * to * inner);
    resize.forEach(outer, inner,
                   [&](int64_t at, int64_t first, int64_t second, double w) {
                     resized[at] = mix(values[first], values[second], w);
                   });
    values = std::move(resized);
    dims[dim] = to;
  }
  return values;
}

LogicalResult reference::evaluate(graph::ResizeOp op, Operands operands,
                                  const Symbols &symbols, Results &results) {
  const HostTensor &input = *operands[0];
  FailureOr<SmallVector<int64_t>> dims =
      evaluateDims(op, op.getShape().getDims(), symbols);
  if (failed(dims))
    return failure();
  for (auto [dim, from, to] : llvm::enumerate(input.getDims(), *dims))
    if (from == 0 && to != 0)
      return op.emitError()
             << "resize of an empty dim: dim " << dim << " of size 0 to " << to;
  FailureOr<HostTensor *> result =
      addResult(op, input.getElementType(), *dims, results);
  if (failed(result))
    return failure();
  SmallVector<int64_t> from(input.getDims());
  if (op.getMode() == graph::ResizeMode::Nearest) {
    std::vector<int64_t> numbers(input.getNumElements());
    std::iota(numbers.begin(), numbers.end(), 0);
    FailureOr<std::vector<int64_t>> source =
        resample(op, std::move(numbers), from, *dims,
                 [](int64_t first, int64_t, double) { return first; });
    if (failed(source))
      return failure();
    for (auto [index, element] : llvm::enumerate(*source))
      copyElement(**result, index, input, element);
    return success();
  }
  auto resampleAs = [&](auto zero) -> LogicalResult {
    using T = decltype(zero);
    FailureOr<std::vector<T>> values = resample(
        op, load<T>(input), from, *dims, [](T first, T second, double weight) {
          return weight == 0 ? first
                             : (T(1) - T(weight)) * first + T(weight) * second;
        });
    if (failed(values))
      return failure();
    for (auto [index, value] : llvm::enumerate(*values))
      (*result)->setFloat(index, value);
    return success();
  };
  return input.getElementType().isF64() ? resampleAs(double())
                                        : resampleAs(float());
}
