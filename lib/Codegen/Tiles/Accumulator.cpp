// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of sums of products, and the way of finished tiles to the result.

#include "TileNest.h"
#include "ambit/Cost/Cost.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mlir;
using namespace ambit;

Accumulator::Accumulator(KernelLowering &kernel, Type elementType,
                         Type resultType)
    : kernel(kernel), element(elementType), result(resultType),
      scalar(kernel.sumType(elementType)) {
  int64_t bytes = llvm::divideCeil(scalar.getIntOrFloatBitWidth(), 8);
  // Two lanes at least: a vector of one is no register.
  lanes = std::max<int64_t>(kernel.vectors.lanesFor(bytes), 2);
}

Value Accumulator::number(double value) {
  return kernel.number(value, scalar, all());
}

Value Accumulator::lowest() {
  if (isa<FloatType>(scalar))
    return number(-std::numeric_limits<double>::infinity());
  APInt value = cast<IntegerAttr>(graph::getExtreme(element, /*isLowest=*/true))
                    .getValue();
  return kernel.b.create<arith::ConstantOp>(
      kernel.loc, DenseElementsAttr::get(getVector(), value));
}

Value Accumulator::widen(Value value) {
  return isa<FloatType>(scalar) ? kernel.convertFloat(value, scalar) : value;
}

Value Accumulator::narrow(Value value) {
  return isa<FloatType>(scalar) ? kernel.convertFloat(value, result) : value;
}

Value Accumulator::broadcast(Value buffer, Value offset) {
  Value value = kernel.loadAt(buffer, element, offset, 0, Lanes());
  return kernel.splat(widen(value), all());
}

Value Accumulator::load(Value buffer, Value offset, int64_t stride,
                        Lanes active) {
  if (stride == 2 && lanes >= 4)
    return widen(loadEverySecond(buffer, offset, active));
  return widen(kernel.loadAt(buffer, element, offset, stride, active));
}

// Two loads that overlap in one element, so that nothing behind the last lane
// is read, and a shuffle: cheaper than a gather.
Value Accumulator::loadEverySecond(Value buffer, Value offset, Lanes active) {
  OpBuilder &b = kernel.b;
  Lanes halves[2] = {active, active};
  Value parts[2];
  for (int64_t part = 0; part < 2; ++part) {
    int64_t first = part * (lanes - 1);
    if (active.mask) {
      // What lies between two lanes may be read where both are active.
      auto spread = [&](int64_t rounding) -> Value {
        SmallVector<int64_t> from;
        for (int64_t lane = 0; lane < lanes; ++lane)
          from.push_back((first + lane + rounding) / 2);
        return b.create<vector::ShuffleOp>(kernel.loc, active.mask, active.mask,
                                           from);
      };
      halves[part].mask =
          b.create<arith::AndIOp>(kernel.loc, spread(0), spread(1));
    }
    parts[part] =
        kernel.loadAt(buffer, element, kernel.add(offset, kernel.index(first)),
                      1, halves[part]);
  }
  SmallVector<int64_t> from;
  for (int64_t lane = 0; lane < lanes; ++lane)
    from.push_back(2 * lane < lanes ? 2 * lane : 2 * lane + 1);
  return b.create<vector::ShuffleOp>(kernel.loc, parts[0], parts[1], from);
}

Value Accumulator::multiplyAdd(Value lhs, Value rhs, Value sum) {
  if (isa<FloatType>(scalar))
    return kernel.b.create<vector::FMAOp>(kernel.loc, lhs, rhs, sum);
  return add(sum, kernel.b.create<arith::MulIOp>(kernel.loc, lhs, rhs));
}

Value Accumulator::add(Value lhs, Value rhs) {
  if (isa<FloatType>(scalar))
    return kernel.b.create<arith::AddFOp>(kernel.loc, lhs, rhs);
  return kernel.b.create<arith::AddIOp>(kernel.loc, lhs, rhs);
}

Value Accumulator::max(Value lhs, Value rhs) {
  if (isa<FloatType>(scalar))
    return kernel.b.create<arith::MaximumFOp>(kernel.loc, lhs, rhs);
  if (element.isUnsignedInteger() || element.isInteger(1))
    return kernel.b.create<arith::MaxUIOp>(kernel.loc, lhs, rhs);
  return kernel.b.create<arith::MaxSIOp>(kernel.loc, lhs, rhs);
}

