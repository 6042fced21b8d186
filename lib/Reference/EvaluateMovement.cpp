// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of sources and of ops that only move elements.

#include "Evaluate.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

LogicalResult reference::evaluate(graph::ConstantOp op, Operands,
                                  const Symbols &, Results &results) {
  HostTensor value = HostTensor::fromAttr(op.getValue());
  if (!value.getElementType())
    return op.emitError("data of the constant is missing, of the wrong size, "
                        "or of a type that cannot be evaluated");
  results.push_back(std::move(value));
  return success();
}

LogicalResult reference::evaluate(graph::DimsOp op, Operands,
                                  const Symbols &symbols, Results &results) {
  FailureOr<SmallVector<int64_t>> values =
      evaluateDims(op, op.getValues().getDims(), symbols);
  if (failed(values))
    return failure();
  RankedTensorType type = op.getResult().getType();
  FailureOr<HostTensor *> result =
      addResult(op, type.getElementType(), type.getShape(), results);
  if (failed(result))
    return failure();
  for (auto [index, value] : llvm::enumerate(*values))
    (*result)->setInt(index, value);
  return success();
}

LogicalResult reference::evaluate(graph::IotaOp op, Operands,
                                  const Symbols &symbols, Results &results) {
  FailureOr<SmallVector<int64_t>> dims =
      evaluateDims(op, op.getShape().getDims(), symbols);
  if (failed(dims))
    return failure();
  FailureOr<HostTensor *> result =
      addResult(op, op.getElementType(), *dims, results);
  if (failed(result))
    return failure();
  forEachIndex(*dims, [&](ArrayRef<int64_t> index) {
    (*result)->setInt(position(index, *dims), index[op.getDim()]);
  });
  return success();
}

LogicalResult reference::evaluate(graph::BroadcastOp op, Operands operands,
                                  const Symbols &symbols, Results &results) {
  const HostTensor &input = *operands[0];
  FailureOr<SmallVector<int64_t>> dims =
      evaluateDims(op, op.getShape().getDims(), symbols);
  if (failed(dims))
    return failure();
  int64_t leading = int64_t(dims->size()) - input.getRank();
  for (auto [dim, size] : llvm::enumerate(input.getDims()))
    if (size != 1 && size != (*dims)[leading + dim])
      return op.emitError()
             << "dim " << dim << " of size " << size
             << " does not broadcast to " << (*dims)[leading + dim];
  FailureOr<HostTensor *> result =
      addResult(op, input.getElementType(), *dims, results);
  if (failed(result))
    return failure();
  forEachIndex(*dims, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index.drop_front(leading));
    for (auto [i, size] : llvm::zip_equal(from, input.getDims()))
      if (size == 1)
        i = 0;
    copyElement(**result, position(index, *dims), input,
                position(from, input.getDims()));
  });
  return success();
}

LogicalResult reference::evaluate(graph::ReshapeOp op, Operands operands,
                                  const Symbols &symbols, Results &results) {
  const HostTensor &input = *operands[0];
  FailureOr<SmallVector<int64_t>> dims =
      evaluateDims(op, op.getShape().getDims(), symbols);
  if (failed(dims))
    return failure();
  FailureOr<HostTensor *> result =
      addResult(op, input.getElementType(), *dims, results);
  if (failed(result))
    return failure();
  if ((*result)->getNumElements() != input.getNumElements())
    return op.emitError() << "number of elements changes: "
                          << input.getNumElements() << " vs "
                          << (*result)->getNumElements();
  llvm::copy(input.getBytes(), (*result)->getBytes().begin());
  return success();
}

LogicalResult reference::evaluate(graph::TransposeOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &input = *operands[0];
  SmallVector<int64_t> dims;
  for (int64_t source : op.getPermutation())
    dims.push_back(input.getDims()[source]);
  FailureOr<HostTensor *> result =
      addResult(op, input.getElementType(), dims, results);
  if (failed(result))
    return failure();
  forEachIndex(dims, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index.size());
    for (auto [i, source] : llvm::zip_equal(index, op.getPermutation()))
      from[source] = i;
    copyElement(**result, position(index, dims), input,
                position(from, input.getDims()));
  });
  return success();
}

LogicalResult reference::evaluate(graph::SliceOp op, Operands operands,
                                  const Symbols &symbols, Results &results) {
  const HostTensor &input = *operands[0];
  FailureOr<SmallVector<int64_t>> offsets =
      evaluateDims(op, op.getOffsets().getDims(), symbols);
  FailureOr<SmallVector<int64_t>> sizes =
      evaluateDims(op, op.getSizes().getDims(), symbols);
  if (failed(offsets) || failed(sizes))
    return failure();
  FailureOr<HostTensor *> result =
      addResult(op, input.getElementType(), *sizes, results);
  if (failed(result))
    return failure();
  // Dim by dim, as the shape rule: also where another dim is empty.
  for (auto [dim, extent, offset, size, stride] :
       llvm::enumerate(input.getDims(), *offsets, *sizes, op.getStrides()))
    if (size != 0) {
      int64_t last = offset + (size - 1) * stride;
      if (std::min(offset, last) < 0 || std::max(offset, last) >= extent)
        return op.emitError()
               << "slice leaves its input: elements " << offset << " to "
               << last << " of dim " << dim << ", which has size " << extent;
    }
  forEachIndex(*sizes, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from;
    for (auto [i, offset, stride] :
         llvm::zip_equal(index, *offsets, op.getStrides()))
      from.push_back(offset + i * stride);
    copyElement(**result, position(index, *sizes), input,
                position(from, input.getDims()));
  });
  return success();
}

