// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the traffic of a model, from a profile.

#ifndef AMBIT_LIB_DRIVER_PROFILE_MODELPROFILE_H
#define AMBIT_LIB_DRIVER_PROFILE_MODELPROFILE_H

#include "ambit/Specialize/Traffic.h"
#include "mlir/IR/BuiltinOps.h"

namespace ambit {

/// Reads a profile for a module with inferred shapes. A damaged file is an
/// error at the file, one of another model or of other symbols at --profile.
mlir::FailureOr<Traffic> readTraffic(mlir::ModuleOp module,
                                     llvm::StringRef path);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_PROFILE_MODELPROFILE_H
