// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the pass that replaces math functions by polynomials.

#ifndef AMBIT_LIB_CODEGEN_EXPANDMATH_H
#define AMBIT_LIB_CODEGEN_EXPANDMATH_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace ambit {

/// Replaces math ops on f32, and integer powers, by arithmetic; other floats
/// are left for libm.
std::unique_ptr<mlir::Pass> createExpandMathPass();

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_EXPANDMATH_H
