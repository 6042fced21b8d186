// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `ambit inspect --ops`: the operators of a model, and why some are refused.

#ifndef AMBIT_LIB_DRIVER_MODEL_INSPECTOPERATORS_H
#define AMBIT_LIB_DRIVER_MODEL_INSPECTOPERATORS_H

#include "ambit/Driver/Options.h"
#include "mlir/IR/MLIRContext.h"

namespace ambit {

/// Prints a row for each operator; failure when one is refused somewhere.
mlir::LogicalResult inspectOperators(const InspectOptions &options,
                                     mlir::MLIRContext &context,
                                     llvm::raw_ostream &out);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_MODEL_INSPECTOPERATORS_H
