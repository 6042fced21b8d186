// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_MATMUL_H
#define AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_MATMUL_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// The product of matrices of rank 2 or more, their batch dims broadcast.
Value multiplyMatrices(ValueBuilder &b, Value lhs, Value rhs);

/// What `multiply` makes of two tensors, for which vectors become matrices of
/// one row (on the left) or column (on the right), without the dims that this
/// adds.
Value multiplyAsMatrices(ValueBuilder &b, Value lhs, Value rhs,
                         llvm::function_ref<Value(Value, Value)> multiply);

/// numpy.matmul: a vector on the left is a row, on the right a column.
Value matmul(ValueBuilder &b, Value lhs, Value rhs);

/// alpha * a * b + beta * c, of matrices that may be transposed first.
struct GemmSpec {
  double alpha = 1, beta = 1;
  bool transposesA = false, transposesB = false;
};
/// `addend` broadcasts to the product; it may be null.
Value gemm(ValueBuilder &b, Value lhs, Value rhs, Value addend,
           const GemmSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_MATMUL_H
