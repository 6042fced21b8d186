// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors made of positions: ranges, diagonals, one-hot rows.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_POSITIONS_H
#define AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_POSITIONS_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// start + i * delta for i below `length`, computed in `wide`.
Value range(ValueBuilder &b, Value start, Value delta, Expr length,
            mlir::Type wide);
/// For i below `length` the sum of coefficients[k] * cos(2 pi k i / period). A
/// period of 0 counts as 1.
Value cosineWindow(ValueBuilder &b, Expr length, Expr period,
                   ArrayRef<double> coefficients, mlir::Type type);
/// 1 on diagonal `k` of a matrix, 0 elsewhere; diagonals above the main one
/// have positive numbers.
Value eye(ValueBuilder &b, ArrayRef<Expr> shape, int64_t k, mlir::Type type);
/// x on and above (or below) diagonal `k` of the last two dims, 0 elsewhere.
/// `k` is one integer, or null for 0.
Value triangle(ValueBuilder &b, Value x, Value k, bool isUpper);
/// A new dim at `axis`, of size `depth`: `on` at the index, else `off`, which
/// are scalars. Indices count from the end when negative; one that is outside
/// gives a row of `off`.
Value oneHot(ValueBuilder &b, Value indices, Expr depth, int64_t axis,
             Value off, Value on);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_MOVEMENT_POSITIONS_H
