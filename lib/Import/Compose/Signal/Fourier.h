// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Discrete Fourier transforms, as products with matrices of sines and cosines.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_SIGNAL_FOURIER_H
#define AMBIT_LIB_IMPORT_COMPOSE_SIGNAL_FOURIER_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

struct FourierSpec {
  /// Any dim but the last.
  int64_t axis = 0;
  /// How many elements are transformed: others are left out, missing ones 0.
  Expr length;
  /// With the opposite sign, and divided by the length.
  bool isInverse = false;
  /// Only frequencies 0 to length / 2 are there, in the result or, of an
  /// inverse, in the input, whose result then is real.
  bool isOneSided = false;
};

/// The transform along an axis of [..., 1], which is real, or [..., 2], real
/// and imaginary parts; the result is of the second form unless it is real.
Value fourier(ValueBuilder &b, Value x, const FourierSpec &spec);

/// The transform of each frame of `length` elements of a signal [batch, n, 1 or
/// 2], one every `step` elements, times a window [length] or null: [batch,
/// frames, frequencies, 2].
Value shortTimeFourier(ValueBuilder &b, Value signal, Value window, Expr length,
                       Expr step, bool isOneSided);

/// Triangles at equal distances on the mel scale, from and to frequencies in
/// hertz: [length / 2 + 1, bins]. The scalars are f32 or integers of rank 0.
struct MelSpec {
  Expr bins, length;
  Value rate, low, high;
};
Value melWeights(ValueBuilder &b, const MelSpec &spec, mlir::Type elementType);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_SIGNAL_FOURIER_H
