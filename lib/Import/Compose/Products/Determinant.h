// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Determinants of square matrices.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_DETERMINANT_H
#define AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_DETERMINANT_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// x [batch..., n, n] of floats: [batch...], by elimination with the largest
/// pivot of each column. That of an empty matrix is 1.
Value determinant(ValueBuilder &b, Value x);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_DETERMINANT_H
