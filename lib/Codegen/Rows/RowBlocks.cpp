// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units that are blocks of rows.

#include "RowBlocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ambit;

constexpr int64_t kMostRows = 64;

RowBlocks::RowBlocks(KernelLowering &kernel, ArrayRef<Value> extents,
                     Value points, int64_t unitPoints)
    : kernel(kernel), extents(extents), dim(int64_t(extents.size()) - 1) {
  while (dim >= 0 && KernelLowering::constantOf(extents[dim]) == 1)
    --dim;
  if (dim >= 0)
    rowsPerUnit = chooseRows(points, unitPoints);
}

/// A power of two; by comparisons where the size of a row is not known, since a
/// division is what blocks are to save.
Value RowBlocks::chooseRows(Value points, int64_t unitPoints) {
  auto fitting = [&](int64_t size) {
    int64_t rows = unitPoints / std::max<int64_t>(size, 1);
    return int64_t(
        llvm::bit_floor(uint64_t(std::clamp<int64_t>(rows, 1, kMostRows))));
  };
  if (std::optional<int64_t> constant = KernelLowering::constantOf(points))
    return kernel.index(fitting(*constant));
  Value rows = kernel.index(1);
  for (int64_t count : {int64_t(8), kMostRows}) {
    Value isShort = kernel.b.create<arith::CmpIOp>(
        kernel.loc, arith::CmpIPredicate::sle, points,
        kernel.index(unitPoints / count));
    rows = kernel.b.create<arith::SelectOp>(kernel.loc, isShort,
                                            kernel.index(count), rows);
  }
  return rows;
}

Value RowBlocks::countBlocks() {
  return kernel.ceilDiv(extents[dim], rowsPerUnit);
}

Value RowBlocks::countUnits() {
  if (dim < 0)
    return kernel.product(extents);
  return kernel.mul(kernel.product(ArrayRef<Value>(extents).take_front(dim)),
                    countBlocks());
}

void RowBlocks::forEachRow(Value unit,
                           function_ref<void(ArrayRef<Value>)> body) {
  SmallVector<Value> position(extents.size(), kernel.index(0));
  if (dim < 0)
    return body(position);
  SmallVector<Value> counts(ArrayRef<Value>(extents).take_front(dim));
  counts.push_back(countBlocks());
  SmallVector<Value> at = kernel.delinearize(unit, counts);
  std::copy(at.begin(), at.end() - 1, position.begin());
  if (KernelLowering::constantOf(rowsPerUnit) == 1) {
    position[dim] = at.back();
    return body(position);
  }
  Value first = kernel.mul(at.back(), rowsPerUnit);
  Value end = kernel.min(kernel.add(first, rowsPerUnit), extents[dim]);
  kernel.loop(first, end, 1, [&](Value row) {
    position[dim] = row;
    body(position);
  });
}
