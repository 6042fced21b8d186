// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that Ambit registers with MLIR, in one place.

#ifndef AMBIT_DRIVER_REGISTRATION_H
#define AMBIT_DRIVER_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace ambit {

/// Registers Ambit's dialects, the reference models of `graph` ops, those of
/// MLIR's dialects that phases produce, and their translation to LLVM IR.
void registerAmbitDialects(mlir::DialectRegistry &registry);

/// Registers every pass of Ambit by its command line name.
void registerAmbitPasses();

} // namespace ambit

#endif // AMBIT_DRIVER_REGISTRATION_H
