// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

/// Broadcasts the batch dims of a matrix to `batch`.
static Value broadcastBatch(NodeContext &c, Value matrix,
                            ArrayRef<Expr> batch) {
  SmallVector<Expr> shape(batch.begin(), batch.end());
  SmallVector<Expr> dims = dimsOf(matrix);
  shape.append(dims.end() - 2, dims.end());
  return c.broadcast(matrix, shape);
}

Value ambit::onnx_import::multiplyMatrices(NodeContext &c, Value lhs,
                                           Value rhs) {
  if (!lhs || !rhs)
    return {};
  SmallVector<Expr> left = dimsOf(lhs), right = dimsOf(rhs);
  left.truncate(left.size() - 2);
  right.truncate(right.size() - 2);
  // One matrix on the right serves every batch.
  bool isShared = llvm::all_of(right, [](Expr e) { return e.isConstant(1); });
  if (isShared && left.size() >= right.size()) {
    SmallVector<Expr> dims = dimsOf(rhs);
    return c.contract(
        lhs, right.empty() ? rhs : c.reshape(rhs, ArrayRef(dims).take_back(2)));
  }
  FailureOr<SmallVector<Expr>> batch = c.broadcastShapes({left, right});
  if (failed(batch))
    return {};
  return c.contract(broadcastBatch(c, lhs, *batch),
                    broadcastBatch(c, rhs, *batch));
}

/// numpy.matmul: a vector on the left is a row, on the right a column.
Value ambit::onnx_import::multiplyAsMatrices(
    NodeContext &c, Value lhs, Value rhs,
    llvm::function_ref<Value(Value, Value)> multiply) {
  bool isRow = rankOf(lhs) == 1, isColumn = rankOf(rhs) == 1;
  if (rankOf(lhs) == 0 || rankOf(rhs) == 0) {
    c.error() << "inputs have ranks " << rankOf(lhs) << " and " << rankOf(rhs)
              << ", expected at least 1";
    return {};
  }
  if (isRow)
    lhs = c.unsqueeze(lhs, 0);
  if (isColumn)
    rhs = c.unsqueeze(rhs, 1);
  Value product = multiply(lhs, rhs);
  if (!product || (!isRow && !isColumn))
    return product;
  SmallVector<Expr> shape = dimsOf(product);
  if (isColumn)
    shape.pop_back();
  if (isRow)
    shape.erase(shape.end() - (isColumn ? 1 : 2));
  return c.reshape(product, shape);
}

static void convertMatMul(NodeContext &c) {
  auto multiply = [&](Value a, Value b) { return multiplyMatrices(c, a, b); };
  c.setOutput(0, multiplyAsMatrices(c, c.input(0), c.input(1), multiply));
}

/// Multiplies by a constant unless it is 1.
static Value scale(NodeContext &c, Value x, double factor) {
  if (factor == 1 || !x)
    return x;
  return c.mul(x, c.scalar(factor, elementTypeOf(x)));
}

static void convertGemm(NodeContext &c) {
  double alpha = c.floatAttr("alpha", 1), beta = c.floatAttr("beta", 1);
  Value a = c.input(0), b = c.input(1);
  if (rankOf(a) != 2 || rankOf(b) != 2) {
    c.error() << "inputs have ranks " << rankOf(a) << " and " << rankOf(b)
              << ", expected 2";
    return;
  }
  if (c.intAttr("transA", 0))
    a = c.transpose(a, {1, 0});
  if (c.intAttr("transB", 0))
    b = c.transpose(b, {1, 0});
  Value product = scale(c, c.contract(a, b), alpha);
  if (product && c.input(2)) {
    // C broadcasts to the product, never the other way.
    Value bias = c.broadcast(scale(c, c.input(2), beta), dimsOf(product));
    product = c.add(product, bias);
  }
  c.setOutput(0, product);
}

void ambit::onnx_import::addMatrixProducts(ConverterTable &table) {
  table.add("MatMul", convertMatMul, 2);
  table.add("Gemm", convertGemm, 2, 3);
}
