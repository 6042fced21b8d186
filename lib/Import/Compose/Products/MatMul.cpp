// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products: batches, vectors, scaled and transposed operands.

#include "MatMul.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

/// Broadcasts the batch dims of a matrix to `batch`.
static Value broadcastBatch(ValueBuilder &b, Value matrix,
                            ArrayRef<Expr> batch) {
  SmallVector<Expr> shape(batch.begin(), batch.end());
  SmallVector<Expr> dims = dimsOf(matrix);
  shape.append(dims.end() - 2, dims.end());
  return b.broadcast(matrix, shape);
}

Value compose::multiplyMatrices(ValueBuilder &b, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return {};
  SmallVector<Expr> left = dimsOf(lhs), right = dimsOf(rhs);
  left.truncate(left.size() - 2);
  right.truncate(right.size() - 2);
  // One matrix on the right serves every batch.
  bool isShared = llvm::all_of(right, [](Expr e) { return e.isConstant(1); });
  if (isShared && left.size() >= right.size()) {
    SmallVector<Expr> dims = dimsOf(rhs);
    return b.contract(
        lhs, right.empty() ? rhs : b.reshape(rhs, ArrayRef(dims).take_back(2)));
  }
  FailureOr<SmallVector<Expr>> batch = b.broadcastShapes({left, right});
  if (failed(batch))
    return {};
  return b.contract(broadcastBatch(b, lhs, *batch),
                    broadcastBatch(b, rhs, *batch));
}

Value compose::multiplyAsMatrices(
    ValueBuilder &b, Value lhs, Value rhs,
    llvm::function_ref<Value(Value, Value)> multiply) {
  bool isRow = rankOf(lhs) == 1, isColumn = rankOf(rhs) == 1;
  if (rankOf(lhs) == 0 || rankOf(rhs) == 0) {
    b.error() << "inputs have ranks " << rankOf(lhs) << " and " << rankOf(rhs)
              << ", expected at least 1";
    return {};
  }
  if (isRow)
    lhs = b.unsqueeze(lhs, 0);
  if (isColumn)
    rhs = b.unsqueeze(rhs, 1);
  Value product = multiply(lhs, rhs);
  if (!product || (!isRow && !isColumn))
    return product;
  SmallVector<Expr> shape = dimsOf(product);
  if (isColumn)
    shape.pop_back();
  if (isRow)
    shape.erase(shape.end() - (isColumn ? 1 : 2));
  return b.reshape(product, shape);
}

Value compose::matmul(ValueBuilder &b, Value lhs, Value rhs) {
  return multiplyAsMatrices(b, lhs, rhs, [&](Value left, Value right) {
    return multiplyMatrices(b, left, right);
  });
}

/// Multiplies by a constant unless it is 1.
static Value scale(ValueBuilder &b, Value x, double factor) {
  if (factor == 1 || !x)
    return x;
  return b.mul(x, b.scalar(factor, elementTypeOf(x)));
}

Value compose::gemm(ValueBuilder &b, Value lhs, Value rhs, Value addend,
                    const GemmSpec &spec) {
  if (rankOf(lhs) != 2 || rankOf(rhs) != 2) {
    b.error() << "inputs have ranks " << rankOf(lhs) << " and " << rankOf(rhs)
              << ", expected 2";
    return {};
  }
  if (spec.transposesA)
    lhs = b.transpose(lhs, {1, 0});
  if (spec.transposesB)
    rhs = b.transpose(rhs, {1, 0});
  Value product = scale(b, b.contract(lhs, rhs), spec.alpha);
  if (!product || !addend)
    return product;
  // The addend broadcasts to the product, never the other way.
  addend = b.broadcast(scale(b, addend, spec.beta), dimsOf(product));
  return b.add(product, addend);
}
