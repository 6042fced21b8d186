// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that reach beyond an image.

#include "WindowEdges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ambit;

bool WindowEdges::isPadded() const {
  return llvm::any_of(llvm::seq<size_t>(0, dims.size()),
                      [this](size_t dim) { return isPadded(dim); });
}

Value WindowEdges::begin(size_t dim, Value tap) {
  Value reach = kernel.mul(tap, kernel.index(dims[dim].dilation));
  Value missing = kernel.sub(kernel.index(dims[dim].low), reach);
  return kernel.ceilDiv(kernel.max(missing, kernel.index(0)),
                        kernel.index(dims[dim].stride));
}

Value WindowEdges::end(size_t dim, Value tap) {
  Value reach = kernel.mul(tap, kernel.index(dims[dim].dilation));
  Value room = kernel.sub(
      kernel.add(dims[dim].extent, kernel.index(dims[dim].low)), reach);
  return kernel.ceilDiv(kernel.max(room, kernel.index(0)),
                        kernel.index(dims[dim].stride));
}

Value WindowEdges::firstInside(size_t dim) {
  return begin(dim, kernel.index(0));
}

Value WindowEdges::endInside(size_t dim) {
  return end(dim, kernel.sub(dims[dim].window, kernel.index(1)));
}

bool WindowEdges::mayPrecede(size_t dim, Value tap) const {
  std::optional<int64_t> number = KernelLowering::constantOf(tap);
  return dims[dim].low > 0 &&
         (!number || *number * dims[dim].dilation < dims[dim].low);
}

// The last window ends at most `high` behind the input.
bool WindowEdges::mayExceed(size_t dim, Value tap) const {
  std::optional<int64_t> number = KernelLowering::constantOf(tap);
  std::optional<int64_t> size = KernelLowering::constantOf(dims[dim].window);
  return dims[dim].high > 0 &&
         (!number || !size ||
          (*size - 1 - *number) * dims[dim].dilation < dims[dim].high);
}

Value WindowEdges::andCompare(Value conditions, bool orEqual, Value lhs,
                              Value rhs) {
  auto predicate =
      orEqual ? arith::CmpIPredicate::sle : arith::CmpIPredicate::slt;
  Value holds =
      kernel.b.createOrFold<arith::CmpIOp>(kernel.loc, predicate, lhs, rhs);
  if (!conditions)
    return holds;
  return kernel.b.createOrFold<arith::AndIOp>(kernel.loc, conditions, holds);
}

Value WindowEdges::areColumnsInside(Value column, Value end) {
  size_t dim = dims.size() - 1;
  Value inside = kernel.b.create<arith::ConstantOp>(kernel.loc,
                                                    kernel.b.getBoolAttr(true));
  if (dims[dim].low > 0)
    inside = andCompare(inside, true, firstInside(dim), column);
  if (dims[dim].high > 0)
    inside = andCompare(inside, true, end, endInside(dim));
  return inside;
}

Lanes WindowEdges::select(ArrayRef<Value> outer, Value column,
                          ArrayRef<Value> index, Lanes lanes) {
  OpBuilder &b = kernel.b;
  auto restrict = [&](Value mask) {
    lanes.mask =
        lanes.mask ? b.createOrFold<arith::AndIOp>(kernel.loc, lanes.mask, mask)
                   : mask;
  };
  auto firstLanes = [&](Value outputs) {
    Value count = kernel.max(kernel.sub(outputs, column), kernel.index(0));
    return kernel.maskOf(kernel.min(count, kernel.index(lanes.count)),
                         lanes.count);
  };
  size_t last = dims.size() - 1;
  Value tap = index[last];
  if (mayExceed(last, tap))
    restrict(firstLanes(end(last, tap)));
  if (mayPrecede(last, tap)) {
    Value before = firstLanes(begin(last, tap));
    Value all = b.create<arith::ConstantOp>(
        kernel.loc, b.getBoolVectorAttr(SmallVector<bool>(lanes.count, true)));
    restrict(b.create<arith::XOrIOp>(kernel.loc, before, all));
  }
  Value inside;
  for (auto [dim, at] : llvm::enumerate(outer)) {
    if (mayPrecede(dim, index[dim]))
      inside = andCompare(inside, true, begin(dim, index[dim]), at);
    if (mayExceed(dim, index[dim]))
      inside = andCompare(inside, false, at, end(dim, index[dim]));
  }
  if (inside)
    restrict(b.create<vector::BroadcastOp>(
        kernel.loc, VectorType::get({lanes.count}, b.getI1Type()), inside));
  return lanes;
}
