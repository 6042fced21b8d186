// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers. Each is a function of a seed and of its element's place, so
// that they do not depend on variants, threads or the host, and every run gives
// the same ones.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_RANDOM_H
#define AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_RANDOM_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// Uniform in [0, 1), in f64 for f64 and else in f32. Element i in row-major
/// order is made of the leading 24 bits (53 for f64) of the 64-bit number that
/// SplitMix64 gives after i + 1 steps from the seed (Steele, Lea, Flood, "Fast
/// splittable pseudorandom number generators", 2014).
Value randomUniform(ValueBuilder &b, ArrayRef<Expr> shape, uint64_t seed,
                    mlir::Type type);

/// Normal with mean 0 and deviation 1: sqrt(-2 log(1 - u)) * cos(2 pi v) for
/// uniform u of the seed and v of the next seed (Box and Muller, 1958). Finite.
Value randomNormal(ValueBuilder &b, ArrayRef<Expr> shape, uint64_t seed,
                   mlir::Type type);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_RANDOM_H
