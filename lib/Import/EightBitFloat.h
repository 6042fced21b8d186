// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats of 8 bits, which are for storage: nothing is computed in them.

#ifndef AMBIT_LIB_IMPORT_EIGHTBITFLOAT_H
#define AMBIT_LIB_IMPORT_EIGHTBITFLOAT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace ambit::compose {

class ValueBuilder;

inline bool isEightBitFloat(mlir::Type type) {
  return mlir::isa<mlir::FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
}

/// Whether elements of the type can be stored and converted, and no more:
/// floats of 8 bits, integers of 2 and 4.
inline bool isStorageType(mlir::Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  return isEightBitFloat(type) || width == 2 || width == 4;
}

/// The f32 with the same values; exact.
mlir::Value decodeEightBits(ValueBuilder &b, mlir::Value value);

/// The nearest of an f32, ties to even. What lies beyond the largest number
/// becomes that number when it `saturates`, else infinity or, in types without
/// one, NaN.
mlir::Value encodeEightBits(ValueBuilder &b, mlir::Value value,
                            mlir::Type elementType, bool saturates);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_EIGHTBITFLOAT_H