Value Accumulator::loadStored(Value buffer, Value offset) {
  return kernel.b.create<vector::LoadOp>(kernel.loc, getVector(), buffer,
                                         offset);
}

void Accumulator::store(Value value, Value buffer, Value offset) {
  kernel.b.create<vector::StoreOp>(kernel.loc, value, buffer, offset);
}

Value ambit::allocateScratch(KernelLowering &k, int64_t elements, Type scalar) {
  OpBuilder::InsertionGuard guard(k.b);
  k.b.setInsertionPointToStart(&k.target.front());
  return k.b.create<memref::AllocaOp>(
      k.loc, MemRefType::get({elements}, scalar), k.b.getI64IntegerAttr(64));
}

//===-- Finishing ------------------------------------------------------===//

TileFinisher::TileFinisher(KernelLowering &kernel, Accumulator &accumulator)
    : kernel(kernel), accumulator(accumulator),
      instructions(cost::countEpilogueInstructions(kernel.source.front())) {}

void TileFinisher::advance(RowIndex &row) {
  Value one = kernel.index(1);
  row.index[row.dim] = kernel.add(row.index[row.dim], one);
  if (row.carryExtents.empty())
    return;
  OpBuilder &b = kernel.b;
  for (size_t dim = row.dim; dim > 0; --dim) {
    Value isPast =
        b.createOrFold<arith::CmpIOp>(kernel.loc, arith::CmpIPredicate::eq,
                                      row.index[dim], row.carryExtents[dim]);
    Value outer = kernel.add(row.index[dim - 1], one);
    row.index[dim] = b.createOrFold<arith::SelectOp>(
        kernel.loc, isPast, kernel.index(0), row.index[dim]);
    row.index[dim - 1] = b.createOrFold<arith::SelectOp>(
        kernel.loc, isPast, outer, row.index[dim - 1]);
  }
}

void TileFinisher::finishRow(ValueRange sums, ArrayRef<Value> row, Value column,
                             ArrayRef<Lanes> lanes) {
  SmallVector<Value> index(row);
  for (auto [piece, sum] : llvm::enumerate(sums)) {
    Value offset = kernel.index(int64_t(piece) * accumulator.getLanes());
    index.push_back(kernel.add(column, offset));
    kernel.finish(accumulator.narrow(sum), index, lanes[piece]);
    index.pop_back();
  }
}

void TileFinisher::finish(ValueRange sums, RowIndex row, Value column,
                          ArrayRef<Lanes> lanes) {
  int64_t vectors = lanes.size(), rows = sums.size() / lanes.size();
  if (instructions * int64_t(sums.size()) <= cost::kMostInlineInstructions ||
      rows == 1) {
    for (int64_t i = 0; i < rows; ++i) {
      if (i > 0)
        advance(row);
      finishRow(sums.slice(i * vectors, vectors), row.index, column, lanes);
    }
    return;
  }
  int64_t width = accumulator.getLanes();
  if (!scratch)
    scratch = allocateScratch(kernel, kernel.vectors.registers * width,
                              accumulator.getScalar());
  for (auto [i, sum] : llvm::enumerate(sums))
    accumulator.store(sum, scratch, kernel.index(int64_t(i) * width));
  finishStored(scratch, kernel.index(rows), vectors * width, row, column,
               lanes);
}

void TileFinisher::finishStored(Value buffer, Value rows, int64_t pitch,
                                RowIndex row, Value column,
                                ArrayRef<Lanes> lanes) {
  kernel.loop(kernel.index(0), rows, 1, row.index, [&](Value i, ValueRange at) {
    RowIndex current = row;
    current.index.assign(at.begin(), at.end());
    Value first = kernel.mul(i, kernel.index(pitch));
    SmallVector<Value> sums;
    for (size_t piece = 0; piece < lanes.size(); ++piece)
      sums.push_back(accumulator.loadStored(
          buffer, kernel.add(first, kernel.index(int64_t(piece) *
                                                 accumulator.getLanes()))));
    finishRow(sums, current.index, column, lanes);
    advance(current);
    return current.index;
  });
}