LogicalResult reference::evaluate(graph::ConcatOp op, Operands operands,
                                  const Symbols &, Results &results) {
  int64_t axis = op.getDim();
  SmallVector<int64_t> dims(operands[0]->getDims());
  for (const HostTensor *input : operands.drop_front()) {
    for (auto [dim, lhs, rhs] : llvm::enumerate(dims, input->getDims()))
      if (int64_t(dim) != axis && lhs != rhs)
        return op.emitError()
               << "sizes of dim " << dim << " differ: " << lhs << " vs " << rhs;
    dims[axis] += input->getDims()[axis];
  }
  FailureOr<HostTensor *> result =
      addResult(op, operands[0]->getElementType(), dims, results);
  if (failed(result))
    return failure();
  int64_t start = 0;
  for (const HostTensor *input : operands) {
    forEachIndex(input->getDims(), [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> to(index);
      to[axis] += start;
      copyElement(**result, position(to, dims), *input,
                  position(index, input->getDims()));
    });
    start += input->getDims()[axis];
  }
  return success();
}

/// The element of a dim of size `extent` that stands at `i`, which may lie
/// outside; nothing for the fill value.
static std::optional<int64_t> padSource(graph::PadMode mode, int64_t i,
                                        int64_t extent) {
  if (i >= 0 && i < extent)
    return i;
  switch (mode) {
  case graph::PadMode::Constant:
    return std::nullopt;
  case graph::PadMode::Edge:
    return i < 0 ? 0 : extent - 1;
  case graph::PadMode::Reflect:
    return i < 0 ? -i : 2 * (extent - 1) - i;
  case graph::PadMode::Wrap:
    return i < 0 ? i + extent : i - extent;
  }
  llvm_unreachable("all modes are handled");
}

LogicalResult reference::evaluate(graph::PadOp op, Operands operands,
                                  const Symbols &symbols, Results &results) {
  const HostTensor &input = *operands[0], &value = *operands[1];
  FailureOr<SmallVector<int64_t>> low =
      evaluateDims(op, op.getLow().getDims(), symbols);
  FailureOr<SmallVector<int64_t>> high =
      evaluateDims(op, op.getHigh().getDims(), symbols);
  if (failed(low) || failed(high))
    return failure();
  SmallVector<int64_t> dims;
  for (auto [dim, extent, before, after] :
       llvm::enumerate(input.getDims(), *low, *high)) {
    // Nothing to reflect is no error, even where nothing is.
    int64_t room = op.getMode() == graph::PadMode::Reflect
                       ? std::max<int64_t>(extent - 1, 0)
                   : op.getMode() == graph::PadMode::Wrap ? extent
                   : op.getMode() == graph::PadMode::Edge && extent == 0
                       ? 0
                       : INT64_MAX;
    if (std::min(before, after) < 0 || std::max(before, after) > room)
      return op.emitError()
             << "pads " << before << " and " << after << " of dim " << dim
             << ", which has size " << extent << ", are out of range";
    dims.push_back(extent + before + after);
  }
  FailureOr<HostTensor *> result =
      addResult(op, input.getElementType(), dims, results);
  if (failed(result))
    return failure();
  forEachIndex(dims, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from;
    for (auto [i, before, extent] :
         llvm::zip_equal(index, *low, input.getDims()))
      if (auto source = padSource(op.getMode(), i - before, extent))
        from.push_back(*source);
    bool isFill = from.size() != index.size();
    copyElement(**result, position(index, dims), isFill ? value : input,
                isFill ? 0 : position(from, input.getDims()));
  });
  return success();
}

LogicalResult reference::evaluate(graph::GatherOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &data = *operands[0], &indices = *operands[1];
  int64_t axis = op.getAxis(), extent = data.getDims()[axis];
  ArrayRef<int64_t> before = data.getDims().take_front(axis);
  ArrayRef<int64_t> after = data.getDims().drop_front(axis + 1);
  SmallVector<int64_t> dims(before);
  dims.append(indices.getDims().begin(), indices.getDims().end());
  dims.append(after.begin(), after.end());
  FailureOr<HostTensor *> result =
      addResult(op, data.getElementType(), dims, results);
  if (failed(result))
    return failure();
  int64_t count = indices.getNumElements(), inner = countOf(after);
  // Where nothing is taken, no index is wrong; but in an empty dim all are.
  if ((*result)->getNumElements() == 0 && extent > 0)
    return success();
  for (int64_t k = 0; k < count; ++k) {
    int64_t index = indices.getInt(k);
    if (index < -extent || index >= extent)
      return op.emitError() << "index " << index << " (element " << k
                            << " of the indices) is outside of " << -extent
                            << ".." << extent - 1;
    if (index < 0)
      index += extent;
    for (int64_t outer = 0, e = countOf(before); outer < e; ++outer)
      for (int64_t i = 0; i < inner; ++i)
        copyElement(**result, (outer * count + k) * inner + i, data,
                    (outer * extent + index) * inner + i);
  }
  return success();
}
