// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: `ambit calibrate`.

#ifndef AMBIT_LIB_DRIVER_CALIBRATE_CALIBRATE_H
#define AMBIT_LIB_DRIVER_CALIBRATE_CALIBRATE_H

#include "ambit/Driver/Options.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

namespace ambit {

/// Measures the rates of this processor in a few seconds and writes them.
mlir::LogicalResult runCalibrate(const CalibrateOptions &options,
                                 mlir::MLIRContext &context,
                                 llvm::raw_ostream &out);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_CALIBRATE_CALIBRATE_H
