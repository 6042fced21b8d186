// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of resize, one dim after the other, as in ONNX Resize. Source
// positions are computed in f32, as implementations of ONNX do; a tie between
// two source elements depends on that.

#include "Evaluate.h"
#include <numeric>

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

namespace {
/// The resampling of one dim from `from` to `to` elements.
struct DimResize {
  graph::ResizeOp op;
  int64_t from, to;
  float scale, length;

  /// Where output element `i` lies in the input.
  float source(int64_t i) {
    switch (op.getCoordinates()) {
    case graph::Coordinates::HalfPixel:
      return (float(i) + 0.5f) / scale - 0.5f;
    case graph::Coordinates::PytorchHalfPixel:
      return length == 1.0f ? 0.0f : (float(i) + 0.5f) / scale - 0.5f;
    case graph::Coordinates::AlignCorners:
      return length == 1.0f ? 0.0f
                            : float(i) * float(from - 1) / (length - 1.0f);
    case graph::Coordinates::Asymmetric:
      return float(i) / scale;
    }
    llvm_unreachable("all coordinates are handled");
  }

  int64_t clamp(float element) {
    if (!(element > 0.0f)) // NaN too, from a scale of 0.
      return 0;
    return element < float(from) ? std::min(int64_t(element), from - 1)
                                 : from - 1;
  }

  /// The input element nearest to output element `i`.
  int64_t nearest(int64_t i) {
    float at = source(i), below = std::floor(at), fraction = at - below;
    bool goesUp = false;
    switch (op.getRounding()) {
    case graph::Rounding::RoundPreferFloor:
      goesUp = fraction > 0.5f;
      break;
    case graph::Rounding::RoundPreferCeil:
      goesUp = fraction >= 0.5f;
      break;
    case graph::Rounding::Floor:
      break;
    case graph::Rounding::Ceil:
      goesUp = fraction > 0.0f;
      break;
    }
    return clamp(goesUp ? below + 1.0f : below);
  }

  /// Calls fn(to, from0, from1, weight of from1) for all elements of a tensor
  /// of `outer` x this dim x `inner`.
  template <typename Fn> void forEach(int64_t outer, int64_t inner, Fn fn) {
    for (int64_t i = 0; i < to; ++i) {
      int64_t first, second;
      float weight = 0.0f;
      if (op.getMode() == graph::ResizeMode::Nearest) {
        first = second = nearest(i);
      } else {
        float at = std::min(std::max(source(i), 0.0f), float(from - 1));
        first = clamp(std::floor(at));
        second = std::min(first + 1, from - 1);
        weight = at - float(first);
      }
      for (int64_t o = 0; o < outer; ++o)
        for (int64_t k = 0; k < inner; ++k)
          fn((o * to + i) * inner + k, (o * from + first) * inner + k,
             (o * from + second) * inner + k, weight);
    }
  }
};
} // namespace

/// Resamples all dims; `mix(first, second, weight)` makes an element.
template <typename T, typename Mix>
static std::vector<T> resample(graph::ResizeOp op, std::vector<T> values,
                               SmallVector<int64_t> dims,
                               ArrayRef<int64_t> target, Mix mix) {
  for (size_t dim = 0; dim < target.size(); ++dim) {
    int64_t from = dims[dim], to = target[dim];
    float scale = float(to) / float(from), length = to;
    if (op.getScales()) {
      scale = (*op.getScales())[dim];
      length = float(from) * scale;
    }
    if (from == to && (scale == 1.0f || from == 0))
      continue;
    int64_t outer = countOf(ArrayRef(dims).take_front(dim));
    int64_t inner = countOf(ArrayRef(dims).drop_front(dim + 1));
    std::vector<T> resized(outer * to * inner);
    DimResize{op, from, to, scale, length}.forEach(
        outer, inner, [&](int64_t at, int64_t first, int64_t second, float w) {
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
    std::vector<int64_t> source(input.getNumElements());
    std::iota(source.begin(), source.end(), 0);
    source = resample(op, std::move(source), from, *dims,
                      [](int64_t first, int64_t, float) { return first; });
    for (auto [index, element] : llvm::enumerate(source))
      copyElement(**result, index, input, element);
    return success();
  }
  auto resampleAs = [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values = resample(
        op, load<T>(input), from, *dims, [](T first, T second, float weight) {
          return weight == 0 ? first
                             : (T(1) - T(weight)) * first + T(weight) * second;
        });
    for (auto [index, value] : llvm::enumerate(values))
      (*result)->setFloat(index, value);
  };
  input.getElementType().isF64() ? resampleAs(double()) : resampleAs(float());
  return success();
}
