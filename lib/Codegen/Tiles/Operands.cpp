// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tiles read what they multiply.

#include "Operands.h"

using namespace mlir;
using namespace ambit;

SmallVector<Value> ambit::loadVectors(KernelLowering &k,
                                      Accumulator &accumulator, Value buffer,
                                      Value offset, int64_t stride,
                                      ArrayRef<Lanes> lanes) {
  SmallVector<Value> vectors;
  for (auto [piece, active] : llvm::enumerate(lanes)) {
    Value first = k.index(int64_t(piece) * active.count * stride);
    vectors.push_back(
        accumulator.load(buffer, k.add(offset, first), stride, active));
  }
  return vectors;
}

SmallVector<Value> ambit::multiplyRows(KernelLowering &k,
                                       Accumulator &accumulator, Value lhs,
                                       ValueRange starts, Value at,
                                       ValueRange right, ValueRange sums) {
  SmallVector<Value> next;
  for (Value start : starts) {
    Value left = accumulator.broadcast(lhs, k.add(start, at));
    for (Value vector : right)
      next.push_back(accumulator.multiplyAdd(left, vector, sums[next.size()]));
  }
  return next;
}

DirectPanel::DirectPanel(KernelLowering &kernel, Accumulator &accumulator,
                         Matrix matrix, Value column, ArrayRef<Lanes> lanes)
    : kernel(kernel), accumulator(accumulator), matrix(matrix), lanes(lanes) {
  this->matrix.start = kernel.add(matrix.start, column);
}

SmallVector<Value> DirectPanel::read(Value at) {
  return loadVectors(kernel, accumulator, matrix.buffer,
                     matrix.rowStart(kernel, at), 1, lanes);
}

Value StackPanel::placeOf(Value at, int64_t piece) {
  int64_t width = accumulator.getLanes();
  Value row = kernel.mul(kernel.sub(at, first), kernel.index(vectors * width));
  return kernel.add(row, kernel.index(piece * width));
}

void StackPanel::fill(Panel &source, Value end) {
  kernel.loop(first, end, 1, [&](Value at) {
    for (auto [piece, vector] : llvm::enumerate(source.read(at)))
      accumulator.store(vector, buffer, placeOf(at, piece));
  });
}

SmallVector<Value> StackPanel::read(Value at) {
  SmallVector<Value> row;
  for (int64_t piece = 0; piece < vectors; ++piece)
    row.push_back(accumulator.loadStored(buffer, placeOf(at, piece)));
  return row;
}
