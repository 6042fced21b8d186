// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantization, and products of quantized tensors.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_QUANTIZE_H
#define AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_QUANTIZE_H

#include "../Windows/Conv.h"

namespace ambit::compose {

/// What stands for real numbers: (q - zero) * scale. Both have one element, or
/// one for each index of an axis. `zero` may be null, which is 0; `scale` is
/// null where it does not matter.
struct Quantized {
  Value value, scale, zero;
};

/// Which scale and zero point an element has: there is one of each, one for
/// each index along the axis or, with a block size, one for so many of these
/// and for each index of the other dims.
struct QuantizeGrid {
  int64_t axis = 1, blockSize = 0;
};

/// round(x / scale) + zero in the range of `type`; ties go to even. The
/// division is done in `wide`. To a float type it is x / scale, as Cast
/// converts it.
Value quantize(ValueBuilder &b, Value x, Value scale, Value zero,
               const QuantizeGrid &grid, mlir::Type wide, mlir::Type type,
               bool saturates = true);

/// (x - zero) * scale, the product being done in `wide`.
Value dequantize(ValueBuilder &b, const Quantized &x, const QuantizeGrid &grid,
                 mlir::Type wide);

/// As unsigned bytes, with a scale and zero point from the extremes of the
/// data, both widened to 0.
Quantized quantizeDynamically(ValueBuilder &b, Value x);

/// Whether products can have this quantized type; else an error.
bool requireQuantized(ValueBuilder &b, mlir::Type type);

/// The product in i32: exact. A zero point may be one for each row on the left
/// and for each column on the right.
Value integerMatmul(ValueBuilder &b, const Quantized &lhs,
                    const Quantized &rhs);
/// The same, quantized as `to` says, whose value is not used.
Value quantizedMatmul(ValueBuilder &b, const Quantized &lhs,
                      const Quantized &rhs, const Quantized &to);

/// The convolution in i32: exact. Padding is with the zero point; that of the
/// filter may be one for each output channel.
Value integerConv(ValueBuilder &b, const Quantized &x, const Quantized &filter,
                  const ConvSpec &spec);
/// The same plus a bias in i32 or null, quantized as `to` says.
Value quantizedConv(ValueBuilder &b, const Quantized &x,
                    const Quantized &filter, Value bias, const Quantized &to,
                    const ConvSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_PRODUCTS_QUANTIZE_H
