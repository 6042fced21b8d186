// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with weights of few bits, quantized in blocks.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_PACKEDWEIGHTS_H
#define AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_PACKEDWEIGHTS_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// Rows of weights [rows, columns], in blocks of `block` along the columns. The
/// bytes are [rows, blocks, block * bits / 8], the first element in the lowest
/// bits; scales have an element for each block.
struct PackedWeights {
  Value bytes, scales;
  /// As packed bytes, a row of bytes for each row of weights, or as numbers of
  /// the scales' type, one for each block. Null: half of the range.
  Value zeros;
  int64_t rows = 0, columns = 0, bits = 4, block = 0;
};

/// The weights [rows, columns] in the scales' type.
Value unpackWeights(ValueBuilder &b, const PackedWeights &weights);

/// x [..., columns] times the transposed weights.
Value multiplyPacked(ValueBuilder &b, Value x, const PackedWeights &weights);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_PACKEDWEIGHTS_H
