// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of scatter, and of the two ops at packed inputs and outputs.

#include "Evaluate.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;
using graph::ScatterKind;

/// The row of the data that row `row` of the indices names; nothing, and
/// `wrong` is set, when one of its numbers is outside.
static std::optional<int64_t> findRow(const HostTensor &indices, int64_t row,
                                      ArrayRef<int64_t> extents,
                                      int64_t &wrong) {
  int64_t found = 0, count = extents.size();
  for (int64_t c = 0; c < count; ++c) {
    int64_t number = indices.getInt(row * count + c), extent = extents[c];
    if (number < -extent || number >= extent) {
      wrong = number;
      return std::nullopt;
    }
    found = found * extent + (number < 0 ? number + extent : number);
  }
  return found;
}

template <typename T> static T combine(ScatterKind kind, T old, T added) {
  switch (kind) {
  case ScatterKind::Add:
    return old + added;
  case ScatterKind::Multiply:
    return old * added;
  case ScatterKind::Max:
    return added > old || added != added ? added : old;
  case ScatterKind::Min:
    return added < old || added != added ? added : old;
  case ScatterKind::Replace:
    break;
  }
  return added;
}

/// to[at] = combination of to[at] and from[source]. Integers wrap around.
static void combineElement(ScatterKind kind, HostTensor &to, int64_t at,
                           const HostTensor &from, int64_t source) {
  Type type = to.getElementType();
  if (kind == ScatterKind::Replace)
    return copyElement(to, at, from, source);
  if (type.isF32())
    to.data<float>()[at] =
        combine(kind, to.data<float>()[at], from.data<float>()[source]);
  else if (isa<FloatType>(type))
    to.setFloat(at, combine(kind, to.getFloat(at), from.getFloat(source)));
  else if (type.isUnsignedInteger() || kind == ScatterKind::Add ||
           kind == ScatterKind::Multiply)
    to.setInt(at, combine(kind, uint64_t(to.getInt(at)),
                          uint64_t(from.getInt(source))));
  else
    to.setInt(at, combine(kind, to.getInt(at), from.getInt(source)));
}

LogicalResult reference::evaluate(graph::ScatterOp op, Operands operands,
                                  const Symbols &, Results &results) {
  const HostTensor &updates = *operands[0], &data = *operands[1];
  const HostTensor &indices = *operands[2];
  FailureOr<HostTensor *> result =
      addResult(op, data.getElementType(), data.getDims(), results);
  if (failed(result))
    return failure();
  llvm::copy(data.getBytes(), (*result)->getBytes().begin());
  ArrayRef<int64_t> extents = ArrayRef(data.getDims()).drop_back();
  int64_t width = data.getDims().back();
  for (int64_t row = 0; row < indices.getDims()[0]; ++row) {
    int64_t wrong = 0;
    std::optional<int64_t> to = findRow(indices, row, extents, wrong);
    if (!to)
      return op.emitError() << "index " << wrong << " is out of range";
    for (int64_t i = 0; i < width; ++i)
      combineElement(op.getKind(), **result, *to * width + i, updates,
                     row * width + i);
  }
  return success();
}

LogicalResult reference::evaluate(graph::UnpackOp, Operands operands,
                                  const Symbols &, Results &results) {
  results.push_back(*operands[0]);
  return success();
}

LogicalResult reference::evaluate(graph::PackOp, Operands operands,
                                  const Symbols &, Results &results) {
  results.push_back(*operands[0]);
  return success();
}
