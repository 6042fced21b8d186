// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products that an equation tells.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_EINSUM_H
#define AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_EINSUM_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// The sum of products of an equation such as "bij,bjk->bik"; "..." stands for
/// dims that broadcast. Without "->" the result has the labels that occur once,
/// in alphabetical order. An error when the equation does not fit the operands.
Value einsum(ValueBuilder &b, ArrayRef<Value> operands, StringRef equation);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_EINSUM_H
